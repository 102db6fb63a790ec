"""Encoder and calibrator as one graph: ONNX Runtime gives this package's vectors."""

import json
import shutil
from importlib.util import find_spec

import numpy as np
import pytest
from tiny_models import save_tiny_model
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import EmbeddingStore, Lab, save_calibrator
from bertflow_core.errors import InputError
from bertflow_core.export import onnx_graph
from bertflow_core.export.run import export_model

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "blue cat on the mat " * 20]
FITS = {  # family: layers, tokens, calibrator
    "bert": ("layer:2", "mean", "flow:epochs=2"),
    "roberta": ("first-last", "cls", "whiten:n_components=4"),
    "mpnet": ("last2", "mean", "standardize"),
    "distilbert": ("last", "max", "null-top-k:k=1"),
    "modernbert": ("layer:2", "mean", "soft-whiten"),
}


@pytest.fixture
def lab(tmp_path):
    return Lab(store=EmbeddingStore(tmp_path / "store"), device="cpu")


def saved(model, lab, folder, spec="standardize", **choices):
    """Save a calibrator fitted on the pairs; return what it was fitted with."""
    recipe = tiny_recipe(model, write_pairs(folder / "pairs.csv"), calibrator=spec, **choices)
    fitted = lab.fit(recipe)
    save_calibrator(fitted.calibrator, folder / "c", recipe=fitted.recipe.to_dict())
    return fitted


@pytest.mark.install
@pytest.mark.parametrize("family", FITS)
def test_onnx_runtime_gives_our_vectors(family, lab, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    pytest.importorskip("onnxscript", reason="the extra onnx is not installed")
    from tokenizers import Tokenizer

    layers, tokens, spec = FITS[family]
    model = save_tiny_model(tmp_path / "model", family)
    fitted = saved(model, lab, tmp_path, spec, layers=layers, tokens=tokens, max_length=20)
    done = export_model(tmp_path / "c", tmp_path / "o", lab, to="onnx", normalize=True)
    assert {path.name for path in done.folder.iterdir()} == {
        *("model.onnx", "tokenizer.json", "README.md")
    }
    tokenizer = Tokenizer.from_file(str(done.folder / "tokenizer.json"))
    session = onnxruntime.InferenceSession(str(done.folder / "model.onnx"))
    z = fitted.calibrator.transform(lab.vectors(fitted.recipe, SENTENCES).x)
    expected = z / np.linalg.norm(z, axis=1, keepdims=True)
    for texts in (SENTENCES, SENTENCES[:1], SENTENCES[2:]):  # batch and length are free
        batch = tokenizer.encode_batch(texts)
        inputs = {
            "input_ids": np.array([each.ids for each in batch]),
            "attention_mask": np.array([each.attention_mask for each in batch]),
        }
        (given,) = session.run(None, inputs)
        rows = [SENTENCES.index(text) for text in texts]
        np.testing.assert_allclose(given, expected[rows], atol=1e-5)


def test_what_is_missing_to_write_a_graph_is_named(tiny_bert, lab, tmp_path, monkeypatch):
    saved(tiny_bert, lab, tmp_path)
    monkeypatch.setattr(onnx_graph, "find_spec", lambda name: None if "rt" in name else name)
    monkeypatch.setattr(onnx_graph, "_LIBRARIES", ("onnx", "onnxrt"))
    with pytest.raises(InputError, match=r"needs onnxrt: pip install"):
        export_model(tmp_path / "c", tmp_path / "o", lab, to="onnx")


@pytest.mark.install
@pytest.mark.skipif(find_spec("onnxscript") is None, reason="the extra onnx is not installed")
def test_a_prompt_is_refused_since_a_graph_has_none(tiny_bert, lab, tmp_path):
    model = tmp_path / "prompted"
    shutil.copytree(tiny_bert, model)
    settings = {"prompts": {"query": "the cat: "}, "default_prompt_name": "query"}
    (model / "config_sentence_transformers.json").write_text(json.dumps(settings))
    kinds = (("Transformer", ""), ("Pooling", "1_Pooling"))
    listed = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(kinds)
    ]
    (model / "modules.json").write_text(json.dumps(listed))
    (model / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}
    (model / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    saved(model, lab, tmp_path, layers="model", max_length=0)
    with pytest.raises(InputError, match="prompt before each text"):
        export_model(tmp_path / "c", tmp_path / "o", lab, to="onnx")
