"""A small HTTP server on this machine that plays the Hugging Face hub, with its faults."""

import contextlib
import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

__all__ = ["Answering", "FakeHub", "Fault", "Repository", "listening", "serve"]


@dataclass(frozen=True)
class Fault:
    """What the hub does wrong with a kind of request.

    Attributes:
        at: The requests, such as `GET revision` or `GET model.safetensors`.
        how: `status`, or `silent` (no answer), `endless`, `stalls` (half the content, then
            nothing), `drips` (a byte now and then), `cut` (half, then the end), `short` (half, said
            to be all) or `damaged` (another content of the same length).
        times: How many of the requests, from the first.
        status: HTTP status, where that is all.
        headers: Its headers.
    """

    at: str
    how: str = "status"
    times: int = 1 << 30
    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repository:
    """Files by commit, and commits by branch or tag."""

    files: Mapping[str, Mapping[str, bytes]]
    refs: Mapping[str, str]
    faults: tuple[Fault, ...] = ()


@dataclass
class FakeHub:
    """The hub's repositories, its address, and what was asked of it.

    Attributes:
        repositories: By id; those of data sets are called `datasets/org/name`.
        requests: Method, path and range of each request.
        closing: Set when the hub ends, and with it those who wait.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    url: str = ""
    requests: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def fetched(self) -> set[str]:
        """Names of the files whose content was sent."""
        return {
            r.split()[1].rpartition("/")[2]
            for r in self.requests
            if r.startswith("GET /") and "/resolve/" in r
        }


@contextmanager
def serve(hub: FakeHub) -> Iterator[FakeHub]:
    """Serve `hub` on a free port of this machine."""
    with listening(type("Handler", (_Handler,), {"hub": hub})) as hub.url:
        try:
            yield hub
        finally:
            hub.closing.set()


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Let a handler answer on a free port of this machine; give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Answering(BaseHTTPRequestHandler):
    """Answers every request in one place, and writes no log."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart

    def answer(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.answer()

    do_HEAD = do_POST = do_PUT = do_GET

    def log_message(self, *_: object) -> None:
        pass


class _Handler(Answering):
    hub: FakeHub

    def answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append(f"{self.command} {path} {self.headers.get('Range', '')}".strip())
        parts = path.strip("/").split("/")
        is_api = parts[0] == "api"
        parts = parts[1 + (parts[1] == "models") :] if is_api else parts
        n_name = 3 if parts[0] == "datasets" else 2
        repository = self.hub.repositories.get("/".join(parts[:n_name]))
        if repository is None:
            self._fail(401 if is_api else 404, {"X-Error-Code": "RepoNotFound"})
        else:
            self._answer_for(repository, *parts[n_name:])

    def _answer_for(self, repository: Repository, route: str, revision: str, *name: str) -> None:
        commit = repository.refs.get(revision, revision)
        fault = self._fault(repository, "/".join(name) or route)
        if fault and fault.how == "status":
            self._fail(fault.status, fault.headers)
        elif fault and fault.how == "silent":
            self.hub.closing.wait()
        elif fault and fault.how == "endless":
            self._send_for_ever()
        elif commit not in repository.files:
            self._fail(404, {"X-Error-Code": "RevisionNotFound"})
        elif route == "revision":
            self._send(json.dumps({"id": "x/y", "sha": commit, "siblings": []}).encode())
        elif route == "tree":
            files = repository.files[commit].items()
            tree = [{"type": "file", "path": n, "size": len(c), "oid": _etag(c)} for n, c in files]
            self._send(json.dumps(tree).encode())
        elif "/".join(name) not in repository.files[commit]:
            self._fail(404, {"X-Error-Code": "EntryNotFound"})
        else:
            content = repository.files[commit]["/".join(name)]
            headers = {"ETag": f'"{_etag(content)}"', "X-Repo-Commit": commit}
            self._send(content, headers, fault.how if fault else "")

    def _fault(self, repository: Repository, name: str) -> Fault | None:
        """Return the fault of the request that was just noted."""
        for fault in repository.faults:
            method, _, where = fault.at.partition(" ")
            alike = [
                each
                for each in self.hub.requests
                if each.startswith(f"{method} ") and where in each.split()[1].split("/")
            ]
            if (self.command, name) == (method, where) and len(alike) <= fault.times:
                return fault
        return None

    def _send(
        self, content: bytes, headers: Mapping[str, str] | None = None, how: str = ""
    ) -> None:
        start = int((self.headers.get("Range") or "bytes=0-")[len("bytes=") : -1])
        rest, half = content[start:], content[start : start + (len(content) - start) // 2]
        rest = {"short": half, "damaged": bytes(len(rest))}.get(how, rest)
        self.send_response(206 if start else 200)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        length = len(rest) if how else len(content) - start
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command == "GET":
            self._send_body(rest, half, how)

    def _send_body(self, rest: bytes, half: bytes, how: str) -> None:
        if how == "drips":
            for byte in rest:
                self.wfile.write(bytes([byte]))
                if self.hub.closing.wait(0.01):
                    return
        self.wfile.write(half if how in ("cut", "stalls") else rest)
        if how == "stalls":
            self.hub.closing.wait()
        self.close_connection = how in ("cut", "stalls")

    def _send_for_ever(self) -> None:
        self.close_connection = True
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):  # the client has left
            while not self.hub.closing.is_set():
                self.wfile.write(bytes(1 << 20))

    def _fail(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()


def _etag(content: bytes) -> str:
    """Return Git's digest of a small file, or that of large file storage."""
    if len(content) > 10_000:
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
