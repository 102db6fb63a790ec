"""One stratum's pairs on many resamples: Spearman's rho and AUC from weights instead of rows.

A resample of n pairs is the number of times that each pair was drawn. Ranks of the resample follow
from these weights along the order of all pairs, so nothing is sorted again. All sums are of
integers and halves below 2^53 and thus exact: two calibrators that rank alike have one value, bit
for bit.
"""

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bertflow_core.evaluation.sts import Stratum
from bertflow_core.linalg import FloatArray

__all__ = ["AucResampled", "Resampled", "RhoResampled"]


class Resampled(Protocol):
    """The pairs of one stratum, sorted once for each calibrator, to be scored on resamples.

    Attributes:
        size: Number of pairs, n.
        weight: Of the stratum in the aggregated value.
    """

    size: int
    weight: float

    def __init__(
        self, similarities: Iterable[FloatArray], gold: FloatArray, stratum: Stratum
    ) -> None: ...

    def values(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the value of each draw and calibrator, shape (b, C); NaN where there is none.

        Args:
            counts: How often each pair was drawn, shape (b, n).
        """
        ...


class RhoResampled:
    """Spearman's rho: the pairs are sorted once by gold and once for each calibrator."""

    def __init__(
        self, similarities: Iterable[FloatArray], gold: FloatArray, stratum: Stratum
    ) -> None:
        self.size, self.weight = len(stratum.rows), stratum.weight
        self._gold = _Order(gold[stratum.rows])
        self._similarities = tuple(_Order(column[stratum.rows]) for column in similarities)

    def values(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return rho of each draw and calibrator, shape (b, C), from `counts`, shape (b, n)."""
        weights = self._gold.sums(counts)
        gold_variation = _rank_variation(weights)
        if_untied = _rank_variation(counts)
        products = _centred_ranks(weights).take(self._gold.group, axis=1) * counts
        columns = []
        for order in self._similarities:
            weights = order.sums(counts)
            variation = if_untied if order.untied else _rank_variation(weights)
            covariation = np.einsum("bg,bg->b", _centred_ranks(weights), order.sums(products))
            columns.append(_ratio(covariation, np.sqrt(gold_variation * variation)))
        return np.stack(columns, axis=1)


class AucResampled:
    """Area under the ROC curve: the pairs are sorted once for each calibrator."""

    def __init__(
        self, similarities: Iterable[FloatArray], gold: FloatArray, stratum: Stratum
    ) -> None:
        self.size, self.weight = len(stratum.rows), stratum.weight
        self._labels = gold[stratum.rows]
        self._similarities = tuple(_Order(column[stratum.rows]) for column in similarities)

    def values(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return AUC of each draw and calibrator, shape (b, C), from `counts`, shape (b, n)."""
        ones = counts * self._labels
        n_ones = ones.sum(axis=1)
        n_zeros = counts.sum(axis=1) - n_ones
        columns = []
        for order in self._similarities:
            above = order.sums(ones)
            zeros = order.sums(counts) - above
            below = np.cumsum(zeros, axis=1) - zeros / 2  # a tie counts half
            columns.append(_ratio(np.einsum("bg,bg->b", above, below), n_ones * n_zeros))
        return np.stack(columns, axis=1)


class _Order:
    """The order of n values and its groups of ties.

    Attributes:
        group: The group of each value, counted from the lowest, shape (n,).
        untied: All values differ.
    """

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        ordered = values[self._order]
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        self._starts = np.flatnonzero(first)
        self.untied = len(self._starts) == len(values)
        self.group = np.empty(len(values), np.intp)
        self.group[self._order] = np.cumsum(first) - 1

    def sums(self, rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the sums of `rows`, shape (b, n), over each group in order, shape (b, groups)."""
        ordered: npt.NDArray[np.float64] = rows.take(self._order, axis=1)
        return ordered if self.untied else np.add.reduceat(ordered, self._starts, axis=1)


def _centred_ranks(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the average rank of each group less the mean rank, from its `weights`, (b, groups).

    Ranks from S - w + 1 to S, where S counts all up to this group, average S - (w - 1) / 2; the
    mean of all n ranks is (n + 1) / 2.
    """
    ranks = np.cumsum(weights, axis=1)
    n = ranks[:, -1:].copy()
    ranks -= (weights + n) / 2
    return ranks


def _rank_variation(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the sum of squared centred ranks of each draw, shape (b,).

    (n^3 - n) / 12 less (w^3 - w) / 12 for each group of w ties (Kendall, 1945,
    https://doi.org/10.1093/biomet/33.3.239); the linear terms cancel, since the w add up to n.
    """
    n = weights.sum(axis=1)
    variation: npt.NDArray[np.float64] = (n**3 - np.einsum("bg,bg,bg->b", *[weights] * 3)) / 12
    return variation


def _ratio(
    above: npt.NDArray[np.float64], below: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Divide; NaN where nothing varies."""
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
