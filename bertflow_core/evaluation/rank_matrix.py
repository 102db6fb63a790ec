"""Spearman's rho of every two of several columns, each with an interval from the same resamples."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.errors import InputError, nearest
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.sts import Stratum, average_ranks
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = ["N_DRAWS", "Estimate", "RankMatrix", "rank_matrix"]

_Array = npt.NDArray[np.float64]

N_DRAWS = 2_000
"""Resamples for the intervals of correlations, which are described, not tested."""

FEWEST_ROWS = 4
"""Rows without which there is no partial correlation, and no interval that means anything."""


@dataclass(frozen=True)
class Estimate:
    """A number in units of rho with its percentile interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class RankMatrix:
    """Rho of C columns with each other, on N rows and on B resamples of these rows.

    Attributes:
        names: Of the columns, length C.
        n_rows: N.
        confidence: Of the intervals.
        rhos: Shape (C, C), symmetric; NaN where a column is constant.
        draws: Shape (B, C, C), the same resamples for all; NaN where a resample is constant.
    """

    names: tuple[str, ...]
    n_rows: int
    confidence: float
    rhos: _Array = field(repr=False)
    draws: _Array = field(repr=False)

    def rho(self, a: str, b: str) -> Estimate:
        """Return rho of two columns."""
        i, j = self._index(a), self._index(b)
        return self._estimate(self.rhos[i, j], self.draws[:, i, j])

    def partial(self, a: str, b: str, given: str) -> Estimate:
        """Return the partial rank correlation of two columns, a third one held fixed.

        (r_ab - r_ac r_bc) / sqrt((1 - r_ac^2) (1 - r_bc^2)), on ranks (Kendall, 1942,
        https://doi.org/10.1093/biomet/32.3-4.277). Undefined on fewer than 4 rows: of three points
        it is always 1 or -1.
        """
        if self.n_rows < FEWEST_ROWS:
            return Estimate(None, None, None)
        i, j, k = map(self._index, (a, b, given))
        estimate, *drawn = (
            _partial(rhos[..., i, j], rhos[..., i, k], rhos[..., j, k])
            for rhos in (self.rhos, self.draws)
        )
        return self._estimate(float(estimate), drawn[0])

    def change(self, a: str, before: str, to: str) -> Estimate:
        """Return rho of `a` with `to`, less rho of `before` with `to`; the resamples are paired."""
        i, j, k = map(self._index, (a, before, to))
        return self._estimate(
            self.rhos[i, k] - self.rhos[j, k], self.draws[:, i, k] - self.draws[:, j, k]
        )

    def change_in_size(self, a: str, before: str, to: str) -> Estimate:
        """Return |rho| of `a` with `to`, less |rho| of `before` with `to`, resampled likewise."""
        i, j, k = map(self._index, (a, before, to))
        sizes, drawn = np.abs(self.rhos), np.abs(self.draws)
        return self._estimate(sizes[i, k] - sizes[j, k], drawn[:, i, k] - drawn[:, j, k])

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise InputError(f"unknown column {quoted(name)}: {nearest(name, self.names)}")
        return self.names.index(name)

    def _estimate(self, value: float, draws: _Array) -> Estimate:
        defined = draws[np.isfinite(draws)]
        if not np.isfinite(value):
            return Estimate(None, None, None)
        if not len(defined):
            return Estimate(float(value), None, None)
        outside = (1 - self.confidence) / 2
        low, high = np.quantile(defined, [outside, 1 - outside])
        return Estimate(float(value), float(low), float(high))


def rank_matrix(
    columns: Mapping[str, FloatArray],
    *,
    n_draws: int = N_DRAWS,
    confidence: float = 0.95,
    seed: int = 0,
) -> RankMatrix:
    """Correlate every two columns by rank, ties by average rank.

    Args:
        columns: Numbers by name, each of shape (N,), N >= 2.
        n_draws: Resamples of the rows, drawn with replacement; fewer than 4 rows draw none.
        confidence: Of the percentile intervals, in (0, 1).
        seed: Random seed.

    Raises:
        InputError: Fewer than two rows, lengths that differ, or values that are not finite.
    """
    values = [np.asarray(column, np.float64) for column in columns.values()]
    n_rows = len(values[0])
    if n_rows < 2 or any(each.shape != (n_rows,) for each in values):
        shapes = ", ".join(str(each.shape) for each in values)
        raise InputError(f"columns need one length, at least 2, to be correlated: got {shapes}")
    if not all(np.isfinite(each).all() for each in values):
        raise InputError("columns must hold finite numbers to be correlated")
    rhos = _correlate(np.array([average_ranks(each) for each in values]))
    if n_rows < FEWEST_ROWS:
        return RankMatrix(tuple(columns), n_rows, confidence, rhos, np.empty((0, *rhos.shape)))
    draws = np.ones((n_draws, len(values), len(values)))
    everything = [Stratum(np.arange(n_rows), 1.0)]
    for i, column in enumerate(values):
        context.report(i, len(values), "columns")
        stream = PairedBootstrap(values, column, everything, seed=seed)
        draws[:, i, :] = stream.draw(n_draws)
    context.report(len(values), len(values), "columns")
    return RankMatrix(tuple(columns), n_rows, confidence, rhos, draws)


def _correlate(ranks: _Array) -> _Array:
    """Return Pearson's r of every two rows, shape (C, C); NaN where a row is constant."""
    less = ranks - ranks.mean(axis=1, keepdims=True)
    products = less @ less.T
    spread = np.sqrt(np.diag(products))
    below = np.outer(spread, spread)
    rhos: _Array = np.divide(products, below, out=np.full_like(products, np.nan), where=below > 0)
    return rhos


def _partial(ab: _Array, ac: _Array, bc: _Array) -> _Array:
    """Return the partial correlation; NaN where the third column decides one of the two."""
    left = (1 - np.square(ac)) * (1 - np.square(bc))
    above = ab - ac * bc
    unknown = np.full_like(left, np.nan)
    partial: _Array = np.divide(above, np.sqrt(left), out=unknown, where=left > 1e-12)
    return np.clip(partial, -1.0, 1.0)  # rounding may lead beyond
