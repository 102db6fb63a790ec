"""Files that a user names: only regular ones, of a bounded size."""

import os
import socket
from pathlib import Path

import pytest

from bertflow_core.errors import InputError
from bertflow_core.files import (
    begins_with_mark,
    check_file,
    is_special,
    read_file,
    read_npy,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of Unix")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


STRANGE = {
    "a pipe": (pipe, "is a pipe or a device"),
    "a socket": (listening, "is a pipe or a device"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "is a pipe or a device"),
    "a folder": (Path.mkdir, "is a folder"),
    "nothing": (lambda path: None, "does not exist"),
    "a link to nothing": (lambda path: path.symlink_to("gone"), "does not exist"),
}


@pytest.mark.parametrize(("make", "words"), STRANGE.values(), ids=STRANGE)
def test_what_is_no_regular_file_is_refused_unopened(tmp_path, monkeypatch, make, words):
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    path = Path("x.npy")
    make(path)
    for read in (lambda each: check_file(each, 10), lambda each: read_file(each, 10), read_npy):
        with pytest.raises(InputError, match=words):
            read(path)
    assert is_special(path) == ("device" in words)
    assert not begins_with_mark(path, [""])


def test_a_mark_counts_near_the_beginning_only(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html>\nours{' ' * 2_000}theirs", encoding="utf-8")
    assert begins_with_mark(path, ["other", "ours"])
    assert not begins_with_mark(path, ["theirs"])


def test_the_bound_is_exact(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert read_file(path, 10) == b"0123456789"
    with pytest.raises(InputError, match="too large"):
        read_file(path, 9)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_a_file_that_does_not_know_its_size_is_bounded_too():
    with pytest.raises(InputError, match="too large"):
        read_file(Path("/proc/self/maps"), 10)
