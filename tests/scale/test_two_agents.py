"""Two agents of torchrun, as on two machines: the flow of one process, and a lost machine."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from corpora import write_vectors
from lab_server import TOOL, free_port
from waiting import PATIENCE, wait_for

from bertflow_core.calibrators.persistence import load_calibrator

pytestmark = pytest.mark.campaign

X = np.random.default_rng(0).gamma(2.0, size=(2000, 12)).astype(np.float32)
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--nnodes", "2"]


class Machines:
    """Two agents that run one command, each with a TMPDIR of its own; the first holds the store."""

    def __init__(self, folder: Path, *words: object) -> None:
        port = free_port()
        join = ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{port}"]
        join += ["--local-addr", "127.0.0.1", "--no-python", str(TOOL), *map(str, words)]
        self.folders = [folder / "machine0", folder / "machine1"]
        self.agents = []
        for number, own in enumerate(self.folders):
            own.mkdir()
            host = ["--rdzv-conf", f"is_host={int(number == 0)}", "--nproc-per-node", "1"]
            mine = {"TMPDIR": str(own), "GLOO_SOCKET_IFNAME": "lo"}
            with (own / "said.txt").open("w") as said:
                self.agents.append(
                    subprocess.Popen(
                        [*TORCHRUN, *host, *join],
                        env={**os.environ, **mine},
                        stdout=said,
                        stderr=said,
                    )
                )

    def __enter__(self) -> "Machines":
        return self

    def __exit__(self, *_: object) -> None:
        for number in range(2):
            self.lose(number)
            self.agents[number].wait()

    def ended(self, number: int) -> int:
        """Return the exit code of an agent."""
        return self.agents[number].wait(PATIENCE)

    def processes(self, number: int) -> list[Path]:
        """Return the processes of a machine, in /proc."""
        mark, found = f"TMPDIR={self.folders[number]}\0".encode(), []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (entry / "environ").read_bytes():
                    found.append(entry)
        return found

    def lose(self, number: int) -> None:
        """Kill all processes of a machine."""
        for each in self.processes(number):
            with suppress(ProcessLookupError):
                os.kill(int(each.name), signal.SIGKILL)

    def fits(self, number: int) -> bool:
        """Tell whether a process of a machine has mapped the sample, whose name is gone then."""
        for each in self.processes(number):
            with suppress(OSError):
                if "sample.npy (deleted)" in (each / "maps").read_text():
                    return True
        return False

    def said(self) -> list[str]:
        """Return what the command says of an end, on both machines."""
        texts = [(own / "said.txt").read_text() for own in self.folders]
        lines = [line for text in texts for line in text.splitlines()]
        return [line for line in lines if line.startswith("bertflow-lab: ")]


@pytest.mark.parametrize("is_folder", [False, True])
def test_two_machines_come_to_the_flow_of_one(tmp_path, is_folder):
    source = write_vectors(tmp_path / "x", X, 3) if is_folder else tmp_path / "x.npy"
    if not is_folder:
        np.save(source, X)
    words = ("fit", source, "--calibrator", "flow:batch_size=256", "--device", "cpu", "--out")
    subprocess.run([TOOL, *map(str, words), str(tmp_path / "one")], check=True)
    with Machines(tmp_path, *words, tmp_path / "two") as machines:
        assert [machines.ended(number) for number in range(2)] == [0, 0], machines.said()
    one, two = (load_calibrator(tmp_path / name)[0] for name in ("one", "two"))
    np.testing.assert_allclose(two.transform(X), one.transform(X), rtol=0, atol=1e-4)


@pytest.mark.parametrize("lost", [0, 1])
def test_where_a_machine_is_lost_the_other_ends_with_one_sentence(tmp_path, lost):
    source, out, left = write_vectors(tmp_path / "x", X, 3), tmp_path / "out", 1 - lost
    words = ("fit", source, "--calibrator", "flow:epochs=1000", "--device", "cpu", "--out", out)
    with Machines(tmp_path, *words) as machines:
        wait_for(lambda: all(map(machines.fits, range(2))) or machines.agents[left].poll())
        machines.lose(lost)
        assert machines.ended(left) == 1
        said = machines.said()
    # Torchrun may be quicker where its own store is lost, and ends our process before it speaks.
    assert len(said) == 1 or (lost == 0 and not said)
    assert all("the other processes of the fit do not answer" in each for each in said)
    assert not [*tmp_path.glob("*out*"), *tmp_path.rglob("sample.npy")]
