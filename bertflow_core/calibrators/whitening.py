"""Whitening: rotate to the principal directions and equalize the variances along them.

Let m be the mean and C = U L U^T the covariance, with eigenvalues in descending order. Then z = (x
- m) U V^(-p/2), where V is L, L shrunk to its mean, or L plus a constant. Rotated back, the result
is z U^T.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bertflow_core.arrays.blocks import in_blocks, row_blocks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.affine import AffineCalibrator
from bertflow_core.calibrators.base import check_varies, too_few
from bertflow_core.errors import InputError
from bertflow_core.params import param

_ROWS_AT_ONCE = 2048
_NOTED_SHARE = 0.01  # share of directions without variance from which a note reports them


class _Whitening(AffineCalibrator):
    """Rotate to principal directions and scale each; those without variance are dropped."""

    invertible = "only where no direction is dropped"
    density = "Gaussian, where no direction is dropped"
    _fitted: ClassVar[dict[str, str]] = {"mean_": "D", "directions_": "DK", "variances_": "K"}

    rotation: str = "pca"  # zca: rotated back to the features
    power: float = 1.0  # p

    @property
    def scale(self) -> FloatArray:
        """V^(p/2), the divisor along each kept direction, shape (K,)."""
        return self.variances_ ** (self.power / 2)

    def _keep(
        self, moments: Moments, variances: FloatArray, at_most: int | None = None
    ) -> tuple[str, ...]:
        """Keep the leading directions with variance; return a note if many have none."""
        check_varies(self.name, moments.rank)
        rank, n_features = np.count_nonzero(variances), len(variances)
        kept = min(rank, at_most or rank)
        self.mean_, self.variances_ = moments.mean, variances[:kept]
        self.directions_ = moments.principal[1][:, :kept]
        if n_features - rank < _NOTED_SHARE * n_features:
            return ()
        return (f"{n_features - rank} of {n_features} directions have no variance",)

    def _transform(self, X: FloatArray) -> FloatArray:
        matrix = self.directions_ / self.scale
        if self.rotation == "zca":
            matrix = matrix @ self.directions_.T
        mean, factors = self.mean_.astype(X.dtype), matrix.astype(X.dtype)
        rounded = ((self.mean_ - mean) @ matrix).astype(X.dtype)  # error from rounding the mean
        return in_blocks(lambda rows: (rows - mean) @ factors - rounded, X, n_rows=_ROWS_AT_ONCE)

    def why_not_invertible(self) -> str | None:
        """Return how many directions are dropped, or None if all are kept."""
        n_features, k = self.directions_.shape
        dropped = n_features - k
        return f"{dropped} of {n_features} directions are dropped" if dropped else None

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        if self.rotation == "zca":
            Z = Z @ self.directions_
        return (Z * self.scale) @ self.directions_.T + self.mean_

    @property
    def _log_det(self) -> float:
        return 0.0 - float(np.log(self.scale).sum())

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self.rotation == "zca" else len(self.variances_)


def _shrunk(variances: FloatArray, share: float) -> FloatArray:
    """Return eigenvalues shrunk to their mean, (1 - s) L + s (trace C / D)."""
    shrunk: FloatArray = (1 - share) * variances + share * variances.mean()
    return shrunk


@dataclass(eq=False, repr=False)
class Whiten(_Whitening):
    """Rotate to principal directions and give each variance 1.

    With shrinkage s the covariance is (1 - s) C + s (trace C / D) I, which is usable even if there
    are fewer sentences than features. Without shrinkage, directions whose variance is only rounding
    error are dropped. `why_not_invertible()` counts them, and so does `notes_` if they are at least
    1 % of all directions; LayerNorm alone causes one.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        directions_: U_n, orthonormal columns, shape (D, K).
        variances_: L_n, the variance along each after shrinkage, shape (K,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Whiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = Whiten(n_components=2).fit_transform(x)
        >>> np.abs(np.cov(z.T)).round(6).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """

    name = "whiten"
    plain = "whitening to {n_components} dimensions"
    plain_if = (
        ("n_components", None, "whitening"),
        ("n_components", 1, "whitening to 1 dimension"),
    )
    formula = "L_n^(-1/2) U_n^T (x - mean)"
    source = "Su et al. 2021"
    url = "https://arxiv.org/abs/2103.15316"
    offered = ("whiten", "whiten:n_components=256")

    n_components: int | None = param(
        None,
        "Leading directions to keep; by default all with nonzero variance.",
        low=1,
        high=100_000,
    )
    shrinkage: float = param(
        0.0, "Weight of the identity in the covariance; set it above 0 if N < D.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        n_features, wanted = len(moments.mean), self.n_components
        if wanted is not None and wanted > n_features:
            raise InputError(
                f"{self.name}: n_components must be at most the number of features ({n_features}), "
                f"got {wanted}"
            )
        remarks = [*self._keep(moments, _shrunk(moments.principal[0], self.shrinkage), wanted)]
        kept = len(self.variances_)
        if kept < (wanted or 0):
            remarks.append(f"{kept} of the {wanted} directions asked for are kept")
        if not self.shrinkage:
            remarks += too_few(moments.n, n_features, " or set shrinkage above 0")
        return tuple(remarks)


@dataclass(eq=False, repr=False)
class SoftWhiten(_Whitening):
    """Equalize the variances in part: (L + e I)^(-p/2) in the principal directions.

    Here e is `eps` times the mean eigenvalue. Power 1 and eps 0 give full whitening, by PCA or, if
    rotated back to the features, by ZCA. Power 0 only centres (and rotates). A direction whose
    variance plus e is only rounding error is dropped. No cosine or distance depends on the
    rotation.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        directions_: U, orthonormal columns, shape (D, K).
        variances_: L + e along each direction, shape (K,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import SoftWhiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> variances = SoftWhiten(eps=0.1).fit_transform(x).var(axis=0)
        >>> bool(variances.min() > 0.5), bool(variances.max() < 1)
        (True, True)
    """

    name = "soft-whiten"
    plain = "soft whitening"
    formula = "U (L + e I)^(-p/2) U^T (x - mean); without the first U for rotation pca"
    source = "Diera et al. 2024"
    url = "https://arxiv.org/abs/2411.17538"
    invertible = "only where no direction is dropped; with eps above 0 none is dropped"

    rotation: str = param(
        "zca", "Whether to rotate back to the features (zca) or not (pca).", choices=("pca", "zca")
    )
    eps: float = param(0.1, "Share of the mean eigenvalue that is added to each.", low=0, high=1e6)
    power: float = param(
        1.0, "Exponent p; 0 keeps the variances, 1 makes them equal.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        variances = moments.principal[0]
        notes = self._keep(moments, variances + self.eps * variances.mean())
        if self.eps or not self.power:
            return notes
        return (*notes, *too_few(moments.n, len(variances), " or set eps above 0"))


class LedoitWolf(_Whitening):
    """Whiten with the covariance shrunk to (trace S / D) I by an amount estimated from the data.

    The shrinkage s = b^2 / d^2 minimises the expected squared error of (1 - s) S + s (trace S / D)
    I, where S is the covariance over N. s decreases as sentences are added.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        directions_: U, orthonormal columns, shape (D, K).
        variances_: The variance along each after shrinkage, shape (K,).
        shrinkage_: s, from 0 to 1, shape ().

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import LedoitWolf
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> few, many = (float(LedoitWolf().fit(x[:n]).shrinkage_) for n in (10, 500))
        >>> many < few  # more sentences need less
        True
    """

    name = "ledoit-wolf"
    plain = "whitening with Ledoit-Wolf shrinkage"
    formula = "L^(-1/2) U^T (x - mean), U and L of (1 - s) C + s (trace C / D) I, s from the data"
    source = "Ledoit and Wolf 2004"
    url = "https://doi.org/10.1016/S0047-259X(03)00096-4"
    invertible = "only where no direction is dropped; with s above 0 none is dropped"
    _fitted: ClassVar[dict[str, str]] = {**_Whitening._fitted, "shrinkage_": ""}

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        moments = Moments.of(X, precision=precision)
        variances = moments.principal[0] * (moments.n - 1) / moments.n
        # d^2 is the squared distance from S to its target. b^2 is the mean squared distance from
        # the rows' own x x^T to S, divided by N. Since ||x x^T||^2 = ||x||^4, b^2 needs no products
        # of rows.
        distance = float(np.square(variances - variances.mean()).sum())
        squares = [np.square(rows - moments.mean).sum(axis=1) for rows in row_blocks(X, 4096)]
        fourth_powers = np.square(np.concatenate(squares))
        noise = float(fourth_powers.mean() - np.square(variances).sum()) / moments.n
        shrinkage = min(max(noise, 0.0), distance) / distance if distance else 0.0
        self.shrinkage_ = np.asarray(shrinkage)
        return self._keep(moments, _shrunk(variances, shrinkage))
