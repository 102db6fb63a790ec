"""Which kinds of vectors a store computes and keeps: all of few sentences, those asked for of many.

A kind is a layer under a token pooling; the fake encoder has three layers and three poolings.
"""

import hashlib
import json

import numpy as np
import pytest
from fake_encoder import FakeEncoder, vector
from safetensors.numpy import load_file, save_file

from bertflow_core import context
from bertflow_core.store import EmbeddingStore, Unstored

SENTENCES = [f"sentence {i}" for i in range(9)]
KIND_BYTES = 4 * FakeEncoder().dim * len(SENTENCES)
"""One kind of vector of all sentences."""


def expected(layer: int, pooling: str = "mean", sentences: list[str] = SENTENCES) -> np.ndarray:
    return np.array([vector("fake", s, layer, pooling, 4) for s in sentences])


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    """A store that takes nine sentences for many."""
    return EmbeddingStore(tmp_path / "store", whole_bytes=9 * KIND_BYTES - 1)


def n_bytes(store: EmbeddingStore) -> int:
    return sum(entry.n_bytes for entry in store.entries())


MANY = [
    ("layer:1", "mean", (1,), ["layer.1.mean"]),
    ("last2", "mean", (1, 2), ["layer.2.mean"]),
    ("last2", "max", (1, 2), ["layer.1.max", "layer.2.max"]),
    ("last", "mean", (2,), []),
]
"""What is asked for, one after the other: its layers, and the kinds that are not stored yet."""


def test_of_many_sentences_only_what_is_asked_for_and_not_stored_is_computed(store):
    for layers, tokens, averaged, lacking in MANY:
        encoder = FakeEncoder()
        found = store.embed(encoder, SENTENCES, layers=layers, tokens=tokens)
        x = np.mean([expected(layer, tokens) for layer in averaged], axis=0)
        np.testing.assert_allclose(found.x, x, rtol=0, atol=1e-6)
        assert set(encoder.kinds) == ({tuple(lacking)} if lacking else set())


def test_of_few_sentences_every_kind_is_computed_at_once(store):
    encoder = FakeEncoder()
    store.embed(encoder, SENTENCES[:8], layers="layer:1")
    assert set(encoder.kinds) == {encoder.tensors}


def test_what_is_ahead_is_computed_in_the_same_pass_and_nothing_else(store):
    encoder = FakeEncoder()
    ahead = [("layer:0", "cls"), ("last", "mean")]
    store.embed(encoder, SENTENCES, layers="last", ahead=ahead)
    assert set(encoder.kinds) == {("layer.2.mean", "layer.0.cls")}
    x = store.embed(FakeEncoder(is_broken=True), SENTENCES, layers="layer:0", tokens="cls").x
    np.testing.assert_array_equal(x, expected(0, "cls"))


@pytest.mark.parametrize("whole_bytes", [0, 1 << 30])
def test_what_has_no_room_beside_what_is_asked_for_is_left_out(store, whole_bytes):
    store.limit_bytes, store.whole_bytes = KIND_BYTES, whole_bytes
    encoder = FakeEncoder()
    x = store.embed(encoder, SENTENCES, layers="layer:1", ahead=[("last", "mean")]).x
    np.testing.assert_array_equal(x, expected(1))
    assert set(encoder.kinds) == {("layer.1.mean",)}


def test_sentences_with_different_kinds_stored_are_put_together(store):
    store.whole_bytes = 0
    store.embed(FakeEncoder(), SENTENCES[:3], layers="layer:1")
    store.embed(FakeEncoder(), SENTENCES[3:6], layers="last")
    encoder = FakeEncoder()
    found = store.embed(encoder, SENTENCES, layers="last2")
    np.testing.assert_allclose(found.x, (expected(1) + expected(2)) / 2, rtol=0, atol=1e-6)
    assert sorted(encoder.computed) == SENTENCES
    known = FakeEncoder(is_broken=True)
    np.testing.assert_array_equal(store.embed(known, SENTENCES, layers="last").x, expected(2))


