"""Embed sentences of the STS Benchmark with the built-in model, into an empty store.

The rows are the last layer's mean in float32 and in bfloat16, and every layer's mean in float32.
The peer is sentence-transformers' `encode` in batches of 32, which returns the last layer's mean
and stores nothing. The sentences are those of a random subset of test pairs. Sentences are cut at
64 tokens, and everything runs on the CPU. Times include tokenizing and, for the package, writing.

`min_cosine` is the smallest cosine between our last-layer mean of a sentence and the peer's.
`rho_x_100_difference` is the difference in Spearman's rho x 100 of the pairs.

Without `--quick`, the `-base` rows measure the same on fewer pairs with a network of BERT-base's
size and random weights, and the `-smollm2` rows with the raw language model `smollm2`. Its peers
are sentence-transformers and a plain loop over transformers, each in the precision of the row.
"""

import os
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import load_dataset
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.packaged import SMOLLM2
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.store import EmbeddingStore

from .measure import Row, Run

MAX_LENGTH, BATCH_SIZE = 64, 32
_PAIRS, _QUICK_PAIRS, _BASE_PAIRS = 1_000, 80, 200
_MODEL = "minilm"
_WAYS: dict[str, dict[str, Any]] = {
    "embed-float32": {},
    "embed-bfloat16": {"dtype": "bfloat16"},
    "embed-all-layers": {"all_layers": True},
}
"""Options of `by_package` by name of the row."""


def main() -> None:
    """Measure on random pairs."""
    run, rows = Run.asked("embed", __doc__), []
    dataset = "stsb" if os.environ.get("BERTFLOW_DATA") else "teaching"
    if dataset == "teaching":
        print("embed: BERTFLOW_DATA is not set; using the teaching sentences", file=sys.stderr)
    n = min(_QUICK_PAIRS if run.quick else _PAIRS, len(load_dataset(dataset)))
    recipe = {"model": _MODEL, "max_length": MAX_LENGTH, "dataset": dataset, "pairs": n}
    rows += _compared(run, dataset, n)
    if not run.quick:
        with tempfile.TemporaryDirectory() as folder:
            _write_base_sized(folder)
            rows += _compared(run, dataset, _BASE_PAIRS, folder, "-base")
        recipe["pairs of the -base rows"] = _BASE_PAIRS
        for dtype in ("float32", "bfloat16"):
            of = dataset, _BASE_PAIRS, SMOLLM2.name, dtype
            ours = {f"embed-{dtype}-{SMOLLM2.name}": partial(by_package, *of)}
            for peer in (by_sentence_transformers, by_transformers):
                name = peer.__name__[3:].replace("_", "-")
                check = partial(_agreement, dataset, _BASE_PAIRS)
                rows += run.compare(ours, (name, partial(peer, *of)), check)
        recipe["pairs of the -smollm2 rows"] = _BASE_PAIRS
    run.finish(rows, **recipe, sentences=len(_subset(dataset, n)), repeats=run.repeats)


def _compared(run: Run, dataset: str, n: int, model: str = _MODEL, suffix: str = "") -> list[Row]:
    of = dataset, n, model
    ours = {f"{name}{suffix}": partial(by_package, *of, **way) for name, way in _WAYS.items()}
    peer = "sentence-transformers", partial(by_sentence_transformers, *of)
    return run.compare(ours, peer, partial(_agreement, dataset, n))


def _agreement(dataset: str, n: int, ours: FloatArray, theirs: FloatArray) -> dict[str, float]:
    change = _rho(dataset, n, ours) - _rho(dataset, n, theirs)
    cosine = float(pairwise_cosine(theirs, ours).min())
    return {"min_cosine": cosine, "rho_x_100_difference": abs(change)}


def by_sentence_transformers(
    dataset: str, n: int, model: str, dtype: str = "float32"
) -> FloatArray:
    """Return the last layer's means by `encode`, shape (N, D)."""
    options = {"batch_size": BATCH_SIZE, "show_progress_bar": False, "convert_to_tensor": True}
    return _peer(model, dtype).encode(_subset(dataset, n), **options).float().numpy()


