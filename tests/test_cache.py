"""Caches: where they lie, and which entries go first where their size is bounded."""

import os
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.cache import (
    BoundedFolder,
    cache_folder,
    cache_limit,
    delete,
    evict,
    mark_used,
    sweep_scratch,
)
from bertflow_core.errors import InputError

ARRAYS = {"x": np.zeros(10)}
KEYS = [letter * 64 for letter in "abcd"]


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
    ("limit", "count", "keep", "left"),
    [
        (40, 4, "", "abcd"),
        (39, None, "", "bcd"),
        (0, None, "", ""),
        (None, 3, "", "bcd"),
        (15, 3, "", "d"),
        (20, None, "a", "ad"),
        (0, 0, "bd", "bd"),
    ],
)
def test_the_least_recently_used_go_until_the_rest_is_within_the_bounds(
    entries, limit, count, keep, left
):
    kept = {path for path in entries if path.name in keep}
    evict([*entries, entries[0].with_name("gone")], limit, max_entries=count, keep=kept)
    assert names(entries[0].parent) == left


def test_what_was_used_just_now_stays(entries):
    mark_used([entries[0], entries[0].with_name("gone")])
    evict(entries, 10)
    assert names(entries[0].parent) == "a"
    assert [delete(entries[0]), delete(entries[0])] == [10, 0]


def test_what_killed_processes_left_is_swept_and_nothing_else(entries):
    entries[0].with_name(".bertflow-1").touch()
    entries[0].with_name(".bertflow-2").mkdir()  # as earlier versions left it
    (entries[0].with_name(".bertflow-2") / "new").touch()
    sweep_scratch(entries[0].parent)
    assert names(entries[0].parent) == "abcd"


def test_entries_come_back_the_newest_stays_and_what_belongs_to_others_too(tmp_path):
    folder = BoundedFolder(tmp_path / "kept", "bertflow-test-1", limit_bytes=0, max_entries=1)
    assert folder.get(KEYS[0]) is None
    for n, key in enumerate(KEYS[:2]):
        folder.put(key, {"n": n}, ARRAYS)
        (folder.root / "mine.txt").touch()
    left = {path.name for path in folder.root.iterdir()}
    assert left - {".lock"} == {f"{KEYS[1]}.safetensors", "mine.txt"}
    config, arrays = folder.get(KEYS[1])
    assert config == {"n": 1}
    np.testing.assert_array_equal(arrays["x"], ARRAYS["x"])
    assert BoundedFolder(folder.root, "bertflow-test-2").get(KEYS[1]) is None


def test_a_torn_entry_or_one_under_another_name_counts_as_none(tmp_path):
    folder = BoundedFolder(tmp_path, "bertflow-test-1")
    folder.put(KEYS[0], {}, ARRAYS)
    path = tmp_path / f"{KEYS[0]}.safetensors"
    shutil.copy(path, tmp_path / f"{KEYS[1]}.safetensors")
    assert folder.get(KEYS[1]) is None
    path.write_bytes(path.read_bytes()[:20])
    assert folder.get(KEYS[0]) is None
    folder.put(KEYS[0], {}, {"x": ARRAYS["x"] + 1})
    np.testing.assert_array_equal(folder.get(KEYS[0])[1]["x"], 1)


def test_many_may_write_and_read_one_entry_at_once(tmp_path):
    folder, failed = BoundedFolder(tmp_path, "bertflow-test-1"), []

    def work():
        try:
            for _ in range(5):
                folder.put(KEYS[0], {}, ARRAYS)
                found = folder.get(KEYS[0])
                assert found is None or (found[1]["x"] == ARRAYS["x"]).all()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    np.testing.assert_array_equal(folder.get(KEYS[0])[1]["x"], ARRAYS["x"])
