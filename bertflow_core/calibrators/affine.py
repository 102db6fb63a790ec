"""Affine maps z = (x - m) A of embeddings x in closed form: centre, scale, or remove directions.

`standardize` divides each feature by its standard deviation. `drop-coordinates` sets a few features
to 0. Other calibrators project out leading directions: A = I - U_k U_k^T for the k leading
eigenvectors U_k of the covariance. The whitenings are in `whitening`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bertflow_core.analysis.coordinates import largest_coordinates
from bertflow_core.arrays.blocks import in_blocks
from bertflow_core.arrays.moments import Moments, feature_moments
from bertflow_core.arrays.rounding import varying
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator, check_varies, left_unscaled
from bertflow_core.errors import InputError
from bertflow_core.params import param
from bertflow_core.wording import counted

_MOST = 100_000
# Share of the largest variance that is above rounding error even after float32 products.
_ABOVE_ROUNDING = 1e-3


def _is_few(k: int, n_features: int) -> bool:
    """Tell whether so few leading directions are removed that float32 is enough."""
    return k < n_features // 4


def _check_leaves_some(name: str, k: int, n_features: int) -> None:
    if k >= n_features:
        raise InputError(
            f"{name}: k must be below the number of features, n_features = {n_features}, got {k}: "
            "nothing would be left"
        )


class AffineCalibrator(Calibrator):
    """A calibrator whose map is affine, so that one dense layer can stand for it in an export.

    If A is square and its determinant is not 1, the class defines `_log_det`.

    Example:
        >>> from bertflow_core.calibrators import AffineCalibrator, CALIBRATORS
        >>> [name for name in ("whiten", "flow") if issubclass(CALIBRATORS[name], AffineCalibrator)]
        ['whiten']
    """

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), self._log_det)

    @property
    def _log_det(self) -> float:
        return 0.0  # log|det A|


class Identity(AffineCalibrator):
    """Leave embeddings as they are: the baseline of every comparison.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Identity
        >>> Identity().fit_transform(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[1.0, 2.0], [3.0, 4.0]]
    """

    name = "identity"
    plain = "no calibration"
    formula = "x"
    source = "baseline"
    invertible = "yes"
    offered = ()
    keeps_features = True

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        return ()

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return X.copy()

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z.copy()


class Standardize(AffineCalibrator):
    """Give each feature mean 0 and standard deviation 1: mean-centring, then z-scores.

    A feature whose standard deviation is only rounding error counts as constant: it is centred but
    not scaled.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        scale_: Standard deviation of each feature (1 for a constant one), shape (D,).

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
    _fitted: ClassVar[dict[str, str]] = {"mean_": "D", "scale_": "D"}

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        return self._keep(*feature_moments(X), precision)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return self._keep(moments.mean, moments.variances, moments.precision)

    def _keep(self, mean: FloatArray, variances: FloatArray, precision: str) -> tuple[str, ...]:
        varies = varying(mean, variances, precision)
        check_varies(self.name, int(varies.sum()))
        self.mean_, self.scale_ = mean, np.where(varies, np.sqrt(variances), 1.0)
        return left_unscaled(int((~varies).sum()))

    def _transform(self, X: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: (rows - self.mean_) / self.scale_, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: rows * self.scale_ + self.mean_, Z)

    @property
    def _log_det(self) -> float:
        return 0.0 - float(np.log(self.scale_).sum())


@dataclass(eq=False, repr=False)
class DropCoordinates(AffineCalibrator):
    """Set k coordinates to 0, then subtract the mean of the others.

    They are the coordinates of largest contribution to the cosine of two random sentences of the
    fit corpus (see `coordinate_contributions`). In the middle layers of a raw language model, one
    to three coordinates make nearly all of this cosine. They are chosen before the mean is
    subtracted, since a coordinate that is large and hardly varies contributes by its mean.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        kept_: 1 for a coordinate that is kept, else 0, shape (D,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import DropCoordinates
        >>> x = np.random.default_rng(0).normal([0, 90, 0, 1], 1, size=(500, 4))
        >>> DropCoordinates(k=1).fit(x).kept_.tolist()
        [1.0, 0.0, 1.0, 1.0]
    """

    name = "drop-coordinates"
    plain = "leave out the {k} coordinates that raise the random cosine most, subtract the mean"
    plain_if = (
        ("k", 0, "subtract the mean"),
        ("k", 1, "leave out the coordinate that raises the random cosine most, subtract the mean"),
    )
    formula = "M (x - mean), M sets the k coordinates of largest contribution to 0"
    source = "Timkey and van Schijndel 2021"
    url = "https://arxiv.org/abs/2109.04404"
    invertible = "no: k coordinates are set to 0; yes for k = 0"
    offered = ("drop-coordinates:k=1", "drop-coordinates:k=2")
    keeps_features = True
    _fitted: ClassVar[dict[str, str]] = {"mean_": "D", "kept_": "D"}

    k: int = param(1, "Coordinates to leave out.", low=0, high=_MOST)

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        _check_leaves_some(self.name, self.k, X.shape[1])
        self.mean_, variances = feature_moments(X)
        self.kept_ = np.ones(X.shape[1])
        self.kept_[largest_coordinates(X, self.k)] = 0.0
        varies = varying(self.mean_, variances, precision)
        if not varies[self.kept_ > 0].any():
            check_varies(self.name, int(varies.sum()), self.k)
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: (rows - self.mean_) * self.kept_, X)

    def why_not_invertible(self) -> str | None:
        """Return how many coordinates are left out, or None if only the mean is."""
        left_out = counted(int((self.kept_ == 0).sum()), "coordinate")
        return None if self.kept_.all() else f"of an embedding, {left_out} are left out"

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z + self.mean_


