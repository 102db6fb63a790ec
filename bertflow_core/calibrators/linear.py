"""Calibrators that look at one feature at a time, in closed form: identity, standardization."""

from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.estimators import OneToOneFeatureMixin
from bertflow_core.calibrators.from_moments import FromMoments
from bertflow_core.calibrators.notes import left_unscaled
from bertflow_core.linalg import SCALE_FLOOR, FloatArray, in_blocks
from bertflow_core.moments import Moments

__all__ = ["Identity", "Standardize"]


class Identity(OneToOneFeatureMixin, FromMoments):  # type: ignore[misc]
    """Leave embeddings as they are: the baseline of every comparison.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Identity
        >>> x = np.array([[1.0, 2.0], [3.0, 4.0]])
        >>> bool((Identity().fit_transform(x) == x).all())
        True
    """

    name = "identity"
    _one_by_one = True

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        return ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return X.copy()

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return Z.copy()

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.zeros(len(X))


class Standardize(OneToOneFeatureMixin, FromMoments):  # type: ignore[misc]
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
    _one_by_one = True
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"mean_": ("D",), "scale_": ("D",)}

    mean_: FloatArray
    scale_: FloatArray

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        self.mean_ = moments.mean
        deviation = np.sqrt(moments.variances)
        constant = deviation <= SCALE_FLOOR * deviation.max()
        self.scale_ = np.where(constant, 1.0, deviation)
        if not constant.any():
            return ()
        return (left_unscaled(int(constant.sum())),)

    def _transform(self, X: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: (rows - self.mean_) / self.scale_, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return in_blocks(lambda rows: rows * self.scale_ + self.mean_, Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), -np.log(self.scale_).sum())
