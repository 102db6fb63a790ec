"""Calibrators in closed form: identity, standardization, null-top-k and whitening.

A layer's covariance has directions without variance: LayerNorm's output obeys one linear
constraint, and some encoders have dead features. Nothing here divides by such a variance.
"""

from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.errors import InputError
from bertflow_core.numerics import SCALE_FLOOR, VARIANCE_FLOOR, FloatArray
from bertflow_core.progress import Progress

__all__ = ["Identity", "NullTopK", "Standardize", "Whiten", "covariance", "principal_directions"]


class Identity(Calibrator):
    """Leave embeddings as they are: the baseline of every comparison."""

    name = "identity"

    def _fit(self, X: FloatArray, progress: Progress) -> tuple[str, ...]:
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return X.copy()

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z.copy()

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.zeros(len(X))


class Standardize(Calibrator):
    """Give each feature mean 0 and standard deviation 1.

    A feature whose standard deviation is below 1e-6 of the largest is constant: it is centred and
    left unscaled.

    Attributes:
        mean_: shape (D,).
        scale_: Standard deviation (1 for a constant feature), shape (D,).

    References:
        All Bark and No Bite (Timkey and van Schijndel, 2021), https://arxiv.org/abs/2109.04404.
    """

    name = "standardize"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "scale_": ("D",)}

    mean_: FloatArray
    scale_: FloatArray

    def _fit(self, X: FloatArray, progress: Progress) -> tuple[str, ...]:
        self.mean_ = X.mean(axis=0, dtype=np.float64)
        deviation = np.asarray(X, np.float64).std(axis=0)
        constant = deviation <= SCALE_FLOOR * deviation.max()
        self.scale_ = np.where(constant, 1.0, deviation)
        if not constant.any():
            return ()
        return (f"{constant.sum()} constant features are left unscaled",)

    def _transform(self, X: FloatArray) -> FloatArray:
        return (X - self.mean_) / self.scale_

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z * self.scale_ + self.mean_

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), -np.log(self.scale_).sum())


class NullTopK(Calibrator):
    """Remove the mean, then the projection on the k leading principal directions.

    The NATSV baseline of Li et al. (2020), Table 5; the mean is removed first.

    Args:
        k: Directions to remove, 0 <= k < D.

    Attributes:
        mean_: shape (D,).
        directions_: Orthonormal columns, shape (D, k).

    References:
        All-but-the-Top (Mu and Viswanath, 2018), https://arxiv.org/abs/1702.01417.
    """

    name = "null-top-k"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "directions_": ("D", "k")}

    mean_: FloatArray
    directions_: FloatArray

    def __init__(self, k: int = 1) -> None:
        self.k = k

    def _fit(self, X: FloatArray, progress: Progress) -> tuple[str, ...]:
        if self.k >= X.shape[1]:
            raise InputError(
                f"k must be below the number of features ({X.shape[1]}), got {self.k}: nothing "
                "would be left"
            )
        self.mean_, matrix = covariance(X)
        self.directions_ = principal_directions(matrix)[1][:, : self.k]
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        centred = X - self.mean_
        return centred - (centred @ self.directions_) @ self.directions_.T

    def why_not_invertible(self) -> str | None:
        """Say how many directions are removed."""
        if self.k == 0:
            return None
        return f"the parts of an embedding along {self.k} directions are removed"

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z + self.mean_  # reached with k = 0 only

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.zeros(len(X))


class Whiten(Calibrator):
    """Rotate to principal directions and give each variance 1.

    Directions whose variance is below 1e-6 of the largest carry rounding noise; they are dropped,
    and `notes_` says how many.

    Args:
        n_components: Leading directions to keep; None keeps all that have variance.
        shrinkage: s in (1 - s) C + s (trace C / D) I, from 0 to 1; above 0 it makes a covariance
            from fewer sentences than features usable.

    Attributes:
        mean_: shape (D,).
        directions_: Orthonormal columns, shape (D, K).
        variances_: Variance along each direction, after shrinkage, shape (K,).

    References:
        Whitening Sentence Representations for Better Semantics and Faster Retrieval (Su et al.,
        2021), Algorithm 1, https://arxiv.org/abs/2103.15316.
    """

    name = "whiten"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {
        "mean_": ("D",),
        "directions_": ("D", "K"),
        "variances_": ("K",),
    }

    mean_: FloatArray
    directions_: FloatArray
    variances_: FloatArray

    def __init__(self, n_components: int | None = None, shrinkage: float = 0.0) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _fit(self, X: FloatArray, progress: Progress) -> tuple[str, ...]:
        n_rows, n_features = X.shape
        if self.n_components is not None and self.n_components > n_features:
            raise InputError(
                f"n_components must be at most the number of features ({n_features}), "
                f"got {self.n_components}"
            )
        self.mean_, matrix = covariance(X)
        variances, directions = principal_directions(matrix)
        variances = (1 - self.shrinkage) * variances + self.shrinkage * variances.mean()
        if variances[0] <= 0:
            raise InputError("all sentences have one embedding: whitening needs some variance")
        rank = int((variances > VARIANCE_FLOOR * variances[0]).sum())
        kept = min(rank, self.n_components or n_features)
        self.directions_, self.variances_ = directions[:, :kept], variances[:kept]
        return tuple(self._remarks(n_rows, n_features, rank, kept))

    def _remarks(self, n_rows: int, n_features: int, rank: int, kept: int) -> list[str]:
        remarks = []
        if rank < n_features:
            remarks.append(f"{n_features - rank} of {n_features} directions have no variance")
        if kept < (self.n_components or 0):
            remarks.append(f"{kept} of the {self.n_components} directions asked for are kept")
        if n_rows <= n_features and self.shrinkage == 0:
            remarks.append(
                f"{n_rows} sentences do not determine {n_features} variances: fit on more "
                "sentences or set shrinkage above 0"
            )
        return remarks

    def _transform(self, X: FloatArray) -> FloatArray:
        return ((X - self.mean_) @ self.directions_) / np.sqrt(self.variances_)

    def why_not_invertible(self) -> str | None:
        """Say how many directions are dropped."""
        kept = len(self.variances_)
        if kept == self.n_features_in_:
            return None
        return f"{self.n_features_in_ - kept} of {self.n_features_in_} directions are dropped"

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return (Z * np.sqrt(self.variances_)) @ self.directions_.T + self.mean_

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), -0.5 * np.log(self.variances_).sum())


def covariance(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean, shape (D,), and the covariance (over N - 1), shape (D, D), in float64."""
    mean: FloatArray = X.mean(axis=0, dtype=np.float64)
    centred = X - mean
    matrix: FloatArray = centred.T @ centred / (len(X) - 1)
    return mean, matrix


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, falling, shape (D,), and eigenvectors as columns.

    The largest component of each vector is positive, so that a refit gives equal signs.
    """
    variances, directions = np.linalg.eigh(matrix)
    variances, directions = variances[::-1].clip(min=0.0), directions[:, ::-1]
    largest = np.take_along_axis(directions, np.abs(directions).argmax(0, keepdims=True), axis=0)
    return variances, directions * np.where(largest < 0, -1.0, 1.0)
