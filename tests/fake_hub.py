"""A small HTTP server on this machine that plays the Hugging Face hub, with its faults."""

import base64
import contextlib
import hashlib
import io
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from waiting import PATIENCE

__all__ = ["SHORT", "TOKEN", "FakeHub", "Fault", "Repository", "command", "connected", "serve"]

TOKEN = "hf_of_the_test"
SHORT = 0.3
"""Seconds of each wait where the hub never answers."""


@dataclass(frozen=True)
class Fault:
    """What the hub does wrong with requests that begin with `at`, such as `GET /api/models/x`.

    It answers with a status and headers, or it is `silent`, or ends half-way (`cut`).
    """

    at: str
    how: str | int
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repository:
    """Files by commit, and commits by branch or tag."""

    files: Mapping[str, Mapping[str, bytes]]
    refs: Mapping[str, str] = field(default_factory=dict)


@dataclass
class FakeHub:
    """The hub's repositories, its faults, its address, and what was asked of it.

    Attributes:
        repositories: By id; those of data sets are called `datasets/org/name`.
        models: Files of each model that was sent, by its id.
        private: Ids of those that only their owners see.
        faults: The first that a request meets counts.
        requests: Method and path of each request.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    models: dict[str, dict[str, bytes]] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    url: str = ""
    requests: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    large: dict[str, bytes] = field(default_factory=dict)

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
        patch.setattr(time, "sleep", lambda _: None)  # the client waits between its attempts
        close_session()
        yield
    close_session()


def command(url: str, home: Path, *args: object, **options: Any) -> dict[str, Any]:
    """Run a command of bertflow-lab as in `connected`; return exit code and standard error."""
    from bertflow_core.cli import main

    stderr = io.StringIO()
    with connected(url, home, **options), contextlib.redirect_stderr(stderr):
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises(SystemExit) as caught:
            main([*map(str, args)])
    return {"code": caught.value.code, "text": stderr.getvalue()}


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart

    def do_GET(self) -> None:
        body, path = self._body(), unquote(urlsplit(self.path).path)
        request = f"{self.command} {path}"
        self.hub.requests.append(request)
        fault = next((f for f in self.hub.faults if request.startswith(f.at)), None)
        parts = path.strip("/").removeprefix("api/").removeprefix("models/").split("/")
        n_name = 3 if parts[0] == "datasets" else 2
        repository = self.hub.repositories.get("/".join(parts[:n_name]))
        if fault is not None and fault.how == "silent":
            self.hub.closing.wait()
        elif fault is not None and fault.how != "cut":
            self._send(int(fault.how), b"", fault.headers)
        elif repository is not None:
            self._send_of(repository, *parts[n_name:], cut=fault is not None)
        else:
            status, value = self._upload(path, body)
            headers = {} if status < 400 else {"X-Error-Code": "RepoNotFound"}
            self._send(status, json.dumps(value).encode(), headers if self.command == "GET" else {})

    do_HEAD = do_POST = do_PUT = do_GET

    def _send_of(self, repository: Repository, route: str, revision: str, *name: str, cut: bool):
        commit = repository.refs.get(revision, revision)
        files = repository.files.get(commit)
        if files is None:
            self._send(404, b"", {"X-Error-Code": "RevisionNotFound"})
        elif route == "revision":
            self._send(200, json.dumps({"id": "x/y", "sha": commit, "siblings": []}).encode())
        elif route == "tree":
            listed = [
                {"type": "file", "path": n, "size": len(c), "oid": _etag(c)}
                for n, c in files.items()
            ]
            self._send(200, json.dumps(listed).encode())
        else:
            content = files["/".join(name)]
            headers = {"ETag": f'"{_etag(content)}"', "X-Repo-Commit": commit}
            start, n = int((self.headers.get("Range") or "bytes=0-")[6:-1]), len(content)
            if start:
                headers["Content-Range"] = f"bytes {start}-{n - 1}/{n}"
            self._send(206 if start else 200, content[start:], headers, cut=cut)

    def _upload(self, path: str, body: bytes) -> tuple[int, Any]:
        """Receive a model, as `create_repo` and `upload_folder` send one."""
        is_known = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        parts = path.strip("/").split("/")
        name = "/".join(parts[2:4] if parts[0] == "api" else parts[:2]).removesuffix(".git")
        hub = self.hub
        if parts[0] == "large":
            hub.large[parts[1]] = body
            return 200, {}
        if not is_known:
            return 401, {}
        if path == "/api/whoami-v2":
            return 200, {"name": "org", "type": "user"}
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return 200, {"warnings": [], "errors": []}
        if name not in hub.models:
            return 404, {}
        if self.command == "GET":
            return 200, {"id": name, "sha": "0" * 40, "siblings": []}
        return self._receive(name, path, body)

    def _create(self, asked: dict[str, Any]) -> tuple[int, Any]:
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.hub.models:
            return 409, {"error": "You already created this model repo"}
        self.hub.models[name] = {}
        self.hub.private |= {name} if asked.get("visibility") == "private" else set()
        return 200, {"url": f"{self.hub.url}/{name}"}

    def _receive(self, name: str, path: str, body: bytes) -> tuple[int, Any]:
        if "/preupload/" in path:
            modes = {True: "lfs", False: "regular"}
            paths = [each["path"] for each in json.loads(body)["files"]]
            files = [
                {"path": p, "uploadMode": modes[p.endswith(".safetensors")], "shouldIgnore": False}
                for p in paths
            ]
            return 200, {"files": files}
        if path.endswith("/info/lfs/objects/batch"):
            objects = [
                {**each, "actions": {"upload": {"href": f"{self.hub.url}/large/{each['oid']}"}}}
                for each in json.loads(body)["objects"]
            ]
            return 200, {"transfer": "basic", "objects": objects}
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                self.hub.models[name][value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                content = self.hub.large[value["oid"]]
                assert hashlib.sha256(content).hexdigest() == value["oid"]
                self.hub.models[name][value["path"]] = content
        done = {"commitUrl": f"{self.hub.url}/{name}/commit/1", "commitOid": "1" * 40}
        return 200, {**done, "success": True}

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _send(
        self,
        status: int,
        content: bytes,
        headers: Mapping[str, str] | None = None,
        *,
        cut: bool = False,
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if cut else content)
        self.close_connection = cut

    def log_message(self, *_: object) -> None:
        pass


def _etag(content: bytes) -> str:
    """Return Git's digest of a small file, or that of large file storage."""
    if len(content) > 10_000:
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
