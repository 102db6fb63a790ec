"""Calibrators that make each feature Gaussian, either as it is or after rotations.

A monotone, piecewise linear map takes the empirical quantiles of each feature to normal quantiles.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtri

from bertflow_core import Moments
from bertflow_core.arrays.rounding import varying
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import Calibrator
from bertflow_core.calibrators.base import check_varies, left_unscaled, too_few
from bertflow_core.params import param, same_param
from bertflow_core.runtime import context

STEEPEST = 1e3
"""Largest slope of a map, in units of 1 / standard deviation; it would be infinite at ties."""


@dataclass(frozen=True)
class MarginalMaps:
    r"""An increasing, piecewise linear map z_j = g_j(x_j) of each feature onto the whole line.

    Between its Q ascending knots, shape (Q, D), g_j joins the points :math:`(x_q, \Phi^{-1}((q -
    1/2) / Q))`. Beyond them it continues with slope 1 / standard deviation, so that the tails are
    Gaussian. The density :math:`\phi(g(x)) g'(x)` therefore integrates to 1.
    """

    knots: FloatArray  # where the linear pieces meet, ascending, shape (Q, D)
    scale: FloatArray  # standard deviations (1 for a constant feature), shape (D,)

    def forward(self, X: FloatArray) -> FloatArray:
        """Return z, shape (N, D), for rows X, shape (N, D)."""
        columns, levels = _columns(X), normal_levels(len(self.knots))
        for x, knots, scale in zip(columns, _columns(self.knots), self.scale, strict=True):
            x[:] = np.interp(x, knots, levels) + _beyond(x, knots) / scale
        return columns.T

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Return x, shape (N, D), for rows Z, shape (N, D)."""
        columns, levels = _columns(Z), normal_levels(len(self.knots))
        for z, knots, scale in zip(columns, _columns(self.knots), self.scale, strict=True):
            z[:] = np.interp(z, levels, knots) + _beyond(z, levels) * scale
        return columns.T

    def log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        """Return the sum of log g_j'(x_j) over the features, shape (N,), for rows X (N, D)."""
        rise = np.diff(normal_levels(len(self.knots)))
        tail = 1 / self.scale[:, None]
        slopes = np.concatenate([tail, rise / np.diff(self.knots.T, axis=1), tail], axis=1)
        total = np.zeros(len(X))
        for x, knots, logs in zip(_columns(X), _columns(self.knots), np.log(slopes), strict=True):
            total += logs[knots.searchsorted(x)]
        return total


