"""Monotone maps of single features to the normal, through their empirical quantiles."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from bertflow_core.linalg import SCALE_FLOOR, FloatArray

__all__ = ["MarginalMaps", "fit_marginals"]

STEEPEST = 1e3
"""Largest slope of a map, in units of 1 / standard deviation; equal values would ask for more."""

ROUNDING = 1e-10
"""Standard deviation, as a share of the mean, below which knots would fall on one number."""


@dataclass(frozen=True)
class MarginalMaps:
    r"""An increasing, piecewise linear map z_j = g_j(x_j) of each feature onto the whole line.

    Between its Q knots g_j joins the points :math:`(x_q, \Phi^{-1}((q - 1/2) / Q))`; beyond the
    outermost knots it goes on with slope 1 / standard deviation, so that the tails are Gaussian.
    The density :math:`\phi(g(x)) g'(x)` therefore integrates to 1.

    Args:
        knots: x_q of each feature, rising, shape (Q, D).
        scale: Standard deviation (1 for a constant feature), shape (D,).
    """

    knots: FloatArray
    scale: FloatArray

    def forward(self, X: FloatArray) -> FloatArray:
        """Return z, shape (N, D), for rows X, shape (N, D)."""
        columns = _columns(X)
        levels = normal_levels(len(self.knots))
        for x, knots, slopes in zip(columns, _columns(self.knots), self._slopes(), strict=True):
            x[:] = _on_line(x, knots.searchsorted(x), knots, slopes, levels)
        return columns.T

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Return x, shape (N, D), for rows Z, shape (N, D)."""
        columns = _columns(Z)
        levels = normal_levels(len(self.knots))
        for z, knots, slopes in zip(columns, _columns(self.knots), self._slopes(), strict=True):
            z[:] = _on_line(z, levels.searchsorted(z), levels, 1 / slopes, knots)
        return columns.T

    def log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        """Return the sum of log g_j'(x_j) over the features, shape (N,), for rows X (N, D)."""
        total = np.zeros(len(X))
        features = zip(_columns(X), _columns(self.knots), np.log(self._slopes()), strict=True)
        for x, knots, log_slopes in features:
            total += log_slopes[knots.searchsorted(x)]
        return total

    def _slopes(self) -> FloatArray:
        """Return the slope of each piece, tails first and last, shape (D, Q + 1)."""
        rise = np.diff(normal_levels(len(self.knots)))
        tail = 1 / self.scale[:, None]
        return np.concatenate([tail, rise / np.diff(self.knots.T, axis=1), tail], axis=1)


def fit_marginals(X: FloatArray, n_quantiles: int) -> tuple[MarginalMaps, int]:
    """Return each feature's map, and how many features are constant.

    A feature whose standard deviation is below 1e-6 of the largest, or is no more than rounding
    beside its mean, is constant: it is centred and left unscaled.

    Args:
        X: Rows, shape (N, D), N >= 2.
        n_quantiles: Q, at most N / 2, and at least 2: knots on the rows themselves would leave the
            slope there to rounding.
    """
    columns = _columns(X)
    mean, deviation = columns.mean(axis=1), columns.std(axis=1)
    constant = deviation <= np.maximum(SCALE_FLOOR * deviation.max(), ROUNDING * np.abs(mean))
    scale = np.where(constant, 1.0, deviation)
    columns.sort(axis=1)
    q = max(2, min(n_quantiles, len(X) // 2))
    levels = normal_levels(q)
    knots = np.where(constant, mean + levels[:, None], _quantiles(columns, q))
    # Knots may not lie closer than the steepest slope allows: later ones are pushed to the right.
    least = levels[:, None] * scale / STEEPEST
    knots = np.maximum.accumulate(knots - least, axis=0) + least
    return MarginalMaps(knots, scale), int(constant.sum())


def normal_levels(q: int) -> FloatArray:
    """Return the normal quantiles of (1/2, 3/2, ..., q - 1/2) / q, shape (q,)."""
    levels: FloatArray = ndtri((np.arange(q) + 0.5) / q)
    return levels


def _quantiles(columns: FloatArray, q: int) -> FloatArray:
    """Return q quantiles of each sorted row of `columns` (D, N), by Hazen's rule, shape (q, D)."""
    n = columns.shape[1]
    place = (np.arange(q) + 0.5) / q * n - 0.5
    below = np.clip(place.astype(int), 0, n - 2)
    share = (place - below)[:, None]
    quantiles: FloatArray = (1 - share) * columns.T[below] + share * columns.T[below + 1]
    return quantiles


def _columns(X: FloatArray) -> FloatArray:
    """Return a copy of X (N, D) with each feature in one piece of memory, shape (D, N)."""
    return np.array(X.T, dtype=np.float64, order="C")


def _on_line(
    x: FloatArray,
    piece: npt.NDArray[np.intp],
    start: FloatArray,
    slopes: FloatArray,
    value: FloatArray,
) -> FloatArray:
    """Return the value of each x, shape (N,), on its piece's line.

    The line of piece i, whose slope is `slopes[i]`, runs through knot i - 1, the one on its left;
    the first one, which has none, through the knot on its right.
    """
    left = np.maximum(np.arange(len(slopes)) - 1, 0)
    line: FloatArray = value[left][piece] + slopes[piece] * (x - start[left][piece])
    return line