class _Removing(AffineCalibrator):
    """Remove the mean, then the projection on the k leading principal directions."""

    plain = "remove the top {k} directions"
    url = "https://arxiv.org/abs/1702.01417"
    invertible = "no: k directions are removed"
    keeps_features = True
    _fitted: ClassVar[dict[str, str]] = {"mean_": "D", "directions_": "Dk"}

    k: int | None

    def _n_removed(self, n_features: int) -> int:
        return self.k or 0

    def _about(self, moments: Moments) -> Moments:
        """Return the moments whose principal directions are removed."""
        return moments

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        k = self._n_removed(X.shape[1])
        if _is_few(k, X.shape[1]):
            moments = self._about(Moments.of(X, in_float32=True, precision=precision))
            variances, directions = moments.leading(k + 1)
            if variances[-1] >= _ABOVE_ROUNDING * variances[0] > 0:
                self.mean_, self.directions_ = moments.mean, directions[:, :k]
                return ()
        return self._fit_moments(Moments.of(X, precision=precision))

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        k = self._n_removed(len(moments.mean))
        _check_leaves_some(self.name, k, len(moments.mean))
        moments = self._about(moments)
        variances, directions = moments.leading(k + 1)
        if not variances[k]:
            check_varies(self.name, moments.rank, k)
        self.mean_, self.directions_ = moments.mean, directions[:, :k]
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        n_features, k = self.directions_.shape
        dtype = X.dtype if _is_few(k, n_features) else np.float64  # float64 if little is left
        mean, removed = self.mean_.astype(dtype), self.directions_.astype(dtype)

        def of(rows: FloatArray) -> FloatArray:
            less = rows - mean
            less -= (less @ removed) @ removed.T
            return less

        return in_blocks(of, X, dtype=X.dtype)

    def why_not_invertible(self) -> str | None:
        """Return how many directions are removed, or None if only the mean is."""
        k = self.directions_.shape[1]
        removed = counted(k, "direction")
        return f"the parts of an embedding along {removed} are removed" if k else None

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z + self.mean_


@dataclass(eq=False, repr=False)
class NullTopK(_Removing):
    """Remove the mean, then the projection on the k leading principal directions.

    This is the NATSV baseline of Li et al. (2020), Table 5. With k = 0 only the mean is removed
    (mean-centring).

    Attributes:
        mean_: Mean of each feature, shape (D,).
        directions_: U_k, orthonormal columns, shape (D, k).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import NullTopK
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = NullTopK(k=1).fit_transform(x)
        >>> z.shape, int(np.linalg.matrix_rank(z))  # the widest direction is gone
        ((500, 4), 3)
    """

    name = "null-top-k"
    plain_if = (("k", 0, "subtract the mean"), ("k", 1, "remove the top direction"))
    formula = "(I - U_k U_k^T) (x - mean)"
    source = "Li et al. 2020 (NATSV); Mu and Viswanath 2018"
    invertible = "no: k directions are removed; yes for k = 0"
    offered = ("null-top-k:k=1", "null-top-k:k=6", "standardize+null-top-k:k=6")

    k: int | None = param(1, "Principal directions to remove.", low=0, high=_MOST)


@dataclass(eq=False, repr=False)
class AllButTheTop(_Removing):
    """Remove the mean and the leading D / 100 principal directions.

    This is `NullTopK` with the k that Mu and Viswanath recommend.

    Attributes:
        mean_: Mean of each feature, shape (D,).
        directions_: U_k, orthonormal columns, shape (D, k).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import AllButTheTop
        >>> x = np.random.default_rng(0).normal(size=(500, 300))
        >>> AllButTheTop().fit(x).directions_.shape  # 300 features / 100
        (300, 3)
    """

    name = "all-but-the-top"
    plain_if = (
        ("k", None, "remove the top D / 100 directions"),
        ("k", 1, "remove the top direction"),
    )
    formula = "(I - U_k U_k^T) (x - mean), k = D / 100"
    source = "Mu and Viswanath 2018"

    k: int | None = param(
        None, "Principal directions to remove; by default D / 100, at least 1.", low=1, high=_MOST
    )

    def _n_removed(self, n_features: int) -> int:
        return max(1, round(n_features / 100)) if self.k is None else self.k


@dataclass(eq=False, repr=False)
class CommonComponent(_Removing):
    """Remove the projection on the k leading singular vectors of the uncentred embeddings.

    This is common component removal, the second step of SIF. SIF's word weights are not included,
    since they are part of token pooling. If embeddings lie in a cone, the first direction is nearly
    that of the mean, so that k = 1 nearly projects out the mean.

    Attributes:
        directions_: V_k, orthonormal columns, shape (D, k).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import CommonComponent
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = CommonComponent(k=1).fit_transform(x)
        >>> bool(np.abs(z.mean(axis=0)).max() < 1)  # most of the mean of 5 is gone
        True
    """

    name = "common-component"
    plain = "remove the top {k} singular directions"
    plain_if = (("k", 1, "remove the top singular direction"),)
    formula = "(I - V_k V_k^T) x, V_k singular vectors of the uncentred embeddings"
    source = "Arora et al. 2017 (SIF)"
    url = "https://openreview.net/forum?id=SyK00v5xx"
    _fitted: ClassVar[dict[str, str]] = {"directions_": "Dk"}
    mean_ = np.zeros(1)  # the mean is not subtracted

    k: int | None = param(1, "Singular directions to remove.", low=1, high=_MOST)

    def _about(self, moments: Moments) -> Moments:
        return moments.uncentred
