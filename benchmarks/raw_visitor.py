"""A visitor of the dashboard without a browser: Streamlit's own messages over a websocket."""

import asyncio
import time
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

__all__ = ["Click", "RawVisitor"]

_MOST_BYTES = 256 << 20


@dataclass
class Click:
    """What came back for one run of a page.

    Attributes:
        page: The page's name in the address.
        seconds: From the request to the end of the run.
        n_bytes: What the server sent.
        buttons: The ids of the buttons that were drawn, by label.
        primary: The label of the page's main button, or None.
        errors: What went wrong, as the page says it.
    """

    page: str
    seconds: float = 0.0
    n_bytes: int = 0
    buttons: dict[str, str] = field(default_factory=dict)
    primary: str | None = None
    errors: list[str] = field(default_factory=list)

    @property
    def is_waiting(self) -> bool:
        """Whether the page shows a job that runs."""
        return "Stop" in self.buttons

    def take(self, message: ForwardMsg) -> None:
        """Note what a message draws."""
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
            if element.button.type == "primary":
                self.primary = element.button.label
        elif kind == "exception":
            self.errors.append(element.exception.message)
        elif kind == "alert" and "Something went wrong" in element.alert.body:
            self.errors.append(element.alert.body)


class RawVisitor:
    """One session; use it as an asynchronous context.

    Args:
        port: Of a server on 127.0.0.1.
        choices: The address's parameters on every page, such as the recipe's.
    """

    def __init__(self, port: int, **choices: str) -> None:
        self._url = f"ws://127.0.0.1:{port}/_stcore/stream"
        self._choices = choices
        self._connection: ClientConnection | None = None
        self._held: set[str] = set()

    async def __aenter__(self) -> "RawVisitor":
        self._connection = await connect(
            self._url, subprotocols=["streamlit"], max_size=_MOST_BYTES, open_timeout=60
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            await self._connection.close()

    async def visit(self, page: str, *, press: str | None = None) -> Click:
        """Run a page, as a click on its name or on the button of that id does.

        Raises:
            TimeoutError: It took more than a minute.
        """
        request = BackMsg()
        request.rerun_script.query_string = urlencode(self._choices)
        request.rerun_script.page_name = page
        request.rerun_script.cached_message_hashes.extend(self._held)
        if press is not None:
            state = request.rerun_script.widget_states.widgets.add()
            state.id, state.trigger_value = press, True
        async with asyncio.timeout(60):
            return await self._run(page, request)

    async def _run(self, page: str, request: BackMsg) -> Click:
        assert self._connection is not None
        click, start = Click(page), time.perf_counter()
        await self._connection.send(request.SerializeToString())
        async for frame in self._connection:
            assert isinstance(frame, bytes)
            click.n_bytes += len(frame)
            message = ForwardMsg.FromString(frame)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    break
                continue  # a rerun that the page itself asked for follows
            if message.metadata.cacheable:
                self._held.add(message.hash)  # as a browser says, so that it is not sent again
            click.take(message)
        click.seconds = time.perf_counter() - start
        return click
