"""Exports load in an older sentence-transformers, in an environment of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tiny_models import save_tiny_model
from tiny_pairs import write_pairs

from bertflow_core import Lab, Recipe, load_calibrator
from bertflow_core.cli import main
from bertflow_core.export.check import agreement_of

OLDEST = ("sentence-transformers>=3,<4", "transformers<5", "torch==2.13.0")
ENCODE = """
import json, sys, numpy as np, sentence_transformers
from sentence_transformers import SentenceTransformer
assert sentence_transformers.__version__.startswith("3."), sentence_transformers.__version__
for folder in sys.argv[2:]:
    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    vectors = model.encode(json.loads(sys.argv[1]), show_progress_bar=False)
    np.save(folder + ".npy", vectors, allow_pickle=False)
"""
SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "blue cat on the mat " * 20]
FITS = {
    "flow": ("bert", "layer:2", "mean"),
    "whiten": ("bert", "first-last", "cls"),
    "null-top-k": ("distilbert", "last", "max"),
    "standardize": ("bert", "model", "model"),
}


@pytest.fixture(scope="module")
def old_python(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("old")
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run([str(python), "-m", "pip", "install", *quiet, *OLDEST], check=True)
    return python


@pytest.mark.gate
def test_exports_load_in_version_3(old_python, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    models = {name: save_tiny_model(tmp_path / name, name) for name in ("bert", "distilbert")}
    write_pairs(tmp_path / "pairs.csv")
    for name, (family, layers, tokens) in FITS.items():
        recipe = f"--model {models[family]} --layers {layers} --dataset pairs.csv"
        if layers != "model":
            recipe += f" --tokens {tokens} --max-length 40"
        fit = f"fit {recipe} --calibrator {name} --out c-{name} --device cpu"
        for words in (fit, f"export c-{name} --out m-{name} --device cpu --anyway"):
            with pytest.raises(SystemExit) as left:
                main(words.split())
            assert not left.value.code
    folders = [f"m-{name}" for name in FITS]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    command = [str(old_python), "-c", ENCODE, json.dumps(SENTENCES), *folders]
    subprocess.run(command, check=True, env=offline)
    for name in FITS:
        calibrator, config = load_calibrator(f"c-{name}")
        x = Lab(device="cpu").vectors(Recipe.from_dict(config["recipe"]), SENTENCES).x
        agreement = agreement_of(np.load(f"m-{name}.npy"), calibrator.transform(x))
        assert agreement.holds, (name, str(agreement))
