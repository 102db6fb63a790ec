"""Calibrators that remove what all embeddings share: z = (I - U_k U_k^T) (x - m)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.affine import AffineCalibrator, Removal
from bertflow_core.errors import InputError
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray, leading_directions
from bertflow_core.moments import Moments
from bertflow_core.params import param

__all__ = ["AllButTheTop", "CommonComponent", "NullTopK"]

_MOST = 100_000


class _Removing(AffineCalibrator):
    """Remove the mean, then the projection on k directions of greatest spread around it."""

    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "directions_": ("D", "k")}
    invertible = "no: k directions are removed"
    keeps_features = True

    k: int | None

    @property
    def affine(self) -> Removal:
        """The fitted map."""
        return Removal(self.mean_, self.directions_)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        variances, self.directions_ = moments.leading(self._checked_k(len(moments.mean)))
        self.mean_ = moments.mean
        return _noted(variances)

    def _moments_of(self, X: FloatArray) -> Moments:
        n_features = X.shape[1]  # for a few leading directions products in float32 are enough
        return Moments.of(X, in_float32=self._n_removed(n_features) <= n_features // 4)

    def _n_removed(self, n_features: int) -> int:
        return self.k or 0

    def _checked_k(self, n_features: int) -> int:
        k = self._n_removed(n_features)
        if k >= n_features:
            raise InputError(
                f"{self.name}: k must be below the number of features, n_features = {n_features}, "
                f"got {k}: nothing would be left"
            )
        return k


def _noted(variances: FloatArray) -> tuple[str, ...]:
    """Say how many of the directions removed have no variance, where there are any."""
    n_empty = int((variances <= VARIANCE_FLOOR * variances[:1]).sum())
    if not n_empty:
        return ()
    return (f"{n_empty} of the {len(variances)} directions removed have no variance",)


@dataclass(eq=False, repr=False)
class NullTopK(_Removing):
    """Remove the mean, then the projection on the k leading principal directions.

    The NATSV baseline of Li et al. (2020), Table 5; the mean is removed first.

    Attributes:
        mean_: shape (D,).
        directions_: U_k, orthonormal columns, shape (D, k).

    References:
        All-but-the-Top (Mu and Viswanath, 2018), https://arxiv.org/abs/1702.01417.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import NullTopK
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = NullTopK(k=1).fit_transform(x)
        >>> z.shape, int(np.linalg.matrix_rank(z))  # the widest direction is gone
        ((500, 4), 3)
    """

    name = "null-top-k"
    plain = "remove the top {k} directions"
    plain_if = (("k", 0, "subtract the mean"), ("k", 1, "remove the top direction"))
    formula = "(I - U_k U_k^T) (x - mean)"
    source = "Li et al. 2020 (NATSV); Mu and Viswanath 2018"
    url = "https://arxiv.org/abs/1702.01417"
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

    References:
        All-but-the-Top (Mu and Viswanath, 2018), Algorithm 1, https://arxiv.org/abs/1702.01417.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import AllButTheTop
        >>> x = np.random.default_rng(0).normal(size=(500, 300))
        >>> AllButTheTop().fit(x).directions_.shape  # 300 features / 100
        (300, 3)
    """

    name = "all-but-the-top"
    plain = "remove the top {k} directions"
    plain_if = (
        ("k", None, "remove the top D / 100 directions"),
        ("k", 1, "remove the top direction"),
    )
    formula = "(I - U_k U_k^T) (x - mean), k = D / 100"
    source = "Mu and Viswanath 2018"
    url = "https://arxiv.org/abs/1702.01417"

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

    References:
        A Simple but Tough-to-Beat Baseline for Sentence Embeddings (Arora et al., 2017),
        Algorithm 1, https://openreview.net/forum?id=SyK00v5xx.

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
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"directions_": ("D", "k")}

    k: int | None = param(1, "Singular directions to remove.", low=1, high=_MOST)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        k = self._checked_k(len(moments.mean))
        squares, self.directions_ = leading_directions(moments.about_zero, k)
        return _noted(squares)

    @property
    def affine(self) -> Removal:
        """The fitted map."""
        return Removal(np.zeros(1), self.directions_)