def fit_marginals(X: FloatArray, n_quantiles: int, precision: str) -> tuple[MarginalMaps, int]:
    """Fit the map of each feature to rows, (N, D), N >= 2; also count the constant features.

    A feature that varies by no more than the rounding error of `precision` is constant: it is
    centred but not scaled. At least 2 and at most N / 2 quantiles are used. With a knot at every
    row, rounding would determine the slopes.
    """
    columns, n = _columns(X), len(X)
    mean, deviation = columns.mean(axis=1), columns.std(axis=1)
    constant = ~varying(mean, deviation**2, precision)
    scale = np.where(constant, 1.0, deviation)
    columns.sort(axis=1)
    q = max(2, min(n_quantiles, n // 2))
    levels = normal_levels(q)
    place = (np.arange(q) + 0.5) / q * n - 0.5  # rank of each quantile, by Hazen's rule
    below = np.clip(place.astype(int), 0, n - 2)
    share = (place - below)[:, None]
    quantiles = (1 - share) * columns.T[below] + share * columns.T[below + 1]
    knots = np.where(constant, mean + levels[:, None], quantiles)
    # Knots must not be closer than the steepest slope allows. The least-squares approximation by
    # such knots puts equal values in the middle of their levels.
    least = levels[:, None] * scale / STEEPEST
    excess = knots - least
    for j in np.flatnonzero((np.diff(excess, axis=0) < 0).any(axis=0)):
        from scipy.optimize import isotonic_regression  # late: equal values are rare

        excess[:, j] = isotonic_regression(excess[:, j]).x
    knots = excess + least
    return MarginalMaps(knots, scale), int(constant.sum())


def normal_levels(q: int) -> FloatArray:
    """Return the normal quantiles of (1/2, 3/2, ..., q - 1/2) / q, shape (q,)."""
    return ndtri((np.arange(q) + 0.5) / q)


def _columns(X: FloatArray) -> FloatArray:
    """Return a copy of X (N, D) with each feature contiguous in memory, shape (D, N)."""
    return np.array(X.T, dtype=np.float64, order="C")


def _beyond(x: FloatArray, knots: FloatArray) -> FloatArray:
    """Return how far each x, shape (N,), is below the first knot (negative) or above the last."""
    beyond: FloatArray = x - x.clip(knots[0], knots[-1])
    return beyond


@dataclass(eq=False, repr=False)
class Gaussianize(Calibrator):
    """Map each feature to a standard normal through its empirical quantiles.

    The map is increasing and piecewise linear between the quantiles' knots, with Gaussian tails
    beyond them (see `MarginalMaps`). It is therefore invertible on the whole line. A constant
    feature is centred but not scaled.

    Attributes:
        knots_: Where the linear pieces meet, ascending, shape (Q, D).
        scale_: Standard deviation (1 for a constant feature), shape (D,).

    Example:
        >>> import numpy as np
        >>> from scipy.stats import skew
        >>> from gaussianization import Gaussianize
        >>> x = np.random.default_rng(0).exponential(size=(1000, 2))
        >>> z = Gaussianize().fit_transform(x)
        >>> bool(skew(x).min() > 1.5), bool(np.abs(skew(z)).max() < 0.3)
        (True, True)
    """

    name = "gaussianize"
    plain = "make each feature Gaussian"
    formula = "g_j(x_j), which maps each feature's quantiles to normal quantiles"
    source = "Chen and Gopinath 2000"
    url = "https://papers.nips.cc/paper/2000/hash/3c947bc2f7ff007b86a9428b74654de5-Abstract.html"
    invertible = "yes"
    density = "yes, independent features"
    keeps_features = True
    _fitted: ClassVar[dict[str, str]] = {"knots_": "QD", "scale_": "D"}

    n_quantiles: int = param(
        100, "Knots per feature, at most half the number of sentences.", low=2, high=10_000
    )

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        maps, n_constant = fit_marginals(X, self.n_quantiles, precision)
        check_varies(self.name, X.shape[1] - n_constant)
        self.knots_, self.scale_ = maps.knots, maps.scale
        return left_unscaled(n_constant)

    @property
    def _maps(self) -> MarginalMaps:
        return MarginalMaps(self.knots_, self.scale_)

    def _transform(self, X: FloatArray) -> FloatArray:
        return self._maps.forward(X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return self._maps.inverse(Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return self._maps.log_abs_det_jacobian(X)


@dataclass(eq=False, repr=False)
class RBIG(Calibrator):
    """Make each feature Gaussian, rotate, and repeat: iterative Gaussianization.

    Each layer is `Gaussianize`'s map, then a rotation R: z = R g(x). With more layers the
    embeddings approach a standard normal, without gradient descent. A direction without variance is
    left unscaled in its layer.

    Attributes:
        knots_: Where the linear pieces meet, ascending, shape (L, Q, D).
        scale_: Standard deviation (1 for a constant feature), shape (L, D).
        rotations_: Orthonormal columns, shape (L, D, D).

    Example:
        >>> import numpy as np
        >>> from gaussianization import RBIG
        >>> x = np.random.default_rng(0).exponential(size=(500, 2))
        >>> rbig = RBIG(n_layers=3).fit(x)
        >>> bool(np.allclose(rbig.inverse_transform(rbig.transform(x)), x))
        True
    """

    name = "rbig"
    plain = "iterative Gaussianization"
    formula = "R_L g_L( ... R_1 g_1(x)), quantile maps and rotations in turn"
    source = "Laparra et al. 2011"
    url = "https://arxiv.org/abs/1602.00229"
    invertible = "yes"
    density = "yes"
    _fitted: ClassVar[dict[str, str]] = {"knots_": "LQD", "scale_": "LD", "rotations_": "LDD"}

    n_layers: int = param(5, "Layers, each a quantile map and a rotation.", low=1, high=100)
    rotation: str = param(
        "pca", "Rotation by principal directions or at random.", choices=("pca", "random")
    )
    n_quantiles: int = same_param(Gaussianize, "n_quantiles")
    seed: int = param(0, "Seed of random rotations.", low=0)

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        draws = np.random.default_rng(self.seed)
        layers: list[tuple[FloatArray, ...]] = []
        n_constant = 0
        for number in range(self.n_layers):
            maps, n_empty = fit_marginals(X, self.n_quantiles, precision)
            check_varies(self.name, X.shape[1] - n_empty)
            Z = maps.forward(X)
            rotation = self._rotation(Z, draws)
            X = Z @ rotation
            layers.append((maps.knots, maps.scale, rotation))
            n_constant = max(n_constant, n_empty)
            context.report(number + 1, self.n_layers, "layers")
        self.knots_, self.scale_, self.rotations_ = map(np.stack, zip(*layers, strict=True))
        notes = (f"up to {n_constant} directions have no variance",) if n_constant else ()
        return (*notes, *too_few(*X.shape))

    def _rotation(self, Z: FloatArray, draws: np.random.Generator) -> FloatArray:
        """Return the principal axes of rows `Z`, (N, D), or a random orthogonal matrix, (D, D)."""
        if self.rotation == "pca":
            return Moments.of(Z).principal[1]
        q, r = np.linalg.qr(draws.standard_normal((Z.shape[1], Z.shape[1])))
        return q * np.sign(np.diag(r))  # QR alone is not uniform (Mezzadri, 2007)

    @property
    def _layers(self) -> list[tuple[MarginalMaps, FloatArray]]:
        fitted = zip(self.knots_, self.scale_, self.rotations_, strict=True)
        return [(MarginalMaps(knots, scale), rotation) for knots, scale, rotation in fitted]

    def _transform(self, X: FloatArray) -> FloatArray:
        for maps, rotation in self._layers:
            X = maps.forward(X) @ rotation
        return X

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        for maps, rotation in reversed(self._layers):
            Z = maps.inverse(Z @ rotation.T)
        return Z

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        total = np.zeros(len(X))
        for maps, rotation in self._layers:
            total += maps.log_abs_det_jacobian(X)
            X = maps.forward(X) @ rotation
        return total
