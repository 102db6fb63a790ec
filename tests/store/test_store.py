"""The embedding store: what it gives, what it computes, and what makes two encoders differ."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fake_encoder import FakeEncoder, vector

from bertflow_core import context
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.store import EmbeddingStore, default_limit, default_root

SENTENCES = [f"sentence {'very ' * (i % 6)}{i}" for i in range(10)]
REAL = ["a cat", "the cat sat on the mat.", "big dog!", "the " * 60, "zebra"]


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "store")


def expected(sentences, *, layer=2, pooling="mean", name="fake"):
    return np.array([vector(name, s, layer, pooling, 4) for s in sentences])


def test_vectors_and_counts_come_in_the_order_of_the_request(store):
    result = store.embed(FakeEncoder(), SENTENCES, layers="last")
    np.testing.assert_array_equal(result.x, expected(SENTENCES))
    assert result.x.dtype == np.float32
    assert result.n_tokens.tolist() == [len(s.split()) + 2 for s in SENTENCES]
    assert result.cut.tolist() == [len(s.split()) > 4 for s in SENTENCES]
    assert result.cut.any()
    assert not result.cut.all()


def test_known_sentences_in_any_order_or_number_need_no_encoder(store):
    store.embed(FakeEncoder(), SENTENCES, layers="last")
    asked = [SENTENCES[i] for i in (7, 2, 2, 9, 0)]
    result = store.embed(FakeEncoder(is_broken=True), asked, layers="last")
    np.testing.assert_array_equal(result.x, expected(asked))


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_one_computation_serves_every_layer_and_pooling(store, layer, pooling):
    store.embed(FakeEncoder(), SENTENCES, layers="last")
    result = store.embed(
        FakeEncoder(is_broken=True), SENTENCES, layers=f"layer:{layer}", tokens=pooling
    )
    np.testing.assert_array_equal(result.x, expected(SENTENCES, layer=layer, pooling=pooling))


@pytest.mark.parametrize(("layers", "chosen"), [("last2", (1, 2)), ("first-last", (1, 2))])
def test_a_layer_set_is_the_mean_of_its_layers(store, layers, chosen):
    result = store.embed(FakeEncoder(), SENTENCES, layers=layers, tokens="cls")
    each = [expected(SENTENCES, layer=k, pooling="cls") for k in chosen]
    np.testing.assert_allclose(result.x, (each[0] + each[1]) / 2, rtol=0, atol=1e-6)


def test_only_unknown_sentences_are_computed_and_each_once(store):
    store.embed(FakeEncoder(), SENTENCES[:4], layers="last")
    encoder = FakeEncoder()
    asked = [*SENTENCES, "new", "new", SENTENCES[0]]
    assert store.missing(encoder, asked) == 7
    np.testing.assert_array_equal(store.embed(encoder, asked, layers="last").x, expected(asked))
    assert sorted(encoder.computed) == sorted([*SENTENCES[4:], "new"])
    assert store.missing(encoder, asked) == 0


def test_texts_that_differ_in_anything_are_different_sentences(store):
    texts = ["a b", "a  b", "a b ", "A b", "é", "e\u0301", "a\nb", "😀"]
    result = store.embed(FakeEncoder(), texts, layers="last")
    np.testing.assert_array_equal(result.x, expected(texts))


def test_encoders_of_other_fingerprints_share_nothing(store):
    store.embed(FakeEncoder(), SENTENCES, layers="last")
    other = FakeEncoder("other")
    result = store.embed(other, SENTENCES, layers="last")
    assert len(other.computed) == len(SENTENCES)
    np.testing.assert_array_equal(result.x, expected(SENTENCES, name="other"))


@pytest.mark.parametrize("options", [{"max_length": 12}, {"dtype": "bfloat16"}])
def test_an_encoder_with_another_option_is_another_encoder(store, tiny_bert, tmp_path, options):
    model = resolve_model(str(tiny_bert))
    encoder = TransformerEncoder(model, max_length=20, device="cpu")
    other = TransformerEncoder(model, **{"max_length": 20, "device": "cpu", **options})
    x = store.embed(encoder, REAL, layers="last").x
    assert store.missing(other, REAL) == len(REAL)
    assert not np.array_equal(store.embed(other, REAL, layers="last").x, x)
    assert [store.missing(e, REAL) for e in (encoder, other)] == [0, 0]


@pytest.mark.parametrize("tokens", ["mean", "cls", "max"])
@pytest.mark.parametrize("layers", ["last", "last2", "first-last", "layer:0"])
def test_a_real_encoders_vectors_are_kept_bit_by_bit(store, tiny_bert, layers, tokens):
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=20, device="cpu")
    whole = encoder.encode(REAL)
    row = ["mean", "cls", "max"].index(tokens)
    chosen = {"last": [3], "last2": [2, 3], "first-last": [1, 3], "layer:0": [0]}[layers]
    direct = whole.vectors[chosen, row].astype(np.float64).mean(axis=0).astype(np.float32)
    for _ in range(2):
        result = store.embed(encoder, REAL, layers=layers, tokens=tokens)
        np.testing.assert_array_equal(result.x, direct)
        np.testing.assert_array_equal(result.n_tokens, whole.n_tokens)
        np.testing.assert_array_equal(result.cut, whole.cut)


def test_progress_counts_what_is_computed(store):
    reports = []
    store.embed(FakeEncoder(), SENTENCES[:2], layers="last")
    with context.reporting(lambda *r: reports.append(r)):
        store.embed(FakeEncoder(), SENTENCES, layers="last")
    assert reports[0] == (0, 8, "sentences")
    assert reports[-1] == (8, 8, "sentences")


def test_what_was_done_before_a_cancel_stays(store):
    def cancel(done: int, total: int, unit: str) -> None:
        if done >= 6:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(cancel):
        store.embed(FakeEncoder(), SENTENCES, layers="last")
    encoder = FakeEncoder()
    np.testing.assert_array_equal(
        store.embed(encoder, SENTENCES, layers="last").x, expected(SENTENCES)
    )
    assert len(encoder.computed) == len(SENTENCES) - 6


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ({"layers": "layer:3"}, "'layer:3' does not exist here"),
        ({"layers": "middle"}, "unknown layer set 'middle'"),
        ({"tokens": "median"}, "unknown token pooling 'median'"),
    ],
)
def test_a_wrong_layer_set_or_pooling_is_refused_before_the_work(store, options, pattern):
    with pytest.raises(InputError, match=pattern):
        store.embed(FakeEncoder(is_broken=True), SENTENCES, **{"layers": "last", **options})


@pytest.mark.parametrize(
    ("sentences", "pattern"),
    [
        ([], "no sentences"),
        (["a", "b", " ", "c"], "sentence 3 is blank"),
        (["b", "a", "a", "x\ud800"], "sentence 4 holds"),
    ],
)
def test_a_sentence_without_text_is_refused_by_its_place_in_the_request(store, sentences, pattern):
    store.embed(FakeEncoder(), ["a"], layers="last")
    with pytest.raises(InputError, match=pattern):
        store.embed(FakeEncoder(is_broken=True), sentences, layers="last")


def test_the_folder_is_named_by_the_environment(monkeypatch, tmp_path):
    assert default_root() == Path(os.environ["BERTFLOW_CACHE"])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BERTFLOW_CACHE", "~/here")
    assert EmbeddingStore().root == tmp_path / "here"
    monkeypatch.setenv("BERTFLOW_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert "bertflow-lab" in str(EmbeddingStore().root)
    monkeypatch.setenv("BERTFLOW_CACHE", "~nobody-here/x")
    with pytest.raises(InputError, match=r"BERTFLOW_CACHE.*'~nobody-here/x'"):
        EmbeddingStore()


@pytest.mark.parametrize(("text", "n_bytes"), [("", 20 << 30), ("1", 1 << 30), ("0.5", 1 << 29)])
def test_the_size_bound_is_named_by_the_environment(monkeypatch, text, n_bytes):
    monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
    assert default_limit() == n_bytes
    assert EmbeddingStore().limit_bytes == n_bytes
    assert EmbeddingStore(limit_bytes=7).limit_bytes == 7


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "ten", "1 GB", " ", "1e9"])
def test_a_size_bound_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
    with pytest.raises(InputError, match=rf"BERTFLOW_CACHE_GB must be a number.*got '{text}'"):
        EmbeddingStore()


LIGHT = """
import json, sys
import bertflow_core.store
heavy = {"torch", "transformers", "pandas", "scipy", "sklearn", "streamlit", "huggingface_hub"}
print(json.dumps(sorted(heavy & sys.modules.keys())))
"""
CACHED = """
import json, sys
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.store import EmbeddingStore
encoder = TransformerEncoder(resolve_model(sys.argv[1]), max_length=20)
x = EmbeddingStore().embed(encoder, json.loads(sys.argv[2]), layers="last2").x
print(json.dumps([sorted({"torch", "transformers"} & sys.modules.keys()), x.tolist()]))
"""


def run(code: str, *arguments: str):
    command = [sys.executable, "-c", code, *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_importing_the_store_is_light():
    assert run(LIGHT) == []


def test_known_sentences_of_a_real_encoder_are_read_without_torch(tiny_bert):
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=20, device="cpu")
    x = EmbeddingStore().embed(encoder, REAL, layers="last2").x
    heavy, result = run(CACHED, str(tiny_bert), json.dumps(REAL))
    assert heavy == []
    np.testing.assert_array_equal(np.array(result, np.float32), x)
