"""How the encoder runs: frozen, reporting, stoppable, leaving torch as it was."""

import threading
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch_threads import thread_count, thread_counts, torch_threads
from transformers import AutoModel, AutoTokenizer, BertModel
from transformers.utils.logging import get_verbosity

from bertflow_core import context
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError

SENTENCES = [f"{'the ' * (i % 5)}cat {i}" for i in range(40)]


def test_dropout_sleeps_and_nobody_can_wake_it(tiny_model, open_encoder):
    encoder = open_encoder(tiny_model)
    first = encoder.encode(SENTENCES).vectors
    holder = torch.nn.Module()
    holder.encoder = encoder
    holder.train()
    torch.nn.Module.train(holder, True)
    np.testing.assert_array_equal(encoder.encode(SENTENCES).vectors, first)
    assert not isinstance(encoder, torch.nn.Module)
    assert not hasattr(encoder, "train")


def test_no_weight_can_be_trained_and_no_graph_is_kept(tiny_bert, open_encoder, loaded):
    encoder = open_encoder(tiny_bert)
    with torch.enable_grad():
        encoder.encode(SENTENCES)
    assert not any(p.requires_grad or p.grad is not None for p in loaded[0].parameters())
    assert not loaded[0].training


def test_nothing_is_loaded_before_the_first_sentence(tiny_bert, open_encoder, loaded):
    encoder = open_encoder(tiny_bert)
    assert (encoder.n_layers, encoder.dim) == (3, 16)
    assert encoder.fingerprint
    assert not loaded


def test_progress_rises_to_the_total(tiny_bert, open_encoder):
    reports = []
    with context.reporting(lambda *report: reports.append(report)):
        open_encoder(tiny_bert, batch_tokens=20).encode(SENTENCES)
    done = [report[0] for report in reports]
    assert done[0] == 0
    assert done[-1] == len(SENTENCES)
    assert all(a < b for a, b in pairwise(done))
    assert len(done) > 5
    assert {report[1:] for report in reports} == {(len(SENTENCES), "sentences")}


def test_progress_comes_from_the_callers_thread(tiny_bert, open_encoder):
    threads = set()
    with context.reporting(lambda *_: threads.add(threading.get_ident())):
        open_encoder(tiny_bert).encode(SENTENCES)
    assert threads == {threading.get_ident()}


def test_a_cancelled_run_stops_and_a_later_one_is_right(tiny_bert, open_encoder):
    encoder = open_encoder(tiny_bert, batch_tokens=8)
    expected = encoder.encode(SENTENCES).vectors
    done = []

    def cancel(n: int, total: int, unit: str) -> None:
        done.append(n)
        if n > 10:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(cancel):
        encoder.encode(SENTENCES)
    assert 10 < done[-1] < len(SENTENCES)
    np.testing.assert_array_equal(encoder.encode(SENTENCES).vectors, expected)


@pytest.fixture
def three_torch_threads():
    with torch_threads(3):
        yield


@pytest.mark.usefixtures("three_torch_threads")
def test_torchs_number_of_threads_is_as_before_however_a_run_ends(tiny_bert, open_encoder):
    def fail(done: int, total: int, unit: str) -> None:
        if done:
            raise ValueError("no")

    open_encoder(tiny_bert).encode(SENTENCES)
    assert thread_counts() == (3, 3)
    with pytest.raises(ValueError, match="no"), context.reporting(fail):
        open_encoder(tiny_bert).encode(SENTENCES)
    assert thread_counts() == (3, 3)
    blocks = open_encoder(tiny_bert).encode_blocks(SENTENCES)
    next(blocks)
    blocks.close()  # some are left unread
    assert thread_counts() == (3, 3)


@pytest.mark.usefixtures("three_torch_threads")
def test_torchs_number_of_threads_is_as_before_after_runs_that_overlap(tiny_bert, open_encoder):
    encoder = open_encoder(tiny_bert)
    first, second = encoder.encode_blocks(SENTENCES), encoder.encode_blocks(SENTENCES)
    inner = []

    def run_second() -> None:
        next(second)
        second.close()
        inner.append(thread_count())

    next(first)
    overlapping = threading.Thread(target=run_second)
    overlapping.start()
    overlapping.join()
    first.close()
    assert inner == [3]
    assert thread_counts() == (3, 3)


def test_the_workers_run_torch_on_one_thread_each(tiny_bert, open_encoder, monkeypatch):
    encoder, counts = open_encoder(tiny_bert, batch_tokens=8), set()
    encoder.encode(SENTENCES[:2])
    forward = BertModel.forward

    def spy(self, *args, **options):
        counts.add(thread_count())
        return forward(self, *args, **options)

    monkeypatch.setattr(BertModel, "forward", spy)
    encoder.encode(SENTENCES)
    assert counts == {1}


def run_at_once(n: int, work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_several_threads_may_share_an_encoder(tiny_bert, open_encoder):
    encoder, results = open_encoder(tiny_bert), []
    expected = encoder.encode(SENTENCES).vectors
    run_at_once(4, lambda: results.append(encoder.encode(SENTENCES).vectors))
    assert len(results) == 4
    for vectors in results:
        np.testing.assert_allclose(vectors, expected, rtol=0, atol=1e-5)


def test_several_threads_may_start_at_once_and_load_in_turn(tiny_bert, open_encoder, monkeypatch):
    expected, level = open_encoder(tiny_bert).encode(SENTENCES).vectors, get_verbosity()
    loading, most, results = [], [], []

    def watch(load: Callable[..., object]) -> Callable[..., object]:
        def watched(*args: object, **options: object) -> object:
            loading.append(load)
            most.append(len(loading))
            time.sleep(0.05)
            loading.pop()
            return load(*args, **options)

        return watched

    for kind in (AutoModel, AutoTokenizer):
        monkeypatch.setattr(kind, "from_pretrained", watch(kind.from_pretrained))
    run_at_once(3, lambda: results.append(open_encoder(tiny_bert).encode(SENTENCES).vectors))
    assert most == [1] * 6
    assert get_verbosity() == level
    for vectors in results:
        np.testing.assert_allclose(vectors, expected, rtol=0, atol=1e-5)


def test_what_is_no_sentence_is_refused_by_its_number(tiny_bert, open_encoder):
    for blank in ("", " ", "\t\n", "\u3000", "\u00a0"):
        with pytest.raises(InputError, match="sentence 2 is blank"):
            open_encoder(tiny_bert).encode(["a cat", blank, "a dog"])
    for half in ("\ud800", "the \udfff cat", "\udce9t\udce9"):
        with pytest.raises(InputError, match=r"sentence 3 holds '\\ud.*surrogate"):
            open_encoder(tiny_bert).encode(["a cat", "a dog", half])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"dtype": "float64"}, "'float64'.*float32, bfloat16, float16"),
        ({"batch_tokens": 0}, "batch size must be at least 1, got 0"),
        ({"batch_tokens": -5}, "batch size must be at least 1, got -5"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_loaded(tiny_bert, options, sentence):
    with pytest.raises(InputError, match=sentence):
        TransformerEncoder(resolve_model(str(tiny_bert)), **{"max_length": 20, **options})


def test_a_device_that_is_not_here_is_refused(tiny_bert, open_encoder):
    with pytest.raises(InputError, match="unknown device 'tpu'"):
        open_encoder(tiny_bert, device="tpu").encode(["a cat"])