def test_the_disk_holds_what_was_asked_for_and_little_else(store):
    encoder = FakeEncoder(dim=256, per_block=9)
    store.embed(encoder, SENTENCES, layers="layer:1")
    vectors = 9 * 4 * 256
    assert vectors < n_bytes(store) < 1.2 * vectors


def test_what_is_embedded_is_told_before_it_begins(tmp_path):
    told: list[str] = []
    reports: list[str] = []
    encoder = FakeEncoder(dim=100_000)
    store = EmbeddingStore(tmp_path, whole_bytes=0, tell=told.append)

    def report(done: int, total: int, unit: str) -> None:
        assert told
        reports.append(unit)

    for _ in range(2):
        with context.reporting(report):
            store.embed(encoder, SENTENCES[:5], layers="last")
    assert told == ["embedding 5 sentences takes 2.0 MB of disk"]
    assert set(reports) == {"sentences (2.0 MB of disk)"}


def test_blocks_of_all_kinds_named_by_their_keys_alone_are_read(store):
    store.embed(FakeEncoder(), SENTENCES[:8], layers="last")
    for path in store.root.glob("*/*.safetensors"):
        keys = load_file(path)["keys"].tobytes()
        path.rename(path.with_stem(hashlib.sha256(keys).hexdigest()[:32]))
    x = store.embed(FakeEncoder(is_broken=True), SENTENCES[:8], layers="layer:0", tokens="max").x
    np.testing.assert_array_equal(x, expected(0, "max", SENTENCES[:8]))


def test_a_block_is_a_safetensors_file_as_it_always_was(store):
    """What is written here by hand is what every version so far has written."""
    keys = [hashlib.sha256(sentence.encode()).digest()[:16] for sentence in SENTENCES]
    tensors = {
        "layer.2.mean": expected(2),
        "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 16),
        "n_tokens": np.arange(9, dtype=np.int32),
        "cut": np.arange(9, dtype=np.uint8) % 2,
    }
    digests = {
        name: hashlib.sha256(f"{x.dtype.str} {x.shape} ".encode() + x.tobytes()).hexdigest()
        for name, x in tensors.items()
    }
    name = hashlib.sha256(b"".join(keys) + b" layer.2.mean").hexdigest()[:32]
    folder = store.root / FakeEncoder().fingerprint[:32]
    folder.mkdir(parents=True)
    save_file(tensors, folder / f"{name}.safetensors", {"digests": json.dumps(digests)})
    found = store.embed(FakeEncoder(is_broken=True), SENTENCES[::-1], layers="last")
    np.testing.assert_array_equal(found.x, expected(2)[::-1])
    assert found.n_tokens.tolist() == list(range(8, -1, -1))
    assert found.cut.tolist() == [False, True] * 4 + [False]
    store.clear()
    store.embed(FakeEncoder(per_block=9), SENTENCES[::-1], layers="last")  # in the order above
    (path,) = folder.glob("*.safetensors")
    assert path.stem == name
    np.testing.assert_array_equal(load_file(path)["keys"], tensors["keys"])


def test_without_a_store_the_vectors_are_the_same_and_the_disk_is_left_alone(tmp_path, store):
    asked = [*SENTENCES, SENTENCES[2], SENTENCES[0]]
    stored = store.embed(FakeEncoder(), asked, layers="last2", tokens="cls")
    before = sorted(tmp_path.rglob("*"))
    encoder = FakeEncoder()
    found = Unstored().embed(encoder, asked, layers="last2", tokens="cls")
    for name in ("x", "n_tokens", "cut"):
        np.testing.assert_array_equal(getattr(found, name), getattr(stored, name))
    assert sorted(encoder.computed) == SENTENCES
    assert sorted(tmp_path.rglob("*")) == before
