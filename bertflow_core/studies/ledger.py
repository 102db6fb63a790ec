"""Which pairs move? Each pair's sentences, ranks and share of the gain in rho.

Pairs move between two calibrators of one model, or between the vectors of two models.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.datasets.texts import need_targets
from bertflow_core.encoders.given import short_names
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RHO, Comparison
from bertflow_core.evaluation.ledger import build_ledger
from bertflow_core.figures import Figure, rank_changes
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import too_few
from bertflow_core.lab.verdict import verdict
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Report
from bertflow_core.report.result import Result
from bertflow_core.report.study import fit_remarks, study
from bertflow_core.studies.pairs import PAIR_COLUMNS, word_pairs
from bertflow_core.wording import percent

_SHOWN = 20
_NUMBERS = (
    *("gold_rank", "rank_before", "rank_after", "error_before", "error_after"),
    *("improved", "share"),
)
"""Fields of a `Ledger` that are columns of a row."""

_COLUMNS = (
    *PAIR_COLUMNS,
    Column("gold_rank", "rank", "g", "by gold score"),
    Column("rank_before", "before", "g", "rank by similarity under the first calibrator"),
    Column("rank_after", "after", "g", "rank by cosine under the second"),
    Column("improved", "moved closer", "+g", "ranks that the pair moved towards its gold rank"),
    Column("share", "share x 100", "+.4f", "the pair's share of the change in rho", times=100),
)


@dataclass(frozen=True, kw_only=True)
class LedgerRecipe(Recipe):
    """Which two calibrators or models are compared, and what is shown of each sentence pair."""

    before: str = param("identity", "Calibrator of the first ranking.")
    after: str = param("flow", "Calibrator of the second ranking.")
    after_model: str | None = param(
        None,
        "Model of the second ranking, with the layers and pooling of the first; by default the "
        "model of the first.",
    )
    order: str = param(
        "improved",
        "Order of the pairs: those that improved most first, those that worsened most first, or "
        "by row.",
        choices=("improved", "worsened", "row"),
    )
    top: int | None = param(
        None, f"Number of pairs; by default {_SHOWN} in a table, all in CSV and JSON.", low=1
    )

    def check(self) -> None:
        """Refuse calibrators that do not exist."""
        super().check()
        object.__setattr__(self, "before", Spec(self.before))
        object.__setattr__(self, "after", Spec(self.after))

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the vectors before and after: calibrators, or models with calibrators."""
        if self.after_model in (None, self.model):
            return self.before, self.after
        first, second = short_names((self.model, self.after_model)).values()
        return f"{first} {self.before}", f"{second} {self.after}"


def _figure(report: Report) -> Figure:
    rows, recipe = report.rows, cast("LedgerRecipe", report.params)
    return rank_changes(
        *(np.array([row[key] for row in rows]) for key in ("error_before", "error_after", "gold")),
        names=recipe.sides,
        numbers=[row["pair"] for row in rows],
    )


@study(
    "ledger",
    LedgerRecipe,
    _COLUMNS,
    title="Which pairs move?",
    figures=lambda report: {"ranks": lambda: _figure(report)},
    without=("calibrator",),
    command="bertflow-lab ledger",
)
def ledger(recipe: LedgerRecipe, lab: Lab) -> Result:
    """Account for the change of rho between two calibrators or models, pair by pair."""
    pairs = need_pairs(lab.data(recipe), "ranks", gold=True)
    first = recipe.base().with_(calibrator=recipe.before)
    second = first.with_(calibrator=recipe.after)
    if recipe.after_model is not None:
        second = second.with_(model=recipe.after_model, revision=None)
    grid = scored([first, second], lab)
    before, after = (grid.cells[each] for each in (first, second))
    for each in (before, after):
        if np.isnan(each.unit_values).any():
            raise InputError(f"{each.recipe.calibrator}: {each.notes[0]}")
    found = build_ledger(
        before.unit_values,
        after.unit_values,
        need_targets(pairs),
        pairs.subsets,
        aggregation=recipe.aggregation,
    )
    names = dict(zip((first, second), recipe.sides, strict=True))
    few = too_few(found.rho_before, pairs, RHO)
    tested = verdict(grid.scores({each: [each] for each in names}), first, too_few=few)
    change = Comparison(found.rho_before, found.rho_after)
    about = (
        "The shares of all pairs add up to the change of rho x 100: from "
        f"{percent(change.before)} to {percent(change.after)} ({change.text(times=100)})."
    )
    answer = tested.sentence(pairs.title, RHO, names.__getitem__) if tested else ""
    fits = ((name, grid.cells[of].notes) for of, name in names.items())
    words, n = word_pairs(pairs, recipe), len(pairs)
    orders = {
        "improved": found.most_improved(n),
        "worsened": found.most_worsened(n),
        "row": np.arange(n),
    }
    numbers = {"cosine_before": found.before, "cosine_after": found.after}
    numbers |= {name: getattr(found, name) for name in _NUMBERS}
    rows = [
        {**words.row(place), **{name: float(values[place]) for name, values in numbers.items()}}
        for place in orders[recipe.order][: recipe.top].tolist()
    ]
    return Result(
        rows,
        [
            *remarks_of(Kind.ANSWER, answer),
            Remark(Kind.METHOD, about),
            *fit_remarks(fits, recipe),
        ],
        recipes=[recipe.with_(revision=before.recipe.revision)],
        facts={"rho_before": found.rho_before, "rho_after": found.rho_after},
        objects={"ledger": found},
        max_rows=recipe.top or _SHOWN,
    )