@cache
def _peer(model: str, dtype: str) -> Any:  # noqa: ANN401, imported late
    from sentence_transformers import SentenceTransformer

    path = str(resolve_model(model).path)
    peer = SentenceTransformer(path, device="cpu", model_kwargs={"dtype": dtype})
    peer.max_seq_length = MAX_LENGTH
    return peer


def by_transformers(dataset: str, n: int, model: str, dtype: str) -> FloatArray:
    """Return the last layer's means by a loop over batches in order, shape (N, D)."""
    import torch

    tokenizer, network = _network(model, dtype)
    options = {"padding": True, "truncation": True, "max_length": MAX_LENGTH}
    sentences, means = _subset(dataset, n), []
    with torch.inference_mode():
        for start in range(0, len(sentences), BATCH_SIZE):
            texts = sentences[start : start + BATCH_SIZE]
            batch = tokenizer(texts, return_tensors="pt", **options)
            is_token = batch["attention_mask"].unsqueeze(-1).float()
            states = network(**batch).last_hidden_state.float()
            means.append(((states * is_token).sum(1) / is_token.sum(1)).numpy())
    return np.concatenate(means)


@cache
def _network(model: str, dtype: str) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    path = resolve_model(model).path
    network = AutoModel.from_pretrained(path, dtype=dtype).eval()
    return AutoTokenizer.from_pretrained(path), network


def by_package(
    dataset: str, n: int, model: str, dtype: str = "float32", all_layers: bool = False
) -> FloatArray:
    """Embed into an empty store, and return the last layer's means."""
    encoder = _encoder(model, dtype)
    layers = reversed(range(encoder.n_layers + 1)) if all_layers else [encoder.n_layers]
    wanted = [(f"layer:{i}", "mean") for i in layers]
    with tempfile.TemporaryDirectory() as root:
        store = EmbeddingStore(Path(root), whole_bytes=0)  # only the requested vectors
        return np.array(next(store.embed(encoder, _subset(dataset, n), wanted)).x)


@cache
def _encoder(model: str, dtype: str) -> TransformerEncoder:
    info = resolve_model(model)
    return TransformerEncoder(info, max_length=MAX_LENGTH, device="cpu", dtype=dtype)


def _write_base_sized(folder: str) -> None:
    """Write a network of BERT-base's size with random weights, and the built-in model's tokenizer.

    Its weights do not matter, because time depends only on the sizes.
    """
    import torch
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(resolve_model(_MODEL).path)
    BertModel(BertConfig(vocab_size=len(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@cache
def _subset(dataset: str, n: int) -> list[str]:
    """Return the distinct sentences of the drawn pairs."""
    first, second, _ = _drawn(dataset, n)
    return list(dict.fromkeys(each for pair in zip(first, second, strict=True) for each in pair))


@cache
def _drawn(dataset: str, n: int) -> tuple[list[str], list[str], FloatArray]:
    """Draw `n` pairs; return their first sentences, second sentences and gold scores."""
    pairs = load_dataset(dataset)
    rows = np.random.default_rng(0).choice(len(pairs), n, replace=False)
    first, second = ([side[row] for row in rows] for side in (pairs.first, pairs.second))
    return first, second, np.array(pairs.gold)[rows]


def _rho(dataset: str, n: int, x: FloatArray) -> float:
    """Return Spearman's rho x 100 of the drawn pairs, given their sentences' vectors."""
    place = {sentence: row for row, sentence in enumerate(_subset(dataset, n))}
    *sides, gold = _drawn(dataset, n)
    vectors = (x[[place[sentence] for sentence in side]] for side in sides)
    return 100 * (spearman(pairwise_cosine(*vectors), gold) or 0)


if __name__ == "__main__":
    main()
