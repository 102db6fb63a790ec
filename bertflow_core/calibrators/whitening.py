"""Calibrators that even out the variances along the principal directions.

A layer's covariance has directions without variance: LayerNorm's output obeys one linear
constraint, and some encoders have dead features. Nothing here divides by such a variance.
"""

from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.from_moments import FromMoments
from bertflow_core.calibrators.notes import FIT_ON_MORE, TooFew
from bertflow_core.calibrators.options import SoftWhitenOptions, WhitenOptions
from bertflow_core.errors import InputError
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    in_blocks,
    principal_directions,
    row_blocks,
)
from bertflow_core.moments import Moments

__all__ = ["LedoitWolf", "SoftWhiten", "Whiten"]

_ROWS_AT_ONCE = 2048

_NOTED_SHARE = 0.01
"""Share of directions without variance from which a fit notes them."""


class _Whitening(Calibrator):
    """Rotate to principal directions and scale each.

    Directions whose variance is below 1e-6 of the largest carry rounding noise; they are dropped,
    and `notes_` counts them where they are 1 % of all or more. It is fitted in float64; rows are
    multiplied in their own precision.

    Attributes:
        mean_: shape (D,).
        directions_: Orthonormal columns, shape (D, K).
        variances_: Variance along each direction, after shrinkage, shape (K,).
    """

    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {
        "mean_": ("D",),
        "directions_": ("D", "K"),
        "variances_": ("K",),
    }

    mean_: FloatArray
    directions_: FloatArray
    variances_: FloatArray

    def _keep(
        self,
        mean: FloatArray,
        directions: FloatArray,
        variances: FloatArray,
        limit: int | None = None,
    ) -> int:
        """Keep the leading directions with variance, at most `limit`; return how many have any."""
        if variances[0] <= 0:
            raise InputError("all sentences have one embedding: whitening needs some variance")
        rank = int((variances > VARIANCE_FLOOR * variances[0]).sum())
        kept = min(rank, limit or rank)
        self.mean_, self.directions_ = mean, directions[:, :kept]
        self.variances_ = variances[:kept]
        return rank

    @property
    def _n_features_out(self) -> int:
        return len(self.variances_)

    @property
    def _scale(self) -> FloatArray:
        scale: FloatArray = np.sqrt(self.variances_)
        return scale

    @property
    def _matrix(self) -> FloatArray:
        """What centred rows are multiplied by, shape (D, K)."""
        matrix: FloatArray = self.directions_ / self._scale
        return matrix

    def _transform(self, X: FloatArray) -> FloatArray:
        matrix = self._matrix
        mean, factors = self.mean_.astype(X.dtype), matrix.astype(X.dtype)
        rounded = ((self.mean_ - mean) @ matrix).astype(X.dtype)  # off the mean
        return in_blocks(lambda rows: (rows - mean) @ factors - rounded, X, n_rows=_ROWS_AT_ONCE)

    def why_not_invertible(self) -> str | None:
        """Say how many directions are dropped."""
        kept = len(self.variances_)
        if kept == self.n_features_in_:
            return None
        return f"{self.n_features_in_ - kept} of {self.n_features_in_} directions are dropped"

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return (Z * self._scale) @ self.directions_.T + self.mean_

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), -np.log(self._scale).sum())


class Whiten(WhitenOptions, FromMoments, _Whitening):
    """Rotate to principal directions and give each variance 1.

    With shrinkage s the covariance is (1 - s) C + s (trace C / D) I, which makes one from fewer
    sentences than features usable.

    References:
        Whitening Sentence Representations for Better Semantics and Faster Retrieval (Su et al.,
        2021), Algorithm 1, https://arxiv.org/abs/2103.15316.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Whiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = Whiten(n_components=2).fit_transform(x)
        >>> np.abs(np.cov(z.T)).round(6).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """

    name = "whiten"

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        n_rows, n_features = moments.n, len(moments.mean)
        if self.n_components is not None and self.n_components > n_features:
            raise InputError(
                f"{self.name}: n_components must be at most the number of features ({n_features}), "
                f"got {self.n_components}"
            )
        variances, directions = principal_directions(moments.covariance)
        variances = _shrunk(variances, self.shrinkage)
        rank = self._keep(moments.mean, directions, variances, self.n_components)
        remarks = _remarks(rank, n_features)
        kept = len(self.variances_)
        if kept < (self.n_components or 0):
            remarks.append(f"{kept} of the {self.n_components} directions asked for are kept")
        if n_rows <= n_features and self.shrinkage == 0:
            remarks.append(
                TooFew(
                    f"{n_rows} sentences, repeated ones counted, are too few for {n_features} "
                    f"variances: {FIT_ON_MORE} "
                    "or set shrinkage above 0"
                )
            )
        return tuple(remarks)


