"""The embedding store: its vectors, what it computes, and the cache's folder and size limit."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from fake_encoder import POOLINGS, FakeEncoder, expected
from waiting import stopping

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.runtime import context
from bertflow_core.runtime.files import cache_folder
from bertflow_core.store import EmbeddingStore, Unstored
from bertflow_core.store.blocks import cache_limit

SENTENCES = [f"sentence {'very ' * (i % 6)}{i}" for i in range(10)]
REAL = ["a cat", "the cat sat on the mat.", "big dog!", "the " * 60, "zebra"]
LAST = [("last", "mean")]
KIND_BYTES = 4 * FakeEncoder().dim * len(SENTENCES)
"""Bytes of one kind of vector of all sentences; the fake encoder has nine kinds."""


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "store")


@pytest.fixture
def sparing(tmp_path) -> EmbeddingStore:
    """A store that keeps only the requested kinds of vectors for as many as ten sentences."""
    return EmbeddingStore(tmp_path / "store", whole_bytes=9 * KIND_BYTES - 1)


def test_vectors_and_counts_come_in_the_order_of_the_request(store):
    asked = [SENTENCES[i] for i in (7, 2, 2, 9, 0, 1, 3, 4, 5, 6, 8)]
    for encoder in (FakeEncoder(), FakeEncoder(is_broken=True)):
        result = next(store.embed(encoder, asked, LAST))
        np.testing.assert_array_equal(result.x, expected(asked))
        assert result.x.dtype == np.float32
        assert result.n_tokens.tolist() == [len(s.split()) + 2 for s in asked]
        assert result.cut.tolist() == [len(s.split()) > 4 for s in asked]


def test_one_computation_of_few_sentences_serves_every_layer_set(store):
    encoder, known = FakeEncoder(), FakeEncoder(is_broken=True)
    next(store.embed(encoder, SENTENCES, LAST))
    assert set(encoder.kinds) == {encoder.tensors}
    sets = {"layer:0": [0], "layer:1": [1], "last": [2], "last2": [1, 2], "first-last": [1, 2]}
    for (layers, chosen), pooling in product(sets.items(), POOLINGS):
        found = next(store.embed(known, SENTENCES, [(layers, pooling)])).x
        each = [expected(SENTENCES, layer=k, pooling=pooling) for k in chosen]
        atol = 1e-6 if len(chosen) > 1 else 0
        np.testing.assert_allclose(found, np.mean(each, axis=0), rtol=0, atol=atol)


def test_only_unknown_sentences_are_computed_and_each_once(store):
    next(store.embed(FakeEncoder(), SENTENCES[:4], LAST))
    encoder = FakeEncoder()
    asked = [*SENTENCES, "new", "new", SENTENCES[0]]
    assert store.missing(encoder, asked) == 7
    np.testing.assert_array_equal(next(store.embed(encoder, asked, LAST)).x, expected(asked))
    assert sorted(encoder.computed) == sorted([*SENTENCES[4:], "new"])
    assert store.missing(encoder, asked) == 0


def test_texts_that_differ_in_anything_are_kept_apart_and_none_of_a_thousand_keys_is_lost(store):
    """Some keys end in a zero byte."""
    texts = ["a b", "a  b", "a b ", "A b", "é", "e\u0301", "a\nb", "😀"]
    texts += [f"text {i}" for i in range(992)]
    encoder = FakeEncoder(per_block=300)
    np.testing.assert_array_equal(next(store.embed(encoder, texts, LAST)).x, expected(texts))
    assert store.entries()[0].n_sentences == 1000
    assert store.missing(encoder, texts) == 0


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_progress_counts_what_is_computed_and_the_disk_it_takes_is_told(tmp_path):
    told: list[str] = []
    reports: list[tuple[int, int, str]] = []
    store = EmbeddingStore(tmp_path, whole_bytes=0, tell=told.append)
    encoder = FakeEncoder(dim=100_000)
    next(store.embed(encoder, SENTENCES[:2], LAST))

    def report(*each: object) -> None:
        assert told
        reports.append(each)

    with context.reporting(report):
        next(store.embed(encoder, SENTENCES[:7], LAST))
    assert told == ["embedding 5 sentences takes 2.0 MB of disk"]
    assert (reports[0], reports[-1]) == ((0, 5, "sentences"), (5, 5, "sentences"))


def test_what_was_done_before_a_cancel_stays(store):
    with pytest.raises(Cancelled), stopping(lambda done, *_: done >= 6):
        next(store.embed(FakeEncoder(), SENTENCES, LAST))
    encoder = FakeEncoder()
    x = next(store.embed(encoder, SENTENCES, LAST)).x
    np.testing.assert_array_equal(x, expected(SENTENCES))
    assert len(encoder.computed) == len(SENTENCES) - 6


def test_what_cannot_be_embedded_is_refused_before_the_work(store):
    next(store.embed(FakeEncoder(), ["a"], LAST))
    for sentences, layers, words in [
        (SENTENCES, "layer:3", "'layer:3' does not exist here"),
        ([], "last", "no sentences"),
        (["b", "a", "a", "x\ud800"], "last", "sentence 4 holds"),
    ]:
        with pytest.raises(InputError, match=words):
            next(store.embed(FakeEncoder(is_broken=True), sentences, [(layers, "mean")]))


def test_of_many_sentences_only_what_is_asked_for_and_not_stored_is_computed(sparing):
    next(sparing.embed(FakeEncoder(), SENTENCES[:3], [("layer:1", "mean")]))
    for layers, tokens, averaged, lacking in [
        ("layer:1", "mean", (1,), ["layer.1.mean"]),
        ("last2", "mean", (1, 2), ["layer.2.mean"]),
        ("last2", "max", (1, 2), ["layer.1.max", "layer.2.max"]),
        ("last", "mean", (2,), []),
    ]:
        encoder = FakeEncoder()
        found = next(sparing.embed(encoder, SENTENCES, [(layers, tokens)]))
        each = [expected(SENTENCES, layer=layer, pooling=tokens) for layer in averaged]
        np.testing.assert_allclose(found.x, np.mean(each, axis=0), rtol=0, atol=1e-6)
        assert set(encoder.kinds) == ({tuple(lacking)} if lacking else set())


def test_all_that_is_wanted_is_computed_in_one_pass_where_there_is_room(sparing):
    wanted = [("last", "mean"), ("layer:0", "cls")]
    encoder = FakeEncoder()
    next(sparing.embed(encoder, SENTENCES, wanted))
    assert set(encoder.kinds) == {("layer.2.mean", "layer.0.cls")}
    known = FakeEncoder(is_broken=True)
    x = next(sparing.embed(known, SENTENCES, [("layer:0", "cls")])).x
    np.testing.assert_array_equal(x, expected(SENTENCES, layer=0, pooling="cls"))
    for sparing.whole_bytes in (0, 1 << 30):
        sparing.clear()
        sparing.limit_bytes, encoder = KIND_BYTES, FakeEncoder()
        x = next(sparing.embed(encoder, SENTENCES, [("layer:1", "mean"), *wanted])).x
        np.testing.assert_array_equal(x, expected(SENTENCES, layer=1))
        assert set(encoder.kinds) == {("layer.1.mean",)}


def test_without_a_store_the_vectors_are_the_same_and_the_disk_is_left_alone(tmp_path, store):
    asked = [*SENTENCES, SENTENCES[2], SENTENCES[0]]
    wanted = [("last2", "cls"), ("layer:0", "mean"), ("last2", "cls")]
    stored = [*store.embed(FakeEncoder(), asked, wanted)]
    before = sorted(tmp_path.rglob("*"))
    encoder = FakeEncoder()
    for found, kept in zip(Unstored().embed(encoder, asked, wanted), stored, strict=True):
        for name in ("x", "n_tokens", "cut"):
            np.testing.assert_array_equal(getattr(found, name), getattr(kept, name))
    assert sorted(encoder.computed) == sorted(SENTENCES)
    assert sorted(tmp_path.rglob("*")) == before


CACHED = """
import json, sys
from bertflow_core.datasets import load_dataset
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.store import EmbeddingStore
load_dataset("teaching")
encoder = TransformerEncoder(resolve_model(sys.argv[1]), max_length=20)
x = next(EmbeddingStore().embed(encoder, json.loads(sys.argv[2]), [("last2", "mean")])).x
heavy = {"torch", "transformers", "pandas", "pyarrow", "scipy", "sklearn", "huggingface_hub"}
print(json.dumps([sorted(heavy & sys.modules.keys()), x.tolist()]))
"""


def test_a_real_encoders_vectors_are_kept_and_read_without_heavy_imports(tiny_bert):
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=20, device="cpu")
    whole = encoder.encode(REAL)
    for layers, tokens, chosen, row in [
        ("layer:0", "cls", [0], 1),
        ("first-last", "max", [1, 3], 2),
        ("last2", "mean", [2, 3], 0),
    ]:
        x = whole.vectors[chosen, row].astype(np.float64).mean(axis=0).astype(np.float32)
        result = next(EmbeddingStore().embed(encoder, REAL, [(layers, tokens)]))
        np.testing.assert_array_equal(result.x, x)
        np.testing.assert_array_equal(result.n_tokens, whole.n_tokens)
        np.testing.assert_array_equal(result.cut, whole.cut)
    command = [sys.executable, "-c", CACHED, str(tiny_bert), json.dumps(REAL)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    heavy, result = json.loads(said)
    assert heavy == []
    np.testing.assert_array_equal(np.array(result, np.float32), x)


def test_folder_and_size_bound_are_named_by_the_environment(monkeypatch, tmp_path):
    assert cache_folder() == Path(os.environ["BERTFLOW_CACHE"])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BERTFLOW_CACHE", "~/here")
    assert cache_folder() == tmp_path / "here"
    monkeypatch.setenv("BERTFLOW_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert "bertflow-lab" in str(cache_folder())
    monkeypatch.setenv("BERTFLOW_CACHE", "~nobody-here/x")
    with pytest.raises(InputError, match=r"BERTFLOW_CACHE.*'~nobody-here/x'"):
        cache_folder()
    for text, n_bytes in (("", 20 << 30), ("0.5", 1 << 29)):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        assert cache_limit() == n_bytes
    for text in ("0", "nan", "1 GB", "1e9"):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        with pytest.raises(InputError, match=rf"BERTFLOW_CACHE_GB must be a number.*got '{text}'"):
            cache_limit()
