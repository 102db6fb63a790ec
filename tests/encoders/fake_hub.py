"""A small HTTP server on this machine that plays the Hugging Face hub, and a client apart."""

import atexit
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from waiting import PATIENCE

__all__ = ["FakeHub", "Repository", "resolve_apart", "serve"]

CLIENT = """
import json, os, sys, time
from huggingface_hub import errors, snapshot_download  # and all that this imports
time.sleep = lambda seconds: None  # the client waits between its attempts
from bertflow_core.encoders import resolve_model
from bertflow_core.errors import BertFlowError

def answer(name, revision):
    try:
        model = resolve_model(name, revision=revision)
    except BertFlowError as error:
        return {"error": type(error).__name__, "text": str(error)}
    files = sorted(p.name for p in model.path.iterdir())
    found = {"revision": model.revision, "digest": model.digest, "files": files}
    return {**found, "path": str(model.path)}

for line in sys.stdin:
    environment, folder, *question = json.loads(line)
    if child := os.fork():
        os.waitpid(child, 0)
        print(flush=True)  # ends the answer, or stands for one where the child failed
        continue
    os.environ.update(environment)
    os.chdir(folder)
    for module in [each for each in sys.modules if each.startswith("huggingface_hub")]:
        del sys.modules[module]  # imported anew, it reads its settings anew
    print(json.dumps(answer(*question)), end="", flush=True)
    os._exit(0)
"""


@dataclass(frozen=True)
class Repository:
    """Files by commit, and commits by branch or tag.

    `fault` is the status and error code of every answer; `torn` a file that breaks off half-way.
    """

    files: Mapping[str, Mapping[str, bytes]]
    refs: Mapping[str, str]
    fault: tuple[int, str] | None = None
    torn: str | None = None


@dataclass
class FakeHub:
    """The hub's repositories, its address, and the files that were fetched from it."""

    repositories: dict[str, Repository] = field(default_factory=dict)
    url: str = ""
    requests: list[str] = field(default_factory=list)

    @property
    def fetched(self) -> set[str]:
        """Names of the files whose content was sent."""
        return {
            r.rpartition("/")[2]
            for r in self.requests
            if r.startswith("GET /") and "/resolve/" in r
        }


@contextmanager
def serve(hub: FakeHub) -> Iterator[FakeHub]:
    """Serve `hub` on a free port of this machine."""
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def resolve_apart(
    url: str, home: Path, name: str, revision: str | None = None, *, offline: bool = False
) -> dict[str, Any]:
    """Call `resolve_model` in another process, with the hub at `url` and its cache in `home`."""
    environment = {
        "HF_ENDPOINT": url,
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "1" if offline else "0",
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_ETAG_TIMEOUT": str(PATIENCE),
        "NO_PROXY": "127.0.0.1",
    }
    client = _client()
    client.stdin.write(json.dumps([environment, os.getcwd(), name, revision]) + "\n")
    client.stdin.flush()
    answer = client.stdout.readline()
    assert answer.strip(), "the client failed: see its standard error"
    return json.loads(answer)


@cache
def _client() -> subprocess.Popen[str]:
    """Start a process that answers each question in a copy of itself."""
    settings = ("HF_", "HUGGING")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(settings)}
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(client.kill)
    return client


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append(f"{self.command} {path}")
        parts = path.strip("/").split("/")
        is_api = parts[:2] == ["api", "models"]
        parts = parts[2:] if is_api else parts
        repository = self.hub.repositories.get("/".join(parts[:2]))
        if repository is None:
            self._fail(401 if is_api else 404, "RepoNotFound")
        elif repository.fault:
            self._fail(*repository.fault)
        else:
            self._answer_for(repository, *parts[2:])

    def _answer_for(self, repository: Repository, route: str, revision: str, *name: str) -> None:
        commit = repository.refs.get(revision, revision)
        if commit not in repository.files:
            self._fail(404, "RevisionNotFound")
        elif route == "revision":
            self._send(json.dumps({"id": "x/y", "sha": commit, "siblings": []}).encode())
        elif route == "tree":
            files = repository.files[commit].items()
            tree = [{"type": "file", "path": n, "size": len(c), "oid": _etag(c)} for n, c in files]
            self._send(json.dumps(tree).encode())
        elif "/".join(name) not in repository.files[commit]:
            self._fail(404, "EntryNotFound")
        else:
            content = repository.files[commit]["/".join(name)]
            headers = {"ETag": f'"{_etag(content)}"', "X-Repo-Commit": commit}
            self._send(content, headers, torn="/".join(name) == repository.torn)

    def _send(
        self, content: bytes, headers: Mapping[str, str] | None = None, *, torn: bool = False
    ) -> None:
        self.send_response(200)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content[: len(content) // 2] if torn else content)
        if torn:
            self.close_connection = True

    def _fail(self, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()


def _etag(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()
