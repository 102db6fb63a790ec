"""Folders of bounded size: the least recently used go first, whoever else deletes."""

import os
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.errors import ResourceError
from bertflow_core.files import BoundedFolder, delete, evict, mark_used

ARRAYS = {"x": np.zeros(10)}
KEYS = [letter * 64 for letter in "abcd"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


@pytest.fixture
def entries(tmp_path) -> list[Path]:
    """Four files of ten bytes, the last of them a folder that holds one; the oldest first."""
    paths = [tmp_path / name for name in "abcd"]
    for path in paths[:3]:
        path.write_bytes(b"0123456789")
    paths[3].mkdir()
    (paths[3] / "file").write_bytes(b"0123456789")
    for hour, path in enumerate(paths):
        os.utime(path, (3600 * hour, 3600 * hour))
    return paths


@pytest.mark.parametrize(
    ("limit", "count", "keep", "left"),
    [
        (None, None, "", "abcd"),
        (40, 4, "", "abcd"),
        (39, None, "", "bcd"),
        (20, None, "", "cd"),
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
    evict(entries, limit, max_entries=count, keep=kept)
    assert "".join(names(entries[0].parent)) == left


def test_what_was_used_just_now_stays(entries):
    mark_used([entries[0], entries[0].with_name("gone")])
    evict(entries, 10)
    assert names(entries[0].parent) == ["a"]


def test_what_another_process_deleted_takes_no_space(entries):
    gone = entries[0].with_name("gone")
    evict([gone, *entries], 40)
    assert names(entries[0].parent) == list("abcd")
    assert delete(gone) == 0


def test_deleting_tells_how_much_it_freed(entries):
    assert [delete(entries[0]), delete(entries[3])] == [10, 10]
    assert names(entries[0].parent) == ["b", "c"]


def test_entries_come_back_with_what_was_kept(tmp_path):
    folder = BoundedFolder(tmp_path / "kept", "bertflow-test-1")
    assert folder.get(KEYS[0]) is None
    folder.put(KEYS[0], {"n": 1}, ARRAYS)
    config, arrays = folder.get(KEYS[0])
    assert config == {"n": 1}
    np.testing.assert_array_equal(arrays["x"], ARRAYS["x"])
    assert BoundedFolder(tmp_path / "kept", "bertflow-test-2").get(KEYS[0]) is None


def test_without_bounds_all_stay(tmp_path):
    folder = BoundedFolder(tmp_path, "bertflow-test-1")
    for key in KEYS:
        folder.put(key, {}, ARRAYS)
    assert names(tmp_path) == [f"{key}.safetensors" for key in KEYS]


def test_the_newest_stays_and_what_belongs_to_others_too(tmp_path):
    folder = BoundedFolder(tmp_path, "bertflow-test-1", limit_bytes=0, max_entries=1)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for key in KEYS[:2]:
        folder.put(key, {}, ARRAYS)
    assert names(tmp_path) == [f"{KEYS[1]}.safetensors", "mine"]


def test_a_disk_that_refuses_gives_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError, match="cannot write"):
        BoundedFolder(tmp_path / "file", "bertflow-test-1").put(KEYS[0], {}, ARRAYS)
