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
from collections.abc import Callable
from functools import partial
from itertools import product
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

from .measure import Comparison, Outcome, Way, outcome_of

MAX_LENGTH, BATCH_SIZE = 64, 32
_PAIRS, _QUICK_PAIRS, _BASE_PAIRS = 1_000, 80, 200
_MODEL = "minilm"
_WAYS: dict[str, dict[str, Any]] = {
    "embed-float32": {},
    "embed-bfloat16": {"dtype": "bfloat16"},
    "embed-all-layers": {"all_layers": True},
}
"""Options of `prepare_ours` by name of the row."""


def run(*, quick: bool) -> Outcome:
    """Measure on random pairs."""
    dataset = "stsb" if os.environ.get("BERTFLOW_DATA") else "teaching"
    if dataset == "teaching":
        print("embed: BERTFLOW_DATA is not set; using the teaching sentences", file=sys.stderr)
    n = min(_QUICK_PAIRS if quick else _PAIRS, len(load_dataset(dataset)))
    recipe = {"model": _MODEL, "max_length": MAX_LENGTH, "dataset": dataset, "pairs": n}
    compared = [_comparison(dataset, n)]
    with tempfile.TemporaryDirectory() as folder:
        if not quick:
            _write_base_sized(folder)
            compared.append(_comparison(dataset, _BASE_PAIRS, folder, "-base"))
            recipe["pairs of the -base rows"] = _BASE_PAIRS
            compared += _smollm2_comparisons(dataset, _BASE_PAIRS)
            recipe["pairs of the -smollm2 rows"] = _BASE_PAIRS
        n_sentences = len(_subset(dataset, n))
        return outcome_of(compared, quick=quick, **recipe, sentences=n_sentences)


def _comparison(dataset: str, n: int, model: str = _MODEL, suffix: str = "") -> Comparison:
    prepare_peer = partial(prepare_sentence_transformers, dataset, n, model)
    ways = [
        Way(f"{name}{suffix}", partial(prepare_ours, dataset, n, model, **options))
        for name, options in _WAYS.items()
    ]
    check = partial(_agreement, dataset, n)
    return Comparison(Way("sentence-transformers", prepare_peer), ways, check)


def _smollm2_comparisons(dataset: str, n: int) -> list[Comparison]:
    model = SMOLLM2.name
    peers = {
        "sentence-transformers": prepare_sentence_transformers,
        "transformers": prepare_transformers,
    }
    return [
        Comparison(
            Way(peer, partial(peers[peer], dataset, n, model, dtype)),
            [Way(f"embed-{dtype}-{model}", partial(prepare_ours, dataset, n, model, dtype))],
            partial(_agreement, dataset, n),
        )
        for dtype, peer in product(["float32", "bfloat16"], peers)
    ]


def _agreement(dataset: str, n: int, ours: FloatArray, theirs: FloatArray) -> dict[str, float]:
    change = _rho(dataset, n, ours) - _rho(dataset, n, theirs)
    cosine = float(pairwise_cosine(theirs, ours).min())
    return {"min_cosine": cosine, "rho_x_100_difference": abs(change)}


def prepare_sentence_transformers(
    dataset: str, n: int, model: str, dtype: str = "float32"
) -> Callable[[], FloatArray]:
    """Return a function that calls `encode` for the last layer's mean, shape (N, D)."""
    from sentence_transformers import SentenceTransformer

    sentences, path = _subset(dataset, n), str(resolve_model(model).path)
    peer = SentenceTransformer(path, device="cpu", model_kwargs={"dtype": dtype})
    peer.max_seq_length = MAX_LENGTH
    options = {"batch_size": BATCH_SIZE, "show_progress_bar": False, "convert_to_tensor": True}
    return lambda: peer.encode(sentences, **options).float().numpy()


def prepare_transformers(dataset: str, n: int, model: str, dtype: str) -> Callable[[], FloatArray]:
    """Return a function that embeds batches in order, as the last layer's mean, shape (N, D)."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    sentences, path = _subset(dataset, n), resolve_model(model).path
    tokenizer = AutoTokenizer.from_pretrained(path)
    network = AutoModel.from_pretrained(path, dtype=dtype).eval()

    options = {"padding": True, "truncation": True, "max_length": MAX_LENGTH}

    def mean(texts: list[str]) -> FloatArray:
        batch = tokenizer(texts, return_tensors="pt", **options)
        is_token = batch["attention_mask"].unsqueeze(-1).float()
        states = network(**batch).last_hidden_state.float()
        return ((states * is_token).sum(1) / is_token.sum(1)).numpy()

    @torch.inference_mode()
    def work() -> FloatArray:
        starts = range(0, len(sentences), BATCH_SIZE)
        return np.concatenate([mean(sentences[start : start + BATCH_SIZE]) for start in starts])

    return work


def prepare_ours(
    dataset: str, n: int, model: str, dtype: str = "float32", all_layers: bool = False
) -> Callable[[], FloatArray]:
    """Return a function that embeds into an empty store and returns the last layer's means."""
    sentences = _subset(dataset, n)
    encoder = TransformerEncoder(
        resolve_model(model), max_length=MAX_LENGTH, device="cpu", dtype=dtype
    )
    layers = reversed(range(encoder.n_layers + 1)) if all_layers else [encoder.n_layers]
    wanted = [(f"layer:{i}", "mean") for i in layers]

    def work() -> FloatArray:
        with tempfile.TemporaryDirectory() as root:
            store = EmbeddingStore(Path(root), whole_bytes=0)  # only the requested vectors
            return np.array(next(store.embed(encoder, sentences, wanted)).x)

    return work


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


def _subset(dataset: str, n: int) -> list[str]:
    """Return the distinct sentences of the drawn pairs."""
    first, second, _ = _drawn(dataset, n)
    return list(dict.fromkeys(each for pair in zip(first, second, strict=True) for each in pair))


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
