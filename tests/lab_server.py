"""The dashboard as its own process, started as a user starts it, asked from outside."""

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from waiting import PATIENCE, wait_for

TOOL = Path(sys.executable).with_name("bertflow-lab")
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def strange_folder(folder: Path) -> Path:
    """Make a folder to start from, with modules in it that a careless import would find."""
    for name in ("app", "data", "queue"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise ImportError('a stranger')\n")
    return folder


@dataclass
class Server:
    """A running `bertflow-lab app`."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, *, method: str = "GET", body: bytes | None = None, **headers: str):
        """Ask for a path and return the status, the headers and the body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def shake_hands(self, host: str, origin: str | None = None) -> int:
        """Ask for a websocket under a host's name, from its own page or another."""
        named = f"{host}:{self.port}"
        headers = {**HANDSHAKE, "Host": named, "Origin": origin or f"http://{named}"}
        return self.get("/_stcore/stream", **headers)[0]

    def is_healthy(self) -> bool:
        try:
            return self.get("/_stcore/health")[0] == 200
        except OSError:
            return False

    def has_begun(self) -> bool:
        """Say whether it answers; fail where it ended instead."""
        assert self.process.poll() is None, f"the server did not start:\n{self.log.read_text()}"
        return self.is_healthy()

    def stop(self) -> int:
        """End it as a terminal or a service manager does; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise AssertionError(f"the server did not end within {PATIENCE} s of SIGTERM") from None


def start(folder: Path, tool: Path = TOOL, *flags: str, patch: str = "") -> Server:
    """Start the server from `folder`, without benchmark data, and wait until it answers.

    Its interpreter first runs the code `patch`, which may change what the server does.
    """
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    environment.pop("BERTFLOW_DATA", None)
    if patch:
        patched = folder.with_suffix(".patch")
        patched.mkdir()
        (patched / "sitecustomize.py").write_text(patch, encoding="utf-8")
        environment["PYTHONPATH"] = str(patched)
    log = folder.with_suffix(".log")
    port = free_port()
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [tool, "app", "--port", str(port), *flags],
            cwd=folder,
            env=environment,
            stdout=stream,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    server = Server(process, port, log)
    try:
        wait_for(server.has_begun, every=0.1)
    except AssertionError:
        process.kill()
        raise
    return server