class SoftWhiten(SoftWhitenOptions, FromMoments, _Whitening):
    """Even out the variances in part: (L + e I)^(-p/2) in the principal directions.

    With power 1 and eps 0 it is full whitening, by PCA or, turned back to the features, by ZCA;
    with power 0 it only centres (and rotates). A direction whose variance plus e is below 1e-6 of
    the largest is dropped, which only eps = 0 or a tiny eps can meet.

    Attributes:
        variances_: L + e along each direction, shape (K,).

    References:
        Isotropy Matters: Soft-ZCA Whitening of Embeddings for Semantic Code Search (Diera et al.,
        2024), https://arxiv.org/abs/2411.17538.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import SoftWhiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> spread = np.cov(SoftWhiten(eps=0.1).fit_transform(x).T)
        >>> bool(0.5 < np.linalg.eigvalsh(spread).min() and np.linalg.eigvalsh(spread).max() < 1)
        True
    """

    name = "soft-whiten"

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        variances, directions = principal_directions(moments.covariance)
        softened = variances + self.eps * variances.mean()
        rank = self._keep(moments.mean, directions, softened)
        return tuple(_remarks(rank, len(moments.mean)))

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self.rotation == "zca" else super()._n_features_out

    @property
    def _scale(self) -> FloatArray:
        scale: FloatArray = self.variances_ ** (self.power / 2)
        return scale

    @property
    def _matrix(self) -> FloatArray:
        matrix = super()._matrix
        return matrix @ self.directions_.T if self.rotation == "zca" else matrix

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        if self.rotation == "zca":
            Z = Z @ self.directions_
        return super()._inverse_transform(Z)


class LedoitWolf(_Whitening):
    """Whiten with the covariance shrunk to (trace S / D) I as far as the data themselves say.

    The shrinkage s minimises the expected squared error of (1 - s) S + s (trace S / D) I, where S
    is the covariance over N; it falls as sentences are added.

    Attributes:
        shrinkage_: s, from 0 to 1, shape ().

    References:
        A Well-Conditioned Estimator for Large-Dimensional Covariance Matrices (Ledoit and Wolf,
        2004), https://doi.org/10.1016/S0047-259X(03)00096-4.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import LedoitWolf
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> few, many = (float(LedoitWolf().fit(x[:n]).shrinkage_) for n in (10, 500))
        >>> many < few  # more sentences need less
        True
    """

    name = "ledoit-wolf"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {**_Whitening._fitted, "shrinkage_": ()}

    shrinkage_: FloatArray

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        moments = Moments.of(X)
        variances, directions = principal_directions(moments.m2 / moments.n)
        lengths = np.concatenate(
            [np.square(rows - moments.mean).sum(axis=1) for rows in row_blocks(X, _ROWS_AT_ONCE)]
        )
        shrinkage = _ledoit_wolf_shrinkage(variances, lengths)
        rank = self._keep(moments.mean, directions, _shrunk(variances, shrinkage))
        self.shrinkage_ = np.asarray(shrinkage)
        return tuple(_remarks(rank, X.shape[1]))


def _shrunk(variances: FloatArray, shrinkage: float) -> FloatArray:
    """Return the eigenvalues of (1 - s) C + s (trace C / D) I, shape (D,), from those of C."""
    shrunk: FloatArray = (1 - shrinkage) * variances + shrinkage * variances.mean()
    return shrunk


def _ledoit_wolf_shrinkage(variances: FloatArray, lengths: FloatArray) -> float:
    """Return b^2 / d^2 of Ledoit and Wolf (2004).

    d^2 is the squared distance of S to its target and b^2 the mean one of the rows' own x x^T to S,
    over N: by ||x x^T||^2 = ||x||^4 it needs no product of the rows.

    Args:
        variances: Eigenvalues of S, shape (D,).
        lengths: ||x||^2 of each centred row, shape (N,).
    """
    distance = float(np.square(variances - variances.mean()).sum())
    if distance == 0:
        return 0.0
    noise = float(np.square(lengths).mean() - np.square(variances).sum()) / len(lengths)
    return min(max(noise, 0.0), distance) / distance


def _remarks(rank: int, n_features: int) -> list[str]:
    """Count the directions that are left out, from 1 % on: a LayerNorm alone takes one."""
    n_flat = n_features - rank
    if n_flat < _NOTED_SHARE * n_features:
        return []
    return [f"{n_flat} of {n_features} directions have no variance"]
