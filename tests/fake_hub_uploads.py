"""A small HTTP server on this machine that plays the hub's side of an upload."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from fake_hub import Answering, listening

__all__ = ["TOKEN", "UploadHub", "serve_uploads"]

TOKEN = "hf_of_the_test"


@dataclass
class UploadHub:
    """What the hub holds and what was asked of it.

    Attributes:
        models: Files of each model by its id.
        private: Ids of those that only their owners see.
        refused: HTTP status by the request that gets it, such as `POST /api/repos/create`.
        url: Its address.
        requests: Method and path of each request, in order.
    """

    models: dict[str, dict[str, bytes]] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    refused: dict[str, int] = field(default_factory=dict)
    url: str = ""
    requests: list[str] = field(default_factory=list)
    _large: dict[str, bytes] = field(default_factory=dict)

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        """Return status and JSON of the answer to a request."""
        request = f"{method} {path}"
        self.requests.append(request)
        for which, status in self.refused.items():
            if request.startswith(which):
                return status, {}
        parts = path.strip("/").split("/")
        if path == "/api/whoami-v2":
            return 200, {"name": "org", "type": "user"}
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return 200, {"warnings": [], "errors": []}
        if parts[0] == "large":
            self._large[parts[1]] = body
            return 200, {}
        name = "/".join(parts[2:4] if parts[0] == "api" else parts[:2]).removesuffix(".git")
        if name not in self.models:
            return 404, {}
        if method == "GET":
            siblings = [{"rfilename": each} for each in self.models[name]]
            return 200, {"id": name, "siblings": siblings, "private": name in self.private}
        return self._receive(name, path, body)

    def _create(self, asked: dict[str, Any]) -> tuple[int, Any]:
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.models:
            return 409, {"error": "You already created this model repo"}
        self.models[name] = {".gitattributes": b""}
        self.private |= {name} if asked.get("visibility") == "private" else set()
        return 200, {"url": f"{self.url}/{name}"}

    def _receive(self, name: str, path: str, body: bytes) -> tuple[int, Any]:
        if "/preupload/" in path:
            files = [
                {
                    "path": each["path"],
                    "uploadMode": "lfs" if each["path"].endswith(".safetensors") else "regular",
                    "shouldIgnore": False,
                }
                for each in json.loads(body)["files"]
            ]
            return 200, {"files": files}
        if path.endswith("/info/lfs/objects/batch"):
            objects = [
                {**each, "actions": {"upload": {"href": f"{self.url}/large/{each['oid']}"}}}
                for each in json.loads(body)["objects"]
            ]
            return 200, {"transfer": "basic", "objects": objects}
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                self.models[name][value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                content = self._large[value["oid"]]
                assert hashlib.sha256(content).hexdigest() == value["oid"]
                self.models[name][value["path"]] = content
        done = {"commitUrl": f"{self.url}/{name}/commit/1", "commitOid": "1" * 40}
        return 200, {**done, "success": True}


@contextmanager
def serve_uploads(hub: UploadHub) -> Iterator[UploadHub]:
    """Serve `hub` on a free port of this machine."""
    with listening(type("Handler", (_Handler,), {"hub": hub})) as hub.url:
        yield hub


class _Handler(Answering):
    hub: UploadHub

    def answer(self) -> None:
        body = self._body()
        path = urlsplit(self.path).path
        known = self.headers.get("Authorization") == f"Bearer {TOKEN}" or path.startswith("/large/")
        status, value = self.hub.answer(self.command, path, body) if known else (401, {})
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body
