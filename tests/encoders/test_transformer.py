"""The encoder compared with plain transformers and numpy, in every family; its threads."""

import json
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from plain_transformers import of_kinds, token_vectors
from tiny_models import FAMILIES, MAX_TOKENS
from torch_threads import thread_counts, torch_threads
from transformers import AutoModel, AutoTokenizer
from transformers.utils.logging import get_verbosity
from waiting import PATIENCE, stopping

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import open_declared
from bertflow_core.encoders.fast_pass import use_onednn
from bertflow_core.encoders.pooling import USUAL_POOLINGS, pool_tokens
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.runtime import context
from bertflow_core.runtime.device import DTYPES

SENTENCES = ("a cat", "the cat sat on the mat.", "big dog!", "zebra", "mat", "the dog runs, " * 4)
UNICODE = ("naïve café", "日本語の文", "😀 the cat 👩‍👩‍👧", "a\u200bb", "tab\tand\nline", "\x00a")
WITHOUT_EXIT = ("albert", "xlnet")
"""ALBERT uses one layer many times; XLNet passes its layers more than token vectors."""
BY_HAND = {
    "mean": lambda h: h.mean(0),
    "cls": lambda h: h[0],
    "max": lambda h: h.max(0),
    "last": lambda h: h[-1],
}
"""Token poolings by numpy, of vectors of shape (T, D)."""
MANY = [f"{'the ' * (i % 5)}cat {i}" for i in range(40)]


def padded_reference(folder: Path, sentences: Sequence[str]) -> np.ndarray:
    """Return what transformers gives for one padded batch, shape (L + 1, 4, N, D), in float64."""
    layers = zip(*(x for _, x in token_vectors(folder, sentences)), strict=True)
    return np.array([[[*map(pool, rows)] for pool in BY_HAND.values()] for rows in layers])


def test_every_layer_and_pooling_equals_plain_transformers(tiny_model, shared_encoder):
    block = shared_encoder(tiny_model).encode(SENTENCES)
    expected = padded_reference(tiny_model, SENTENCES)
    assert (block.vectors.shape, block.vectors.dtype) == ((4, 4, 6, 16), np.float32)
    np.testing.assert_allclose(block.vectors, expected, rtol=0, atol=1e-5)
    distances = np.abs(expected.reshape(16, 1, -1) - expected.reshape(16, -1)).max(axis=-1)
    assert (distances[~np.eye(16, dtype=bool)] > 0.1).all(), "the reference tells them apart"


def test_the_embedded_model_equals_plain_transformers(minilm, shared_encoder):
    block = shared_encoder(minilm).encode(SENTENCES + UNICODE)
    expected = padded_reference(minilm, SENTENCES + UNICODE)
    assert block.vectors.shape == (7, 4, 12, 384)
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
        holder.train()  # which must not switch dropout on
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
    with torch_threads(3):
        expected = encoder.encode(MANY).vectors
        with pytest.raises(Cancelled), stopping(lambda n, *_: done.append(n) or n > 10):
            encoder.encode(MANY)
        assert 10 < done[-1] < len(MANY)
        np.testing.assert_array_equal(encoder.encode(MANY).vectors, expected)
        blocks = encoder.encode_blocks(MANY)
        next(blocks)
        blocks.close()  # some are left unread
        assert thread_counts() == (3, 3)


def test_several_threads_may_encode_at_once_and_load_in_turn(tiny_bert, open_encoder, monkeypatch):
    encoder, level = open_encoder(tiny_bert), get_verbosity()
    free, together = threading.Lock(), threading.Barrier(3, timeout=PATIENCE)
    expected = encoder.encode(MANY).vectors

    def alone(load, *args: object, **options: object) -> object:
        assert free.acquire(blocking=False), "two threads load at once"
        time.sleep(0.1)  # time for another thread to begin
        free.release()
        return load(*args, **options)

    for kind in (AutoModel, AutoTokenizer):
        monkeypatch.setattr(kind, "from_pretrained", partial(alone, kind.from_pretrained))

    def work(_: int) -> np.ndarray:
        together.wait()
        return np.array([each.encode(MANY).vectors for each in (open_encoder(tiny_bert), encoder)])

    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(work, range(3)):
            np.testing.assert_allclose(found, [expected, expected], rtol=0, atol=1e-5)
    assert get_verbosity() == level


