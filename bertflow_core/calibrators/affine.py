"""The map z = (x - m) A in its three forms; the calibrators `identity` and `standardize`.

With the covariance C = U L U^T, its eigenvalues falling, A is a diagonal (`standardize`),
I - U_k U_k^T (the removals) or U L^(-1/2) (the whitenings). LayerNorm and dead features leave
directions of a layer without variance: nothing divides by it.
"""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from bertflow_core.calibrators.base import Calibrator, left_unscaled
from bertflow_core.linalg import SCALE_FLOOR, FloatArray, in_blocks
from bertflow_core.moments import Moments
from bertflow_core.wording import counted

__all__ = [
    "Affine",
    "AffineCalibrator",
    "Identity",
    "Removal",
    "Rotation",
    "Scaling",
    "Standardize",
]

_ROWS_AT_ONCE = 2048


@dataclass(frozen=True)
class Scaling:
    """z = (x - m) / s, feature by feature: A = diag(1 / s); mean m and scale s, shape (D,)."""

    mean: FloatArray
    scale: FloatArray
    lost: ClassVar[None] = None

    @property
    def log_det(self) -> float:
        """Minus the sum of log s_j."""
        return -float(np.log(self.scale).sum())

    def forward(self, X: FloatArray) -> FloatArray:
        """Return z."""
        return in_blocks(lambda rows: (rows - self.mean) / self.scale, X)

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Return x."""
        return in_blocks(lambda rows: rows * self.scale + self.mean, Z)


@dataclass(frozen=True)
class Removal:
    """z = (x - m) (I - U U^T), with the orthonormal columns U, shape (D, k), of `directions`."""

    mean: FloatArray
    directions: FloatArray
    log_det: ClassVar[float] = 0.0  # of what has an inverse: nothing is removed then

    @property
    def lost(self) -> str | None:
        """How many directions are removed."""
        k = self.directions.shape[1]
        along = counted(k, "direction")
        return f"the parts of an embedding along {along} are removed" if k else None

    def forward(self, X: FloatArray) -> FloatArray:
        """Return z, computed in the precision of the rows."""
        mean, directions = self.mean.astype(X.dtype), self.directions.astype(X.dtype)

        def of(rows: FloatArray) -> FloatArray:
            less = rows - mean
            less -= (less @ directions) @ directions.T
            return less

        return in_blocks(of, X)

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Return x."""
        return Z + self.mean


@dataclass(frozen=True)
class Rotation:
    """z = (x - m) U diag(1 / s), then U^T where it is turned back to the features.

    Args:
        mean: m, shape (D,).
        directions: U, orthonormal columns, shape (D, K).
        scale: s, shape (K,).
        turned_back: Whether z is U s^-1 U^T (x - m), of shape (N, D).
    """

    mean: FloatArray
    directions: FloatArray
    scale: FloatArray
    turned_back: bool = False

    @property
    def log_det(self) -> float:
        """Minus the sum of log s_j: a rotation keeps volumes."""
        return -float(np.log(self.scale).sum())

    @property
    def lost(self) -> str | None:
        """How many directions are dropped."""
        n_features, kept = self.directions.shape
        if kept == n_features:
            return None
        return f"{n_features - kept} of {n_features} directions are dropped"

    def forward(self, X: FloatArray) -> FloatArray:
        """Return z, multiplied in the precision of the rows."""
        matrix = self.directions / self.scale
        if self.turned_back:
            matrix = matrix @ self.directions.T
        mean, factors = self.mean.astype(X.dtype), matrix.astype(X.dtype)
        rounded = ((self.mean - mean) @ matrix).astype(X.dtype)  # off the mean
        return in_blocks(lambda rows: (rows - mean) @ factors - rounded, X, n_rows=_ROWS_AT_ONCE)

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Return x."""
        if self.turned_back:
            Z = Z @ self.directions
        return (Z * self.scale) @ self.directions.T + self.mean


Affine: TypeAlias = Scaling | Removal | Rotation
"""Each with `forward`, and where nothing is `lost` with `inverse` and log|det A|, `log_det`."""


class AffineCalibrator(Calibrator):
    """A calibrator that is z = (x - m) A; a subclass fits its arrays and puts the map together."""

    @property
    def affine(self) -> Affine:
        """The fitted map."""
        raise NotImplementedError

    def why_not_invertible(self) -> str | None:
        """Say what the fitted map discards, or return None where it is a bijection."""
        return self.affine.lost

    def _transform(self, X: FloatArray) -> FloatArray:
        return self.affine.forward(X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return self.affine.inverse(Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), self.affine.log_det)


class Identity(AffineCalibrator):
    """Leave embeddings as they are: the baseline of every comparison.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Identity
        >>> x = np.array([[1.0, 2.0], [3.0, 4.0]])
        >>> bool((Identity().fit_transform(x) == x).all())
        True
    """

    name = "identity"
    plain = "no calibration"
    formula = "x"
    source = "baseline"
    invertible = "yes"
    offered = ()
    keeps_features = True

    @property
    def affine(self) -> Scaling:
        """The map."""
        return Scaling(np.zeros(1), np.ones(1))

    def _moments_of(self, X: FloatArray) -> Moments:
        return Moments.of(X, diagonal=True)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return X.copy()


class Standardize(AffineCalibrator):
    """Give each feature mean 0 and standard deviation 1.

    A feature whose standard deviation is below 1e-6 of the largest is constant: it is centred and
    left unscaled.

    Attributes:
        mean_: shape (D,).
        scale_: Standard deviation (1 for a constant feature), shape (D,).

    References:
        All Bark and No Bite (Timkey and van Schijndel, 2021), https://arxiv.org/abs/2109.04404.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Standardize
        >>> Standardize().fit_transform(np.array([[0.0, 1.0], [2.0, 5.0]])).tolist()
        [[-1.0, -1.0], [1.0, 1.0]]
    """

    name = "standardize"
    plain = "subtract the mean and divide by the standard deviation"
    formula = "(x - mean) / standard deviation, feature by feature"
    source = "Li et al. 2020 (SN); Timkey and van Schijndel 2021"
    url = "https://arxiv.org/abs/2109.04404"
    invertible = "yes"
    density = "Gaussian, independent features"
    keeps_features = True
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "scale_": ("D",)}

    def _moments_of(self, X: FloatArray) -> Moments:
        return Moments.of(X, diagonal=True)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        deviation = np.sqrt(moments.variances)
        constant = deviation <= SCALE_FLOOR * deviation.max()
        self.mean_, self.scale_ = moments.mean, np.where(constant, 1.0, deviation)
        return left_unscaled(int(constant.sum()))

    @property
    def affine(self) -> Scaling:
        """The fitted map."""
        return Scaling(self.mean_, self.scale_)
