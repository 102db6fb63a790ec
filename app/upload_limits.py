"""How much the upload route takes of a session and of all, beside the size of one file.

Streamlit keeps there what is sent, under whatever name, before any page sees it.
"""

import re
from collections import Counter

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MAX_FILES, MAX_BYTES, MAX_BYTES_OF_ALL = 8, 64 << 20, 512 << 20
_LENGTH = re.compile("[0-9]{1,12}")
_ROUTE = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+\Z")


class UploadLimits:
    """Refuse a file that its session, or all sessions together, cannot have beside the others.

    A session's files go when its visitor has left.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._arriving: Counter[tuple[str, int]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with the reason why not."""
        route = _ROUTE.search(scope["path"]) if scope.get("method") == "PUT" else None
        if route is None:
            await self.app(scope, receive, send)
            return
        session, length = route[1], Headers(scope=scope).get("content-length", "")
        refusal = self._refusal(session, length)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        file = session, int(length)
        self._arriving[file] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._arriving[file] -= 1
            self._arriving += Counter()  # which drops those that have arrived

    def _refusal(self, session: str, length: str) -> PlainTextResponse | None:
        if not runtime.get_instance().is_active_session(session):
            return PlainTextResponse("Refused: this session is not open; reload the page.", 403)
        if not _LENGTH.fullmatch(length):
            return PlainTextResponse("Refused: say the length of the file first.", 411)
        mine, all_bytes = self._held(session)
        if len(mine) >= MAX_FILES:
            text = f"Refused: a visitor may hold {MAX_FILES} files; remove one, or reload the page."
            return PlainTextResponse(text, 429)
        if sum(mine) + int(length) > MAX_BYTES:
            text = f"Refused: a visitor's files may hold {MAX_BYTES >> 20} MB together."
            return PlainTextResponse(text, 413)
        if all_bytes + int(length) > MAX_BYTES_OF_ALL:
            text = "Refused: the server holds as many uploads as it may; try again in some minutes."
            return PlainTextResponse(text, 429)
        return None

    def _held(self, session: str) -> tuple[list[int], int]:
        """Return the sizes of a session's files, those that arrive too, and the bytes of all."""
        manager = runtime.get_instance().uploaded_file_mgr
        assert isinstance(manager, MemoryUploadedFileManager)
        sizes = [
            (owner, len(file.data))
            for owner, files in manager.file_storage.items()
            for file in files.values()
        ]
        sizes += self._arriving.elements()
        return [size for owner, size in sizes if owner == session], sum(size for _, size in sizes)
