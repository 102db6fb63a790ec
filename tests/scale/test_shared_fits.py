"""Fits that two processes share, against the same fit in one."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
import torch
from corpora import write_vectors
from lab_server import free_port
from sharing import CASES, fitted, made
from waiting import PATIENCE

from bertflow_core import contact
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.errors import ResourceError
from bertflow_core.processes import Processes
from bertflow_core.scale import fit_shards, open_engine

HERE = Path(__file__).parent
ROUNDING = 1e-2
"""What float32 sums in another order become at most in 10 steps of Adam, each of up to 1e-3."""


def started(rank: int, *words: str) -> subprocess.Popen[str]:
    """Start a process as torchrun does."""
    place = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2"}
    lo = {"MASTER_ADDR": "127.0.0.1", "GLOO_SOCKET_IFNAME": "lo"}
    agent = {"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RESTART_COUNT": "0"}
    command = [sys.executable, str(HERE / "sharing.py"), *words]
    return subprocess.Popen(
        command, env={**os.environ, **place, **lo, **agent}, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return what two processes left, which fitted together."""
    folder = tmp_path_factory.mktemp("shared")
    x = made(torch.float32).numpy()
    write_vectors(folder / "shards", x, 3)
    np.save(folder / "x.npy", x)
    (folder / "bad").mkdir()
    (folder / "bad" / "letter.txt").write_text("of another")
    store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    ports = [str(port) for port in (store.port, free_port(), free_port())]
    processes = [started(rank, str(folder), *ports) for rank in range(2)]
    try:
        for process in processes:
            said = process.communicate(timeout=PATIENCE)[1]
            assert process.returncode == 0, said
    finally:
        for process in processes:
            process.kill()
    return folder


@pytest.mark.parametrize("name", CASES)
def test_two_processes_come_to_the_flow_of_one(folder, name):
    expected = fitted(name)
    first, second = (np.load(folder / f"{name}-{rank}.npz") for rank in range(2))
    atol = 1e-9 if CASES[name][0] == torch.float64 else ROUNDING
    for key, array in expected.items():
        np.testing.assert_array_equal(first[key], second[key])
        np.testing.assert_allclose(first[key], array, rtol=0, atol=atol)


def test_processes_with_different_rows_or_options_are_refused(folder):
    for rank in range(2):
        said = (folder / f"refused-{rank}.txt").read_text().splitlines()
        assert len(said) == 3
        assert all("different rows, options" in sentence for sentence in said)


def test_every_draw_of_a_group_reaches_the_others(folder):
    for rank in range(2):
        values = np.load(folder / f"draws-{rank}.npy")
        np.testing.assert_array_equal(values[:, 0, 0], [1, 2, 3])


def test_the_command_fits_shards_and_one_process_writes_and_speaks(folder):
    with open_engine() as engine:
        expected = fit_shards("flow", folder / "shards", engine=engine, device="cpu").calibrator
    found, config = load_calibrator(folder / "good")
    x = made(torch.float32).numpy()
    np.testing.assert_allclose(found.transform(x), expected.transform(x), rtol=0, atol=ROUNDING)
    assert config["recipe"]["calibrator"] == "flow"
    said = [(folder / f"good-{rank}.txt").read_text() for rank in range(2)]
    assert "fitted on 700 vectors" in said[0]
    assert said[0].endswith("code 0\n")
    assert said[1] == "code 0\n"


def test_of_processes_that_end_together_one_says_why(folder):
    said = [(folder / f"bad-{rank}.txt").read_text().splitlines() for rank in range(2)]
    assert len(said[0]) == 2
    assert "holds other things" in said[0][0]
    assert said[0][1] == "code 2"
    assert said[1] == ["code 1"]


@pytest.mark.parametrize(("n", "size"), [(64, 2), (65, 2), (7, 3), (5, 5)])
def test_a_batch_is_dealt_out_whole(n, size):
    parts = [Processes(rank, size).part(torch.arange(n)) for rank in range(size)]
    assert torch.equal(torch.cat(parts), torch.arange(n))
    assert {len(part) for part in parts} <= {n // size, -(-n // size)}


def test_a_process_that_does_not_start_is_named(monkeypatch):
    monkeypatch.setattr(contact, "_LONGEST_START", timedelta(milliseconds=50))
    store = torch.distributed.HashStore()
    for rank in (0, 2):
        with pytest.raises(ResourceError, match=r"of the 3 .* within .* \(RANK"):
            contact.call_roll(store, rank, 3)
    with pytest.raises(ResourceError, match=r"\(RANK 3\)"):
        contact.call_roll(store, 1, 4)
    contact.call_roll(store, 1, 3)


class Lost:
    """A store whose machine is lost."""

    def add(self, *_: object) -> int:
        raise RuntimeError("Broken pipe")


def test_one_process_of_each_machine_says_that_the_store_is_lost():
    assert [Processes(rank, 4, rank % 2, Lost()).is_first("failure") for rank in range(4)] == [
        True,
        False,
        True,
        False,
    ]


def test_torch_is_heard_in_one_sentence():
    said = "[/src/pair.cc:537] Read error [10.0.0.2]:27: Connection reset. Ask others.\nMore"
    with pytest.raises(ResourceError) as told, contact.in_touch():
        raise RuntimeError(said)
    assert "answer (Read error [10.0.0.2]:27: Connection reset):" in str(told.value)
