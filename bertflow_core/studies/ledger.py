"""The ledger of two results: sentences and scores beside what calibration did to each pair."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.lexical import edit_distances, pair_lengths
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.ledger import Ledger, build_ledger
from bertflow_core.recipe import Recipe
from bertflow_core.results import Result
from bertflow_core.tables import TextTable, percent, to_csv

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEDGER_WRITERS", "PairLedger", "ledger_of"]

_Rows = npt.NDArray[np.intp]
_MAX_TEXT = 60


@dataclass(frozen=True)
class PairLedger:
    """A ledger with the sentences and lengths that its filters speak of.

    Attributes:
        before: Recipe of the first result.
        after: Recipe of the second, on the same pairs.
        pairs: The pairs.
        ledger: What the step from the first to the second did to each pair.
        lengths: Tokens (Penn Treebank) in the longer sentence of each pair, shape (N,).
        edit_distances: Token edit distance of each pair, shape (N,).
    """

    before: Recipe
    after: Recipe
    pairs: SentencePairs = field(repr=False)
    ledger: Ledger
    lengths: npt.NDArray[np.int64] = field(repr=False)
    edit_distances: npt.NDArray[np.int64] = field(repr=False)

    def rows(self, order: str, n: int, within: _Rows | None = None) -> _Rows:
        """Return at most `n` rows: `mended` or `broken` most first, or in the order of `row`.

        Args:
            order: One of these three.
            n: How many.
            within: The rows to choose from; None is all.
        """
        every = {
            "row": lambda n: np.arange(n),
            "mended": self.ledger.most_mended,
            "broken": self.ledger.most_broken,
        }[order](len(self.ledger))
        return (every if within is None else every[np.isin(every, within)])[:n]

    @property
    def gain(self) -> float:
        """Rho after less rho before."""
        return self.ledger.rho_after - self.ledger.rho_before

    def gain_of(self, rows: _Rows) -> float:
        """Return the part of the gain that these pairs have: the sum of their shares."""
        return float(self.ledger.share[rows].sum())

    @property
    def counts(self) -> tuple[int, int]:
        """How many pairs were mended, and how many broken."""
        mended = self.ledger.mended
        return int((mended > 0).sum()), int((mended < 0).sum())

    def command(self) -> str:
        """Return the command that makes this ledger, quoted for a shell."""
        recipe = self.after.with_(calibrator=Recipe.calibrator)
        specs = ("--before", self.before.calibrator, "--after", self.after.calibrator)
        return shlex.join(["bertflow-lab", "ledger", *recipe.to_args(), *specs])

    def frame(self, rows: npt.ArrayLike | None = None) -> "pd.DataFrame":
        """Return a line a pair, counted from 1: texts, ranks, cosines, share, length, distance."""
        frame = self.ledger.to_frame(self.pairs.first, self.pairs.second, rows)
        shown = frame.pop("row").to_numpy()
        frame.insert(0, "pair", shown + 1)
        return frame.assign(
            length=self.lengths[shown], edit_distance=self.edit_distances[shown]
        ).rename(columns={"before": "cosine_before", "after": "cosine_after"})

    def records(self, rows: _Rows) -> list[dict[str, Any]]:
        """Return a mapping a pair, JSON-able, with both calibrators' names."""
        frame = self.frame(rows)
        columns = {str(name): frame[name].tolist() for name in frame}
        specs = {"calibrator_before": self.before.calibrator}
        return [
            dict(zip(columns, values, strict=True)) | specs
            for values in zip(*columns.values(), strict=True)
        ]

    def caption(self) -> str:
        """Say what the ledger accounts for."""
        ledger = self.ledger
        return (
            f"{self.after.caption()}. From {self.before.calibrator} to "
            f"{self.after.calibrator}: rho x "
            f"100 {percent(ledger.rho_before)} to {percent(ledger.rho_after)}, "
            f"{100 * self.gain:+.2f}, which is the sum of all shares."
        )


def ledger_of(before: Result, after: Result) -> PairLedger:
    """Account for the difference between two results on the same pairs.

    Raises:
        InputError: The pairs have no gold scores, are not the same, or a rho is undefined.
    """
    pairs = after.prepared.pairs
    if pairs.gold is None:
        raise InputError(f"{pairs.name!r} has no gold scores, so there are no ranks to compare")
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
    )


def _to_json(found: PairLedger, rows: _Rows) -> str:
    ledger = found.ledger
    values = {
        "before": found.before.to_dict(),
        "after": found.after.to_dict(),
        "rho_before": ledger.rho_before,
        "rho_after": ledger.rho_after,
        "pairs": found.records(rows),
    }
    return json.dumps(values, indent=2, ensure_ascii=False)


def _to_text(found: PairLedger, rows: _Rows) -> str:
    header = ("first", "second", "gold", "rank", "before", "after", "mended", "share x 100")
    lines = [
        (
            _cut(record["first"]),
            _cut(record["second"]),
            f"{record['gold']:g}",
            f"{record['gold_rank']:g}",
            f"{record['rank_before']:g}",
            f"{record['rank_after']:g}",
            f"{record['mended']:+g}",
            f"{100 * record['share']:+.4f}",
        )
        for record in found.records(rows)
    ]
    remarks = (
        found.caption(),
        "rank: by gold score; before, after: by cosine; mended: how much nearer the pair has come "
        "to its gold rank; share: its part in the change of rho.",
    )
    return TextTable(header, tuple(lines), remarks, n_labels=2).to_text()


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_TEXT else line[: _MAX_TEXT - 3] + "..."


LEDGER_WRITERS: dict[str, Callable[[PairLedger, _Rows], str]] = {
    "table": _to_text,
    "csv": lambda found, rows: to_csv(
        found.records(rows),
        found.after.columns(),
    ),
    "json": _to_json,
}
