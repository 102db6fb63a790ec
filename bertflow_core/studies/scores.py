"""How well does cosine agree with people? Calibrators side by side on one data set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.report import Report
from bertflow_core.results import FEW_PAIRS, Result, cut_of, few_pairs, why_unscored
from bertflow_core.text_table import TextTable, percent

__all__ = ["ScoreRow", "fit_notes", "score_rows", "scores_report"]

_HEADER = ("calibrator", "rho x 100", "change", "Pearson", "random cos", "fit s")


@dataclass(frozen=True)
class ScoreRow:
    """A calibrator beside the others; correlations in [-1, 1].

    Attributes:
        layers: Its layer set.
        calibrator: Its spec.
        rho: Spearman's rho under the recipe's aggregation; None where undefined.
        change: Its difference from the first row of this layer set; None in that row.
        pearson: Pearson's r under the same aggregation.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences.
        fit_seconds: Time to fit.
    """

    layers: str
    calibrator: str
    rho: float | None
    change: float | None
    pearson: float | None
    random_cosine: float
    fit_seconds: float


def score_rows(results: Sequence[Result]) -> list[ScoreRow]:
    """Return one row per result; the first of each layer set is the baseline of its changes."""
    first: dict[str, Result] = {}
    for result in results:
        first.setdefault(result.recipe.layers, result)
    return [
        ScoreRow(
            layers=result.recipe.layers,
            calibrator=result.spec,
            rho=result.rho,
            change=_change(result, first[result.recipe.layers]),
            pearson=result.pearson,
            random_cosine=result.random_cosine,
            fit_seconds=result.seconds["fit"],
        )
        for result in results
    ]


def _change(result: Result, baseline: Result) -> float | None:
    if result is baseline or result.rho is None or baseline.rho is None:
        return None
    return result.rho - baseline.rho


def scores_report(results: Sequence[Result], *, pairs: bool = False) -> Report:
    """Report the scores of calibrators on one data set.

    Args:
        results: As `Lab.evaluate` returns them.
        pairs: Whether the JSON also holds each pair's cosine.
    """
    specs = list(dict.fromkeys(result.spec for result in results))
    return Report(
        name="results",
        tables=lambda: (_table(results),),
        records=lambda: [_record(result) for result in results],
        document=lambda: {"results": [_document(result, pairs=pairs) for result in results]},
        remarks=_remarks(results),
        command=_command(results, specs),
    )


def _table(results: Sequence[Result]) -> TextTable:
    """Return one row per result, with a column of layer sets where there are several."""
    several = len(_layers(results)) > 1
    rows = tuple(
        (
            *((row.layers,) if several else ()),
            row.calibrator,
            percent(row.rho),
            "" if row.change is None else f"{100 * row.change:+.2f}",
            percent(row.pearson),
            f"{row.random_cosine:.3f}",
            f"{row.fit_seconds:.2f}",
        )
        for row in score_rows(results)
    )
    header = (*(("layers",) if several else ()), *_HEADER)
    return TextTable(header, rows, _remarks(results), n_labels=1 + several)


def _command(results: Sequence[Result], specs: Sequence[str]) -> str:
    recipe, layers = results[0].recipe, _layers(results)
    if len(layers) == 1:
        return recipe.to_command(specs)
    options = [("--layers", name) for name in layers]
    return recipe.without("layers").to_command(specs, options=options)


def _tokens(results: Sequence[Result]) -> str:
    """Say how tokens became vectors, and how many at most: layers `model` have their own."""
    recipes = [result.recipe for result in results]
    return "; ".join(dict.fromkeys(f"{each.pooling}, {each.length}" for each in recipes))


def _layers(results: Sequence[Result]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.recipe.layers for result in results))


def _remarks(results: Sequence[Result]) -> tuple[str, ...]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit noted."""
    first = results[0]
    prepared, recipe, layers = first.prepared, first.recipe, _layers(results)
    same = "" if len(layers) == 1 else " at the same layers"
    remarks = [
        f"{recipe.dataset} {recipe.split}, {prepared.pairs.size}, aggregation "
        f"{recipe.aggregation}; {recipe.model}, {', '.join(layers)}, {_tokens(results)}, "
        f"{recipe.dtype}; seed {recipe.seed}.",
        f"Fitted on {prepared.corpus.description}",
        f"{cut_of(prepared)}.",
        f"change: rho x 100 less that of {first.spec}{same}.",
        f"random cos: {RANDOM_COSINE}.",
    ]
    if prepared.pairs.gold is None:
        remarks.append(why_unscored(prepared.pairs))
    elif len(prepared.pairs) < FEW_PAIRS:
        remarks.append(few_pairs(len(prepared.pairs)))
    return (*remarks, *fit_notes(results))


def fit_notes(results: Sequence[Result]) -> tuple[str, ...]:
    """Return what the user should know about each fit, one sentence each."""
    several = len(_layers(results)) > 1
    return tuple(
        f"{f'{result.recipe.layers} ' if several else ''}{result.spec}: {note}."
        for result in results
        for note in result.calibrator.notes_
    )


def _document(result: Result, *, pairs: bool) -> dict[str, Any]:
    cosines = {"similarity": np.round(result.similarity, 6).tolist()} if pairs else {}
    return result.to_dict() | cosines


def _record(result: Result) -> dict[str, Any]:
    """Return every aggregation and subset, then the recipe, one key per field."""
    scores = result.scores
    row: dict[str, Any] = {"spec": result.spec, "n_pairs": scores.n_pairs}
    for name, values in (("spearman", scores.spearman), ("pearson", scores.pearson)):
        row |= {f"{name}_{how}": getattr(values, how) for how in ("all", "mean", "wmean")}
        row |= {f"{name}_subset_{subset}": value for subset, value in values.subsets.items()}
    row |= {"random_cosine": result.random_cosine, "n_cut": result.prepared.n_cut}
    row |= {f"seconds_{stage}": seconds for stage, seconds in result.seconds.items()}
    return row | result.recipe.columns()
