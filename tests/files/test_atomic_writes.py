"""Files written whole or not at all, whichever step of the disk fails."""

import errno
import os
from pathlib import Path

import pytest

from bertflow_core.files import atomic, atomic_write, make_folder, sweep_scratch

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(params=[True, False], ids=["replaced", "new"])
def path(request, tmp_path) -> Path:
    path = tmp_path / "report.csv"
    if request.param:
        path.write_text("old")
    return path


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_file_is_replaced_and_nothing_stays_beside_it(path):
    with atomic_write(path) as scratch:
        assert scratch.parent == path.parent
        assert scratch.name.startswith(".bertflow-")
        scratch.write_text("new")
    assert content(path.parent) == {"report.csv": "new"}


def test_file_and_folder_are_flushed_the_file_before_it_is_renamed(path, monkeypatch):
    steps, replace = [], os.replace
    monkeypatch.setattr(atomic, "flush", lambda each: steps.append(each))
    monkeypatch.setattr(os, "replace", lambda a, b: (steps.append("replace"), replace(a, b)))
    with atomic_write(path) as scratch:
        scratch.write_text("new")
    assert steps == [scratch, "replace", path.parent]


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_write_that_fails_leaves_what_was_there(path, error):
    before = content(path.parent)
    with pytest.raises(type(error)), atomic_write(path) as scratch:
        scratch.write_text("half")
        raise error
    assert content(path.parent) == before


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_disk_that_fails_leaves_what_was_there(path, monkeypatch, step, error):
    def fail(*_: object) -> None:
        raise error

    before = content(path.parent)
    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(type(error)), atomic_write(path) as scratch:
            scratch.write_text("new")
    assert content(path.parent) == before


def failing_on_folders(code: int):
    flush = os.fsync

    def fsync(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            raise OSError(code, os.strerror(code))
        flush(handle)

    return fsync


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_a_network_disk_that_flushes_no_folders_will_do(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", failing_on_folders(errno.EINVAL))
    with atomic_write(path) as scratch:
        scratch.write_text("new")
    assert content(path.parent) == {"report.csv": "new"}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_a_folder_that_cannot_be_flushed_is_an_error_and_the_file_is_whole(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", failing_on_folders(errno.EIO))
    with pytest.raises(OSError, match="Input/output"), atomic_write(path) as scratch:
        scratch.write_text("new")
    assert content(path.parent) == {"report.csv": "new"}


def test_a_block_that_writes_nothing_is_an_error(path):
    before = content(path.parent)
    with pytest.raises(FileNotFoundError), atomic_write(path):
        pass
    assert content(path.parent) == before


def test_the_names_of_new_folders_are_flushed_from_below(tmp_path, monkeypatch):
    flushed = []
    monkeypatch.setattr(atomic, "flush", flushed.append)
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert flushed == [tmp_path / "a", tmp_path]


def test_a_cache_loses_what_was_left_and_nothing_else(tmp_path):
    for name in (".bertflow-a", "mine"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".bertflow-b").mkdir()  # as earlier versions left it
    sweep_scratch(tmp_path)
    assert content(tmp_path).keys() == {"mine"}
