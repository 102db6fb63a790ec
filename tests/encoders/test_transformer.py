"""The encoder against plain transformers with padded batches and a mask, and how it runs."""

import json
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_models import MAX_TOKENS
from torch_threads import thread_count, thread_counts, torch_threads
from transformers import AutoModel, AutoTokenizer, BertModel
from transformers.utils.logging import get_verbosity

from bertflow_core import context
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError

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
MANY = [f"{'the ' * (i % 5)}cat {i}" for i in range(40)]


def padded_reference(folder: Path, sentences: Sequence[str]) -> np.ndarray:
    """Return what transformers gives for one padded batch, shape (L + 1, 4, N, D), in float64."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder).eval()
    batch = tokenizer(list(sentences), padding=True, return_tensors="pt")
    mask = batch["attention_mask"].numpy().astype(bool)
    assert not mask.all(), "the reference is to run on padding"
    ids = {name: batch[name] for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        output = network(**ids, output_hidden_states=True)
    layers = [hidden.double().numpy() for hidden in output.hidden_states]
    return np.array([_pool_by_hand(hidden, mask) for hidden in layers])


def _pool_by_hand(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    tokens = [row[real] for row, real in zip(hidden, mask, strict=True)]
    mean = [t.sum(axis=0) / len(t) for t in tokens]
    largest = [t.max(axis=0) for t in tokens]
    return np.array([mean, [t[0] for t in tokens], largest, [t[-1] for t in tokens]])


def test_every_layer_and_pooling_equals_plain_transformers(tiny_model, shared_encoder):
    block = shared_encoder(tiny_model).encode(SENTENCES)
    expected = padded_reference(tiny_model, SENTENCES)
    assert (block.vectors.shape, block.vectors.dtype) == ((4, 4, 8, 16), np.float32)
    np.testing.assert_allclose(block.vectors, expected, rtol=0, atol=1e-5)
    distances = np.abs(expected.reshape(16, 1, -1) - expected.reshape(16, -1)).max(axis=-1)
    assert (distances[~np.eye(16, dtype=bool)] > 0.1).all(), "the reference tells them apart"


def test_the_embedded_model_equals_plain_transformers(minilm, shared_encoder):
    block = shared_encoder(minilm).encode(SENTENCES + UNICODE)
    expected = padded_reference(minilm, SENTENCES + UNICODE)
    assert block.vectors.shape == (7, 4, 15, 384)
    np.testing.assert_allclose(block.vectors, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("batch_tokens", [7, 10_000])
def test_neither_order_nor_company_changes_a_vector(
    tiny_bert, open_encoder, shared_encoder, batch_tokens
):
    together = shared_encoder(tiny_bert).encode(SENTENCES)
    order = np.random.default_rng(0).permutation(len(SENTENCES))
    other = open_encoder(tiny_bert, batch_tokens=batch_tokens)
    block = other.encode([SENTENCES[i] for i in order])
    np.testing.assert_allclose(block.vectors, together.vectors[:, :, order], rtol=0, atol=1e-5)
    np.testing.assert_array_equal(block.n_tokens, together.n_tokens[order])
    for i, sentence in enumerate(SENTENCES):
        alone = other.encode([sentence]).vectors[:, :, 0]
        np.testing.assert_allclose(alone, together.vectors[:, :, i], rtol=0, atol=1e-5)


def test_half_precision_stays_near_float32(minilm, open_encoder, shared_encoder):
    exact = shared_encoder(minilm).encode(SENTENCES[:3]).vectors
    for dtype in ("bfloat16", "float16"):
        rough = open_encoder(minilm, dtype=dtype).encode(SENTENCES[:3]).vectors
        assert rough.dtype == np.float32
        assert not np.array_equal(rough, exact)
        cosine = (exact * rough).sum(-1) / np.linalg.norm(exact, axis=-1)
        assert (cosine / np.linalg.norm(rough, axis=-1)).min() > 0.999


def test_what_exceeds_the_maximum_length_is_cut_and_counted(
    tiny_model, open_encoder, shared_encoder
):
    sentences = ["the " * n for n in (1, 7, 8, 9, 30)]  # and two special tokens each
    block = open_encoder(tiny_model, max_length=10).encode(sentences)
    assert block.n_tokens.tolist() == [3, 9, 10, 10, 10]
    assert block.cut.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(block.vectors[:, :, 2], block.vectors[:, :, 4], rtol=0, atol=1e-5)
    whole = shared_encoder(tiny_model).encode([sentences[4], "the " * 500])
    assert whole.n_tokens.tolist() == [32, resolve_model(str(tiny_model)).max_positions]
    assert np.abs(block.vectors[:, :, 4] - whole.vectors[:, :, 0]).max() > 0.05


def test_a_wrong_option_is_refused_before_anything_is_loaded(tiny_model, loaded):
    for options, words in [
        ({"max_length": 2}, f"from 3 to {MAX_TOKENS} tokens.*got 2"),
        ({"max_length": MAX_TOKENS + 1}, f"from 3 to {MAX_TOKENS} tokens"),
        ({"dtype": "float64"}, "'float64'.*float32, bfloat16, float16"),
        ({"batch_tokens": 0}, "batch size must be at least 1, got 0"),
    ]:
        with pytest.raises(InputError, match=words):
            TransformerEncoder(tiny_model, **{"max_length": 20, **options})
    assert not loaded


def test_the_tokenizers_own_bound_and_the_device_are_refused_when_they_are_met(
    folder, open_encoder
):
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "model_max_length": 20}))
    assert open_encoder(folder, max_length=20).encode(["a cat"]).n_tokens.tolist() == [4]
    with pytest.raises(InputError, match=r"at most 20 tokens.*got 21"):
        open_encoder(folder, max_length=21).encode(["a cat"])
    with pytest.raises(InputError, match="unknown device 'tpu'"):
        open_encoder(folder, device="tpu", max_length=20).encode(["a cat"])


def test_what_is_no_sentence_is_refused_by_its_number(tiny_bert, shared_encoder):
    for blank in ("", "\t\n", "\u3000"):
        with pytest.raises(InputError, match="sentence 2 is blank"):
            shared_encoder(tiny_bert).encode(["a cat", blank, "a dog"])
    for half in ("the \udfff cat", "\udce9t\udce9"):
        with pytest.raises(InputError, match=r"sentence 3 holds '\\ud.*surrogate"):
            shared_encoder(tiny_bert).encode(["a cat", "a dog", half])


def test_weights_are_loaded_with_the_first_sentence_and_never_trained(
    tiny_bert, open_encoder, loaded
):
    encoder = open_encoder(tiny_bert)
    assert (encoder.n_layers, encoder.dim, len(encoder.fingerprint)) == (3, 16, 64)
    assert not loaded
    holder = torch.nn.Module()
    holder.encoder = encoder
    with torch.enable_grad():
        first = encoder.encode(SENTENCES).vectors
        holder.train()  # which wakes no dropout
        np.testing.assert_array_equal(encoder.encode(SENTENCES).vectors, first)
    (network,) = loaded
    assert not any(p.requires_grad or p.grad is not None for p in network.parameters())
    assert not network.training


def test_progress_rises_to_the_total_in_the_callers_thread(tiny_bert, open_encoder):
    reports, threads = [], set()

    def hear(*report: object) -> None:
        reports.append(report)
        threads.add(threading.get_ident())

    with context.reporting(hear):
        open_encoder(tiny_bert, batch_tokens=20).encode(MANY)
    done = [report[0] for report in reports]
    assert (done[0], done[-1], len(done) > 5) == (0, len(MANY), True)
    assert all(a < b for a, b in pairwise(done))
    assert {report[1:] for report in reports} == {(len(MANY), "sentences")}
    assert threads == {threading.get_ident()}


def test_a_cancelled_run_stops_and_a_later_one_is_right(tiny_bert, open_encoder):
    encoder, done = open_encoder(tiny_bert, batch_tokens=8), []

    def cancel(n: int, *_: object) -> None:
        done.append(n)
        if n > 10:
            raise Cancelled("stopped")

    with torch_threads(3):
        expected = encoder.encode(MANY).vectors
        with pytest.raises(Cancelled), context.reporting(cancel):
            encoder.encode(MANY)
        assert 10 < done[-1] < len(MANY)
        np.testing.assert_array_equal(encoder.encode(MANY).vectors, expected)
        blocks = encoder.encode_blocks(MANY)
        next(blocks)
        blocks.close()  # some are left unread
        assert thread_counts() == (3, 3)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_as_many_workers_as_torch_may_use_run_it_on_one_thread_each(
    tiny_bert, open_encoder, monkeypatch, n_threads
):
    encoder, workers, forward = open_encoder(tiny_bert, batch_tokens=8), {}, BertModel.forward
    encoder.encode(MANY[:2])  # what is loaded is tried out by who loads it

    def spy(self, *args, **options):
        workers[threading.get_ident()] = thread_count()
        return forward(self, *args, **options)

    monkeypatch.setattr(BertModel, "forward", spy)
    with torch_threads(n_threads):
        encoder.encode(MANY)
    assert 1 <= len(workers) <= n_threads
    assert {*workers.values()} == {1}


@pytest.mark.parametrize("is_shared", [True, False])
def test_several_threads_may_encode_at_once_and_load_in_turn(
    tiny_bert, open_encoder, monkeypatch, is_shared
):
    encoder, level = open_encoder(tiny_bert), get_verbosity()
    expected = encoder.encode(MANY).vectors
    loading, most, results = [], [], []

    def watch(load):
        def watched(*args: object, **options: object) -> object:
            loading.append(load)
            most.append(len(loading))
            try:
                return load(*args, **options)
            finally:
                loading.pop()

        return watched

    for kind in (AutoModel, AutoTokenizer):
        monkeypatch.setattr(kind, "from_pretrained", watch(kind.from_pretrained))

    def work() -> None:
        chosen = encoder if is_shared else open_encoder(tiny_bert)
        results.append(chosen.encode(MANY).vectors)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * (0 if is_shared else 6)
    assert get_verbosity() == level
    assert len(results) == 3
    for vectors in results:
        np.testing.assert_allclose(vectors, expected, rtol=0, atol=1e-5)
