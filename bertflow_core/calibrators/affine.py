"""The closed forms: affine maps z = (x - m) A of embeddings x, found from mean and covariance.

With the covariance C = U L U^T, its eigenvalues falling, A divides each feature by its standard
deviation (`standardize`), is I - U_k U_k^T (the removals: what all embeddings share is taken away)
or U L^(-1/2) (the whitenings: variances along principal directions are evened out).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.base import Calibrator, left_unscaled
from bertflow_core.errors import InputError
from bertflow_core.linalg import SCALE_FLOOR, VARIANCE_FLOOR, FloatArray, in_blocks, row_blocks
from bertflow_core.moments import Moments, feature_moments
from bertflow_core.params import param
from bertflow_core.wording import FIT_ON_MORE, TooFew, counted

_ROWS_AT_ONCE = 2048
_MOST = 100_000

_NOTED_SHARE = 0.01
"""Share of directions without variance from which a fit notes them: a LayerNorm alone takes one."""


class AffineCalibrator(Calibrator):
    """A calibrator whose map is affine, so that one dense layer can stand for it in an export."""

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), self._log_det)

    @property
    def _log_det(self) -> float:
        """log|det A|."""
        return 0.0


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

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        return ()

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return X.copy()

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z.copy()


class Standardize(AffineCalibrator):
    """Give each feature mean 0 and standard deviation 1.

    A feature whose standard deviation is below 1e-6 of the largest is constant: it is centred and
    left unscaled.

    Attributes:
        mean_: shape (D,).
        scale_: Standard deviation (1 for a constant feature), shape (D,).

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

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        return self._keep(*feature_moments(X))

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return self._keep(moments.mean, moments.variances)

    def _keep(self, mean: FloatArray, variances: FloatArray) -> tuple[str, ...]:
        deviation = np.sqrt(variances)
        constant = deviation <= SCALE_FLOOR * deviation.max()
        self.mean_, self.scale_ = mean, np.where(constant, 1.0, deviation)
        return left_unscaled(int(constant.sum()))

    def _transform(self, X: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: (rows - self.mean_) / self.scale_, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: rows * self.scale_ + self.mean_, Z)

    @property
    def _log_det(self) -> float:
        return 0.0 - float(np.log(self.scale_).sum())


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

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        n_features = X.shape[1]  # for a few leading directions products in float32 are enough
        is_few = self._n_removed(n_features) <= n_features // 4
        return self._fit_moments(Moments.of(X, in_float32=is_few))

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        n_features = len(moments.mean)
        k = self._n_removed(n_features)
        if k >= n_features:
            raise InputError(
                f"{self.name}: k must be below the number of features, n_features = {n_features}, "
                f"got {k}: nothing would be left"
            )
        self.mean_ = moments.mean
        variances, self.directions_ = moments.leading(k)
        n_empty = int((variances <= VARIANCE_FLOOR * variances[:1]).sum())
        return (f"{n_empty} of the {k} directions removed have no variance",) * (n_empty > 0)

    def _transform(self, X: FloatArray) -> FloatArray:
        mean, removed = self.mean_.astype(X.dtype), self.directions_.astype(X.dtype)

        def of(rows: FloatArray) -> FloatArray:
            less = rows - mean
            less -= (less @ removed) @ removed.T
            return less

        return in_blocks(of, X)

    def why_not_invertible(self) -> str | None:
        """Say how many directions are removed; None where the mean alone is."""
        along = counted(self.directions_.shape[1], "direction")
        none = self.directions_.shape[1] == 0
        return None if none else f"the parts of an embedding along {along} are removed"

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z + self.mean_


