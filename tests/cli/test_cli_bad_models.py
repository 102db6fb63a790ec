"""Models that cannot be used: one sentence of every command that embeds, and nothing is run.

Which folders are refused is in tests/encoders/test_strangers.py.
"""

import pickle
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def model(here, tiny_bert):
    """A copy of the tiny model, `model`."""
    return shutil.copytree(tiny_bert, here / "model")


class Trap:
    def __reduce__(self):
        import os

        return os.mkdir, ("sprung",)


def test_weights_that_could_run_code(model, refuses, table, no_embedding, here):
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    tiny = ("--model", "./model", "--layers", "layer:2", "--dataset", table)
    words = ("pytorch_model.bin", "can run code", "save_pretrained")
    refuses("evaluate", *tiny, words=words)
    refuses("fit", *tiny, "--out", "c", words=words)
    assert not (here / "sprung").exists()


def test_a_hub_model_without_a_network(refuses, no_embedding, table, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    for name in ("google-bert/bert-base-uncased", "nobody/nothing"):
        options = ("--model", name, "--dataset", table)
        refuses("evaluate", *options, code=1, words=(name, "HF_HUB_OFFLINE", "the model minilm"))


@pytest.mark.parametrize("name", ["bert-bas", "./model", "a b", "a/b/c", "x" * 3000, "-"])
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
