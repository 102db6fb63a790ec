"""Embed sentences of the STS Benchmark with the embedded model, into an empty store.

The rows: the last layer's mean in float32 and in bfloat16, and every layer's mean in float32. The
peer is sentence-transformers' `encode` in batches of 32, which gives the last layer's mean and
keeps nothing. All cut at 64 tokens, everything on the CPU, on the sentences of a seeded subset of
test pairs. `min_cosine` is the smallest between a last-layer mean vector and that of the peer,
`rho_x_100_difference` that of Spearman's rho x 100 of the pairs. All are timed from the text on:
tokenizing and, of ours, writing are part of it.

Beyond `--quick`, transformers with sentences sorted by length and padded in batches of 32 takes
part as well, and the same is measured of fewer pairs with a network of BERT-base's size, whose
weights are random: the `-base` rows.

The data is looked for where `BERTFLOW_DATA` says; without it the teaching sentences are taken.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.datasets import load_pairs
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.store import EmbeddingStore

from .measure import Checks, Comparison, Measured, Way, rows_of
from .record import Outcome

__all__ = ["prepare_ours", "prepare_padded", "prepare_sentence_transformers", "run"]

FloatArray = npt.NDArray[np.floating]

MAX_LENGTH, BATCH_SIZE = 64, 32
_SUBSET, _QUICK_SUBSET, _BASE_SUBSET = 1_000, 80, 200
_MODEL = "minilm"
_PEER = "sentence-transformers"
_ONE, _ALL = "embed-float32", "embed-all-layers"


def run(*, quick: bool) -> Outcome:
    """Measure on a subset in turns."""
    dataset, repeats = _dataset(), 5
    most = len(load_pairs(dataset))
    n = min(_QUICK_SUBSET if quick else _SUBSET, most)
    with tempfile.TemporaryDirectory() as folder:
        compared = [_comparison(dataset, n, others=not quick)]
        if not quick:
            _write_base_sized(folder)
            compared.append(_comparison(dataset, min(_BASE_SUBSET, most), folder, "-base"))
        rows = rows_of(compared, repeats=repeats, with_peaks=not quick)
    recipe = {
        "model": _MODEL,
        "max_length": MAX_LENGTH,
        "dataset": dataset,
        "pairs": n,
        **({} if quick else {"pairs of the -base rows": min(_BASE_SUBSET, most)}),
        "sentences": len(_subset(dataset, n)),
        "repeats": repeats,
    }
    return Outcome(recipe, rows)


def prepare_sentence_transformers(
    dataset: str, n: int, model: str = _MODEL
) -> Callable[[], FloatArray]:
    """Return `encode`, which gives the last layer's mean, shape (N, D)."""
    from sentence_transformers import SentenceTransformer

    sentences = _subset(dataset, n)
    peer = SentenceTransformer(str(resolve_model(model).path), device="cpu")
    peer.max_seq_length = MAX_LENGTH
    return lambda: np.asarray(
        peer.encode(sentences, batch_size=BATCH_SIZE, show_progress_bar=False)
    )


def prepare_padded(dataset: str, n: int, model: str = _MODEL) -> Callable[[], FloatArray]:
    """Return transformers' forward passes, which give the last layer's mean, shape (N, D)."""
    from transformers import AutoModel, AutoTokenizer

    sentences, folder = _subset(dataset, n), resolve_model(model).path
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    return lambda: _embed_padded(sentences, tokenizer, network)


def prepare_ours(
    dataset: str,
    n: int,
    model: str = _MODEL,
    dtype: str = "float32",
    all_layers: bool = False,
) -> Callable[[], FloatArray]:
    """Return the embedding into an empty store; the last layer's mean of it, shape (N, D).

    Args:
        dataset: Where the sentences are from.
        n: How many pairs.
        model: The embedded model's name, or a folder.
        dtype: Of the forward pass.
        all_layers: Whether every layer is embedded, in the same pass.
    """
    sentences = _subset(dataset, n)
    encoder = TransformerEncoder(
        resolve_model(model),
        max_length=MAX_LENGTH,
        device="cpu",
        dtype=dtype,
    )
    every = [f"layer:{i}" for i in range(encoder.n_layers + 1)]
    ahead = [(layer, "mean") for layer in every] if all_layers else []

    def work() -> FloatArray:
        with tempfile.TemporaryDirectory() as root:
            store = EmbeddingStore(Path(root), whole_bytes=0)  # nothing beyond what is asked for
            embeddings = store.embed(
                encoder, sentences, layers=every[-1], tokens="mean", ahead=ahead
            )
            return np.array(embeddings.x)

    return work


def _comparison(
    dataset: str, n: int, model: str = _MODEL, suffix: str = "", *, others: bool = True
) -> Comparison:
    size = {"dataset": dataset, "n": n, "model": model}
    ways = [
        Way(f"{_ONE}{suffix}", prepare_ours, size),
        Way(f"embed-bfloat16{suffix}", prepare_ours, {**size, "dtype": "bfloat16"}),
        Way(f"{_ALL}{suffix}", prepare_ours, {**size, "all_layers": True}),
    ]
    if others:
        ways.append(Way(f"transformers, sorted, padded{suffix}", prepare_padded, size))
    return Comparison(
        Way(_PEER, prepare_sentence_transformers, size),
        ways,
        partial(_checks, dataset, n, suffix),
        package=_PEER,
    )


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


def _checks(dataset: str, n: int, suffix: str, measured: Mapping[str, Measured]) -> Checks:
    """Compare with the peer's vectors, without a peer with ours in float32."""
    one, every = f"{_ONE}{suffix}", f"{_ALL}{suffix}"
    reference = measured[_PEER if _PEER in measured else one].result
    rho = _rho(dataset, n, reference)
    checks = {
        name: {
            "min_cosine": _minimum_cosine(reference, m.result),
            "rho_x_100_difference": abs(_rho(dataset, n, m.result) - rho),
        }
        for name, m in measured.items()
    }
    checks[every]["seconds_over_one_layer"] = measured[every].seconds / measured[one].seconds
    return checks


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