@dataclass(eq=False, repr=False)
class NullTopK(_Removing):
    """Remove the mean, then the projection on the k leading principal directions.

    The NATSV baseline of Li et al. (2020), Table 5; the mean is removed first.

    Attributes:
        mean_: shape (D,).
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

    `NullTopK` with the rule that its authors give for k.

    Attributes:
        mean_: shape (D,).
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
        None,
        "Principal directions to remove; none is D / 100, rounded, at least 1.",
        low=1,
        high=_MOST,
    )

    def _n_removed(self, n_features: int) -> int:
        return max(1, round(n_features / 100)) if self.k is None else self.k


@dataclass(eq=False, repr=False)
class CommonComponent(_Removing):
    """Remove the projection on the k leading singular vectors of the uncentred embeddings.

    The second step of SIF; its weights of words belong to the pooling of tokens. The mean is not
    removed, but most of it goes with the first direction.

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
    mean_ = np.zeros(1)  # none is subtracted

    k: int | None = param(1, "Singular directions to remove.", low=1, high=_MOST)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        origin = np.zeros_like(moments.mean)
        return super()._fit_moments(Moments(moments.n, origin, moments.about_zero))


class _Whitening(AffineCalibrator):
    """Rotate to principal directions and scale each; those without variance are dropped."""

    invertible = "only where no direction is dropped"
    density = "Gaussian, where no direction is dropped"
    _fitted: ClassVar[dict[str, str]] = {"mean_": "D", "directions_": "DK", "variances_": "K"}

    @property
    def _turns_back(self) -> bool:
        """Whether the result is features again, and not coordinates along U."""
        return False

    @property
    def scale(self) -> FloatArray:
        """What the part of an embedding along each kept direction is divided by, shape (K,)."""
        scale: FloatArray = np.sqrt(self.variances_)
        return scale

    def _keep(
        self,
        mean: FloatArray,
        directions: FloatArray,
        variances: FloatArray,
        at_most: int | None = None,
    ) -> tuple[str, ...]:
        """Keep the leading directions with variance; say how many have none where it matters."""
        if variances[0] <= 0:
            raise InputError("all sentences have one embedding: whitening needs some variance")
        rank, n_features = int((variances > VARIANCE_FLOOR * variances[0]).sum()), len(mean)
        kept = min(rank, at_most or rank)
        self.mean_, self.directions_ = mean, directions[:, :kept]
        self.variances_ = variances[:kept]
        if n_features - rank < _NOTED_SHARE * n_features:
            return ()
        return (f"{n_features - rank} of {n_features} directions have no variance",)

    def _transform(self, X: FloatArray) -> FloatArray:
        matrix = self.directions_ / self.scale
        if self._turns_back:
            matrix = matrix @ self.directions_.T
        mean, factors = self.mean_.astype(X.dtype), matrix.astype(X.dtype)
        rounded = ((self.mean_ - mean) @ matrix).astype(X.dtype)  # off the mean
        return in_blocks(lambda rows: (rows - mean) @ factors - rounded, X, n_rows=_ROWS_AT_ONCE)

    def why_not_invertible(self) -> str | None:
        """Say how many directions are dropped; None where all are kept."""
        n_features, k = self.directions_.shape
        dropped = f"{n_features - k} of {n_features} directions are dropped"
        return dropped if k < n_features else None

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        if self._turns_back:
            Z = Z @ self.directions_
        return (Z * self.scale) @ self.directions_.T + self.mean_

    @property
    def _log_det(self) -> float:
        return 0.0 - float(np.log(self.scale).sum())

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self._turns_back else len(self.variances_)


