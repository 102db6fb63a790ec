"""What tells two encoders apart: everything that decides the vectors, and nothing else."""

import json
import shutil
from dataclasses import replace

import pytest

from bertflow_core.encoders import TransformerEncoder, resolve_model, transformer


@pytest.fixture
def folder(tiny_bert, tmp_path):
    return shutil.copytree(tiny_bert, tmp_path / "model")


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
        ("version", lambda name: f"{name == 'torch'}"),
        ("version", lambda name: f"{name == 'transformers'}"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(transformer, name, value)
            found.add(fingerprint(tiny_bert))
    assert len(found) == 4
