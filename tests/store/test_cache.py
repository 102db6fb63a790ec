"""Caches: where they lie, and which entries go first where their size is bounded."""

import os
from pathlib import Path

import pytest

from bertflow_core.errors import InputError
from bertflow_core.store.blocks import cache_folder, cache_limit, delete, sweep_scratch, tidy


def test_the_folder_is_named_by_the_environment(monkeypatch, tmp_path):
    assert cache_folder() == Path(os.environ["BERTFLOW_CACHE"])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BERTFLOW_CACHE", "~/here")
    assert cache_folder() == tmp_path / "here"
    monkeypatch.setenv("BERTFLOW_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert "bertflow-lab" in str(cache_folder())
    monkeypatch.setenv("BERTFLOW_CACHE", "~nobody-here/x")
    with pytest.raises(InputError, match=r"BERTFLOW_CACHE.*'~nobody-here/x'"):
        cache_folder()


def test_the_size_bound_is_named_by_the_environment(monkeypatch):
    for text, n_bytes in (("", 20 << 30), ("0.5", 1 << 29)):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        assert cache_limit() == n_bytes
    for text in ("0", "nan", "1 GB", "1e9"):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        with pytest.raises(InputError, match=rf"BERTFLOW_CACHE_GB must be a number.*got '{text}'"):
            cache_limit()


def names(folder: Path) -> str:
    return "".join(sorted(path.name for path in folder.iterdir()))


@pytest.fixture
def entries(tmp_path) -> list[Path]:
    """Four files of ten bytes, the oldest first."""
    paths = [tmp_path / name for name in "abcd"]
    for hour, path in enumerate(paths):
        path.write_bytes(b"0123456789")
        os.utime(path, (3600 * hour, 3600 * hour))
    return paths


@pytest.mark.parametrize(
    ("limit", "used", "left"),
    [(40, "", "abcd"), (39, "", "bcd"), (0, "", ""), (20, "a", "ad"), (0, "bd", "bd")],
)
def test_the_least_recently_used_go_until_the_rest_is_within_the_bound(entries, limit, used, left):
    spared = {path for path in entries if path.name in used}
    tidy([*entries, entries[0].with_name("gone")], limit, used=spared)
    assert names(entries[0].parent) == left


def test_what_was_used_just_now_stays(entries):
    tidy([], 0, used=[entries[0], entries[0].with_name("gone")])
    tidy(entries, 10)
    assert names(entries[0].parent) == "a"
    assert [delete(entries[0]), delete(entries[0])] == [10, 0]


def test_what_killed_processes_left_is_swept_and_nothing_else(entries):
    entries[0].with_name(".bertflow-1").touch()
    sweep_scratch(entries[0].parent)
    assert names(entries[0].parent) == "abcd"