@dataclass(eq=False, repr=False)
class Whiten(_Whitening):
    """Rotate to principal directions and give each variance 1.

    With shrinkage s the covariance is (1 - s) C + s (trace C / D) I, which makes one from fewer
    sentences than features usable. Directions whose variance is at most 1e-6 of the largest carry
    rounding noise: they are dropped, which `why_not_invertible()` counts; `notes_` does so from 1 %
    of all on, since a LayerNorm alone takes one. To keep all, set shrinkage above D / 10^6.

    Attributes:
        mean_: shape (D,).
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
        None, "Leading directions to keep; none keeps all that have variance.", low=1, high=100_000
    )
    shrinkage: float = param(
        0.0, "Weight of the identity in the covariance; above 0 where N < D.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        n_features, wanted = len(moments.mean), self.n_components
        if wanted is not None and wanted > n_features:
            raise InputError(
                f"{self.name}: n_components must be at most the number of features ({n_features}), "
                f"got {wanted}"
            )
        variances, directions = moments.principal
        variances = (1 - self.shrinkage) * variances + self.shrinkage * variances.mean()
        remarks = [*self._keep(moments.mean, directions, variances, wanted)]
        kept = len(self.variances_)
        if kept < (wanted or 0):
            remarks.append(f"{kept} of the {wanted} directions asked for are kept")
        if moments.n <= n_features and self.shrinkage == 0:
            few = f"{moments.n} sentences, repeated ones counted, are too few for {n_features}"
            remarks.append(TooFew(f"{few} variances: {FIT_ON_MORE} or set shrinkage above 0"))
        return tuple(remarks)


@dataclass(eq=False, repr=False)
class SoftWhiten(_Whitening):
    """Even out the variances in part: (L + e I)^(-p/2) in the principal directions.

    With power 1 and eps 0 it is full whitening, by PCA or, turned back to the features, by ZCA;
    with power 0 it only centres (and rotates). e is `eps` times the mean eigenvalue. A direction
    whose variance plus e is below 1e-6 of the largest is dropped; with `eps` above D / 10^6 none
    is. No cosine or distance depends on the rotation.

    Attributes:
        mean_: shape (D,).
        directions_: U, orthonormal columns, shape (D, K).
        variances_: L + e along each direction, shape (K,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import SoftWhiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> spread = np.cov(SoftWhiten(eps=0.1).fit_transform(x).T)
        >>> bool(0.5 < np.linalg.eigvalsh(spread).min() and np.linalg.eigvalsh(spread).max() < 1)
        True
    """

    name = "soft-whiten"
    plain = "soft whitening"
    formula = "U (L + e I)^(-p/2) U^T (x - mean); without the first U for rotation pca"
    source = "Diera et al. 2024"
    url = "https://arxiv.org/abs/2411.17538"
    invertible = "only where no direction is dropped; with eps above D / 10^6 none is"

    rotation: str = param(
        "zca",
        "Whether to rotate back to the features (zca) or not (pca).",
        choices=("pca", "zca"),
    )
    eps: float = param(0.1, "Added to each eigenvalue, as a share of their mean.", low=0, high=1e6)
    power: float = param(
        1.0, "p: 0 leaves the variances as they are, 1 makes them equal.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        variances, directions = moments.principal
        return self._keep(moments.mean, directions, variances + self.eps * variances.mean())

    @property
    def scale(self) -> FloatArray:
        """(L + e)^(p/2) along each kept direction, shape (K,)."""
        scale: FloatArray = self.variances_ ** (self.power / 2)
        return scale

    @property
    def _turns_back(self) -> bool:
        return self.rotation == "zca"


class LedoitWolf(_Whitening):
    """Whiten with the covariance shrunk to (trace S / D) I as far as the data themselves say.

    The shrinkage s = b^2 / d^2 minimises the expected squared error of (1 - s) S + s (trace S / D)
    I, where S is the covariance over N; it falls as sentences are added.

    Attributes:
        mean_: shape (D,).
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
    formula = "L^(-1/2) U^T (x - mean) of (1 - s) C + s (trace C / D) I, s from the data"
    source = "Ledoit and Wolf 2004"
    url = "https://doi.org/10.1016/S0047-259X(03)00096-4"
    invertible = "only where no direction is dropped; with s above D / 10^6 none is"
    _fitted: ClassVar[dict[str, str]] = {**_Whitening._fitted, "shrinkage_": ""}

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        moments = Moments.of(X)
        variances, directions = moments.principal
        variances = variances * (moments.n - 1) / moments.n
        # d^2, the squared distance of S to its target, and b^2, the mean one of the rows' own
        # x x^T to S, over N: by ||x x^T||^2 = ||x||^4 it needs no product of the rows.
        distance = float(np.square(variances - variances.mean()).sum())
        squares = [np.square(rows - moments.mean).sum(axis=1) for rows in row_blocks(X, 4096)]
        fourth_powers = np.square(np.concatenate(squares))
        noise = float(fourth_powers.mean() - np.square(variances).sum()) / moments.n
        shrinkage = min(max(noise, 0.0), distance) / distance if distance else 0.0
        self.shrinkage_ = np.asarray(shrinkage)
        variances = (1 - shrinkage) * variances + shrinkage * variances.mean()
        return self._keep(moments.mean, directions, variances)
