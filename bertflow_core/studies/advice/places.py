"""Every layer, as it is and under each calibrator, beside the plain output: scored and tested.

One bootstrap of the pairs gives every place its interval and the test of its change from the plain
output, Holm over all places, so that the best of many is not taken for better by chance.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.change import Change
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.figures import Figure, scores_by_layer
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.remarks import FEW_PAIRS
from bertflow_core.report import Column, Row, Table
from bertflow_core.space import Prepared, Space
from bertflow_core.studies.advice.rules import Verdict
from bertflow_core.text_table import percent

TITLE = "Every layer"

_COLUMNS = (
    Column("layers"),
    Column("calibrator"),
    Column("score", "", ".2f", "with its 95 % interval", times=100, ends=True),
    Column("change", f"to {PLAIN}", "+.2f", f"less the score of the {PLAIN}", times=100),
    Column("p_holm", "p", "p", "of that change, Holm over all rows"),
)

_KNOWN_TO = 0.1
"""Half the widest interval of a change from which a verdict is drawn."""

_WISHED = 0.05
"""The change that as many pairs as are asked for would tell."""

Similarities = Mapping[tuple[str, str], FloatArray]
"""Of each pair, by layer set and calibrator."""


@dataclass(frozen=True)
class Places:
    """Scores of every layer under every calibrator.

    Attributes:
        rows: A row for each, the plain output first.
        best: The row of the highest score among those that are not the plain output itself.
        change: From the plain output's score to that one, with its interval.
        significant: Whether they differ, by Holm over all rows.
        n_others: Rows that are not the plain output itself.
    """

    rows: Sequence[Row]
    best: Row
    change: Change
    significant: bool
    n_others: int

    def table(self, header: str) -> Table:
        """Return the rows as a table; `header` names the score."""
        columns = [
            replace(each, label=header) if each.key == "score" else each for each in _COLUMNS
        ]
        return Table(columns, self.rows, TITLE)

    def row(self, prepared: Prepared) -> dict[str, Any]:
        """Return the answer as a row: its verdict, its sentence and its numbers."""
        rises = (self.change.shown or 0) > 0
        verdict = (Verdict.GO if rises else Verdict.STOP) if self.significant else Verdict.CAUTION
        return {
            "verdict": str(verdict),
            "finding": self.sentence(prepared),
            "plain": self.change.before,
            "best": self.change.after,
            "best_layers": self.best["layers"],
            "best_calibrator": self.best["calibrator"],
            "low": self.change.low,
            "high": self.change.high,
        }

    def sentence(self, prepared: Prepared) -> str:
        """Say whether anything beats the plain output."""
        x, y = percent(self.change.before), percent(self.change.after)
        name, best = prepared.pairs.name, named(self.best)
        plain = f"the {PLAIN} of {prepared.recipe.model}"
        n = self.n_others
        within = f"{self.change.text(times=100)}, 95 % interval "
        within += self.change.interval_text(times=100)
        if not self.significant:
            return (
                f"On {name} {plain} scores {x}. The best of {n} other choices, {best}, scores {y}: "
                f"these {len(prepared.pairs):,} pairs do not tell them apart ({within})."
            )
        if (self.change.shown or 0) > 0:
            return (
                f"Take {best}: on {name} it scores {y}, the best of {n} choices, and {plain} {x} "
                f"({within})."
            )
        return (
            f"Leave {plain} as it is: on {name} it scores {x}, and the best of {n} other choices, "
            f"{best}, only {y} ({within})."
        )


def places_of(recipe: Recipe, model: ModelFolder) -> list[Recipe]:
    """Return the recipe at each layer of its model, at its own layers, and its plain output."""
    longest = min(recipe.max_length or Recipe.max_length, model.max_positions or 1 << 20)
    layers = range(model.n_layers + 1) if model.n_layers else ()
    every = [recipe.with_(layers=f"layer:{k}", max_length=longest) for k in layers]
    own = [recipe] if recipe.layers not in (DECLARED, *(each.layers for each in every)) else []
    return [*every, *own, *filter(None, [recipe.plain])]


def similarities_of(
    place: Recipe, specs: Sequence[str], lab: Lab, *, known: Similarities
) -> Similarities:
    """Score pairs at a layer, as it is and under each calibrator that is not known yet.

    There is nothing at a layer where all sentences have one vector.
    """
    prepared = lab.prepare(place)
    if is_one_point(prepared.x_fit):
        return {}
    wanted = [spec for spec in (BASELINE, *specs) if (place.layers, spec) not in known]
    return {
        (place.layers, spec): prepared.under(spec, device=lab.device).similarity for spec in wanted
    }


def score_places(
    prepared: Prepared, plain: Space, similarities: Similarities, n_draws: int
) -> Places:
    """Score places, and test each against the plain output, which is one of them.

    Raises:
        InputError: Pairs that have no score, or too few to resample.
    """
    names = {" ".join(place): place for place in sorted(similarities, key=_order)}
    compared = changes_of_rho(
        {name: similarities[place] for name, place in names.items()},
        prepared.pairs,
        prepared.recipe,
        baseline=f"{DECLARED} {BASELINE}",
        n_draws=n_draws,
    )
    scores = dict(zip(compared.draws.names, compared.draws.rhos.tolist(), strict=True))
    tested = {each.name: each for each in compared.to_baseline}
    rows: dict[str, dict[str, Any]] = {}
    for name, (layers, spec) in names.items():
        ends = compared.interval(name)
        rows[name] = {
            "layers": layers,
            "calibrator": spec,
            "score": scores[name],
            "score_low": ends.low,
            "score_high": ends.high,
        }
        if name in tested:
            rows[name] |= {"change": tested[name].change.shown, "p_holm": tested[name].p_adjusted}
    others = [
        name
        for name in tested
        if not np.allclose(similarities[names[str(name)]], plain.similarity, atol=1e-4)
    ]
    best = max(others or tested, key=lambda name: scores[str(name)])
    found = tested[best]
    return Places([*rows.values()], rows[str(best)], found.change, found.significant, len(others))


def _order(place: tuple[str, str]) -> tuple[bool, bool, float, bool]:
    """Put the plain output first, then each layer, sets of layers, the output under calibrators."""
    layers, spec = place
    number = layers.removeprefix("layer:")
    layer = float(number) if number.isdigit() else math.inf
    return place != (DECLARED, BASELINE), layers == DECLARED, layer, spec != BASELINE


def picture(table: Table) -> Figure:
    """Draw the score of each layer, and last of the output, under each calibrator."""
    plain, *others = table.rows
    names = [*dict.fromkeys(row["layers"] for row in others if row["layers"] != DECLARED), DECLARED]
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
        [name.removeprefix("layer:").replace(DECLARED, "output") for name in names],
        plain["score"],
        title=table.columns[2].header,
    )


def named(row: Row) -> str:
    """Name a layer and what was done to it."""
    spec, layers = row["calibrator"], row["layers"].replace(DECLARED, "the output")
    return f"{layers} {'uncalibrated' if spec == BASELINE else f'under {spec}'}"


def too_few(change: Change, n_pairs: int, name: str) -> str:
    """Say that pairs are too few for any verdict, and how many would do; nothing where not."""
    half = ((change.high or 0) - (change.low or 0)) / 2
    if n_pairs >= FEW_PAIRS and half <= _KNOWN_TO:
        return ""
    enough = max(100, math.ceil(n_pairs * (half / _WISHED) ** 2 / 50) * 50)
    return (
        f"{n_pairs:,} pairs of {name} are too few for a verdict: a change is known to "
        f"{100 * half:.0f} points either way. About {enough:,} such pairs would tell "
        f"{100 * _WISHED:.0f}."
    )
