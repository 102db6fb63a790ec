"""The encoder's vectors against plain transformers with padded batches and a mask."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

SENTENCES = (
    "a cat",
    "the cat sat on the mat.",
    "big dog!",
    "A fast red dog runs, the slow blue cat sat.",
    "zebra",
    "the the the the the the the the the the the",
    "mat",
    "two small dogs?",
)
UNICODE = (
    "naïve café",
    "日本語の文",
    "😀 the cat 👩‍👩‍👧",
    "مرحبا",
    "a\u200bb",
    "tab\tand\nline",
    "\x00a",
)


def padded_reference(folder: Path, sentences: Sequence[str]) -> np.ndarray:
    """Return what transformers gives for one padded batch, shape (L + 1, 4, N, D), in float64."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder).eval()
    batch = tokenizer(list(sentences), padding=True, return_tensors="pt")
    mask = batch["attention_mask"].numpy().astype(bool)
    assert not mask.all(), "the reference is to run on padding"
    with torch.no_grad():
        output = network(
            input_ids=batch["input_ids"],
            attention_mask=batch["attention_mask"],
            output_hidden_states=True,
        )
    layers = [hidden.double().numpy() for hidden in output.hidden_states]
    return np.array([_pool_by_hand(hidden, mask) for hidden in layers])


def _pool_by_hand(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    tokens = [row[real] for row, real in zip(hidden, mask, strict=True)]
    mean = [t.sum(axis=0) / len(t) for t in tokens]
    largest = [t.max(axis=0) for t in tokens]
    return np.array([mean, [t[0] for t in tokens], largest, [t[-1] for t in tokens]])


def test_every_layer_and_pooling_equals_plain_transformers(tiny_model, open_encoder):
    block = open_encoder(tiny_model).encode(SENTENCES)
    expected = padded_reference(tiny_model, SENTENCES)
    assert block.vectors.shape == (4, 4, 8, 16)
    assert block.vectors.dtype == np.float32
    np.testing.assert_allclose(block.vectors, expected, rtol=0, atol=1e-5)


def test_the_layers_and_poolings_of_the_reference_are_far_apart(tiny_model):
    expected = padded_reference(tiny_model, SENTENCES).reshape(4 * 4, -1)
    distances = np.abs(expected[:, None] - expected[None]).max(axis=-1)
    assert (distances[~np.eye(16, dtype=bool)] > 0.1).all()


def test_the_embedded_model_equals_plain_transformers(minilm, open_encoder):
    block = open_encoder(minilm).encode(SENTENCES + UNICODE)
    expected = padded_reference(minilm, SENTENCES + UNICODE)
    assert block.vectors.shape == (7, 4, 15, 384)
    np.testing.assert_allclose(block.vectors, expected, rtol=0, atol=2e-5)


def test_the_embedded_models_last_layer_knows_what_sentences_mean(minilm, open_encoder):
    pairs = ("A man plays a guitar.", "Someone is playing music.", "The stock market fell.")
    x = open_encoder(minilm).encode(pairs).vectors[6, 0]
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    assert x[0] @ x[1] > 0.4 > 0.2 > x[0] @ x[2]


@pytest.mark.parametrize("batch_tokens", [1, 7, 40, 10_000])
def test_neither_the_order_nor_the_group_size_changes_a_vector(
    tiny_bert, open_encoder, batch_tokens
):
    together = open_encoder(tiny_bert).encode(SENTENCES)
    order = np.random.default_rng(0).permutation(len(SENTENCES))
    other = open_encoder(tiny_bert, batch_tokens=batch_tokens)
    block = other.encode([SENTENCES[i] for i in order])
    np.testing.assert_allclose(block.vectors, together.vectors[:, :, order], rtol=0, atol=1e-5)
    np.testing.assert_array_equal(block.n_tokens, together.n_tokens[order])


def test_a_sentence_alone_has_the_vector_it_has_in_company(tiny_bert, open_encoder):
    encoder = open_encoder(tiny_bert)
    together = encoder.encode(SENTENCES)
    for i, sentence in enumerate(SENTENCES):
        alone = encoder.encode([sentence]).vectors[:, :, 0]
        np.testing.assert_allclose(alone, together.vectors[:, :, i], rtol=0, atol=1e-5)


def test_equal_sentences_have_equal_vectors_and_none_has_another_ones(tiny_bert, open_encoder):
    block = open_encoder(tiny_bert).encode(["a cat", "big dog!", "a cat"])
    np.testing.assert_array_equal(block.vectors[:, :, 0], block.vectors[:, :, 2])
    assert np.abs(block.vectors[:, :, 0] - block.vectors[:, :, 1]).max() > 0.1


def test_blocks_together_hold_every_sentence_once_shortest_first(tiny_bert, open_encoder):
    sentences = [f"{'the ' * (i % 9)}cat {i}" for i in range(2_100)]
    encoder = open_encoder(tiny_bert)
    encoder_blocks = list(encoder.encode_blocks(sentences))
    rows = np.concatenate([block.rows for block in encoder_blocks])
    assert [len(block.rows) for block in encoder_blocks] == [1024, 1024, 52]
    assert sorted(rows) == list(range(2_100))
    n_tokens = np.concatenate([block.n_tokens for block in encoder_blocks])
    assert (np.diff(n_tokens) >= 0).all()
    whole = encoder.encode(sentences)
    for block in encoder_blocks:
        np.testing.assert_allclose(
            block.vectors.reshape(4, 4, -1, 16), whole.vectors[:, :, block.rows], rtol=0, atol=1e-5
        )


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_stays_near_float32(minilm, open_encoder, dtype):
    exact = open_encoder(minilm).encode(SENTENCES).vectors
    rough = open_encoder(minilm, dtype=dtype).encode(SENTENCES).vectors
    assert rough.dtype == np.float32
    assert not np.array_equal(rough, exact)
    cosine = (exact * rough).sum(-1) / np.linalg.norm(exact, axis=-1)
    cosine /= np.linalg.norm(rough, axis=-1)
    assert cosine.min() > 0.999


@pytest.mark.parametrize("sentence", UNICODE)
def test_any_text_of_any_script_is_encoded(tiny_bert, open_encoder, sentence):
    block = open_encoder(tiny_bert).encode([sentence])
    assert np.isfinite(block.vectors).all()
    assert block.n_tokens[0] >= 2


def test_no_sentences_give_an_empty_block(tiny_bert, open_encoder):
    block = open_encoder(tiny_bert).encode([])
    assert block.vectors.shape == (4, 4, 0, 16)
