"""A small HTTP server on this machine that plays the Hugging Face hub, with its faults."""

import gzip
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from waiting import PATIENCE

SHORT = 0.3
"""Seconds of each wait where the hub never answers."""


@dataclass(frozen=True)
class Fault:
    """What the hub does wrong with requests that begin with `at`, such as `GET /api/models/x`.

    It answers with a status and headers, or it is `silent`, or ends half-way (`cut`), or never
    (`endless`), or sends gigabytes in a few bytes (`packed`).
    """

    at: str
    how: str | int
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repository:
    """Files by commit, commits by branch or tag, and sizes that are listed but not true."""

    files: Mapping[str, Mapping[str, bytes]]
    refs: Mapping[str, str] = field(default_factory=dict)
    listed: Mapping[str, object] = field(default_factory=dict)


@dataclass
class FakeHub:
    """The hub's repositories by id (`datasets/org/name`), its faults, and what was asked of it."""

    repositories: dict[str, Repository] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)  # the first that a request meets counts
    url: str = ""
    requests: list[str] = field(default_factory=list)  # method and path
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def fetched(self) -> set[str]:
        """Names of the files whose content was sent."""
        paths = [r.split()[1] for r in self.requests if r.startswith("GET /") and "/resolve/" in r]
        return {path.rpartition("/")[2] for path in paths}


@contextmanager
def serve(hub: FakeHub) -> Iterator[FakeHub]:
    """Serve `hub` on a free port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        hub.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def connected(
    url: str, home: Path, *, offline: bool = False, patience: float = PATIENCE
) -> Iterator[None]:
    """Let the client ask the hub at `url`, and keep its cache in `home`."""
    from huggingface_hub import close_session, constants

    sleep = time.sleep
    settings = {
        "ENDPOINT": url,
        "HUGGINGFACE_CO_URL_TEMPLATE": url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(home / "hub"),
        "HF_HUB_OFFLINE": offline,
        "HF_HUB_DISABLE_XET": True,  # which this hub does not speak
        "HF_HUB_DOWNLOAD_TIMEOUT": patience,
        "DOWNLOAD_CHUNK_SIZE": 1000,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setattr(constants, name, value)
        # The client waits between its attempts: briefly here, not never, or polls would not rest.
        patch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.01)))
        close_session()
        yield
    close_session()


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        request = f"{self.command} {path}"
        self.hub.requests.append(request)
        fault = next((f for f in self.hub.faults if request.startswith(f.at)), None)
        parts = path.strip("/").removeprefix("api/").removeprefix("models/").split("/")
        n_name = 3 if parts[0] == "datasets" else 2
        repository = self.hub.repositories.get("/".join(parts[:n_name]))
        if fault is not None and fault.how == "silent":
            self.hub.closing.wait()
        elif fault is not None and fault.how == "endless":
            self._send_for_ever()
        elif fault is not None and fault.how == "packed":
            packed = gzip.compress(b" " * (32 << 20))
            self._send(200, packed, **{"Content-Encoding": "gzip"})
        elif fault is not None and fault.how != "cut":
            self._send(int(fault.how), **fault.headers)
        elif repository is not None:
            self._send_of(repository, *parts[n_name:], cut=fault is not None)
        else:
            self._send(404, **{"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET

    def _send_of(
        self,
        repository: Repository,
        route: str = "revision",
        revision: str = "main",
        *name: str,
        cut: bool,
    ):
        commit = repository.refs.get(revision, revision)
        files = repository.files.get(commit)
        if files is None:
            self._send(404, **{"X-Error-Code": "RevisionNotFound"})
        elif route == "revision":
            sizes = [
                {"rfilename": n, "size": repository.listed.get(n, len(c))} for n, c in files.items()
            ]
            self._send(200, json.dumps({"id": "x/y", "sha": commit, "siblings": sizes}).encode())
        elif route == "tree":
            listed = [
                {"type": "file", "path": n, "size": len(c), "oid": sha256(c).hexdigest()}
                for n, c in files.items()
            ]
            self._send(200, json.dumps(listed).encode())
        else:
            content = files["/".join(name)]
            headers = {"ETag": f'"{sha256(content).hexdigest()}"', "X-Repo-Commit": commit}
            start, n = int((self.headers.get("Range") or "bytes=0-")[6:-1]), len(content)
            if start:
                headers["Content-Range"] = f"bytes {start}-{n - 1}/{n}"
            self._send(206 if start else 200, content[start:], cut=cut, **headers)

    def _send_for_ever(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        with suppress(OSError):  # until the client goes away
            while not self.hub.closing.is_set():
                self.wfile.write(b" " * (1 << 16))

    def _send(self, status: int, content: bytes = b"", cut: bool = False, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if cut else content)
        self.close_connection = cut

    def log_message(self, *_: object) -> None:
        pass
