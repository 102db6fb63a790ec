"""What tells two encoders apart: everything that decides the vectors, and nothing else."""

import json
import shutil

import pytest

from bertflow_core.encoders import ModelFolder, TransformerEncoder, resolve_model


@pytest.fixture
def fingerprint(open_encoder):
    return lambda folder, **options: open_encoder(folder, **options).fingerprint


@pytest.mark.parametrize("options", [{"max_length": 39}, {"dtype": "bfloat16"}])
def test_what_decides_the_vectors_changes_the_fingerprint(tiny_bert, fingerprint, options):
    assert fingerprint(tiny_bert, **options) != fingerprint(tiny_bert)


@pytest.mark.parametrize("options", [{"batch_tokens": 8}, {"device": "cpu"}])
def test_what_only_decides_the_speed_does_not(tiny_bert, fingerprint, options):
    assert fingerprint(tiny_bert, **options) == fingerprint(tiny_bert, device=None)


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
)
def test_a_byte_of_any_file_that_loading_reads_changes_it(tiny_bert, tmp_path, fingerprint, name):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    before = fingerprint(folder)
    with (folder / name).open("ab") as stream:
        stream.write(b" ")
    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", ["vocab.txt", "spiece.model", "added_tokens.json"])
def test_a_further_file_that_loading_may_read_changes_it(tiny_bert, tmp_path, fingerprint, name):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    before = fingerprint(folder)
    (folder / name).write_text("{}")
    assert fingerprint(folder) != before


def test_a_file_that_loading_does_not_read_changes_nothing(tiny_bert, tmp_path, fingerprint):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    before = fingerprint(folder)
    (folder / "README.md").write_text("hello")
    (folder / "sub").mkdir()
    assert fingerprint(folder) == before


def test_equal_models_under_two_names_and_commits_share_one(tiny_bert, tmp_path):
    first = resolve_model(str(tiny_bert))
    copy = shutil.copytree(tiny_bert, tmp_path / "elsewhere")
    second = ModelFolder(**{**vars(resolve_model(str(copy))), "name": "x", "revision": "a" * 40})
    one, other = (TransformerEncoder(model, max_length=20) for model in (first, second))
    assert one.fingerprint == other.fingerprint
    assert one.description["model"] != other.description["model"]
    assert other.description["revision"] == "a" * 40


def test_another_version_of_the_pass_or_of_a_library_changes_it(
    tiny_bert, fingerprint, monkeypatch
):
    before = fingerprint(tiny_bert)
    name = "bertflow_core.encoders.transformer"
    with monkeypatch.context() as patch:
        patch.setattr(f"{name}.PASS_VERSION", 10**6)
        assert fingerprint(tiny_bert) != before
    for library in ("torch", "transformers"):
        with monkeypatch.context() as patch:
            patch.setattr(f"{name}.version", lambda n, other=library: f"{n == other}")
            changed = fingerprint(tiny_bert)
            patch.setattr(f"{name}.version", lambda n: "False")
            assert fingerprint(tiny_bert) != changed


def test_the_description_is_json(tiny_bert, open_encoder):
    description = open_encoder(tiny_bert).description
    assert json.loads(json.dumps(description)) == description
    assert description["max_length"] == 40
    assert description["dtype"] == "float32"
