"""Start the dashboard as a user would, in a new process: for benchmarks, tests and pictures."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

PATIENCE = 300
"""Seconds after which a wait fails; far more than a slow and busy machine needs."""
TOOL = Path(sys.executable).with_name("bertflow-lab")


@dataclass
class Server:
    """A running `bertflow-lab app`."""

    process: subprocess.Popen[bytes]
    port: int  # on 127.0.0.1
    log: Path  # the file with its output
    seconds: float = 0.0  # from the start to the first answer

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def mib(self) -> float:
        """The server's resident memory in MiB."""
        import psutil  # type: ignore[import-untyped]

        return float(psutil.Process(self.process.pid).memory_info().rss / (1 << 20))

    def get(
        self, path: str, *, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Request a path and return the status, the headers and the body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def stop(self) -> int:
        """Stop the server as a service manager does, by SIGTERM; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise TimeoutError(f"the server did not end within {PATIENCE} s of SIGTERM") from None

    def is_ready(self) -> bool:
        """Whether the server answers."""
        try:
            return self.get("/_stcore/health")[0] == 200
        except OSError:
            return False


def start(folder: Path, tool: Path = TOOL, **environment: str) -> Server:
    """Start the server from a folder, without benchmark data, and wait until it answers.

    The log is written next to the folder. `environment` has further environment variables.
    """
    variables = {**os.environ, "HF_HUB_OFFLINE": "1", **environment}
    variables.pop("BERTFLOW_DATA", None)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    log, begun = folder.with_suffix(".log"), time.perf_counter()
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [tool, "app", "--port", str(port)],
            cwd=folder,
            env=variables,
            stdout=stream,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    server = Server(process, port, log)
    while not server.is_ready():
        if process.poll() is not None or time.perf_counter() - begun > PATIENCE:
            process.kill()
            raise RuntimeError(f"the server did not start:\n{log.read_text()}")
        time.sleep(0.02)
    server.seconds = time.perf_counter() - begun
    return server


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Serve the dashboard from a folder that also holds its empty cache; stop it afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    server = start(folder, BERTFLOW_CACHE=str(folder / "cache"))
    try:
        yield server
    finally:
        server.stop()
