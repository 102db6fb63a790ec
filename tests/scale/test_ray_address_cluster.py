"""A Ray cluster that runs already, by its address: the same results."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from corpora import SENTENCES, read_rows, write_texts
from tiny_models import MAX_TOKENS
from waiting import wait_for

pytest.importorskip("ray", reason='the extra is not installed: pip install ".[scale]"')
pytestmark = pytest.mark.campaign

LAB = [sys.executable, "-c", "from bertflow_core.cli import main; main()"]
RAY = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]
HEAD = "--head --num-cpus 2 --include-dashboard false --block"
OPEN = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def members(session: int) -> dict[int, bytes]:
    """Return the command lines of the processes of a session."""
    found = {}
    for entry in Path("/proc").iterdir():
        with suppress(ValueError, OSError):
            if os.getsid(int(entry.name)) == session:
                found[int(entry.name)] = (entry / "cmdline").read_bytes()
    return found


@pytest.fixture(scope="module")
def head() -> Iterator[str]:
    """The address of a cluster with two cores."""
    port, folder = free_port(), tempfile.mkdtemp(prefix="ray", dir="/tmp")
    options = [*HEAD.split(), "--port", str(port), "--temp-dir", folder]
    options += ["--object-store-memory", str(200 << 20), "--disable-usage-stats"]
    started = subprocess.Popen([*RAY, "start", *options], env=OPEN, start_new_session=True)
    try:
        wait_for(lambda: listens(port))
        yield f"127.0.0.1:{port}"
    finally:
        for process in members(started.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        started.wait()
        shutil.rmtree(folder, ignore_errors=True)


def lab(*words: object) -> str:
    done = subprocess.run(
        [*LAB, *map(str, words)], env=OPEN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_every_command_works_by_address(tmp_path, tiny_bert, head):
    source = write_texts(tmp_path / "in", {f"s{i:02}": [*SENTENCES * 20, None] for i in range(8)})
    options = ["--model", tiny_bert, "--layers", "layer:2", "--max-length", MAX_TOKENS]
    options += ["--device", "cpu"]
    for name, more in (("here", ()), ("ray", ("--engine", "ray", "--address", head))):
        folder = tmp_path / name
        lab("embed", source, *options, "--out", folder / "v", *more)
        for spec in ("whiten", "flow:epochs=1"):
            saved, out = folder / spec[:4], folder / f"z{spec[:4]}"
            lab("fit", folder / "v", "--calibrator", spec, "--sample", 500, "--out", saved, *more)
            lab("calibrate", folder / "v", "--calibrator", saved, "--out", out, *more)
    for name in ("v", "zwhit", "zflow"):
        one, other = (read_rows(tmp_path / each / name) for each in ("here", "ray"))
        assert one[0] == other[0]
        np.testing.assert_allclose(one[1], other[1], rtol=0, atol=1e-5)
