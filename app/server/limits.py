"""Limits on what visitors may use of the server: open pages and uploads.

Streamlit stores whatever arrives at its upload route before any page sees it. Its option
`server.maxWidgetStateSize` bounds what a page's widgets may hold.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bertflow_app.work.kept import enlarged
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MAX_PAGES = 100
"""Maximum number of open pages; the next visitor is told that the server is full."""

FULL = PlainTextResponse("The server is full: try again in a few minutes.", 503)

MAX_FILES = 8
MAX_BYTES, MAX_BYTES_OF_ALL = 64 << 20, 512 << 20
"""Maximum bytes of one visitor's files, and of all files together, on a shared server."""
SILENT_SECONDS, UPLOAD_SECONDS = 10.0, 120.0
"""Longest pause within an upload, and longest time for a whole file."""

_ROUTE = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+\Z")


class Refused(Exception):
    """A refused upload, with the status and the text of the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.answer = PlainTextResponse(f"Refused: {text}", status)


@dataclass(eq=False)
class Arrival:
    """An arriving file: the number of bytes received, and why it was refused, if it was."""

    session: str
    check: Callable[[], None]
    n_bytes: int = 0
    refused: Refused | None = None
    end: float = field(default_factory=lambda: time.monotonic() + UPLOAD_SECONDS)

    async def next_part(self, receive: Receive) -> Message:
        """Return the next part, or the end of the request if the file is refused."""
        try:
            patience = min(SILENT_SECONDS, self.end - time.monotonic())
            part = await asyncio.wait_for(receive(), patience)
            self.n_bytes += len(part.get("body", b""))
            self.check()
        except TimeoutError:
            self.refused = Refused(408, "the file did not arrive in time; send it again.")
        except Refused as error:
            self.refused = error
        return {"type": "http.disconnect"} if self.refused else part


class Limits:
    """Limit the open pages, the files of each session and the files of all sessions.

    Only bytes that have arrived count, so a visitor who announces files, or sends them slowly,
    takes nothing from others. A session's files are deleted when its visitor has left.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._n_pages = 0
        self._arriving: list[Arrival] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with the reason for refusing it."""
        if scope["type"] == "websocket":
            await self._page(scope, receive, send)
            return
        method = scope.get("method")
        route = _ROUTE.search(scope["path"]) if method == "PUT" else None
        if route is None:
            is_page = method == "GET" and "text/html" in Headers(scope=scope).get("accept", "")
            app = FULL if is_page and self._n_pages >= MAX_PAGES else self.app
            await app(scope, receive, send)
            return
        try:
            await self._upload(route[1], scope, receive, send)
        except Refused as refused:
            await refused.answer(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._n_pages >= MAX_PAGES:
            await WebSocketClose(1013)(scope, receive, send)
            return
        self._n_pages += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._n_pages -= 1

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a file on as it arrives; a refusal in the middle ends the request."""
        self._check_start(session)
        arrival = Arrival(session, lambda: self._check_size(session))

        async def answer(message: Message) -> None:
            if arrival.refused is None:  # else the request has ended
                await send(message)

        self._arriving.append(arrival)
        try:
            await self.app(scope, lambda: arrival.next_part(receive), answer)
        except Exception:
            if arrival.refused is None:
                raise
        finally:
            self._arriving.remove(arrival)
        if arrival.refused is not None:
            raise arrival.refused

    def _check_start(self, session: str) -> None:
        if not runtime.get_instance().is_active_session(session):
            raise Refused(403, "this session is not open; reload the page.")
        mine, _ = self._held(session)
        if len(mine) >= MAX_FILES:
            raise Refused(
                429, f"a visitor may hold {MAX_FILES} files; remove one, or reload the page."
            )
        self._check_size(session)

    def _check_size(self, session: str) -> None:
        (mine, n_bytes), most = self._held(session), enlarged(MAX_BYTES)
        if sum(mine) > most:
            raise Refused(413, f"a visitor's files may hold {most >> 20} MB together.")
        if n_bytes > enlarged(MAX_BYTES_OF_ALL):
            raise Refused(
                429, "the server holds as many uploads as it may; try again in a few minutes."
            )

    def _held(self, session: str) -> tuple[list[int], int]:
        """Return the sizes of a session's files, and the total of all sessions' files, in bytes."""
        manager = runtime.get_instance().uploaded_file_mgr
        assert isinstance(manager, MemoryUploadedFileManager)
        sizes = [
            (owner, len(file.data))
            for owner, files in manager.file_storage.items()
            for file in files.values()
        ]
        sizes += [(each.session, each.n_bytes) for each in self._arriving]
        return [size for owner, size in sizes if owner == session], sum(size for _, size in sizes)
