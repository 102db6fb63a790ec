"""Names and files of models: what names one, and what tells two encoders apart."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bertflow_core.encoders import TransformerEncoder, resolve_model, transformer
from bertflow_core.errors import InputError


@pytest.fixture
def fingerprint(open_encoder):
    return lambda folder, **options: open_encoder(folder, **options).fingerprint


def test_options_count_where_they_decide_the_vectors(tiny_bert, fingerprint):
    before = fingerprint(tiny_bert, device=None)
    for options in ({"max_length": 39}, {"dtype": "bfloat16"}):
        assert fingerprint(tiny_bert, **options) != before
    for options in ({"batch_tokens": 8}, {"device": "cpu"}):
        assert fingerprint(tiny_bert, **options) == before


def test_a_byte_of_any_file_that_loading_may_read_changes_it(folder, fingerprint):
    found = {fingerprint(folder)}
    names = "config.json model.safetensors tokenizer.json vocab.txt spiece.model added_tokens.json"
    for name in names.split():
        with (folder / name).open("ab") as stream:
            stream.write(b" ")
        found.add(fingerprint(folder))
    assert len(found) == 7


def test_other_files_names_and_commits_change_nothing(folder, fingerprint, tmp_path):
    before = fingerprint(folder)
    (folder / "README.md").write_text("hello")
    (folder / "sub").mkdir()
    copy = resolve_model(str(shutil.copytree(folder, tmp_path / "elsewhere")))
    other = TransformerEncoder(replace(copy, name="x", revision="a" * 40), max_length=40)
    assert fingerprint(folder) == other.fingerprint == before
    assert (other.description["model"], other.description["revision"]) == ("x", "a" * 40)
    assert json.loads(json.dumps(other.description)) == other.description


def test_another_version_of_the_pass_or_of_a_library_changes_it(
    tiny_bert, fingerprint, monkeypatch
):
    found = {fingerprint(tiny_bert)}
    for name, value in (
        ("PASS_VERSION", 10**6),
        ("version_of", lambda name: f"{name == 'torch'}"),
        ("version_of", lambda name: f"{name == 'transformers'}"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(transformer, name, value)
            found.add(fingerprint(tiny_bert))
    assert len(found) == 4


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
    model = resolve_model("minilm")
    assert (model.n_layers, model.dim, model.max_positions, model.revision) == (6, 384, 512, None)
    assert resolve_model("./minilm").dim == 16
