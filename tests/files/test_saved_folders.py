"""Saved objects as folders: round trips, replacement that loses nothing, reading in distrust."""

import errno
import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from folder_contents import snapshot
from killing import killed_everywhere
from safetensors.torch import save_file

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import check_folder, exchange, read_folder, write_folder
from bertflow_core.files import saved as saved_folders

CONFIG = {"format": "bertflow-test-1", "name": "é", "sizes": [1, 2.5, None, True]}
ARRAYS = {
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
    "transposed": np.arange(6, dtype=np.float64).reshape(2, 3).T,
    "every other": np.arange(10, dtype=np.int64)[::2],
    "scalar": np.array(3.5),
    "empty": np.empty((0, 4), np.float32),
}


@pytest.fixture
def saved(tmp_path) -> Path:
    write_folder(tmp_path / "saved", CONFIG, ARRAYS)
    return tmp_path / "saved"


def test_what_is_written_is_read_again(saved):
    config, arrays = read_folder(saved)
    assert config == CONFIG
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (arrays[name].dtype, arrays[name].shape) == (array.dtype, array.shape), name
        np.testing.assert_array_equal(arrays[name], array, name)


def test_a_folder_holds_two_files_and_nothing_stays_beside_it(saved, tmp_path):
    assert sorted(p.name for p in saved.iterdir()) == ["config.json", "model.safetensors"]
    assert list(tmp_path.iterdir()) == [saved]


def test_what_is_written_is_not_changed(tmp_path):
    config, before = dict(CONFIG), {name: array.copy() for name, array in ARRAYS.items()}
    write_folder(tmp_path / "saved", CONFIG, ARRAYS)
    assert config == CONFIG
    for name, array in before.items():
        np.testing.assert_array_equal(ARRAYS[name], array)


def test_a_new_folder_may_lie_in_folders_that_are_not_there_yet(tmp_path):
    write_folder(tmp_path / "a" / "b", CONFIG, {})
    assert read_folder(tmp_path / "a" / "b") == (CONFIG, {})


@pytest.mark.parametrize("config", [CONFIG, {"format": "bertflow-other-2"}])
def test_a_saved_folder_is_replaced_whole(saved, tmp_path, config):
    write_folder(saved, config, {"one": np.ones(1)})
    result, arrays = read_folder(saved)
    assert result == config
    assert list(arrays) == ["one"]
    assert list(tmp_path.iterdir()) == [saved]


def test_an_empty_folder_is_filled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir("here")
    write_folder(Path("."), CONFIG, ARRAYS)
    assert read_folder(tmp_path / "here")[0] == CONFIG


def test_a_link_stays_a_link_and_its_target_is_replaced(saved, tmp_path):
    link = tmp_path / "latest"
    link.symlink_to(saved)
    write_folder(link, {**CONFIG, "name": "new"}, ARRAYS)
    assert link.is_symlink()
    assert read_folder(saved)[0]["name"] == "new"
    assert sorted(tmp_path.iterdir()) == [link, saved]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="a link to itself then has a place")
def test_a_link_to_itself_is_refused(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("link")
    for use in (read_folder, check_folder):
        with pytest.raises(InputError, match="a link to itself"):
            use(link)


FOREIGN = {
    "other files": {"notes.txt": "mine"},
    "a file beside ours": {"config.json": json.dumps(CONFIG), "notes.txt": "mine"},
    "another program's model": {"config.json": '{"model_type": "bert"}', "model.safetensors": ""},
    "another program's format": {"config.json": '{"format": "pt"}', "model.safetensors": ""},
    "another program's settings": {"config.json": "{}"},
    "settings that are no JSON": {"config.json": "[" * 100_000},
    "settings that are no object": {"config.json": '"bertflow-"'},
    "weights alone": {"model.safetensors": ""},
    "a folder by our name": {"config.json/x": "mine"},
}


@pytest.mark.parametrize("files", FOREIGN.values(), ids=FOREIGN)
def test_a_folder_of_the_users_is_refused_and_left_as_it_is(tmp_path, files):
    target = tmp_path / "mine"
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(content)
    before = snapshot(tmp_path)
    for refuse in (check_folder, lambda folder: write_folder(folder, CONFIG, ARRAYS)):
        with pytest.raises(InputError, match="choose a new folder name"):
            refuse(target)
    assert snapshot(tmp_path) == before


def test_a_file_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="choose a new folder name"):
        write_folder(tmp_path / "file", CONFIG, ARRAYS)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_name_that_is_free_or_ours_passes_the_check(saved, tmp_path):
    before = snapshot(tmp_path)
    check_folder(saved)
    check_folder(tmp_path / "new")
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize(
    ("config", "arrays"),
    [
        ({"format": "bertflow-x", "bad": float("nan")}, ARRAYS),
        ({"format": "bertflow-x", "bad": object()}, ARRAYS),
        (CONFIG, {"bad": np.array([object()])}),
    ],
)
def test_what_cannot_be_saved_leaves_everything_as_it_was(tmp_path, exists, config, arrays):
    target = tmp_path / "saved"
    if exists:
        write_folder(target, CONFIG, ARRAYS)
    before = snapshot(tmp_path)
    with pytest.raises(Exception, match=r"(?i)json|dtype"):
        write_folder(target, config, arrays)
    assert snapshot(tmp_path) == before


