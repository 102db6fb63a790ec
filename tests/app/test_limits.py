"""What one visitor can take of the server from others: open pages, and uploads by what arrived."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from bertflow_app.server import limits
from bertflow_app.server.limits import Limits
from bertflow_app.work import kept
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

MIB = 1 << 20


def run(visit):
    """Await it in a thread: in this one a browser's loop may run since its tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, visit).result()


@pytest.fixture
def files(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    server = SimpleNamespace(
        uploaded_file_mgr=manager, is_active_session={*"abcdefghij"}.__contains__
    )
    monkeypatch.setattr(limits.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(kept.st, "get_option", {"server.maxUploadSize": 20}.get)
    return manager


async def route(scope, receive, send):
    """The upload route: it reads all that comes, and answers unless the sender has gone."""
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            raise ConnectionError
        if not part.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def put(app, session, *parts):
    """Send the parts of a file and then, unless the last is empty, nothing more; the status."""
    sent, coming = [], asyncio.Queue()
    for part in parts:
        await coming.put({"type": "http.request", "body": part, "more_body": part != b""})

    async def send(message):
        sent.append(message)

    path = f"/_stcore/upload_file/{session}/f"
    scope = {"type": "http", "method": "PUT", "path": path, "headers": []}
    await app(scope, coming.get, send)
    return sent[0]["status"]


def test_a_file_that_arrives_is_taken_and_leaves_nothing_behind(files):
    app = Limits(route)
    for _ in range(limits.MAX_FILES + 1):
        assert run(put(app, "a", bytes(60 * MIB), b"")) == 204


def test_who_announces_files_and_is_silent_or_slow_blocks_nobody_and_is_ended(files, monkeypatch):
    monkeypatch.setattr(limits, "SILENT_SECONDS", 0.05)
    app = Limits(route)

    async def visit():
        silent = [put(app, session, b"x" * 50) for session in "bcdefghij" for _ in range(8)]
        return await asyncio.gather(*silent, put(app, "a", bytes(MIB), b""))

    assert run(visit()) == [408] * 72 + [204]
    monkeypatch.setattr(limits, "UPLOAD_SECONDS", 0.0)
    assert run(put(app, "a", b"x", b"")) == 408


@pytest.mark.parametrize(
    ("held", "sent", "status"),
    [
        ({"a": [60 * MIB]}, 4 * MIB, 204),
        ({"a": [60 * MIB]}, 4 * MIB + 1, 413),
        ({"a": [1] * 7}, 1, 204),
        ({"a": [1] * 8}, 1, 429),
        ({session: [64 * MIB] for session in "bcdefghi"}, 0, 204),
        ({session: [64 * MIB] for session in "bcdefghi"}, 1, 429),
    ],
)
def test_the_bytes_that_a_session_and_all_may_hold(files, held, sent, status):
    for session, sizes in held.items():
        for i, size in enumerate(sizes):
            files.add_file(session, UploadedFileRec(f"f{i}", "a.csv", "text/csv", bytes(size)))
    assert run(put(Limits(route), "a", bytes(sent), b"")) == status


def test_where_a_file_may_be_ten_times_as_large_so_may_all_of_them(files, monkeypatch):
    monkeypatch.setattr(kept.st, "get_option", {"server.maxUploadSize": 200}.get)
    files.add_file("a", UploadedFileRec("f", "a.npy", "", bytes(639 * MIB)))
    assert run(put(Limits(route), "a", bytes(MIB), b"")) == 204
    assert run(put(Limits(route), "a", bytes(MIB + 1), b"")) == 413


def test_a_session_sends_eight_files_at_once_and_one_that_is_not_open_none(files, monkeypatch):
    monkeypatch.setattr(limits, "SILENT_SECONDS", 0.05)
    app = Limits(route)

    async def visit():
        return await asyncio.gather(*(put(app, "a", b"x") for _ in range(9)), put(app, "z", b""))

    assert run(visit()) == [408] * 8 + [429, 403]


def test_only_so_many_pages_are_open_at_once(monkeypatch):
    monkeypatch.setattr(limits, "MAX_PAGES", 2)
    opened = []

    async def visit():
        end = asyncio.Event()

        async def page(scope, receive, send):
            opened.append(scope)
            await end.wait()

        app, sent = Limits(page), []

        async def send(message):
            sent.append(message)

        socket = {"type": "websocket", "path": "/_stcore/stream", "headers": []}
        pages = [asyncio.create_task(app(socket, None, send)) for _ in range(3)]
        await pages[2]
        html = [(b"accept", b"text/html")]
        await app({"type": "http", "method": "GET", "path": "/", "headers": html}, None, send)
        end.set()
        await asyncio.gather(*pages)
        await app(socket, None, send)
        return sent

    closed, start, _ = run(visit())
    assert closed["type"] == "websocket.close"
    assert start["status"] == 503
    assert len(opened) == 3
