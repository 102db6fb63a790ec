"""Vectors as files: written whole or not at all, read without trust."""

import os
import stat

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import check_target, read_npy, write_npy

X = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("arrays")


@pytest.mark.parametrize("kind", ["<f4", "<f8", ">f4", ">f8", "<f2", "<i4", ">i8", "u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_come_back(tmp_path, kind, order):
    x = np.asarray((X * 50).clip(0), kind, order=order)
    np.save(tmp_path / "x.npy", x)
    found = read_npy(tmp_path / "x.npy")
    assert found.dtype == (np.float64 if kind[1:] == "f8" else np.float32)
    assert found.dtype.isnative
    assert found.flags.writeable
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_each_version_of_the_format_is_read(tmp_path, version):
    with (tmp_path / "x.npy").open("wb") as stream:
        np.lib.format.write_array(stream, X, version=version)
    np.testing.assert_array_equal(read_npy(tmp_path / "x.npy"), X)


def test_the_file_may_be_replaced_while_its_numbers_are_used(tmp_path):
    path = tmp_path / "x.npy"
    write_npy(path, X)
    found = read_npy(path)
    path.write_bytes(b"")
    np.testing.assert_array_equal(found, X)


def test_write_then_read(tmp_path):
    path = tmp_path / "x.npy"
    for x in (X, X[:2].astype(np.float64), X[::2, ::-1]):
        write_npy(path, x)
        np.testing.assert_array_equal(read_npy(path), x)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of Unix")
def test_others_may_read_it_as_any_new_file(tmp_path):
    write_npy(tmp_path / "x.npy", X)
    (tmp_path / "plain").touch()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("x.npy", "plain")]
    assert modes[0] == modes[1]


@pytest.mark.parametrize("path", ["none/x.npy", "file/x.npy", "x" * 300 + ".npy"])
def test_a_place_that_cannot_be_written_is_told(tmp_path, path):
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError, match="cannot write"):
        write_npy(tmp_path / path, X)
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


class TestTarget:
    def test_a_free_name_and_a_forced_one(self, tmp_path):
        check_target(tmp_path / "x.npy", force=False)
        (tmp_path / "x.npy").touch()
        check_target(tmp_path / "x.npy", force=True)

    def test_looking_changes_nothing(self, tmp_path):
        check_target(tmp_path / "x.npy", force=True)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("force", [True, False])
    @pytest.mark.parametrize(
        ("name", "words"),
        [("x.txt", "must end in .npy"), ("none/x.npy", "make it first"), ("d.npy", "is a folder")],
    )
    def test_no_force_helps_here(self, tmp_path, name, words, force):
        (tmp_path / "d.npy").mkdir()
        with pytest.raises(InputError, match=words):
            check_target(tmp_path / name, force=force)

    def test_a_file_needs_force(self, tmp_path):
        (tmp_path / "x.npy").touch()
        with pytest.raises(InputError, match="give --force"):
            check_target(tmp_path / "x.npy", force=False)

    @pytest.mark.skipif(os.name != "posix", reason="links are those of Unix")
    def test_a_link_to_a_file_is_a_file(self, tmp_path):
        (tmp_path / "file").touch()
        (tmp_path / "x.npy").symlink_to("file")
        with pytest.raises(InputError, match="give --force"):
            check_target(tmp_path / "x.npy", force=False)


def content(x):
    import io

    stream = io.BytesIO()
    np.save(stream, x)
    return stream.getvalue()


GOOD = content(X)


@settings(max_examples=400)
@given(st.data())
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_damaged_file_is_numbers_or_a_sentence(folder, data):
    raw = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, 127))] = data.draw(st.integers(0, 255))
    path = folder / "damaged.npy"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        x = read_npy(path)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert x.ndim == 2
        assert x.dtype in (np.float32, np.float64)


def test_every_truncation_is_refused(folder):
    path = folder / "torn.npy"
    for length in range(len(GOOD)):
        path.write_bytes(GOOD[:length])
        with pytest.raises(InputError, match="not a plain"):
            read_npy(path)
