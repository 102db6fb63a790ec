"""Score every layer, uncalibrated and under each calibrator, and test it against the plain output.

A place is a layer set under one calibrator. One bootstrap of the pairs gives every place an
interval and a test. The tests are Holm-adjusted over all places, so that the best of many does not
win by chance.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.evaluation import RHO
from bertflow_core.evaluation.comparison import Comparison, compare_to
from bertflow_core.figures import Figure, scores_by_layer
from bertflow_core.lab.comparable_scores import score_columns, scores_of
from bertflow_core.lab.evaluation import Embedded, Evaluation
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.studies.advice.rules import Advice
from bertflow_core.wording import percent

TITLE = "Every layer"

_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("score", "", ".2f", "95 % interval in brackets", times=100, ends=True),
    Column("change", f"to {PLAIN}", "+.2f", f"difference from the score of the {PLAIN}", times=100),
    Column("change_p_holm", "p", "p", "of the difference, Holm-adjusted over all rows"),
)

_PLAIN = PLAIN_LAYERS, BASELINE

Similarities = Mapping[tuple[str, str], FloatArray]
"""The value that each pair or text is scored by, such as its cosine: by layers and calibrator."""


def places_of(recipe: Recipe, model: ModelFolder) -> list[Recipe]:
    """Return the recipe at each layer of its model, and at its own layers unless these are one."""
    longest = min(recipe.max_length or Recipe.max_length, model.max_positions or 1 << 20)
    layers = range(model.n_layers + 1) if model.n_layers else ()
    every = [recipe.with_(layers=f"layer:{k}", max_length=longest) for k in layers]
    own = [recipe] if recipe.layers not in (PLAIN_LAYERS, *(each.layers for each in every)) else []
    return [*every, *own]


def verdict_of(change: Comparison) -> Advice:
    """Return the advice that follows from a tested change."""
    if not change.significant:
        return Advice.CAUTION
    return Advice.GO if (change.difference or 0) > 0 else Advice.STOP


def score_places(
    embedded: Embedded, plain: Evaluation, similarities: Similarities, n_draws: int, header: str
) -> tuple[Row, Table]:
    """Score places (layers and calibrator); test each against the plain output, itself a place.

    The returned row says whether any place beats the plain output. The table has a row for each
    place with a score, the plain output first; `header` is the heading of the column of scores.

    Raises:
        InputError: Pairs without a score, or too few pairs to resample.
    """
    defined = [place for place, values in similarities.items() if not np.isnan(values).any()]
    places = sorted(defined, key=lambda place: place != _PLAIN)  # plain first
    found = {place: similarities[place] for place in places}
    scores = scores_of(found, embedded.pairs, embedded.recipe, n_draws)
    changes = compare_to(_PLAIN, scores, n_draws)
    rows: list[Row] = [
        {
            "vectors": PLAIN if place == _PLAIN else place[0].replace(PLAIN_LAYERS, "output"),
            "layers": place[0],
            "calibrator": place[1],
            **score_columns(scores[place], changes.get(place), n_draws),
        }
        for place in places
    ]
    others = [
        row
        for place, row in zip(places, rows, strict=True)
        if place != _PLAIN and not _is_output(place, similarities[place], plain)
    ]
    best = max(others or rows[1:], key=lambda row: row["score"])
    change = changes[best["layers"], best["calibrator"]]
    verdict = verdict_of(change)
    row = {
        "question": f"Does anything beat the {PLAIN}?",
        "verdict": str(verdict),
        "finding": _finding(embedded, change, verdict, best, len(others)),
        **{"plain": change.before, "best": change.after},
        **{"best_layers": best["layers"], "best_calibrator": best["calibrator"]},
        **{"low": change.low, "high": change.high},
    }
    columns = [replace(each, label=header) if each.key == "score" else each for each in _COLUMNS]
    return row, Table(columns, rows, TITLE)


def _is_output(place: tuple[str, str], values: FloatArray, plain: Evaluation) -> bool:
    """Tell whether a place has the plain output's vectors, as the last layer often does."""
    return place[1] == BASELINE and np.allclose(values, plain.unit_values, atol=1e-4)


def _finding(embedded: Embedded, change: Comparison, verdict: Advice, best: Row, n: int) -> str:
    x, y, name = percent(change.before), percent(change.after), embedded.pairs.name
    metric = embedded.metric
    name += "" if metric is RHO else f" ({metric.header})"
    plain = f"the {PLAIN} of {embedded.recipe.model}"
    spec, layers = best["calibrator"], best["layers"].replace(PLAIN_LAYERS, "the output")
    where = f"{layers} uncalibrated" if spec == BASELINE else f"{layers} under {spec}"
    within = f"{change.text(times=100)}, 95 % interval {change.interval_text(times=100)}"
    return {
        Advice.CAUTION: (
            f"On {name} {plain} scores {x}. The best of {n} other choices of layer and calibrator, "
            f"{where}, scores {y}, which is not significantly different on "
            f"{embedded.pairs.n_units:,} {metric.unit} ({within})."
        ),
        Advice.GO: (
            f"Use {where}: on {name} it scores {y}, the best of {n} choices; {plain} scores {x} "
            f"({within})."
        ),
        Advice.STOP: (
            f"Keep {plain}: on {name} it scores {x}; the best of {n} other choices of layer and "
            f"calibrator, {where}, scores only {y} ({within})."
        ),
    }[verdict]


def picture(table: Table) -> Figure:
    """Draw the score of each layer under each calibrator; the output comes last."""
    plain, *others = table.rows
    names = [*dict.fromkeys(row["layers"] for row in others if row["layers"] != PLAIN_LAYERS)]
    names.append(PLAIN_LAYERS)
    curves: dict[str, list[Row]] = {}
    for row in (*others, plain):
        curves.setdefault(row["calibrator"], []).append(row)
    return scores_by_layer(
        {
            spec: (
                [names.index(row["layers"]) for row in found],
                [[row[key] for row in found] for key in ("score", "score_low", "score_high")],
            )
            for spec, found in curves.items()
        },
        [name.removeprefix("layer:").replace(PLAIN_LAYERS, "output") for name in names],
        plain["score"],
        title=table.column("score").header,
    )
