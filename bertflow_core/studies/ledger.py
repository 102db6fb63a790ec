"""Which pairs does a calibrator move? Each pair's sentences, ranks and share of the gain in rho."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from bertflow_core.calibrators.registry import check_spec
from bertflow_core.change import Change
from bertflow_core.errors import InputError
from bertflow_core.evaluation.ledger import Ledger, build_ledger
from bertflow_core.figures import Figure, rank_changes
from bertflow_core.lab import Lab
from bertflow_core.linalg import Rows
from bertflow_core.params import param
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Pictures, Report, Row
from bertflow_core.space import Space
from bertflow_core.studies.pairs import PAIR_COLUMNS, WordPairs, word_pairs
from bertflow_core.study import Facts, Live, Part, fit_notes, study
from bertflow_core.text_table import percent
from bertflow_core.wording import quoted

__all__ = ["LedgerRecipe", "PairLedger", "ledger", "ledger_of"]

_SHOWN = 20
_NUMBERS = (
    *("gold_rank", "rank_before", "rank_after", "error_before", "error_after"),
    *("improved", "share"),
)
_COLUMNS = (
    *PAIR_COLUMNS,
    Column("gold_rank", "rank", "g", "by gold score"),
    Column("rank_before", "before", "g", "rank by cosine under the first calibrator"),
    Column("rank_after", "after", "g", "rank by cosine under the second"),
    Column("improved", "moved closer", "+g", "by how many ranks the pair moved to its gold rank"),
    Column("share", "share x 100", "+.4f", "its part in the change of rho", times=100),
)


@dataclass(frozen=True, kw_only=True)
class LedgerRecipe(Recipe):
    """The choices that decide which pairs moved; `calibrator` is not among them."""

    before: str = param("identity", "Calibrator of the ranks before.")
    after: str = param("flow", "Calibrator of the ranks after.")
    order: str = param(
        "improved",
        "Which pairs: those that moved closest to their gold rank first (improved), those that "
        "moved farthest away first (worsened), or all in order (row).",
        choices=("improved", "worsened", "row"),
    )
    top: int | None = param(
        None, f"How many pairs; by default {_SHOWN} in a table, else all.", low=1
    )

    def check(self) -> None:
        """Refuse calibrators that do not exist."""
        super().check()
        check_spec(self.before)
        check_spec(self.after)


@dataclass(frozen=True, eq=False)
class PairLedger:
    """How each pair's rank changed between two calibrators, with the sentences of the pairs."""

    words: WordPairs
    ledger: Ledger = field(repr=False)

    @property
    def change(self) -> Change:
        """Rho before and after."""
        return Change(self.ledger.rho_before, self.ledger.rho_after)

    def places(self, order: str) -> Rows:
        """Return places of pairs in one of the orders of `LedgerRecipe`."""
        n, known = len(self.ledger), self.ledger
        orders = {"improved": known.most_improved, "worsened": known.most_worsened}
        return np.arange(n) if order == "row" else orders[order](n)

    @property
    def counts(self) -> tuple[int, int]:
        """How many pairs moved closer to their gold rank, and how many moved away from it."""
        closer = self.ledger.improved
        return int((closer > 0).sum()), int((closer < 0).sum())

    def row(self, place: int) -> Row:
        """Return a pair with its ranks, cosines and share."""
        numbers = {"cosine_before": self.ledger.before, "cosine_after": self.ledger.after}
        numbers |= {name: getattr(self.ledger, name) for name in _NUMBERS}
        known = {name: float(values[place]) for name, values in numbers.items()}
        return {**self.words.row(place), **known}


def _pictures(report: Report) -> Pictures:
    return {"ranks": partial(_figure, report)}


def _figure(report: Report) -> Figure:
    rows, params = report.rows, report.params.to_dict()
    return rank_changes(
        *(np.array([row[key] for row in rows]) for key in ("error_before", "error_after", "gold")),
        names=(params["before"], params["after"]),
        numbers=[row["pair"] for row in rows],
    )


@study(
    "ledger",
    LedgerRecipe,
    _COLUMNS,
    title="Which pairs does a calibrator move?",
    figures=_pictures,
    without=("calibrator",),
    most=lambda recipe: recipe.top or _SHOWN,
    command="bertflow-lab ledger",
)
def ledger(recipe: LedgerRecipe, lab: Lab) -> Iterator[Part]:
    """Fit two calibrators and account for the change of rho between them, pair by pair."""
    before, after = lab.evaluate(recipe, [recipe.before, recipe.after])
    found = ledger_of(before, after)
    yield recipe.with_(revision=after.recipe.revision)
    yield (
        f"From {recipe.before} to {recipe.after}: rho x 100 {percent(found.change.before)} to "
        f"{percent(found.change.after)}, {found.change.text(times=100)}; the shares of all pairs "
        "add up to it before rounding."
    )
    for space in (before, after):
        yield from fit_notes(space)
    yield Facts(rho_before=found.change.before, rho_after=found.change.after)
    for place in found.places(recipe.order)[: recipe.top]:
        yield found.row(int(place))
    yield Live(ledger=found)


def ledger_of(before: Space, after: Space) -> PairLedger:
    """Return the ledger of two results on the same pairs; pairs without gold are refused."""
    pairs, recipe = after.prepared.pairs, after.recipe
    if pairs.gold is None:
        raise InputError(f"{quoted(pairs.name)} {pairs.ungraded}, so there are no ranks to compare")
    known = build_ledger(
        before.similarity,
        after.similarity,
        pairs.gold,
        pairs.subsets,
        aggregation=recipe.aggregation,
    )
    return PairLedger(word_pairs(pairs, recipe), known)
