"""Files: untrusted input, writes that are whole or not at all, and overwriting."""

import errno
import io
import os
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from saved_files import config_of, snapshot, write_config

from bertflow_core.arrays import npy, saved
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.runtime import files

X = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
ARRAYS = {"x": np.arange(6.0).reshape(2, 3), "empty": np.zeros((0, 4), np.float32)}
CONFIG = {"format": "bertflow-test-1", "text": "é\n", "number": 0.1}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of Unix")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "is a pipe or a device"),
        (lambda path: path.symlink_to("/dev/zero"), "is a pipe or a device"),
        (Path.mkdir, "is a folder"),
        (lambda path: path.symlink_to("gone"), "does not exist"),
    ],
)
def test_what_is_no_regular_file_is_refused_unopened(tmp_path, make, words):
    path = tmp_path / "x.safetensors"
    make(path)
    bounded = [partial(read, limit=10) for read in (files.check_file, files.read_file)]
    for read in (*bounded, npy.open_npy, saved.read_saved):
        with pytest.raises(InputError, match=words):
            read(path)
    assert files.is_special(path) == ("device" in words)
    assert not files.begins_with_mark(path, [""])


def test_the_bound_is_exact_also_where_the_size_is_not_known(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert files.read_file(path, 10) == b"0123456789"
    unsized = Path("/proc/self/maps")
    for large in (path, unsized) if unsized.exists() else (path,):
        with pytest.raises(InputError, match="too large"):
            files.read_file(large, 9)


@pytest.fixture(params=[True, False], ids=["replaced", "new"])
def path(request, tmp_path) -> Path:
    path = tmp_path / "report.csv"
    if request.param:
        path.write_text("old")
    return path


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_the_file_is_flushed_then_renamed_and_its_folder_flushed(path, monkeypatch):
    """Some network disks cannot flush folders, which is no error."""
    steps, fsync, replace = [], os.fsync, os.replace

    def flush(handle: int) -> None:
        is_folder = os.path.isdir(f"/proc/self/fd/{handle}")
        steps.append("folder" if is_folder else "file")
        if is_folder:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(os, "replace", lambda *each: (steps.append("rename"), replace(*each)))
    files.write_file(path, b"new")
    assert steps == ["file", "rename", "folder"]
    assert snapshot(path.parent) == {"report.csv": b"new"}


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(path, monkeypatch, step):
    def fail(*_: object) -> None:
        raise KeyboardInterrupt if step == "write" else OSError(errno.ENOSPC, "full")

    before = snapshot(path.parent)
    monkeypatch.setattr(os, step, fail)
    with pytest.raises((OSError, KeyboardInterrupt)), files.atomic_write(path) as scratch:
        scratch.write_text("half")
        os.write(0, b"")
    assert snapshot(path.parent) == before


@pytest.mark.parametrize("path", ["none/x.npy", "file/x.npy", "x" * 300 + ".npy"])
def test_a_place_that_cannot_be_written_gives_a_sentence(tmp_path, path):
    (tmp_path / "file").touch()
    write_rows = partial(npy.write_npy, blocks=[X], n_rows=5)
    for write in (write_rows, partial(files.write_file, content=b"")):
        with pytest.raises(ResourceError, match="cannot write"):
            write(tmp_path / path)
    assert [result.name for result in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("name", "force", "marks", "words"),
    [
        ("new.npy", False, (), ""),
        ("old.npy", True, (), ""),
        ("old.npy", True, ("ours",), ""),
        ("old.npy", True, ("theirs",), "not written by this program"),
        ("old.npy", False, (), "give --force"),
        ("link.npy", False, (), "give --force"),
        ("x.txt", True, (), "must end in .npy"),
        ("none/x.npy", True, (), "make it first"),
        ("d.npy", True, (), "is a folder"),
    ],
)
def test_a_target_is_checked_and_left_alone(tmp_path, name, force, marks, words):
    (tmp_path / "old.npy").write_text("ours")
    (tmp_path / "link.npy").symlink_to("old.npy")
    (tmp_path / "d.npy").mkdir()
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match=words) if words else nullcontext():
        files.check_target(tmp_path / name, force=force, marks=marks)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("kind", "order"), [("<f4", "C"), (">f8", "F"), ("<f2", "C"), (">i8", "C"), ("u1", "F")]
)
def test_numbers_come_back_from_a_file_and_from_bytes(tmp_path, kind, order):
    x = np.asarray((X * 50).clip(0), kind, order=order)
    np.save(tmp_path / "x.npy", x)
    with (tmp_path / "second.npy").open("wb") as stream:
        np.lib.format.write_array(stream, x, version=(2, 0))
    first, second = tmp_path / "x.npy", tmp_path / "second.npy"
    for source in (first, first.read_bytes(), second):
        result = npy.open_npy(source)
        assert result.dtype == (np.float64 if kind[1:] == "f8" else np.float32)
        assert result.dtype.isnative
        np.testing.assert_array_equal(result, x)


def test_blocks_are_written_as_one_array(tmp_path):
    path = tmp_path / "x.npy"
    for x in (X, X.astype(np.float64), X[:, ::-1]):
        npy.write_npy(path, [x[:2], x[2:2], x[2:]], len(x))
        np.testing.assert_array_equal(np.load(path), x)
    assert list(tmp_path.iterdir()) == [path]


@settings(max_examples=60)
@given(st.data())
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_damaged_array_is_numbers_or_a_sentence(tmp_path_factory, data):
    good = io.BytesIO()
    np.save(good, X)
    raw = bytearray(good.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, 127))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.npy"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    for source in (path, path.read_bytes()):
        try:
            x = npy.open_npy(source)
        except InputError as error:
            assert "\n" not in str(error)
        else:
            assert x.ndim == 2
            assert x.dtype in (np.float32, np.float64)


@pytest.fixture
def config_file(tmp_path):
    return saved.write_saved(tmp_path / "a" / "c", CONFIG, ARRAYS)


def test_a_saved_thing_is_one_file_that_comes_back_by_either_name(config_file, tmp_path):
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["c.safetensors"]
    assert config_of(config_file) == CONFIG
    for path in (config_file, config_file.with_suffix("")):
        config, arrays = saved.read_saved(path)
        assert config == CONFIG
        assert arrays.keys() == ARRAYS.keys()
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(arrays[name], array)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\xff" * 100),
        lambda path: write_config(path, "{"),
        lambda path: write_config(path, "[]"),
        lambda path: write_config(path, "[" * 100_000),
        lambda path: write_config(path, "x" * (2 << 20)),
        lambda path: save_file(ARRAYS, path),
        lambda path: path.write_bytes(path.read_bytes().replace(b"0.1", b"0.2")),  # of CONFIG
        lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x7f"),  # of ARRAYS
    ],
)
def test_a_saved_thing_that_is_damaged_or_anothers_is_one_sentence(config_file, damage):
    damage(config_file)
    with pytest.raises(InputError, match="save it again"):
        saved.read_saved(config_file)


def test_nothing_of_the_users_is_overwritten_by_a_saved_thing(config_file, tmp_path):
    saved.check_saved(tmp_path / "new", force=False)
    with pytest.raises(InputError, match="--force"):
        saved.check_saved(config_file, force=False)
    saved.check_saved(config_file, force=True)
    (tmp_path / "mine.safetensors").write_text("mine")
    (tmp_path / "folder.safetensors").mkdir()
    saved.write_saved(tmp_path / "other", {"format": "pt"}, ARRAYS)
    for name in ("mine", "folder", "other"):
        with pytest.raises(InputError, match="was not saved by this program"):
            saved.check_saved(tmp_path / name, force=True)
