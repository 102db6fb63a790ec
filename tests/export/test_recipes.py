"""The recipes of docs/export.md, run as they stand: ONNX, FAISS and MTEB take what is exported."""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_models import WORDS

from bertflow_core import Lab, save_calibrator
from bertflow_core.encoders import resolve_model
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.folder import write_model

PAGE = Path(__file__).parents[2] / "docs" / "export.md"
TEXTS = [" ".join(WORDS[i : i + 1 + i % 4]) for i in range(12)]


@pytest.fixture(scope="module")
def written(tiny_bert, recipe_of, tmp_path_factory):
    """What was fitted, and the folder in which `calibrator` and `model` lie."""
    folder = tmp_path_factory.mktemp("exported")
    fitted = Lab(device="cpu").fit(recipe_of(calibrator="whiten:n_components=5"))
    save_calibrator(fitted.calibrator, folder / "calibrator", recipe=fitted.recipe.to_dict())
    (folder / "model").mkdir()
    layers = dense_layers(fitted.calibrator)
    write_model(folder / "model", resolve_model(str(tiny_bert)), fitted.recipe, layers)
    return fitted, folder


@pytest.fixture
def exported(written, monkeypatch):
    """What was fitted, in that folder."""
    fitted, folder = written
    monkeypatch.chdir(folder)
    return fitted


def run(name):
    """Run the recipe of a name; return its variables."""
    (code,) = re.findall(rf"```python {name}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(compile(code, f"{PAGE.name}, {name}", "exec"), names := {})
    return names


def needs(*libraries):
    missing = [each for each in libraries if find_spec(each) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


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
    x = Lab(device="cpu").vectors(exported.recipe, TEXTS).x
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
