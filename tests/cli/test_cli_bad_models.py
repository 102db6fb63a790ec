"""Models that cannot be used: one sentence, and nothing is run from their folder."""

import json
import pickle
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def model(here, tiny_bert):
    """A copy of the tiny model, `model`."""
    return shutil.copytree(tiny_bert, here / "model")


@pytest.fixture
def refused(refuses, table):
    """Expect that every command that embeds refuses the model `model`."""

    def check(*words, code=2):
        tiny = ("--model", "./model", "--layers", "layer:2", "--max-length", 40)
        refuses("evaluate", *tiny, "--dataset", table, code=code, words=words)
        refuses("fit", *tiny, "--dataset", table, "--out", "c", code=code, words=words)

    return check


class Trap:
    def __reduce__(self):
        import os

        return os.mkdir, ("sprung",)


def test_no_weights(model, refused, no_embedding):
    (model / "model.safetensors").unlink()
    refused("no weights", "model.safetensors")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "flax_model.msgpack"])
def test_weights_that_could_run_code(model, refused, no_embedding, here, name):
    (model / "model.safetensors").unlink()
    (model / name).write_bytes(pickle.dumps(Trap()))
    refused(name, "can run code", "save_pretrained")
    assert not (here / "sprung").exists()


def test_code_in_the_folder_is_not_run(model, refused, here):
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    config |= {"model_type": "trap", "auto_map": {"AutoModel": "trap.T", "AutoConfig": "trap.C"}}
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (model / "trap.py").write_text("import os; os.mkdir('sprung')\n", encoding="utf-8")
    refused("cannot be loaded as an encoder")
    assert not (here / "sprung").exists()


@pytest.mark.parametrize(("name", "word"), [("config.json",) * 2, ("tokenizer.json", "tokenizer")])
def test_a_missing_file(model, refused, name, word):
    (model / name).unlink()
    refused("./model", word)


@pytest.mark.parametrize("content", [b"", b"weights", b"\xff" * 64])
def test_damaged_weights(model, refused, content):
    (model / "model.safetensors").write_bytes(content)
    refused("cannot be loaded as an encoder")


def test_a_folder_of_something_else(here, refused, no_embedding):
    (here / "model").mkdir()
    refused("no config.json")


def test_no_folder(refused, no_embedding):
    refused("unknown model './model'")


@pytest.mark.parametrize("name", ["google-bert/bert-base-uncased", "nobody/nothing"])
def test_a_hub_model_without_a_network(refuses, no_embedding, table, monkeypatch, tmp_path, name):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    options = ("--model", name, "--dataset", table)
    refuses("evaluate", *options, code=1, words=(name, "HF_HUB_OFFLINE", "the model minilm"))


@pytest.mark.parametrize("name", ["bert-bas", "a b", "a/b/c", "x" * 3000, "-"])
def test_no_name_of_a_model(refuses, no_embedding, table, name):
    refuses("evaluate", f"--model={name}", "--dataset", table, words="unknown model")


def test_a_model_named_by_an_empty_text(refuses, no_embedding):
    refuses("evaluate", "--model", "", words="1 to 4096 characters")


def test_a_layer_that_the_model_lacks(refuses, no_embedding, model, table):
    tiny = ("--model", "./model", "--layers", "layer:4", "--max-length", 40)
    refuses("evaluate", *tiny, "--dataset", table, words="layers 0 (the embedding output) to 3")


def test_a_whole_process_says_one_line(model, table, tmp_path):
    """In a process of its own nothing that a library prints escapes the capture."""
    (model / "model.safetensors").write_bytes(b"weights")
    tiny = ["--model", "./model", "--layers", "layer:2", "--max-length", "40"]
    code = "from bertflow_core.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "evaluate", *tiny, "--dataset", str(table)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("bertflow-lab: model './model' cannot be loaded")
    assert run.stderr.count("\n") == 1