@pytest.mark.parametrize("pooling", USUAL_POOLINGS)
def test_a_pooling_is_what_it_is_by_hand_and_summed_in_float32(pooling):
    for n_tokens in (1, 2, 7, 4096):
        hidden = torch.randn(3, n_tokens, 5, generator=torch.Generator().manual_seed(1)) - 2
        hidden = hidden.to(torch.bfloat16)
        before, x = hidden.clone(), pool_tokens(hidden, pooling)
        assert torch.equal(hidden, before)
        assert x.dtype == torch.float32
        expected = [BY_HAND[pooling](h) for h in hidden.double().numpy()]
        np.testing.assert_allclose(x.numpy(), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("shape", [(7,), (5, 7), (64, 9, 7)])
def test_a_linear_layer_is_the_product_of_numpy(shape, has_bias):
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(7, 11, bias=has_bias).requires_grad_(False), torch.randn(shape)
    bias = layer.bias.double().numpy() if has_bias else 0
    expected = x.double().numpy() @ layer.weight.double().numpy().T + bias
    use_onednn(torch.nn.Sequential(layer))
    with torch.inference_mode():
        np.testing.assert_allclose(layer(x).numpy(), expected, rtol=0, atol=1e-5)
    assert ("forward" in vars(layer)) == torch.backends.mkldnn.is_available()


@pytest.fixture(params=FAMILIES)
def family(request, tiny_folder) -> TransformerEncoder:
    """An encoder that has not loaded its network yet."""
    return TransformerEncoder(tiny_folder(request.param), max_length=MAX_TOKENS, device="cpu")


def test_lower_layers_alone_are_those_of_the_whole_pass_and_upper_ones_do_not_run(family, loaded):
    of = partial(of_kinds, family, SENTENCES)
    whole = dict(zip(family.tensors, of(None), strict=True))
    for deepest in range(4):
        kinds = (f"layer.{deepest}.last", "layer.0.mean", f"layer.{deepest}.max")
        np.testing.assert_array_equal(of(kinds), [whole[kind] for kind in kinds])
    np.testing.assert_array_equal(of(["layer.3.cls"])[0], whole["layer.3.cls"])
    ran = []
    top = next(m for m in loaded[0].modules() if type(m).__name__ == "ModuleList")[-1]
    top.register_forward_hook(lambda *_: ran.append(1))
    of(["layer.1.mean"])
    assert bool(ran) == (family.model.config["model_type"] in WITHOUT_EXIT)


def test_a_folder_that_declares_nothing_is_mean_pooled_whatever_its_family(family):
    from sentence_transformers import SentenceTransformer

    mean = family.encode(SENTENCES).vectors[3, 0]
    declared = open_declared(resolve_model(str(family.model.path)))
    found = DeclaredEncoder(declared, device="cpu").encode(SENTENCES).vectors[0]
    np.testing.assert_allclose(found, mean, rtol=1e-4, atol=1e-4)
    expected = SentenceTransformer(str(family.model.path), device="cpu").encode(SENTENCES)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4)


def test_vectors_of_another_kind_of_device_are_others_in_half_precision_alone(
    tiny_bert, monkeypatch
):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    kinds = {}
    for dtype in DTYPES:
        here, there, beside = (
            TransformerEncoder(tiny_bert, max_length=MAX_TOKENS, device=name, dtype=dtype)
            for name in ("cpu", "cuda", "cuda:1")
        )
        assert there.fingerprint == beside.fingerprint
        kinds[dtype] = len({here.fingerprint, there.fingerprint})
    assert kinds == {"float32": 1, "bfloat16": 2, "float16": 2}


def test_two_threads_in_one_network_at_once_get_hidden_states_of_their_own(tiny_bert, open_encoder):
    """A layer makes each thread wait until the other one is in the network too."""
    encoder = open_encoder(tiny_bert)
    inputs = torch.tensor([[2, 7, 3]]), torch.tensor([[2, 9, 8, 3]])
    alone = [encoder._hidden_states.of(ids, 0, 3) for ids in inputs]
    both = threading.Barrier(2, timeout=PATIENCE)

    def wait(layer, args):
        both.wait()

    encoder.network.encoder.layer[1].register_forward_pre_hook(wait)
    with ThreadPoolExecutor(2) as pool:
        together = [*pool.map(lambda ids: encoder._hidden_states.of(ids, 0, 3), inputs)]
    for found, expected in zip(together, alone, strict=True):
        assert found.keys() == expected.keys() == {0, 1, 2, 3}
        for layer in found:
            torch.testing.assert_close(found[layer], expected[layer], atol=1e-5, rtol=0)
