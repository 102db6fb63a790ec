"""Embed the sentences of the STS Benchmark with the embedded model.

The package gives every layer under every token pooling; the references, which give the last layer's
mean only, are sentence-transformers' `encode` in batches of 32, and transformers with sentences
sorted by length and padded in batches of 32. All cut at 64 tokens. They take turns on a seeded
subset; the agreement is the smallest cosine between a last-layer mean vector and that of
sentence-transformers. Then the package embeds every distinct sentence into an empty store, and
another process reads the recipe's layer of all of them back. Everything on the CPU.

The data is looked for where `BERTFLOW_DATA` says; without it the teaching sentences are taken.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Measured, Way, compare, compare_ways, in_child
from benchmarks.record import Outcome
from bertflow_core.datasets import load_corpus
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.store import Embeddings, EmbeddingStore

__all__ = [
    "prepare_ours",
    "prepare_padded",
    "prepare_sentence_transformers",
    "prepare_store",
    "run",
]

FloatArray = npt.NDArray[np.floating]

MAX_LENGTH, BATCH_SIZE = 64, 32
_SUBSET, _QUICK_SUBSET = 2_000, 32
_STATES = ("empty", "full")


def run(*, quick: bool) -> Outcome:
    """Measure on a subset in turns, then on everything once."""
    dataset = "teaching" if quick else _dataset()
    total = len(_distinct(dataset))
    n, repeats = (_QUICK_SUBSET, 1) if quick else (min(_SUBSET, total), 3)
    measured = compare_ways(_ways(dataset, n), repeats=repeats)
    reference = measured[0].result
    rows = [_row(m, n, minimum_cosine=_minimum_cosine(reference, m.result)) for m in measured]
    recipe = {
        "model": "minilm",
        "max_length": MAX_LENGTH,
        "dataset": dataset,
        "distinct_sentences": total,
        "repeats": repeats,
    }
    return Outcome(recipe, rows + _all_rows(dataset, total))


def prepare_sentence_transformers(dataset: str, n: int) -> Callable[[], FloatArray]:
    """Return `encode`, which gives the last layer's mean, shape (N, D)."""
    from sentence_transformers import SentenceTransformer

    sentences = _subset(dataset, n)
    model = SentenceTransformer(str(resolve_model("minilm").path), device="cpu")
    model.max_seq_length = MAX_LENGTH
    return lambda: np.asarray(
        model.encode(sentences, batch_size=BATCH_SIZE, show_progress_bar=False)
    )


def prepare_padded(dataset: str, n: int) -> Callable[[], FloatArray]:
    """Return transformers' forward passes, which give the last layer's mean, shape (N, D)."""
    from transformers import AutoModel, AutoTokenizer

    sentences, folder = _subset(dataset, n), resolve_model("minilm").path
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    return lambda: _embed_padded(sentences, tokenizer, network)


def prepare_ours(dataset: str, n: int, dtype: str) -> Callable[[], FloatArray]:
    """Return the package's encoder; of all that it gives, the last layer's mean, shape (N, D)."""
    sentences, encoder = _subset(dataset, n), _encoder(dtype)
    return lambda: encoder.encode(sentences).vectors[-1, 0]


def prepare_store(dataset: str, root: str) -> Callable[[], Embeddings]:
    """Return the embedding of every distinct sentence through a store."""
    sentences, encoder = _distinct(dataset), _encoder("float32")
    store = EmbeddingStore(Path(root))
    return lambda: store.embed(encoder, sentences)


def _ways(dataset: str, n: int) -> list[Way]:
    size = {"dataset": dataset, "n": n}
    return [
        Way("sentence-transformers, batches of 32", prepare_sentence_transformers, size),
        Way("transformers, sorted, padded, batches of 32", prepare_padded, size),
        Way("bertflow-lab, every layer and pooling", prepare_ours, {**size, "dtype": "float32"}),
        Way("the same in bfloat16", prepare_ours, {**size, "dtype": "bfloat16"}),
    ]


def _all_rows(dataset: str, total: int) -> list[dict[str, Any]]:
    """Embed everything into an empty store, and read it back, each in a process of its own."""
    with tempfile.TemporaryDirectory() as root:
        way = Way("bertflow-lab, everything", prepare_store, {"dataset": dataset, "root": root})
        in_turn = {f"{way.name}, {state} store": partial(in_child, way) for state in _STATES}
        measured = compare(in_turn, repeats=1)
    return [_row(m, total) for m in measured]


def _row(measured: Measured, n: int, **details: float) -> dict[str, Any]:
    speed = round(n / measured.seconds, 1)
    return measured.row(sentences=n, sentences_per_second=speed, **details)


def _embed_padded(
    sentences: list[str],
    tokenizer: Any,  # noqa: ANN401 - transformers has no common typed base
    network: Any,  # noqa: ANN401 - the same
) -> FloatArray:
    import torch

    tokens = tokenizer(sentences, truncation=True, max_length=MAX_LENGTH)["input_ids"]
    order = sorted(range(len(tokens)), key=lambda row: len(tokens[row]))
    x = np.empty((len(tokens), network.config.hidden_size), np.float32)
    with torch.inference_mode():
        for start in range(0, len(order), BATCH_SIZE):
            rows = order[start : start + BATCH_SIZE]
            batch = tokenizer.pad({"input_ids": [tokens[r] for r in rows]}, return_tensors="pt")
            mask = batch["attention_mask"].unsqueeze(-1)
            hidden = network(**batch).last_hidden_state
            x[rows] = (hidden * mask).sum(1) / mask.sum(1)
    return x


def _minimum_cosine(a: FloatArray, b: FloatArray) -> float:
    """Return the smallest cosine between rows of the same number, shapes (N, D)."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return float(((a * b).sum(1) / norms).min())


def _dataset() -> str:
    if os.environ.get("BERTFLOW_DATA"):
        return "stsb"
    print(
        "embed: BERTFLOW_DATA names no folder of benchmark data, so the teaching sentences stand "
        "in for the STS Benchmark",
        file=sys.stderr,
    )
    return "teaching"


def _distinct(dataset: str) -> list[str]:
    return list(dict.fromkeys(load_corpus(dataset, "target").sentences))


def _subset(dataset: str, n: int) -> list[str]:
    sentences = _distinct(dataset)
    rows = np.random.default_rng(0).choice(len(sentences), n, replace=False)
    return [sentences[row] for row in rows]


def _encoder(dtype: str) -> TransformerEncoder:
    return TransformerEncoder(
        resolve_model("minilm"), max_length=MAX_LENGTH, device="cpu", dtype=dtype
    )
