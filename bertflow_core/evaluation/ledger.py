"""Which pairs a calibration moved closer to their gold rank, and the share of each in the gain."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.evaluation.sts import Stratum, average_ranks, score_pairs, strata
from bertflow_core.linalg import FloatArray, as_numbers
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Ledger", "Range", "build_ledger"]

Range = tuple[float | None, float | None]
"""Lowest and highest value to keep; None for no bound."""

_Column = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ledger:
    """An account of N pairs, every column of shape (N,) and read-only.

    Ranks count from the least similar pair, 1, ties by average rank: among all pairs under the
    aggregation `all`, among those of a pair's subset under `mean` and `wmean`. Rows are positions
    in these columns, counted from 0.

    Attributes:
        aggregation: `all`, `mean` or `wmean`.
        rho_before: Spearman's rho before, in [-1, 1].
        rho_after: Spearman's rho after.
        subsets: The subset of each pair, length N.
        gold: Gold scores.
        before: Similarities before.
        after: Similarities after.
        gold_rank: Rank by gold score.
        rank_before: Rank by similarity before.
        rank_after: Rank by similarity after.
        error_before: Distance of `rank_before` from `gold_rank`.
        error_after: Distance of `rank_after` from `gold_rank`.
        improved: Drop in error, in ranks: how far the pair moved closer to its gold rank; below 0
            where it moved away.
        share: Part in the gain; the shares add up to `rho_after` - `rho_before`.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import build_ledger
        >>> before, after, gold = np.array([[2, 1, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], float)
        >>> ledger = build_ledger(before, after, gold, ["all"] * 4, aggregation="all")
        >>> ledger.most_improved(2).tolist(), ledger.most_worsened(2).tolist()
        ([0, 1], [])
    """

    aggregation: str
    rho_before: float
    rho_after: float
    subsets: tuple[str, ...] = field(repr=False)
    gold: _Column = field(repr=False)
    before: _Column = field(repr=False)
    after: _Column = field(repr=False)
    gold_rank: _Column = field(repr=False)
    rank_before: _Column = field(repr=False)
    rank_after: _Column = field(repr=False)
    error_before: _Column = field(repr=False)
    error_after: _Column = field(repr=False)
    improved: _Column = field(repr=False)
    share: _Column = field(repr=False)

    def __len__(self) -> int:
        return len(self.gold)

    def most_improved(self, n: int) -> npt.NDArray[np.intp]:
        """Return the rows of at most n pairs whose error fell, the largest drop first."""
        return _largest(self.improved, n)

    def most_worsened(self, n: int) -> npt.NDArray[np.intp]:
        """Return the rows of at most n pairs whose error rose, the largest rise first."""
        return _largest(-self.improved, n)

    def select(
        self,
        *,
        subsets: Collection[str] | None = None,
        gold: Range = (None, None),
        length: tuple[npt.ArrayLike, Range] | None = None,
        edit_distance: tuple[npt.ArrayLike, Range] | None = None,
    ) -> npt.NDArray[np.intp]:
        """Return the rows of the pairs that meet every condition, rising.

        Args:
            subsets: Names of subsets to take; None takes all.
            gold: Gold scores to take, both ends included.
            length: The length of each pair, shape (N,), in any unit, and the lengths to take.
            edit_distance: The edit distance of each pair, shape (N,), and the distances to take.

        Raises:
            InputError: An unknown subset, a range whose ends are the wrong way round, or a column
                that is not of shape (N,).
        """
        kept = self._in_subsets(subsets) & self._within("gold", (self.gold, gold))
        for name, condition in (("length", length), ("edit_distance", edit_distance)):
            if condition is not None:
                kept &= self._within(name, condition)
        return np.flatnonzero(kept)

    def to_frame(
        self,
        first: Sequence[str],
        second: Sequence[str],
        rows: npt.ArrayLike | None = None,
    ) -> "pd.DataFrame":
        """Return a table with one row per pair: its row, subset, texts, and every column above.

        Args:
            first: The first sentence of each pair, length N.
            second: The second sentence of each pair, length N.
            rows: The rows to show, in this order; None shows all.

        Raises:
            InputError: The texts are not N.
        """
        import pandas as pd

        if not len(first) == len(second) == len(self):
            raise InputError(
                f"the ledger holds {len(self)} pairs, got {len(first)} first and {len(second)} "
                "second sentences"
            )
        shown = np.arange(len(self)) if rows is None else np.asarray(rows, np.intp)
        texts = {"subset": self.subsets, "first": first, "second": second}
        columns = {name: getattr(self, name)[shown] for name in _COLUMNS}
        listed = {name: [column[row] for row in shown] for name, column in texts.items()}
        return pd.DataFrame({"row": shown, **listed, **columns})

    def _in_subsets(self, names: Collection[str] | None) -> npt.NDArray[np.bool_]:
        if names is None:
            return np.ones(len(self), bool)
        unknown = set(names) - set(self.subsets)
        if unknown:
            known = ", ".join(dict.fromkeys(self.subsets))
            raise InputError(f"unknown subset {quoted(min(unknown))}: expected some of {known}")
        return np.array([subset in names for subset in self.subsets])

    def _within(self, name: str, condition: tuple[npt.ArrayLike, Range]) -> npt.NDArray[np.bool_]:
        values, (low, high) = np.asarray(condition[0], np.float64), condition[1]
        if values.shape != (len(self),):
            raise InputError(f"{name}: expected one value for each of {len(self)} pairs")
        if low is not None and high is not None and low > high:
            raise InputError(f"{name}: the lowest value {low:g} is above the highest {high:g}")
        above = values >= (-np.inf if low is None else low)
        kept: npt.NDArray[np.bool_] = above & (values <= (np.inf if high is None else high))
        return kept


# The columns of numbers, in the order of the class.
_COLUMNS = (
    "gold",
    "before",
    "after",
    "gold_rank",
    "rank_before",
    "rank_after",
    "error_before",
    "error_after",
    "improved",
    "share",
)


def build_ledger(
    before: FloatArray,
    after: FloatArray,
    gold: FloatArray,
    subsets: Sequence[str],
    *,
    aggregation: str,
) -> Ledger:
    """Account for the gain of one set of similarities over another, pair by pair.

    Rho is the mean product of standardized ranks z. So in a stratum of n pairs and weight w (1 for
    `all`, 1 / S of S subsets for `mean`, n / N for `wmean`) pair i gives
    share_i = w / n * z_gold,i * (z_after,i - z_before,i).

    Args:
        before: Similarities before, shape (N,).
        after: Similarities after, shape (N,).
        gold: Gold scores on any scale, shape (N,).
        subsets: The subset of each pair, length N.
        aggregation: `all`, `mean` or `wmean`.

    Raises:
        InputError: What `score_pairs` refuses, an unknown aggregation, or a rho that is undefined.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import build_ledger
        >>> before, after, gold = np.array([[2, 1, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], float)
        >>> ledger = build_ledger(before, after, gold, ["all"] * 4, aggregation="all")
        >>> round(ledger.rho_after - ledger.rho_before, 6), round(float(ledger.share.sum()), 6)
        (0.2, 0.2)
    """
    given = {"gold scores": gold, "similarities before": before, "similarities after": after}
    columns = [np.array(as_numbers(x, name), np.float64) for name, x in given.items()]
    parts = strata(subsets, aggregation)
    rhos = [_rho(x, columns[0], subsets, aggregation) for x in columns[1:]]
    ranks = [_ranks(x, parts) for x in columns]
    errors = [np.abs(rank - ranks[0]) for rank in ranks[1:]]
    numbers = (*columns, *ranks, *errors, errors[0] - errors[1], _shares(ranks, parts))
    for column in numbers:
        column.setflags(write=False)
    return Ledger(
        aggregation=aggregation,
        rho_before=rhos[0],
        rho_after=rhos[1],
        subsets=tuple(subsets),
        **dict(zip(_COLUMNS, numbers, strict=True)),
    )


def _rho(similarity: _Column, gold: _Column, subsets: Sequence[str], aggregation: str) -> float:
    rho: float | None = getattr(score_pairs(similarity, gold, subsets).spearman, aggregation)
    if rho is None:
        raise InputError(
            f"rho ({aggregation}) is undefined: all similarities, or all gold scores of a subset, "
            "are equal; choose another aggregation or other similarities"
        )
    return rho


def _ranks(x: _Column, parts: Sequence[Stratum]) -> _Column:
    """Return ranks within strata, ties by average rank, shape (N,)."""
    ranks = np.empty(len(x))
    for part in parts:
        ranks[part.rows] = average_ranks(x[part.rows])
    return ranks


def _shares(ranks: Sequence[_Column], parts: Sequence[Stratum]) -> _Column:
    """Return each pair's part in the gain from ranks by gold, before and after, shape (N,)."""
    shares = np.empty(len(ranks[0]))
    for part in parts:
        gold, before, after = (_standardized(rank[part.rows]) for rank in ranks)
        shares[part.rows] = part.weight / len(part.rows) * gold * (after - before)
    return shares


def _standardized(ranks: _Column) -> _Column:
    standardized: _Column = (ranks - ranks.mean()) / ranks.std()
    return standardized


def _largest(values: _Column, n: int) -> npt.NDArray[np.intp]:
    """Return the rows of at most n values above 0, the largest first, ties in order of rows."""
    if n < 0:
        raise InputError(f"n must be at least 0, got {n}")
    order = np.argsort(-values, kind="stable")[:n]
    return order[values[order] > 0]
