"""Calibrators that remove what all embeddings share: the projection on k leading directions."""

from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.estimators import OneToOneFeatureMixin
from bertflow_core.calibrators.from_moments import FromMoments
from bertflow_core.calibrators.options import (
    AllButTheTopOptions,
    CommonComponentOptions,
    NullTopKOptions,
)
from bertflow_core.errors import InputError
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    in_blocks,
    leading_directions,
)
from bertflow_core.moments import Moments

__all__ = ["AllButTheTop", "CommonComponent", "NullTopK"]


class _Removal(OneToOneFeatureMixin, FromMoments):  # type: ignore[misc]
    """Remove the projection on k directions of greatest spread around an origin.

    Attributes:
        directions_: Orthonormal columns, shape (D, k).
    """

    directions_: FloatArray

    def _n_removed(self, n_features: int) -> int:
        """How many directions are removed, of how many features."""
        raise NotImplementedError

    def _needs_only_leading(self, n_features: int) -> bool:
        return self._n_removed(n_features) <= n_features // 4

    def _choose(self, spread: FloatArray, k: int) -> tuple[str, ...]:
        """Keep the k leading directions of a matrix of second moments, shape (D, D)."""
        n_features = len(spread)
        if k >= n_features:
            raise InputError(
                f"{self.name}: k must be below the number of features, n_features = {n_features}, "
                f"got {k}: nothing would be left"
            )
        variances, self.directions_ = leading_directions(spread, k)
        n_empty = int((variances <= VARIANCE_FLOOR * variances[:1]).sum())
        return (f"{n_empty} of the {k} directions removed have no variance",) if n_empty else ()

    def _remaining(self, X: FloatArray, origin: FloatArray | float) -> FloatArray:
        """Return rows less an origin and less their projection, in their own precision."""
        start, directions = np.asarray(origin, X.dtype), self.directions_.astype(X.dtype)

        def of(rows: FloatArray) -> FloatArray:
            less = rows - start
            less -= (less @ directions) @ directions.T
            return less

        return in_blocks(of, X)

    def why_not_invertible(self) -> str | None:
        """Say how many directions are removed."""
        k = self.directions_.shape[1]
        return f"the parts of an embedding along {k} directions are removed" if k else None

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.zeros(len(X))  # reached with k = 0 only, as is `_inverse_transform`


class NullTopK(NullTopKOptions, _Removal):
    """Remove the mean, then the projection on the k leading principal directions.

    The NATSV baseline of Li et al. (2020), Table 5; the mean is removed first.

    Attributes:
        mean_: shape (D,).
        directions_: Orthonormal columns, shape (D, k).

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
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "directions_": ("D", "k")}

    mean_: FloatArray

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        notes = self._choose(moments.covariance, self._n_removed(len(moments.mean)))
        self.mean_ = moments.mean
        return notes

    def _n_removed(self, n_features: int) -> int:
        return self.k or 0

    def _transform(self, X: FloatArray) -> FloatArray:
        return self._remaining(X, self.mean_)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z + self.mean_


class AllButTheTop(AllButTheTopOptions, NullTopK):
    """Remove the mean and the leading D / 100 principal directions.

    `NullTopK` with the rule that its authors give for k.

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

    def _n_removed(self, n_features: int) -> int:
        return max(1, round(n_features / 100)) if self.k is None else self.k


class CommonComponent(CommonComponentOptions, _Removal):
    """Remove the projection on the k leading singular vectors of the uncentred embeddings.

    The second step of SIF; its weights of words belong to the pooling of tokens. The mean is not
    removed, but most of it goes with the first direction.

    Attributes:
        directions_: Orthonormal columns, shape (D, k).

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
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"directions_": ("D", "k")}

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return self._choose(moments.about_zero, self._n_removed(len(moments.mean)))

    def _n_removed(self, n_features: int) -> int:
        return self.k

    def _transform(self, X: FloatArray) -> FloatArray:
        return self._remaining(X, 0.0)
