"""Baselines without vectors: judged pairs scored by the word pieces that their sides share.

A pair's pieces are the sets of all tokens of its two sides, from the tokenizer of the encoder,
without special tokens and however long the text is. Nothing is fitted. What an encoder adds to
counting words is what it gains on these rows.
"""

import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.loading import whole_text_tokenizer
from bertflow_core.errors import InputError
from bertflow_core.evaluation import metric_of
from bertflow_core.evaluation.sts import PairScores
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.published import published_rows
from bertflow_core.recipe import Recipe
from bertflow_core.space import Scored
from bertflow_core.text_table import percent
from bertflow_core.wording import quoted


def jaccard(first: Set[int], second: Set[int]) -> float:
    """Return the pieces that both have as a share of those that either has, in [0, 1].

    0 where neither has any (Jaccard, 1912, https://doi.org/10.1111/j.1469-8137.1912.tb05611.x).
    """
    both = len(first & second)
    return both / max(1, len(first) + len(second) - both)


def coverage(first: Set[int], second: Set[int]) -> float:
    """Return the share of the pieces of `first` that `second` has, in [0, 1]; 0 of none.

    The order counts: of a question and its answer it is the question that is covered.
    """
    return len(first & second) / max(1, len(first))


LEXICAL = {
    "lexical-jaccard": "word pieces in both sentences, as a share of those in either",
    "lexical-coverage": "share of the first sentence's word pieces that the second has",
}
"""The rows, with what each is in words."""

_OVERLAPS = {"lexical-jaccard": jaccard, "lexical-coverage": coverage}
_UNUSED = ("layers", "tokens", "max_length", "precision", "calibrator", "fit_on", "seed")
_PAIRS_AT_ONCE = 512


@dataclass(frozen=True)
class LexicalResult(Scored):
    """One baseline's numbers.

    Attributes:
        spec: One of `LEXICAL`.
        recipe: What decides the numbers; it ignores what belongs to vectors.
        scores: Agreement with people.
        similarity: Of each pair, in [0, 1], shape (N,).
        pairs: What is scored.
        seconds: Time to divide the sentences into pieces and compare them, of all baselines.
    """

    spec: str
    recipe: Recipe
    scores: PairScores
    similarity: FloatArray = field(repr=False)
    pairs: SentencePairs = field(repr=False)
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints, JSON-able."""
        return {
            "spec": self.spec,
            "recipe": self.recipe.counting(),
            "dataset": self.recipe.dataset,
            "split": self.recipe.split,
            **self.scores_document(),
            "data": self.pairs.provenance.to_dict(),
            "notes": [f"{LEXICAL[self.spec]}; no vectors, nothing fitted"],
            "seconds": {"compare": self.seconds},
        }


def lexical_results(recipe: Recipe, lab: Lab) -> tuple[LexicalResult, ...]:
    """Score a recipe's pairs by shared word pieces, one result for each of `LEXICAL`.

    Args:
        recipe: Names the pairs, and the model whose tokenizer is used.
        lab: Where data are.

    Raises:
        InputError: Pairs that nobody judged, vectors without a tokenizer, or data or a model that
            cannot be used.
        ResourceError: The disk or the network failed.
    """
    model = resolve_model(recipe.model, revision=recipe.revision)
    pairs = lab.pairs(recipe)
    if pairs.judged is None:
        raise InputError(
            f"the lexical rows need judged pairs, and {quoted(pairs.name)} has neither scores nor "
            "labels: name their column"
        )
    metric = metric_of(pairs.metric)
    metric.check(pairs.judged)
    start = time.perf_counter()
    tokenizer = whole_text_tokenizer(model)
    columns: dict[str, list[float]] = {name: [] for name in LEXICAL}
    for done in range(0, len(pairs), _PAIRS_AT_ONCE):
        context.report(done, len(pairs), "pairs")
        rows = slice(done, done + _PAIRS_AT_ONCE)
        for sides in _pieces(tokenizer, pairs.first[rows], pairs.second[rows]):
            for name, overlap in _OVERLAPS.items():
                columns[name].append(overlap(*sides))
    context.report(len(pairs), len(pairs), "pairs")
    seconds = round(time.perf_counter() - start, 4)
    own = recipe.with_(revision=model.revision).without(*_UNUSED)
    return tuple(
        LexicalResult(
            spec=name,
            recipe=own,
            scores=metric.score(np.array(column), pairs.judged, pairs.subsets),
            similarity=np.array(column),
            pairs=pairs,
            seconds=seconds,
        )
        for name, column in columns.items()
    )


def _pieces(
    tokenizer: Any,  # noqa: ANN401 - imported late
    first: Sequence[str],
    second: Sequence[str],
) -> Iterator[tuple[Set[int], Set[int]]]:
    """Yield the sets of tokens of both sides of each pair, without special tokens."""
    encodings = tokenizer.encode_batch([*first, *second], add_special_tokens=False)
    sets = [frozenset(encoding.ids) for encoding in encodings]
    yield from zip(sets[: len(first)], sets[len(first) :], strict=True)


def above_published(results: Sequence[LexicalResult]) -> str:
    """Say which of the rows are above every published number of their data; nothing for none.

    Nothing is fitted for them, and so the split and the metric alone decide what can be compared.
    """
    if not results:
        return ""
    recipe = results[0].recipe
    name, metric = recipe.dataset, results[0].metric.name
    rows = [row for row in published_rows() if (row.split, row.metric) == (recipe.split, metric)]
    printed = [row for row in rows if name in row.values]
    if not printed:
        return ""
    best = max(printed, key=lambda row: row.values[name])
    above = [each for each in results if each.score and 100 * each.score > best.values[name]]
    if not above:
        return ""
    names = " and ".join(f"{each.spec} ({percent(each.score)})" for each in above)
    return (
        f"{names} {'is' if len(above) == 1 else 'are'} above every one of the {len(printed)} "
        f"published numbers for {name} {recipe.split}: the best is {best.values[name]:.2f}, "
        f"{best.label} ({best.citation})."
    )
