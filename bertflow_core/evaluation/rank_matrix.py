"""Spearman's rho of every two columns, with intervals from the same resamples."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.comparison import Comparison
from bertflow_core.evaluation.metrics import Stratum
from bertflow_core.evaluation.significance import interval_of
from bertflow_core.runtime import context

N_MATRIX_DRAWS = 2_000  # resamples for the intervals of correlations that are not tested
_FEWEST_ROWS = 4  # smallest number of rows for a partial correlation and a meaningful interval


@dataclass(frozen=True)
class Estimate:
    """A number in units of rho with its 95 % interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval lies on that side of 0, else 0."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return 0
        return 1 if self.low > 0 else -1


@dataclass(frozen=True, eq=False)
class RankMatrix:
    """Rho between C columns, on N rows and on B resamples of these rows."""

    names: tuple[str, ...]  # of the C columns
    n_rows: int  # N
    rhos: npt.NDArray[np.float64] = field(repr=False)  # shape (C, C); NaN for a constant column
    draws: npt.NDArray[np.float64] = field(repr=False)  # on resamples, shape (B, C, C)

    def rho(self, a: str, b: str) -> Estimate:
        """Return rho of two columns."""
        return self._estimate(*self._of(a, b))

    def partial(self, a: str, b: str, given: str) -> Estimate:
        """Return the partial rank correlation of two columns, controlling for a third.

        It is (r_ab - r_ac r_bc) / sqrt((1 - r_ac^2) (1 - r_bc^2)) of ranks (Kendall, 1942,
        https://doi.org/10.1093/biomet/32.3-4.277). It is undefined on fewer than 4 rows; on three
        it is always 1 or -1.
        """
        if self.n_rows < _FEWEST_ROWS:
            return Estimate(None, None, None)
        sides = [self._of(*two) for two in ((a, b), (a, given), (b, given))]
        return self._estimate(*(_partial(*each) for each in zip(*sides, strict=True)))

    def change(self, a: str, before: str, to: str, *, of_size: bool = False) -> Comparison:
        """Compare rho (or |rho|) of `a` and `to` with that of `before` and `to`, without a test."""
        old, new = self._of(before, to), self._of(a, to)
        if of_size:
            old, new = (abs(old[0]), abs(old[1])), (abs(new[0]), abs(new[1]))
        ends = self._estimate(new[0] - old[0], new[1] - old[1])
        values = [float(each[0]) if np.isfinite(each[0]) else None for each in (old, new)]
        return Comparison(values[0], values[1], ends.low, ends.high)

    def _of(self, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """Return rho of two columns on the rows, shape (), and on the resamples, shape (B,)."""
        # Sorted, so that both orders give identical numbers.
        i, j = sorted((self.names.index(a), self.names.index(b)))
        return self.rhos[i, j], self.draws[:, i, j]

    def _estimate(self, value: FloatArray, draws: FloatArray) -> Estimate:
        if not np.isfinite(value):
            return Estimate(None, None, None)
        if not np.isfinite(draws).any():
            return Estimate(float(value), None, None)
        ends = interval_of(draws)
        return Estimate(float(value), ends.low, ends.high)


def rank_matrix(
    columns: Mapping[str, FloatArray], *, n_draws: int = N_MATRIX_DRAWS, seed: int = 0
) -> RankMatrix:
    """Correlate every two columns of N >= 2 numbers by rank; resample the rows if N >= 4."""
    values = [np.asarray(column, np.float64) for column in columns.values()]
    n_rows, n_columns = len(values[0]), len(values)
    if n_rows < 2:
        raise InputError(f"a correlation needs at least 2 rows, got {n_rows}")
    rhos = np.array([[spearman(a, b) for b in values] for a in values], np.float64)
    if n_rows < _FEWEST_ROWS:
        n_draws = 0
    draws = np.ones((n_draws, n_columns, n_columns))
    everything = [Stratum(np.arange(n_rows), 1.0)]
    for i, column in enumerate(values if n_draws else ()):
        context.report(i, n_columns, "columns")
        draws[:, i, :] = PairedBootstrap(values, column, everything, seed=seed).draw(n_draws)
    context.report(n_columns, n_columns, "columns")
    return RankMatrix(tuple(columns), n_rows, rhos, draws)


def _partial(ab: FloatArray, ac: FloatArray, bc: FloatArray) -> FloatArray:
    """Return the partial correlation; NaN where the third column determines one of the two."""
    left = (1 - np.square(ac)) * (1 - np.square(bc))
    unknown = np.full_like(left, np.nan)
    partial: FloatArray = np.divide(ab - ac * bc, np.sqrt(left), out=unknown, where=left > 1e-12)
    return np.clip(partial, -1.0, 1.0)  # rounding may exceed 1
