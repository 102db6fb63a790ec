"""Exports work in ONNX, FAISS and MTEB, as in docs/export.md, and in an older library."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_models import WORDS, save_tiny_model
from tiny_pairs import write_pairs

from bertflow_core import Lab, Recipe, load_calibrator, save_calibrator
from bertflow_core.cli import main
from bertflow_core.encoders import resolve_model
from bertflow_core.export.check import agreement_of
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.folder import write_model

PAGE = Path(__file__).parents[2] / "docs" / "export.md"
TEXTS = [" ".join(WORDS[i : i + 1 + i % 4]) for i in range(12)]


@pytest.fixture
def exported(tiny_bert, recipe_of, tmp_path, monkeypatch):
    """A fit, whose `calibrator` and `model` are in the working folder."""
    monkeypatch.chdir(tmp_path)
    fitted = Lab(device="cpu").fit(recipe_of(calibrator="whiten:n_components=5"))
    save_calibrator(fitted.calibrator, "calibrator", recipe=fitted.recipe.to_dict())
    Path("model").mkdir()
    layers = dense_layers(fitted.calibrator)
    write_model(Path("model"), resolve_model(str(tiny_bert)), fitted.recipe, layers, TEXTS)
    return fitted


def run(name):
    """Run a code example of the page; return its variables."""
    (code,) = re.findall(rf"```python {name}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(compile(code, f"{PAGE.name}, {name}", "exec"), names := {})
    return names


def needs(*libraries):
    missing = [each for each in libraries if find_spec(each) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@pytest.mark.gate
@needs("onnx", "onnxscript", "onnxruntime")
def test_onnx_runtime_gives_the_vectors_of_encode(exported):
    import onnxruntime

    model = run("onnx")["model"]
    session = onnxruntime.InferenceSession("model.onnx")
    for texts in (TEXTS, TEXTS[:1]):  # batch and length are free
        tokens = model.tokenizer(texts, padding=True, return_tensors="np")
        inputs = {name: tokens[name] for name in ("input_ids", "attention_mask")}
        np.testing.assert_allclose(session.run(None, inputs)[0], model.encode(texts), atol=1e-4)


@needs("faiss")
def test_an_index_of_plain_vectors_finds_by_calibrated_ones(exported):
    x = next(Lab(device="cpu").vectors([exported.recipe], TEXTS)).x
    z = exported.calibrator.transform(x).astype(np.float64)
    index = run("faiss")["index"]
    index.add(x)
    found, rows = index.search(x, 3)
    expected = np.argsort(-(z @ z.T), axis=1)[:, :3]
    np.testing.assert_allclose(found, np.take_along_axis(z @ z.T, expected, 1), rtol=1e-4)
    np.testing.assert_array_equal(rows, expected)


@needs("mteb")
@pytest.mark.usefixtures("exported")
def test_mteb_scores_the_exported_model(monkeypatch):
    import mteb
    from datasets import Dataset, DatasetDict
    from mteb.abstasks import AbsTaskSTS

    gold = np.random.default_rng(0).permutation(6).astype(float)

    class Pairs(AbsTaskSTS):  # STS-B itself would be fetched
        metadata = mteb.get_task("STSBenchmark").metadata

        def load_data(self, num_proc=None, **options):
            rows = {"sentence1": TEXTS[:6], "sentence2": TEXTS[6:], "score": list(gold)}
            self.dataset = DatasetDict({"test": Dataset.from_dict(rows)})
            self.data_loaded = True

    monkeypatch.setattr(mteb, "get_tasks", lambda names: [Pairs()])
    names = run("mteb")
    vectors = names["model"].encode(TEXTS).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = spearmanr((vectors[:6] * vectors[6:]).sum(axis=1), gold).statistic
    assert names["result"].task_results[0].get_score() == pytest.approx(expected, abs=1e-6)


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
        x = next(Lab(device="cpu").vectors([Recipe.from_dict(config["recipe"])], SENTENCES)).x
        agreement = agreement_of(np.load(f"m-{name}.npy"), calibrator.transform(x))
        assert agreement.holds, (name, str(agreement))
