"""Which pairs does a calibrator move? Each pair's sentences, ranks and share of the gain in rho."""

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import edit_distances, pair_lengths
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.ledger import Ledger, build_ledger
from bertflow_core.lab import Lab
from bertflow_core.linalg import Rows
from bertflow_core.old_report import Report
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space
from bertflow_core.text_table import TextTable, change_text, percent
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PairLedger", "ledger_of", "ledger_report", "pair_ledger"]

_MAX_TEXT = 60
_HEADER = ("first", "second", "gold", "rank", "before", "after", "moved closer", "share x 100")
_COLUMNS = (
    "rank: by gold score; before, after: by cosine; moved closer: by how many ranks "
    "the pair moved towards its gold rank; share: its part in the change of rho."
)


@dataclass(frozen=True)
class PairLedger:
    """A ledger with the sentences of its pairs, and the lengths that it can be filtered by.

    Attributes:
        before: Recipe of the first result.
        after: Recipe of the second, on the same pairs.
        pairs: The pairs.
        ledger: How each pair's rank changed from the first to the second.
        lengths: Tokens (Penn Treebank) in the longer sentence of each pair, shape (N,).
        edit_distances: Token edit distance of each pair, shape (N,).
        notes: What the two fits noted, a sentence each.
    """

    before: Recipe
    after: Recipe
    pairs: SentencePairs = field(repr=False)
    ledger: Ledger
    lengths: npt.NDArray[np.int64] = field(repr=False)
    edit_distances: npt.NDArray[np.int64] = field(repr=False)
    notes: tuple[str, ...] = ()

    def rows(self, order: str, n: int, within: Rows | None = None) -> Rows:
        """Return at most `n` rows in one of three orders.

        Args:
            order: `improved`: those that moved closer to their gold rank, the farthest first;
                `worsened`: those that moved away from it, the farthest first; `row`: all in order.
            n: How many.
            within: The rows to choose from; None is all.
        """
        every = {
            "row": lambda n: np.arange(n),
            "improved": self.ledger.most_improved,
            "worsened": self.ledger.most_worsened,
        }[order](len(self.ledger))
        return (every if within is None else every[np.isin(every, within)])[:n]

    def points(self, rows: Rows | None = None) -> str:
        """Write the part of the gain that comes from these pairs, x 100; None is all pairs.

        All of it is the difference of the two rhos as they are shown.
        """
        if rows is None or len(rows) == len(self.ledger):
            return change_text(self.ledger.rho_before, self.ledger.rho_after)
        return f"{100 * self.gain_of(rows):+z.2f}"

    def gain_of(self, rows: Rows) -> float:
        """Return the part of the gain that comes from these pairs: the sum of their shares."""
        return float(self.ledger.share[rows].sum())

    @property
    def counts(self) -> tuple[int, int]:
        """How many pairs moved closer to their gold rank, and how many moved away from it."""
        closer = self.ledger.improved
        return int((closer > 0).sum()), int((closer < 0).sum())

    def command(self) -> str:
        """Return the command that makes this ledger, quoted for a shell."""
        recipe = self.after.without("calibrator")
        specs = ("--before", self.before.calibrator, "--after", self.after.calibrator)
        return shlex.join(["bertflow-lab", "ledger", *recipe.to_args(), *specs])

    def frame(self, rows: npt.ArrayLike | None = None) -> "pd.DataFrame":
        """Return one row per pair, counted from 1: texts, ranks, cosines, share and lengths."""
        frame = self.ledger.to_frame(self.pairs.first, self.pairs.second, rows)
        shown = frame.pop("row").to_numpy()
        frame.insert(0, "pair", shown + 1)
        return frame.assign(
            length=self.lengths[shown], edit_distance=self.edit_distances[shown]
        ).rename(columns={"before": "cosine_before", "after": "cosine_after"})

    def records(self, rows: Rows) -> list[dict[str, Any]]:
        """Return one record per pair, JSON-able, with both calibrators' names."""
        frame = self.frame(rows)
        columns = {str(name): frame[name].tolist() for name in frame}
        specs = {"calibrator_before": self.before.calibrator}
        return [
            dict(zip(columns, values, strict=True)) | specs
            for values in zip(*columns.values(), strict=True)
        ]

    def caption(self) -> str:
        """Return the recipe, the change of rho, and that the shares add up to it."""
        ledger = self.ledger
        return (
            f"{self.after.caption()}. From {self.before.calibrator} to "
            f"{self.after.calibrator}: rho x "
            f"100 {percent(ledger.rho_before)} to {percent(ledger.rho_after)}, "
            f"{self.points()}; the shares of all pairs add up to it before rounding."
        )


def pair_ledger(recipe: Recipe, lab: Lab, before: str, after: str) -> PairLedger:
    """Fit two calibrators and account for the change of rho between them, pair by pair.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.
        before: Spec of the calibrator of the ranks before.
        after: Spec of the calibrator of the ranks after.

    Raises:
        InputError: As `Lab.evaluate` and `ledger_of`.
        ResourceError: The disk or the network failed.
    """
    return ledger_of(*lab.evaluate(recipe, [before, after]))


def ledger_of(before: Space, after: Space) -> PairLedger:
    """Return the ledger of two results on the same pairs.

    Raises:
        InputError: The pairs have no gold scores, are not the same, or a rho is undefined.
    """
    pairs = after.prepared.pairs
    if pairs.gold is None:
        raise InputError(f"{quoted(pairs.name)} {pairs.ungraded}, so there are no ranks to compare")
    if before.prepared.pairs.fingerprint != pairs.fingerprint:
        raise InputError("a ledger needs two results on the same pairs")
    ledger = build_ledger(
        before.similarity,
        after.similarity,
        pairs.gold,
        pairs.subsets,
        aggregation=after.recipe.aggregation,
    )
    return PairLedger(
        before.recipe,
        after.recipe,
        pairs,
        ledger,
        pair_lengths(pairs.first, pairs.second),
        edit_distances(pairs.first, pairs.second),
        tuple(f"{each.spec}: {n}." for each in (before, after) for n in each.calibrator.notes_),
    )


def ledger_report(ledger: PairLedger, rows: Rows) -> Report:
    """Report some pairs of a ledger.

    Args:
        ledger: All pairs.
        rows: Those to report, in this order.
    """
    return Report(
        name="pairs",
        tables=lambda: (_table(ledger, rows),),
        records=lambda: ledger.records(rows),
        shared=ledger.after.columns(),
        document=lambda: _document(ledger, rows),
        remarks=(ledger.caption(),),
        command=ledger.command(),
    )


def _document(ledger: PairLedger, rows: Rows) -> dict[str, Any]:
    return {
        "before": ledger.before.to_dict(),
        "after": ledger.after.to_dict(),
        "rho_before": ledger.ledger.rho_before,
        "rho_after": ledger.ledger.rho_after,
        "pairs": ledger.records(rows),
    }


def _table(ledger: PairLedger, rows: Rows) -> TextTable:
    """Return one row per pair."""
    lines = tuple(
        (
            _cut(record["first"]),
            _cut(record["second"]),
            f"{record['gold']:g}",
            f"{record['gold_rank']:g}",
            f"{record['rank_before']:g}",
            f"{record['rank_after']:g}",
            f"{record['improved']:+g}",
            f"{100 * record['share']:+.4f}",
        )
        for record in ledger.records(rows)
    )
    return TextTable(_HEADER, lines, (ledger.caption(), _COLUMNS), n_labels=2)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_TEXT else line[: _MAX_TEXT - 3] + "..."
