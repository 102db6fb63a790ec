"""Results as text in the forms that people paste, each with the recipe that made it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.datasets import SentencePairs
from bertflow_core.results import Prepared, Result
from bertflow_core.tables import TextTable, percent, to_csv

__all__ = [
    "FEW_PAIRS",
    "WRITERS",
    "ComparisonRow",
    "compare",
    "cut_of",
    "few_pairs",
    "records",
    "text_table",
    "to_json",
    "why_unscored",
]

FEW_PAIRS = 30
"""Fewer say little: with 30 pairs the standard error of rho is still about 0.2."""

_TABLE_HEADER = ("calibrator", "rho x 100", "change", "Pearson", "random cos", "fit s")


@dataclass(frozen=True)
class ComparisonRow:
    """A calibrator beside the others; correlations in [-1, 1].

    Attributes:
        calibrator: Its spec.
        rho: Spearman's rho under the recipe's aggregation, None where undefined.
        change: Its difference to the first row's, None in the first row.
        pearson: Pearson's r under the same aggregation.
        random_cosine: Mean cosine of random pairs.
        fit_seconds: Time to fit.
    """

    calibrator: str
    rho: float | None
    change: float | None
    pearson: float | None
    random_cosine: float
    fit_seconds: float


def compare(results: Sequence[Result]) -> list[ComparisonRow]:
    """Put results side by side; the first is the baseline."""
    baseline = results[0].rho
    return [
        ComparisonRow(
            calibrator=result.spec,
            rho=result.rho,
            change=None
            if i == 0 or result.rho is None or baseline is None
            else result.rho - baseline,
            pearson=result.pearson,
            random_cosine=result.random_cosine,
            fit_seconds=result.seconds["fit"],
        )
        for i, result in enumerate(results)
    ]


def to_json(results: Sequence[Result], *, pairs: bool = False) -> str:
    """Return every number with its recipe and provenance; with `pairs` also each pair's cosine."""
    rows = [result.to_dict() for result in results]
    if pairs:
        rows = [
            {**row, "similarity": np.round(result.similarity, 6).tolist()}
            for row, result in zip(rows, results, strict=True)
        ]
    return json.dumps({"results": rows}, indent=2, ensure_ascii=False)


def text_table(results: Sequence[Result]) -> TextTable:
    """Lay results down, a line each; change is against the first, the recipe is in the remarks."""
    rows = [
        (
            row.calibrator,
            percent(row.rho),
            "" if row.change is None else f"{100 * row.change:+.2f}",
            percent(row.pearson),
            f"{row.random_cosine:.3f}",
            f"{row.fit_seconds:.2f}",
        )
        for row in compare(results)
    ]
    return TextTable(_TABLE_HEADER, tuple(rows), tuple(_remarks(results)))


def records(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return a flat record a result: all aggregations, then the recipe, a key a field."""
    return [_flat(result) for result in results]


def _remarks(results: Sequence[Result]) -> list[str]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit met."""
    first = results[0]
    prepared, recipe = first.prepared, first.recipe
    remarks = [
        f"{recipe.dataset} {recipe.split}, {prepared.pairs.size}, aggregation "
        f"{recipe.aggregation}; {recipe.model}, {recipe.layers}, {recipe.tokens} tokens, at most "
        f"{recipe.max_length} tokens, {recipe.dtype}; seed {recipe.seed}.",
        f"Fitted on {prepared.corpus.description}",
        f"{cut_of(prepared)}.",
    ]
    if prepared.pairs.gold is None:
        remarks.append(why_unscored(prepared.pairs))
    elif len(prepared.pairs) < FEW_PAIRS:
        remarks.append(few_pairs(len(prepared.pairs)))
    return remarks + [f"{r.spec}: {note}." for r in results for note in r.calibrator.notes_]


def why_unscored(pairs: SentencePairs) -> str:
    """Say why pairs without gold scores, or single sentences, have no rho."""
    if pairs.is_paired:
        return (
            "Rho and Pearson's r are not available: they need gold scores, and no column of them "
            "was named."
        )
    return "Rho and Pearson's r are not available: they need pairs of sentences with gold scores."


def few_pairs(n: int) -> str:
    """Say that a correlation of so few pairs is mostly chance."""
    return f"Only {n} pairs: a rho of so few is mostly chance."


def cut_of(prepared: Prepared) -> str:
    """Say how many sentences were longer than the encoder's longest input."""
    return (
        f"{prepared.n_cut:,} of {prepared.n_sentences:,} distinct sentences were cut to "
        f"{prepared.recipe.max_length} tokens"
    )


def _flat(result: Result) -> dict[str, Any]:
    scores = result.scores
    row: dict[str, Any] = {"spec": result.spec, "n_pairs": scores.n_pairs}
    for name, values in (("spearman", scores.spearman), ("pearson", scores.pearson)):
        row |= {f"{name}_{how}": getattr(values, how) for how in ("all", "mean", "wmean")}
        row |= {f"{name}_subset_{subset}": value for subset, value in values.subsets.items()}
    row |= {"random_cosine": result.random_cosine, "n_cut": result.prepared.n_cut}
    row |= {f"seconds_{stage}": seconds for stage, seconds in result.seconds.items()}
    return row | result.recipe.columns()


WRITERS: dict[str, Callable[[Sequence[Result]], str]] = {
    "table": lambda results: text_table(results).to_text(),
    "json": to_json,
    "csv": lambda results: to_csv(records(results)),
    "latex": lambda results: text_table(results).to_latex(),
    "markdown": lambda results: text_table(results).to_markdown(),
}
