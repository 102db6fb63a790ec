"""Scratch folders: swept once the process that made them is gone, and never before."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bertflow_core.files import scratch, sweep_scratch
from bertflow_core.files.scratch import scratch_beside

HOLD = """
import sys, time
from pathlib import Path
from bertflow_core.files.scratch import scratch_beside

with scratch_beside(Path(sys.argv[1])) as scratch:
    scratch.new.write_text("half")
    print("holding", flush=True)
    time.sleep(3600)
"""


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def leave(folder: Path, name: str = ".bertflow-1234abcd", put_aside: str | None = None) -> Path:
    """Leave what a killed process leaves."""
    home = folder / name
    home.mkdir()
    (home / "new").write_text("half")
    if put_aside:
        (home / "old").mkdir()
        (home / "old" / put_aside).write_text("old")
    return home


@pytest.fixture(params=["running", "stopped"])
def other(request, tmp_path):
    """Another process at work in this folder; stopped, it runs no code and holds its lock."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "x.npy")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "holding\n"
    if request.param == "stopped":
        process.send_signal(signal.SIGSTOP)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")
def test_what_a_living_process_writes_stays_and_goes_once_it_is_killed(other, tmp_path):
    before = names(tmp_path)
    sweep_scratch(tmp_path)
    with scratch_beside(tmp_path / "y.npy"):
        pass
    assert names(tmp_path) == before
    other.kill()
    other.wait()
    sweep_scratch(tmp_path)
    assert names(tmp_path) == []


def test_files_of_others_and_the_folder_of_an_own_write_stay(tmp_path):
    for name in ("mine", ".bertflow-figures", ".bertflow-12345678x", "x.bertflow-12345678"):
        leave(tmp_path, name)
    (tmp_path / ".bertflow-12345678").write_text("a file")
    (tmp_path / ".bertflow-00000000").symlink_to("mine")
    before = names(tmp_path)
    leave(tmp_path)
    with scratch_beside(tmp_path / "x.npy") as own:
        own.new.write_text("half")
        sweep_scratch(tmp_path)
        assert own.new.read_text() == "half"
    assert names(tmp_path) == before
    assert names(tmp_path / "mine") == ["new"]


def test_what_was_put_aside_comes_back_unless_its_name_is_taken(tmp_path):
    (tmp_path / "taken").write_text("new")
    leave(tmp_path, put_aside="free")
    leave(tmp_path, ".bertflow-1234abce", put_aside="taken")
    sweep_scratch(tmp_path)
    assert {name: (tmp_path / name).read_text() for name in names(tmp_path)} == {
        "free": "old",
        "taken": "new",
    }


def test_on_a_disk_without_locks_only_what_is_old_is_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "fcntl", None)
    home = leave(tmp_path)
    with scratch_beside(tmp_path / "x.npy"):
        assert len(names(tmp_path)) == 2
    assert names(tmp_path) == [home.name]
    an_hour_ago = time.time() - 3601
    os.utime(home, (an_hour_ago, an_hour_ago))
    sweep_scratch(tmp_path)
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_listed_is_left(tmp_path):
    sweep_scratch(tmp_path / "gone")
