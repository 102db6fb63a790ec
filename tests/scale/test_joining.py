"""Processes that are started by hand, where one is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lab_server import free_port
from waiting import PATIENCE

from bertflow_core.errors import InputError
from bertflow_core.processes import joined_processes


def said(*ranks: int, last: str = "") -> list[str]:
    """Return what those of two processes say that are started."""
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": "2"}
    command = [sys.executable, str(Path(__file__).with_name("joining.py")), last]
    lo = {**os.environ, **place, "GLOO_SOCKET_IFNAME": "lo"}
    processes = [
        subprocess.Popen(command, env={**lo, "RANK": str(rank)}, stdout=subprocess.PIPE, text=True)
        for rank in ranks
    ]
    try:
        return [process.communicate(timeout=PATIENCE)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()


@pytest.mark.parametrize(("rank", "missing"), [(0, "1"), (1, "0, or torchrun in its place, at 1")])
def test_who_does_not_start_is_named(rank, missing):
    (sentence,) = said(rank)
    assert sentence.startswith("of the 2 processes of the fit some did not start within ")
    assert f"(RANK {missing}" in sentence


def test_who_is_lost_before_the_connection_is_not_waited_for():
    left, lost = said(0, 1, last="1")
    assert left.startswith("the other processes of the fit do not answer (")
    assert not lost


@pytest.mark.parametrize(
    ("name", "value"),
    [("RANK", "2"), ("MASTER_ADDR", ""), ("MASTER_PORT", "http"), ("MASTER_PORT", "70000")],
)
def test_variables_that_cannot_be_used_are_named(monkeypatch, name, value):
    usual = {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "1"}
    for each, usually in {**usual, name: value}.items():
        monkeypatch.setenv(each, usually)
    with pytest.raises(InputError, match=name), joined_processes("cpu"):
        pass
