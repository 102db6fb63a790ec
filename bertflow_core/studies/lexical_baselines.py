"""Baselines without vectors: pairs scored by the word pieces that their sides share.

The pieces of a side are the set of its tokens by the encoder's tokenizer, without special tokens or
truncation. Nothing is fitted. An encoder's gain over these rows is what it adds to counting words.
"""

import time
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Pairs
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.datasets.texts import need_targets
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.loading import whole_text_tokenizer
from bertflow_core.evaluation import metric_of
from bertflow_core.evaluation.metrics import PairScores
from bertflow_core.lab.evaluation import Scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.studies.published import published_rows
from bertflow_core.wording import percent


def jaccard(first: Set[int], second: Set[int]) -> float:
    """Return the number of shared pieces divided by that of all pieces; 0 without pieces.

    Jaccard, 1912, https://doi.org/10.1111/j.1469-8137.1912.tb05611.x.
    """
    both = len(first & second)
    return both / max(1, len(first) + len(second) - both)


def coverage(first: Set[int], second: Set[int]) -> float:
    """Return the share of the pieces of `first`, such as a question, that are in `second`."""
    return len(first & second) / max(1, len(first))


LEXICAL = {
    "lexical-jaccard": "tokens in both sentences as a share of the tokens in either",
    "lexical-coverage": "share of the first sentence's tokens that are also in the second",
}
"""The baselines and their descriptions."""

_OVERLAPS = {"lexical-jaccard": jaccard, "lexical-coverage": coverage}
_UNUSED = ("layers", "tokens", "max_length", "precision", "calibrator", "fit_on", "seed")
_PAIRS_AT_ONCE = 512


@dataclass(frozen=True)
class LexicalResult(Scored):
    """One baseline's numbers."""

    spec: str  # one of `LEXICAL`
    recipe: Recipe  # the choices that decide the numbers, without those about vectors
    scores: PairScores
    unit_values: FloatArray = field(repr=False)  # overlap of each pair, in [0, 1], shape (N,)
    pairs: Pairs = field(repr=False)
    seconds: float  # for tokenizing and comparing the sentences, all baselines together

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
    """Score a recipe's pairs by the word pieces they share; return a result for each baseline.

    Pairs without gold scores or labels, and vectors without a tokenizer, are refused.
    """
    model = resolve_model(recipe.model, revision=recipe.revision)
    pairs = need_pairs(lab.data(recipe), "lexical rows")
    metric, targets = metric_of(pairs.metric), need_targets(pairs)
    metric.check(targets)
    start = time.perf_counter()
    tokenizer = whole_text_tokenizer(model)
    columns: dict[str, list[float]] = {name: [] for name in LEXICAL}
    for done in range(0, len(pairs), _PAIRS_AT_ONCE):
        context.report(done, len(pairs), "pairs")
        rows = slice(done, done + _PAIRS_AT_ONCE)
        texts = *pairs.first[rows], *pairs.second[rows]
        encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
        pieces = [frozenset(each.ids) for each in encodings]
        half = len(pieces) // 2
        for name, overlap in _OVERLAPS.items():
            columns[name] += map(overlap, pieces[:half], pieces[half:])
    context.report(len(pairs), len(pairs), "pairs")
    seconds = round(time.perf_counter() - start, 4)
    own = recipe.with_(revision=model.revision).without(*_UNUSED)
    return tuple(
        LexicalResult(
            spec=name,
            recipe=own,
            scores=metric.score(np.array(column), targets, pairs.subsets),
            unit_values=np.array(column),
            pairs=pairs,
            seconds=seconds,
        )
        for name, column in columns.items()
    )


def above_published(results: Sequence[LexicalResult]) -> str:
    """Say which baselines score above every published number of their data set, if any.

    Nothing is fitted, so published rows of the same split and metric are comparable.
    """
    first = results[0]
    name, split = first.recipe.dataset, first.recipe.split
    printed = [
        row
        for row in published_rows()
        if (row.split, row.metric) == (split, first.metric.name) and name in row.values
    ]
    best = max(printed, key=lambda row: row.values[name], default=None)
    if best is None:
        return ""
    above = [each for each in results if 100 * (each.score or 0) > best.values[name]]
    if not above:
        return ""
    names = " and ".join(f"{each.spec} ({percent(each.score)})" for each in above)
    return (
        f"{names} {'is' if len(above) == 1 else 'are'} above every one of the {len(printed)} "
        f"published numbers for {name} {split}: the best is {best.values[name]:.2f}, "
        f"{best.label} ({best.citation})."
    )
