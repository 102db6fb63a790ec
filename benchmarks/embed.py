"""Embed sentences of the STS Benchmark with the embedded model, into an empty store.

The rows: the last layer's mean in float32 and in bfloat16, and every layer's mean in float32. The
peer is sentence-transformers' `encode` in batches of 32, which gives the last layer's mean and
keeps nothing. All cut at 64 tokens, everything on the CPU, on the sentences of a seeded subset of
test pairs. `min_cosine` is the smallest between a last-layer mean vector and that of the peer,
`rho_x_100_difference` that of Spearman's rho x 100 of the pairs. All are timed from the text on:
tokenizing and, of ours, writing are part of it.

Beyond `--quick` the same is measured of fewer pairs with a network of BERT-base's size, whose
weights are random: the `-base` rows.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import load_pairs
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.store import EmbeddingStore

from .measure import Comparison, Outcome, Way, outcome_of

MAX_LENGTH, BATCH_SIZE = 64, 32
_SUBSET, _QUICK_SUBSET, _BASE_SUBSET = 1_000, 80, 200
_MODEL = "minilm"


def run(*, quick: bool) -> Outcome:
    """Measure on a subset in turns."""
    dataset = "stsb" if os.environ.get("BERTFLOW_DATA") else "teaching"
    if dataset == "teaching":
        print("embed: BERTFLOW_DATA names no folder, so the teaching sentences do", file=sys.stderr)
    most = len(load_pairs(dataset))
    n, n_base = (min(each, most) for each in (_QUICK_SUBSET if quick else _SUBSET, _BASE_SUBSET))
    recipe = {"model": _MODEL, "max_length": MAX_LENGTH, "dataset": dataset, "pairs": n}
    compared = [_comparison(dataset, n)]
    with tempfile.TemporaryDirectory() as folder:
        if not quick:
            _write_base_sized(folder)
            compared.append(_comparison(dataset, n_base, folder, "-base"))
            recipe["pairs of the -base rows"] = n_base
        n_sentences = len(_subset(dataset, n))
        return outcome_of(compared, quick=quick, **recipe, sentences=n_sentences)


def _comparison(dataset: str, n: int, model: str = _MODEL, suffix: str = "") -> Comparison:
    def way(name: str, prepare: Callable[..., Callable[[], Any]], **options: object) -> Way:
        return Way(f"{name}{suffix}", partial(prepare, dataset, n, model, **options))

    def check(ours: FloatArray, theirs: FloatArray) -> dict[str, float]:
        change = _rho(dataset, n, ours) - _rho(dataset, n, theirs)
        cosine = float(pairwise_cosine(theirs, ours).min())
        return {"min_cosine": cosine, "rho_x_100_difference": abs(change)}

    ways = [
        way("embed-float32", prepare_ours),
        way("embed-bfloat16", prepare_ours, dtype="bfloat16"),
        way("embed-all-layers", prepare_ours, all_layers=True),
    ]
    prepare_peer = partial(prepare_sentence_transformers, dataset, n, model)
    return Comparison(Way("sentence-transformers", prepare_peer), ways, check)


def prepare_sentence_transformers(dataset: str, n: int, model: str) -> Callable[[], FloatArray]:
    """Return `encode`, which gives the last layer's mean, shape (N, D)."""
    from sentence_transformers import SentenceTransformer

    sentences = _subset(dataset, n)
    peer = SentenceTransformer(str(resolve_model(model).path), device="cpu")
    peer.max_seq_length = MAX_LENGTH
    return lambda: np.asarray(
        peer.encode(sentences, batch_size=BATCH_SIZE, show_progress_bar=False)
    )


def prepare_ours(
    dataset: str, n: int, model: str, dtype: str = "float32", all_layers: bool = False
) -> Callable[[], FloatArray]:
    """Return the embedding into an empty store; the last layer's mean of it, shape (N, D)."""
    sentences = _subset(dataset, n)
    encoder = TransformerEncoder(
        resolve_model(model), max_length=MAX_LENGTH, device="cpu", dtype=dtype
    )
    every = [(f"layer:{i}", "mean") for i in range(encoder.n_layers + 1)]

    def work() -> FloatArray:
        with tempfile.TemporaryDirectory() as root:
            store = EmbeddingStore(Path(root), whole_bytes=0)  # nothing beyond what is asked for
            ahead = every if all_layers else []
            last = store.embed(
                encoder, sentences, layers=every[-1][0], tokens="mean", prefetch=ahead
            )
            return np.array(last.x)

    return work


def _write_base_sized(folder: str) -> None:
    """Write a network of BERT-base's size with random weights, and the embedded model's tokenizer.

    Time depends on the sizes alone.
    """
    import torch
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(resolve_model(_MODEL).path)
    BertModel(BertConfig(vocab_size=len(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _subset(dataset: str, n: int) -> list[str]:
    """Return the distinct sentences of the pairs that are embedded."""
    return list(dict.fromkeys(each for pair in _drawn(dataset, n) for each in pair[:2]))


def _drawn(dataset: str, n: int) -> list[tuple[str, str, float]]:
    """Return n pairs with their gold scores."""
    pairs = load_pairs(dataset)
    assert pairs.gold is not None
    rows = np.random.default_rng(0).choice(len(pairs), n, replace=False)
    return [(pairs.first[row], pairs.second[row], float(pairs.gold[row])) for row in rows]


def _rho(dataset: str, n: int, x: FloatArray) -> float:
    """Return Spearman's rho x 100 of the pairs, given their sentences' vectors."""
    place = {sentence: row for row, sentence in enumerate(_subset(dataset, n))}
    first, second, gold = zip(*_drawn(dataset, n), strict=True)
    sides = [x[[place[sentence] for sentence in side]] for side in (first, second)]
    scores = score_pairs(pairwise_cosine(*sides), np.array(gold), ["all"] * n)
    return 100 * float(scores.spearman.all or 0)
