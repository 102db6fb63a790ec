"""A visitor without a browser, who talks to the websocket and the upload route of the server."""

import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from .server import PATIENCE, Server


@dataclass
class RawVisitor:
    """A websocket to a server, like that of a browser's tab; its page opens at once."""

    server: Server
    address: str = "/"  # the page and its query
    resume: str | None = None  # the session to resume, as after a cut connection
    session: str = ""
    texts: str = ""  # of the page; this and the next three belong to the last run
    n_bytes: int = 0
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)
    buttons: dict[str, str] = field(default_factory=dict)  # ids by label, and by "primary"
    _typed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # `connect` without a context is deprecated by websockets.
        self._open, names = ExitStack(), ("streamlit", "token", self.resume)
        self._socket = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{self.server.port}/_stcore/stream",
                origin=Origin(self.server.url),
                subprotocols=[Subprotocol(name) for name in names if name],
                max_size=None,
                proxy=None,
            )
        )
        self.run()

    def visit(self, address: str) -> None:
        """Go to another page."""
        self.address = address
        self.run()

    def type(self, text: str) -> None:
        """Type the text into every text box of the page."""
        self._typed = dict.fromkeys(self._typed, text)
        self.run()

    def run(self, press: str = "") -> str:
        """Run the page, with a button pressed if one is named, and return the page's texts."""
        page, _, query = self.address.strip("/").partition("?")
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        widgets = message.rerun_script.widget_states.widgets
        for box, text in self._typed.items():
            widgets.add(id=box, string_value=text)
        if press:
            widgets.add(id=self.buttons[press], trigger_value=True)
        self.n_bytes, self.buttons, self.errors, begun = 0, {}, [], time.perf_counter()
        self.send(message)
        self.texts = " ".join(self._answer())
        self.seconds = time.perf_counter() - begun
        return self.texts

    def send(self, message: BackMsg) -> None:
        """Send a message of Streamlit's protocol."""
        self._socket.send(message.SerializeToString())

    def waits_for(self, text: str) -> None:
        """Run the page again and again until it shows this text."""
        end = time.monotonic() + PATIENCE
        while text not in self.run():
            if time.monotonic() > end:
                raise TimeoutError(f"{self.address} did not show {text!r} within {PATIENCE} s")
            time.sleep(0.1)

    def upload(self, content: bytes) -> tuple[int, str]:
        """Upload a file under a random id; return the status and the text of the answer."""
        _, headers, _ = self.server.get("/_stcore/health")
        token = headers["set-cookie"].partition(";")[0].partition("=")[2]
        body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
        status, _, answer = self.server.get(
            f"/_stcore/upload_file/{self.session}/{secrets.token_hex(8)}",
            method="PUT",
            body=body + content + b"\r\n--x--\r\n",
            Content_Type="multipart/form-data; boundary=x",
            Cookie=f"_streamlit_xsrf={token}",
            X_Xsrftoken=token,
        )
        return status, answer.decode()

    def leave(self) -> None:
        """Close the tab."""
        self._open.close()

    def cut(self) -> None:
        """Drop the connection without closing it properly."""
        self._socket.socket.close()

    def _answer(self) -> Iterator[str]:
        has_begun = False  # a resumed session first receives the end of the previous run
        while True:
            data = self._socket.recv(PATIENCE)
            assert isinstance(data, bytes)
            self.n_bytes += len(data)
            message = ForwardMsg.FromString(data)
            if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                continue
            if message.HasField("script_finished") and has_begun:
                return
            if message.HasField("new_session"):
                has_begun = True
                self.session = message.new_session.initialize.session_id
            if message.HasField("delta"):
                yield self._take(message)

    def _take(self, message: ForwardMsg) -> str:
        element = message.delta.new_element
        match element.WhichOneof("type"):
            case "button":
                self.buttons[element.button.label] = element.button.id
                if element.button.type == "primary":
                    self.buttons["primary"] = element.button.id
            case "text_area":
                self._typed.setdefault(element.text_area.id, element.text_area.default)
            case "exception":
                self.errors.append(element.exception.message)
            case "alert" if "Something went wrong" in element.alert.body:
                self.errors.append(element.alert.body)
        return str(element)
