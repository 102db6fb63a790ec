"""How well does cosine agree with people? Calibrators side by side on one data set."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bertflow_core.evaluation import RANDOM_COSINE, RHO
from bertflow_core.layer_choices import encodings, layer_options, shared_by
from bertflow_core.lexical_baselines import LEXICAL, LexicalResult, above_published
from bertflow_core.recipe import COMMAND
from bertflow_core.remarks import why_unscored, with_command_remedy
from bertflow_core.report import Column, Report
from bertflow_core.space import Scored, Space
from bertflow_core.text_table import shown_difference

__all__ = ["change_of", "fit_notes", "lexical_notes", "score_rows", "scores_report"]


def scores_report(
    results: Sequence[Space], lexical: Sequence[LexicalResult] = (), *, pairs: bool = False
) -> Report:
    """Report the scores of calibrators on one data set.

    Args:
        results: As `Lab.evaluate` returns them.
        lexical: As `lexical_results` returns them, if they are to stand beside.
        pairs: Whether a row also holds each pair's cosine, in JSON.
    """
    recipes = [result.recipe for result in results]
    several, metric = len(_layers(results)) > 1, results[0].metric
    same = " at the same layers" if several else ""
    change = f"{metric.header} less that of {results[0].spec}{same}"
    rows = score_rows(results, lexical)
    if pairs:
        cosines = [each.similarity for each in (*results, *lexical)]
        for row, similarity in zip(rows, cosines, strict=True):
            row["similarity"] = np.round(similarity, 6).tolist()
    shared = (shared_by(recipes) if several else recipes[0]).without("calibrator")
    return Report(
        name="results",
        params=shared,
        columns=(
            *([Column("layers")] if several else []),
            Column("calibrator"),
            Column("score", metric.header, ".2f", times=100),
            Column("change", "", "+z.2f", change, times=100),
            Column("r", "Pearson", ".2f", times=100),
            Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
            Column("fit_seconds", "fit s", ".2f"),
        ),
        rows=rows,
        title="How well does cosine agree with people?",
        remarks=tuple(_remarks(results, lexical)),
        command=shared.to_command(
            list(dict.fromkeys(result.spec for result in results)),
            command=f"{COMMAND} --lexical" if lexical else COMMAND,
            options=layer_options(recipes) if several else (),
        ),
    )


def score_rows(
    results: Sequence[Space], lexical: Sequence[LexicalResult] = ()
) -> list[dict[str, Any]]:
    """Return a row for each result, with everything that its `to_dict` has.

    `score` is rho in [-1, 1] or AUC in [0, 1] under the recipe's aggregation, `change` its
    difference from the first result of its layer set, `r` Pearson's, `fit_seconds` without what is
    loaded once for all fits. What is undefined is None, or not there.

    Args:
        results: Of calibrators.
        lexical: Of the baselines without vectors, whose changes are against the first result.
    """
    first: dict[str, Space] = {}
    for result in results:
        first.setdefault(result.recipe.layers, result)
    rows = []
    for result in results:
        baseline = first[result.recipe.layers]
        seconds = {"fit_seconds": result.seconds["fit"]}
        before = None if result is baseline else baseline
        rows.append(_row(result.recipe.layers, result, before) | seconds)
    nothing = {"random_cosine": None, "fit_seconds": None}
    return rows + [_row("none", each, results[0]) | nothing for each in lexical]


def _row(layers: str, result: Space | LexicalResult, before: Space | None) -> dict[str, Any]:
    row = {"layers": layers, "calibrator": result.spec, **result.to_dict(), "score": result.score}
    change = None if before is None else change_of(before, result)
    row |= {} if change is None else {"change": change}
    return row | ({"r": result.pearson} if result.metric is RHO else {})


def change_of(before: Scored, after: Scored) -> float | None:
    """Return the change of a score, in hundredths as both are shown; None without either."""
    return difference(before.score, after.score)


def difference(before: float | None, after: float | None) -> float | None:
    """Return the difference of two scores in [-1, 1] as it is shown: of their four digits."""
    if before is None or after is None:
        return None
    return shown_difference(100 * before, 100 * after, digits=2) / 100


def _layers(results: Sequence[Space]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.recipe.layers for result in results))


def _remarks(results: Sequence[Space], lexical: Sequence[LexicalResult]) -> Iterator[str]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit noted."""
    first = results[0]
    prepared, recipe = first.prepared, first.recipe
    yield (
        f"{recipe.dataset} {recipe.split}, {prepared.pairs.size}, aggregation "
        f"{recipe.aggregation}; {_encoding(results)}; seed {recipe.seed}."
    )
    yield f"Fitted on {prepared.corpus.description}"
    yield prepared.seen_remark
    yield f"{prepared.cut_remark}."
    yield from dict.fromkeys(filter(None, (each.prepared.departs_remark for each in results)))
    if first.metric is not RHO:
        yield f"{first.metric.title} x 100 {first.metric.meaning}."
    if prepared.pairs.judged is None:
        yield why_unscored(prepared.pairs)
    elif first.doubt:
        yield first.doubt
    yield from with_command_remedy(fit_notes(results), recipe)
    yield from lexical_notes(lexical)


def _encoding(results: Sequence[Space]) -> str:
    """Say where the vectors come from: a network, or files, which their digest names."""
    recipe = results[0].recipe
    if not recipe.source.has_layers:
        return recipe.encoder_caption
    tokens = encodings([result.recipe for result in results])
    return f"{recipe.model}, {', '.join(_layers(results))}, {tokens}, {recipe.precision}"


def lexical_notes(lexical: Sequence[LexicalResult]) -> tuple[str, ...]:
    """Say what the baselines without vectors are, and whether they beat what was published."""
    if not lexical:
        return ()
    meanings = "; ".join(f"{each.spec}: {LEXICAL[each.spec]}" for each in lexical)
    pieces = (
        f"{meanings} (sets of the tokens of {lexical[0].recipe.model}'s tokenizer, none cut off; "
        "no vectors, nothing fitted)."
    )
    return tuple(filter(None, (pieces, above_published(lexical))))


def fit_notes(results: Sequence[Space], kind: type[str] = str) -> tuple[str, ...]:
    """Return what the user should know about each fit, one sentence each.

    Args:
        results: Of calibrators.
        kind: Of the notes: `TooFew` for those on too little data, else all.
    """
    several = len(_layers(results)) > 1
    return tuple(
        f"{f'{result.recipe.layers} ' if several else ''}{result.spec}: {note}."
        for result in results
        for note in result.notes
        if isinstance(note, kind)
    )
