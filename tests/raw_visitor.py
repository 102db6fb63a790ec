"""A visitor without a browser: speaks the websocket of a page and its upload route directly."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import lab_server
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from waiting import PATIENCE, wait_for
from websockets.sync.client import connect

__all__ = ["RawVisitor"]


@dataclass
class RawVisitor:
    """A websocket to a server, as a browser's tab holds one.

    Attributes:
        server: The dashboard.
        address: The page and what it is asked.
        resume: The session to go on with, as after a cut connection.
        session: The id of its session, after the first run.
        heard: All messages of the last run, as they came.
    """

    server: lab_server.Server
    address: str = "/"
    resume: str | None = None
    session: str = ""
    heard: bytes = b""
    _buttons: dict[str, str] = field(default_factory=dict)
    _typed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{self.server.port}/_stcore/stream",
                origin=self.server.url,
                subprotocols=["streamlit", "token", *([self.resume] if self.resume else [])],
                max_size=None,
                proxy=None,
            )
        )
        self.texts = self.run()

    def send(self, message: BackMsg) -> None:
        self._socket.send(message.SerializeToString())

    def run(self, press: str = "") -> str:
        """Run the page, press a button on it, and return all that the page then says."""
        page, _, query = self.address.strip("/").partition("?")
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        if press:
            widgets = message.rerun_script.widget_states.widgets
            widgets.add(id=self._buttons[press], trigger_value=True)
            for box, text in self._typed.items():
                widgets.add(id=box, string_value=text)
        self.send(message)
        self.heard = b""
        return " ".join(self._answer())

    def waits_for(self, text: str) -> None:
        """Run the page every so often until it says this."""
        wait_for(lambda: text in self.run(), every=0.5)

    def _answer(self) -> Iterator[str]:
        has_begun = False  # a session that goes on first hears the end of the run before
        while True:
            data = self._socket.recv(PATIENCE)
            self.heard += data
            message = ForwardMsg.FromString(data)
            if message.HasField("script_finished") and has_begun:
                return
            if message.HasField("new_session"):
                has_begun = True
                self.session = message.new_session.initialize.session_id
            if message.HasField("delta"):
                element = message.delta.new_element
                if element.HasField("button"):
                    self._buttons[element.button.label] = element.button.id
                if element.HasField("text_area"):
                    self._typed[element.text_area.id] = element.text_area.default
                yield str(element)

    def upload(self, content: bytes) -> tuple[int, str]:
        """Send a file under an invented id; return the status and the sentence."""
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
        """Lose the connection without a word."""
        self._socket.socket.close()
