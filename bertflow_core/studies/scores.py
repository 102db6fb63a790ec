"""How well does cosine agree with people? Calibrators side by side on one data set.

The first row is the plain output, what the model's own `encode` gives; every other row is told
against it and against the same vectors uncalibrated, each difference tested.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bertflow_core.calibrators.registry import BASELINE, DEFAULT_SPECS
from bertflow_core.contrasts import Contrast, Scores
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, RANDOM_COSINE, RHO
from bertflow_core.figures import Figure, score_bars
from bertflow_core.lab import Lab
from bertflow_core.lexical_baselines import (
    LEXICAL,
    LexicalResult,
    above_published,
    lexical_results,
)
from bertflow_core.params import param
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.remarks import why_unscored, with_command_remedy
from bertflow_core.report import Column, Pictures, Report
from bertflow_core.space import Space
from bertflow_core.study import Live, Part, Specs, study

__all__ = [
    *("ScoresRecipe", "evaluate", "notes_of", "lexical_notes", "plain_output"),
    *("score_rows", "scores_report", "vectors_name"),
]

NO_LAYERS = "none"
"""Stands for layers of what has no vectors."""


@dataclass(frozen=True, kw_only=True)
class ScoresRecipe(Recipe):
    """The choices that decide scores, and what is told of them."""

    pairs: bool = param(False, "Add each pair's cosine (JSON).")
    lexical: bool = param(
        False,
        "Add two rows without vectors: shared word pieces of the encoder's tokenizer "
        "(lexical-jaccard, lexical-coverage).",
    )


def _pictures(report: Report) -> Pictures:
    is_scored = any(row["score"] is not None for row in report.rows)
    return {"scores": lambda: _bars(report)} if is_scored else {}


def _bars(report: Report) -> Figure:
    (score,) = (each for each in report.columns if each.key == "score")
    specs = [row["calibrator"] for row in report.rows]
    labels = [f"{row['vectors']}, {row['calibrator']}" for row in report.rows]
    scores = [row["score"] for row in report.rows]
    return score_bars(specs, scores, title=score.header, labels=labels)


@study(
    "evaluate",
    ScoresRecipe,
    (),
    title="How well does cosine agree with people?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    plain=True,
    command="bertflow-lab evaluate",
)
def evaluate(recipe: ScoresRecipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Part]:
    """Score the plain output and calibrators, each fitted on sentences alone."""
    asked = recipe.base()
    lexical = lexical_results(asked, lab) if recipe.lexical else ()
    beside = () if asked.plain is None else (asked.plain,)
    spaces = list(replace(lab, ahead=(*lab.ahead, *beside)).spaces(asked, layers, calibrators))
    plain = plain_output(spaces, lab)
    yield recipe.with_(revision=spaces[0].recipe.revision)
    yield from _parts(spaces, plain, lexical, pairs=recipe.pairs)


def plain_output(spaces: Sequence[Space], lab: Lab) -> Space | str | None:
    """Return the plain output of the model of some spaces; why there is none; None of vectors."""
    recipe, prepared = spaces[0].recipe, spaces[0].prepared
    own = [each for each in spaces if (each.recipe.plain, each.spec) == (each.recipe, BASELINE)]
    if own or recipe.plain is None:
        return next(iter(own), None)
    read = {**lab.tables, recipe.dataset: (prepared.pairs, prepared.corpus)}
    try:
        return replace(lab, tables=read).plain(recipe)
    except InputError as error:
        return f"There is no plain output: {error}."


def scores_report(
    spaces: Sequence[Space],
    lexical: Sequence[LexicalResult] = (),
    *,
    plain: Space | str | None = None,
) -> Report:
    """Report the scores of spaces on one data set, as `Lab.evaluate` returns them, without tests.

    `lexical_results` and what `plain_output` returns may stand beside.
    """
    layers = tuple(dict.fromkeys(space.recipe.layers for space in spaces))
    specs = tuple(dict.fromkeys(space.spec for space in spaces))
    params = ScoresRecipe(**spaces[0].recipe.to_dict(), lexical=bool(lexical))
    declared = evaluate if plain is not None else replace(evaluate, plain=False)
    parts = _parts(spaces, plain, lexical, is_tested=False)
    return declared.collect(parts, params, specs, layers)


def _parts(
    spaces: Sequence[Space],
    plain: Space | str | None,
    lexical: Sequence[LexicalResult],
    *,
    pairs: bool = False,
    is_tested: bool = True,
) -> Iterator[Part]:
    rows = score_rows(spaces, lexical, plain=plain, is_tested=is_tested)
    every = (*_first(spaces, plain), *spaces, *lexical)
    for row, each in zip(rows, every if pairs else (), strict=False):
        row["similarity"] = np.round(each.similarity, 6).tolist()
    yield _columns(spaces[0])
    yield from rows
    yield from _remarks(spaces, plain, is_tested=any("change_p" in row for row in rows))
    yield from lexical_notes(lexical)
    yield Live(spaces=tuple(spaces), plain=plain if isinstance(plain, Space) else None)


def _columns(first: Space) -> tuple[Column, ...]:
    return (
        *([Column("vectors")] if first.recipe.source.has_layers else []),
        Column("calibrator"),
        Column("score", first.metric.header, ".2f", times=100),
        Column("change", "", "+z.2f", "against the same vectors uncalibrated", times=100),
        Column("change_p_holm", "p", "p", "of the change, Holm over the column"),
        Column("to_plain", f"to {PLAIN}", "+z.2f", f"against the {PLAIN}", times=100),
        Column("to_plain_p_holm", "its p", "p", f"of that to the {PLAIN}, Holm over the column"),
        Column("r", "Pearson", ".2f", times=100),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("fit_seconds", "fit s", ".2f"),
    )


def score_rows(
    spaces: Sequence[Space],
    lexical: Sequence[LexicalResult] = (),
    *,
    plain: Space | str | None = None,
    is_tested: bool = False,
) -> list[dict[str, Any]]:
    """Return a row for each space, with everything that its `to_dict` has.

    `score` is rho in [-1, 1] or AUC in [0, 1] under the recipe's aggregation, `change` its
    difference from the first space of its layer set, which is uncalibrated, and `to_plain` that
    from the plain output, as they are shown, each with interval and p where `is_tested`; `r` is
    Pearson's, `fit_seconds` without what is loaded once for all fits. What is undefined is None, or
    not there. The plain output is the first row, unless it is among the spaces.
    """
    every: list[Space | LexicalResult] = [*_first(spaces, plain), *spaces, *lexical]
    dataset, pairs = spaces[0].recipe.dataset, spaces[0].prepared.pairs
    rows, places = [*map(_row, every)], {id(each): place for place, each in enumerate(every)}
    if pairs.judged is None:
        return rows
    raw = {NO_LAYERS: spaces[0], **{each.recipe.layers: each for each in reversed(spaces)}}
    scores = Scores(
        {(place, dataset): [each] for place, each in enumerate(every)},
        {dataset: pairs},
        spaces[0].recipe,
    )
    for name in ("change", "to_plain"):
        against = [plain if name == "to_plain" else raw.get(row["layers"]) for row in rows]
        told = {
            place: places[id(other)]
            for place, other in enumerate(against)
            if places.get(id(other), place) != place
        }
        contrasts = [Contrast(*both, (dataset,)) for both in told.items()]
        found = scores.tested(contrasts) if is_tested else map(scores.untested, contrasts)
        for place, each in zip(told, found, strict=True):
            rows[place] |= each.columns(name)
    return rows


def _first(spaces: Sequence[Space], plain: Space | str | None) -> list[Space]:
    """Return the plain output where it is a row of its own."""
    if isinstance(plain, Space) and all(each is not plain for each in spaces):
        return [plain]
    return []


def _row(each: Space | LexicalResult) -> dict[str, Any]:
    row = {
        "vectors": NO_LAYERS,
        "layers": NO_LAYERS,
        "calibrator": each.spec,
        **each.to_dict(),
        "score": each.score,
        **({"r": each.pearson} if each.metric is RHO else {}),
    }
    if isinstance(each, LexicalResult):
        return {**row, "random_cosine": None, "fit_seconds": None}
    own = {"vectors": vectors_name(each.recipe), "layers": each.recipe.layers}
    return {**row, **own, "fit_seconds": each.seconds["fit"]}


def vectors_name(recipe: Recipe) -> str:
    """Return what people call the vectors of a recipe: the plain output, or the layer set."""
    return PLAIN if recipe.with_(calibrator=BASELINE) == recipe.plain else recipe.layers


def _remarks(
    spaces: Sequence[Space], plain: Space | str | None, *, is_tested: bool
) -> Iterator[str]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit noted."""
    first = spaces[0]
    prepared, recipe, metric = first.prepared, first.recipe, first.metric
    yield f"{prepared.pairs.size[0].upper()}{prepared.pairs.size[1:]}."
    yield f"Fitted on {prepared.corpus.description}"
    yield prepared.seen_remark
    yield from dict.fromkeys(f"{space.prepared.cut_remark}." for space in spaces)
    if isinstance(plain, Space):
        yield (
            f"{PLAIN.capitalize()}: what {recipe.model} gives by itself, uncalibrated "
            f"({plain.prepared.encoder['declared']})."
        )
    elif plain is not None:
        yield plain
    if metric is not RHO:
        yield f"{metric.title} x 100 {metric.meaning}."
    if prepared.pairs.judged is None:
        yield why_unscored(prepared.pairs)
    elif first.doubt:
        yield first.doubt
    if is_tested:
        yield f"Differences are tested by {N_DRAWS:,} resamples of the pairs."
    yield from with_command_remedy(notes_of(spaces), recipe)


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


def notes_of(spaces: Iterable[Space], kind: type[str] = str) -> tuple[str, ...]:
    """Return what the user should know about each fit; of kind `TooFew` that it saw too little."""
    every = list(spaces)
    several = len({space.recipe.layers for space in every}) > 1
    return tuple(
        f"{f'{space.recipe.layers} ' if several else ''}{space.spec}: {note}."
        for space in every
        for note in space.notes
        if isinstance(note, kind)
    )