@pytest.fixture(params=["in one step", "in two steps"])
def _exchange(request, monkeypatch) -> None:
    """A system that can exchange two names, and one that cannot."""
    if request.param == "in two steps":
        monkeypatch.setattr(exchange, "_renameat2", lambda: None)
    elif exchange._renameat2() is None:
        pytest.skip("this system cannot exchange two names")


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", [1, 2])
def test_a_swap_that_fails_leaves_what_was_there(saved, tmp_path, monkeypatch, error, step):
    before, replace, calls = snapshot(tmp_path), os.replace, []

    def fail_at_step(*paths: Path) -> None:
        calls.append(paths)
        if len(calls) == step:
            raise error
        replace(*paths)

    expected = ResourceError if isinstance(error, OSError) else KeyboardInterrupt
    with monkeypatch.context() as patch:
        patch.setattr(exchange, "_renameat2", lambda: None)
        patch.setattr(os, "replace", fail_at_step)
        with pytest.raises(expected):
            write_folder(saved, {**CONFIG, "name": "new"}, ARRAYS)
    assert snapshot(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.usefixtures("_exchange")
def test_killed_at_any_change_of_a_name_the_folder_is_the_old_or_the_new(
    saved, tmp_path, tmp_path_factory
):
    (tmp_path / "notes.txt").write_text("mine")
    new, names, copies = {**CONFIG, "name": "new"}, set(), tmp_path_factory.mktemp("copies")
    for n in killed_everywhere(lambda: write_folder(saved, new, ARRAYS)):
        left = shutil.copytree(tmp_path, copies / str(n), symlinks=True)
        names.add(read_folder(left / "saved")[0]["name"])
        check_folder(saved)  # what a command does at its start
        assert set(os.listdir(saved)) == {"config.json", "model.safetensors"}
        write_folder(saved, CONFIG, ARRAYS)
    assert names == {"é", "new"}
    assert sorted(os.listdir(tmp_path)) == ["notes.txt", "saved"]


@pytest.mark.skipif(exchange._renameat2() is None, reason="this system cannot exchange two names")
def test_where_names_can_be_exchanged_there_is_always_one(saved, monkeypatch):
    seen, real = [], exchange._renameat2()
    monkeypatch.setattr(os, "replace", lambda *_: pytest.fail("renamed in two steps"))
    monkeypatch.setattr(exchange, "_renameat2", lambda: lambda *a: (seen.append(a), real(*a))[1])
    write_folder(saved, {**CONFIG, "name": "new"}, ARRAYS)
    assert read_folder(saved)[0]["name"] == "new"
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["file/below", "x" * 300])
def test_a_place_that_cannot_be_written_gives_a_sentence(tmp_path, name):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ResourceError, match="cannot write"):
        write_folder(tmp_path / name, CONFIG, ARRAYS)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_missing_file_is_named(saved, name):
    (saved / name).unlink()
    with pytest.raises(InputError, match=f"{name}' is missing"):
        read_folder(saved)


def test_a_folder_that_is_not_there_is_reported_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="is missing"):
        read_folder(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", b""),
        ("config.json", b"{"),
        ("config.json", b"\xff{}"),
        ("config.json", b"[" * 100_000),
        ("config.json", b'{"n": ' + b"9" * 10_000 + b"}"),
        ("model.safetensors", b""),
        ("model.safetensors", b"\xff" * 100),
        ("model.safetensors", b"\x02\0\0\0\0\0\0\0[]"),
    ],
)
def test_a_damaged_file_is_refused(saved, name, content):
    (saved / name).write_bytes(content)
    with pytest.raises(InputError, match=r"is damaged .*save it again"):
        read_folder(saved)


def test_torn_weights_are_refused(saved):
    path = saved / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="is damaged"):
        read_folder(saved)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float8_e4m3fn])
def test_weights_of_a_type_that_is_never_written_are_refused(saved, dtype):
    save_file({"matrix": torch.zeros(2, dtype=dtype)}, saved / "model.safetensors")
    with pytest.raises(InputError, match="is damaged"):
        read_folder(saved)


@pytest.mark.parametrize("content", ["[]", "3", "null", '"text"'])
def test_a_configuration_that_is_no_object_is_refused(saved, content):
    (saved / "config.json").write_text(content)
    with pytest.raises(InputError, match="not a JSON object"):
        read_folder(saved)


@pytest.mark.parametrize(
    ("name", "limit"),
    [("config.json", "MAX_CONFIG_BYTES"), ("model.safetensors", "MAX_WEIGHTS_BYTES")],
)
def test_a_file_larger_than_any_of_ours_is_refused_unread(saved, monkeypatch, name, limit):
    size = (saved / name).stat().st_size
    monkeypatch.setattr(saved_folders, limit, size)
    read_folder(saved)
    monkeypatch.setattr(saved_folders, limit, size - 1)
    (saved / "model.safetensors").write_bytes(
        b"\xff" * (saved / "model.safetensors").stat().st_size
    )
    with pytest.raises(InputError, match=f"{name}' is too large"):
        read_folder(saved)


def test_a_file_that_cannot_be_read_gives_a_sentence(saved, monkeypatch):
    def fail(self: Path, **_: str) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_text", fail)
    with pytest.raises(ResourceError, match=r"cannot read .*Permission denied"):
        read_folder(saved)
