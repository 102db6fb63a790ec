"""Where the app lies on the server is not the browser's business, but Streamlit tells it."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_SCRIPT = "main.py"
_MOST_BYTES = 64_000
"""The message that begins a run is far smaller."""


class NoScriptPath:
    """Name the app's script without its folder in the message that begins a run."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; what a websocket sends is looked at."""

        async def send_without(message: Message) -> None:
            data = message.get("bytes") or b""
            if len(data) < _MOST_BYTES and _SCRIPT.encode() in data:
                told = ForwardMsg.FromString(data)
                if told.HasField("new_session"):
                    told.new_session.main_script_path = _SCRIPT
                    message = {**message, "bytes": told.SerializeToString()}
            await send(message)

        await self.app(scope, receive, send_without if scope["type"] == "websocket" else send)
