"""One saved thing is one file: what comes back, what is refused, and what a kill leaves."""

import os
import random
import time
from functools import partial

import numpy as np
import pytest
from killing import killed_after
from safetensors.numpy import save_file
from saved_files import config_of, write_config

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import check_saved, read_saved, write_saved

ARRAYS = {"x": np.arange(6.0).reshape(2, 3), "empty": np.zeros((0, 4), np.float32)}
CONFIG = {"format": "bertflow-test-1", "text": "é\n", "number": 0.1}


@pytest.fixture
def saved(tmp_path):
    return write_saved(tmp_path / "c", CONFIG, ARRAYS)


def same(arrays):
    return arrays.keys() == ARRAYS.keys() and all(
        np.array_equal(arrays[name], ARRAYS[name]) for name in ARRAYS
    )


def test_configuration_and_arrays_come_back_by_either_name(saved, tmp_path):
    assert [path.name for path in tmp_path.iterdir()] == ["c.safetensors"]
    for path in (saved, tmp_path / "c"):
        config, arrays = read_saved(path)
        assert config == CONFIG and same(arrays)


def test_the_file_is_that_of_the_format_and_its_folders_are_made(tmp_path):
    path = write_saved(tmp_path / "a" / "b" / "c.safetensors", CONFIG, ARRAYS)
    assert path == tmp_path / "a" / "b" / "c.safetensors"
    assert config_of(path) == CONFIG


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\xff" * 100),
        lambda path: write_config(path, "{"),
        lambda path: write_config(path, "[]"),
        lambda path: write_config(path, "[" * 100_000),
        lambda path: write_config(path, "x" * (2 << 20)),
        lambda path: save_file(ARRAYS, path),
    ],
)
def test_what_is_damaged_or_anothers_is_one_sentence(saved, damage):
    damage(saved)
    with pytest.raises(InputError, match="save it again"):
        read_saved(saved)


def test_what_is_missing_a_folder_or_a_pipe_is_refused_unopened(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_saved(tmp_path / "c")
    (tmp_path / "c").mkdir()
    with pytest.raises(InputError, match="does not exist"):
        read_saved(tmp_path / "c")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "p.safetensors")
        with pytest.raises(InputError, match="is a pipe"):
            read_saved(tmp_path / "p")


def test_nothing_of_the_users_is_overwritten(saved, tmp_path):
    check_saved(tmp_path / "new", force=False)
    with pytest.raises(InputError, match="--force"):
        check_saved(saved, force=False)
    check_saved(saved, force=True)
    (tmp_path / "mine.safetensors").write_text("mine")
    (tmp_path / "folder.safetensors").mkdir()
    write_saved(tmp_path / "other", {"format": "pt"}, ARRAYS)
    for name in ("mine", "folder", "other"):
        with pytest.raises(InputError, match="was not saved here"):
            check_saved(tmp_path / name, force=True)


def test_a_disk_that_refuses_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError, match="cannot write"):
        write_saved(tmp_path / "file" / "c", CONFIG, ARRAYS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fifty_kills_leave_the_old_or_the_new(tmp_path):
    """Killed wherever it is, a process leaves one of the two, whole."""
    path = tmp_path / "c.safetensors"
    large = {"x": np.random.default_rng(0).normal(size=(500, 500))}
    start = time.perf_counter()
    write_saved(path, {"n": 0}, large)
    whole = time.perf_counter() - start
    draw = random.Random(0)
    for n in range(1, 51):
        new = {"x": large["x"] + n}
        killed_after(draw.uniform(0.02, 1.2) * whole, partial(write_saved, path, {"n": n}, new))
        config, arrays = read_saved(path)
        np.testing.assert_array_equal(arrays["x"], large["x"] + config["n"])
    write_saved(path, {"n": -1}, {})
    assert read_saved(path) == ({"n": -1}, {})
