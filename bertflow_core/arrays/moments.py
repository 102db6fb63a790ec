"""Mean and covariance of embeddings in one pass over chunks, files or machines."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.linalg import leading_directions, principal_directions
from bertflow_core.arrays.rounding import coarser, precision_of, rounding_spread
from bertflow_core.arrays.types import FloatArray, as_numbers
from bertflow_core.errors import InputError, wrong_type

_ROWS_AT_ONCE, _ROWS_IN_CACHE = 4096, 256
_FARTHEST, _ROUNDING = 10.0, 1e-12
"""How far a feature's mean may lie from the `origin` that is subtracted before summing.

The first limit is in standard deviations, the second a share of the absolute value of `origin`.
"""
_SMALLEST, _LARGEST = 1e-20, 1e30
"""Range of squared features that float32 represents without overflow or underflow."""


@checked
@dataclass(frozen=True, eq=False)
class Moments:
    """The number, mean and scatter matrix of embeddings, in float64.

    They are exact up to rounding, whatever the chunks and the order in which they are merged.
    `update` and `merge` return new moments and change nothing in place.

    Merging follows equation 2.1 of Chan, Golub and LeVeque (1979), Updating Formulae and a Pairwise
    Algorithm for Computing Sample Variances.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.arrays.moments import Moments
        >>> moments = Moments.of(np.zeros((3, 2))).update(np.ones((1, 2)))
        >>> moments.n, moments.mean.tolist(), moments.variances.tolist()
        (4, [0.25, 0.25], [0.1875, 0.1875])

    Raises:
        InputError: Shapes that do not fit together, or values that are not finite.
    """

    n: int  # N
    mean: FloatArray  # shape (D,)
    m2: FloatArray  # the sum of (x - mean)(x - mean)^T over the rows, shape (D, D)
    precision: str = "float64"  # precision of the rows, a key of `rounding.ERRORS`

    def __post_init__(self) -> None:
        for name in ("mean", "m2"):
            values = getattr(self, name)
            if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf":
                raise wrong_type(values, name, "an array of numbers")
        width = self.mean.shape
        if len(width) != 1 or self.m2.shape != width * 2 or self.n < 0:
            raise InputError(
                f"moments of {self.n} rows have a mean of shape {width} and squares of shape "
                f"{self.m2.shape}: expected n >= 0, (D,) and (D, D)"
            )
        _check_finite(self.mean, self.m2)

    @classmethod
    def of(cls, X: FloatArray, *, in_float32: bool = False, precision: str | None = None) -> Self:
        """Return the moments of rows `X`, shape (N, D), N >= 0, which may be memory-mapped.

        Args:
            X: Rows, float32 or float64, read in blocks.
            in_float32: Whether to multiply float32 rows in float32 and sum in float64, which takes
                half the time. The error is about 1e-6 of the largest covariance: small enough for
                leading directions, too large for dividing by small variances.
            precision: Precision in which the rows were computed; None infers it
                (`rounding.precision_of`).

        Raises:
            InputError: Not of shape (N, D), or values that are not finite.
        """
        X = as_numbers(X, "embeddings")
        if X.ndim != 2:
            raise InputError(f"moments need embeddings of shape (N, D), got {X.shape}")
        if len(X) == 0:
            width = X.shape[1]
            return cls(0, np.zeros(width), np.zeros((width, width)))
        precision = precision or precision_of(X)
        shared = _SHARED.get()
        if shared is None or shared.x is not X:
            return cls._of(X, in_float32, precision)
        if (in_float32, precision) not in shared.found:
            shared.found[in_float32, precision] = cls._of(X, in_float32, precision)
        else:  # decomposed in full, since there are several fits
            _ = shared.found[in_float32, precision].principal
        found: Self = shared.found[in_float32, precision]
        return found

    @classmethod
    def _of(cls, X: FloatArray, in_float32: bool, precision: str) -> Self:
        with np.errstate(over="ignore", invalid="ignore"):  # refused below as not finite
            origin = X[:_ROWS_AT_ONCE].mean(axis=0, dtype=np.float64)
            if in_float32:
                origin = origin.astype(np.result_type(X, np.float32))  # float64 stays float64
            return cls._of_products(X, origin, precision)

    @classmethod
    def _of_products(cls, X: FloatArray, origin: FloatArray, precision: str) -> Self:
        """Return the moments of at least one row, after subtracting an `origin` near the mean.

        Products are computed in the dtype of `origin`.
        """
        width, sums = X.shape[1], np.zeros(X.shape[1])
        products = np.zeros((width, width))
        for rows in row_blocks(X, _ROWS_AT_ONCE):
            less = np.subtract(rows, origin, dtype=origin.dtype)
            products += less.T @ less
            sums += less.sum(axis=0, dtype=np.float64)
        if origin.dtype != np.float64 and not _SMALLEST < products.max() < _LARGEST:
            return cls._of_products(X, origin.astype(np.float64), precision)
        # The `origin` of a single block is exactly its mean.
        is_mean = len(X) <= _ROWS_AT_ONCE and origin.dtype == np.float64
        shift = np.zeros(width) if is_mean else sums / len(X)
        m2 = products - len(X) * np.outer(shift, shift)
        variances = np.diagonal(m2).clip(min=0) / len(X)
        allowed = _FARTHEST**2 * variances + (_ROUNDING * origin) ** 2
        if (shift**2 > allowed).any():  # too far, as with sorted rows: the subtraction lost digits
            return cls._of_products(X, origin + shift, precision)
        return cls(len(X), origin + shift, m2, precision)

    def update(self, chunk: FloatArray) -> Self:
        """Return the moments after adding the rows of `chunk`, (N, D), which must have width D."""
        return self.merge(type(self).of(chunk))

    def merge(self, other: "Moments") -> Self:
        """Return the moments of these rows and the other's together; both have the same width."""
        if not isinstance(other, Moments):
            raise wrong_type(other, "what is merged", "other moments")
        if self.m2.shape != other.m2.shape:
            raise InputError(
                "moments of different widths cannot be merged: "
                f"{len(self.mean)} and {len(other.mean)} features"
            )
        n = self.n + other.n
        if n == 0:
            return self
        shift = other.mean - self.mean
        mean = (self.n * self.mean + other.n * other.mean) / n
        between = np.outer(shift, shift) * (self.n * other.n / n)
        m2, precision = self.m2 + other.m2 + between, coarser(self.precision, other.precision)
        return type(self)(n, mean, m2, precision)

    @property
    def variances(self) -> FloatArray:
        """Each feature's variance (over N), shape (D,)."""
        variances: FloatArray = np.diagonal(self.m2) / max(self.n, 1)
        return variances

    @property
    def covariance(self) -> FloatArray:
        """The covariance (over N - 1) of at least two rows, shape (D, D)."""
        if self.n < 2:
            raise InputError(f"a covariance needs at least 2 rows, got {self.n}")
        return self.m2 / (self.n - 1)

    @cached_property
    def principal(self) -> tuple[FloatArray, FloatArray]:
        """The covariance's eigenvalues, descending, (D,), and eigenvectors as columns, (D, D).

        Eigenvalues that are only rounding error are set to 0.
        """
        return self._without_rounding(*principal_directions(self.covariance))

    def leading(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return the first k of `principal`, faster for small k."""
        if "principal" in self.__dict__:
            variances, directions = self.principal
            return variances[:k], directions[:, :k]
        return self._without_rounding(*leading_directions(self.covariance, k))

    def _without_rounding(
        self, variances: FloatArray, directions: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Set variances that are only rounding error to 0, and sort again.

        `variances`, (k,), belong to the orthonormal columns of `directions`, (D, k). The threshold
        is the rounding error of the features plus that of products in float64.
        """
        spreads = rounding_spread(np.sqrt(self.mean**2 + self.variances), self.precision)
        of_products = len(spreads) * 2.0**-52 * self.variances.sum()
        floor = spreads**2 @ directions**2 + of_products
        known = np.where(variances > floor, variances, 0.0)
        order = np.argsort(-known, kind="stable")
        return known[order], directions[:, order]

    @property
    def rank(self) -> int:
        """The number of principal directions whose variance exceeds rounding error."""
        return int(np.count_nonzero(self.principal[0]))

    @property
    def about_zero(self) -> FloatArray:
        """The sum of x x^T over the rows, shape (D, D)."""
        return self.m2 + self.n * np.outer(self.mean, self.mean)

    @property
    def uncentred(self) -> "Moments":
        """The same moments with squares about zero, as if zero were the mean."""
        return Moments(self.n, np.zeros_like(self.mean), self.about_zero, self.precision)

    def mapped(self, matrix: FloatArray, offset: FloatArray) -> "Moments":
        """Return the moments of x A + b for the rows x, with A (D, K) and b (K,)."""
        mean, m2 = self.mean @ matrix + offset, matrix.T @ self.m2 @ matrix
        return Moments(self.n, mean, m2, self.precision)


@dataclass(frozen=True, eq=False)
class SharedMoments:
    """The moments of rows on which several calibrators are fitted, computed and decomposed once."""

    x: FloatArray  # must not change meanwhile
    found: dict[tuple[bool, str], Any] = field(default_factory=dict, repr=False)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let `Moments.of` take the moments of these rows from here, in this thread."""
        token = _SHARED.set(self)
        try:
            yield
        finally:
            _SHARED.reset(token)


_SHARED: ContextVar[SharedMoments | None] = ContextVar("shared moments", default=None)


def feature_moments(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the variance (over N) of each feature of X, shape (D,), in float64."""
    n, mean, squares = 0, np.zeros(X.shape[1]), np.zeros(X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in row_blocks(X, _ROWS_IN_CACHE):
            less = np.asarray(rows, np.float64)
            own, total = less.mean(axis=0), n + len(rows)
            less, shift = less - own, own - mean
            squares = squares + np.einsum("nd,nd->d", less, less)
            squares = squares + shift**2 * (n * len(rows) / total)
            mean, n = (n * mean + len(rows) * own) / total, total
    _check_finite(mean, squares)
    return mean, squares / n


def _check_finite(*arrays: FloatArray) -> None:
    if not all(np.isfinite(each).all() for each in arrays):
        raise InputError(
            "moments need embeddings of finite numbers, got NaN, infinity, or squares too large "
            "for float64: remove these rows"
        )


def singular_values(x: FloatArray, precision: str | None = None) -> FloatArray:
    """Return the standard deviations along the principal directions, descending, shape (D,).

    Deviations that are only rounding error are 0. Give the `precision` of the computation if it was
    coarser than the dtype.
    """
    values: FloatArray = np.sqrt(Moments.of(x, precision=precision_of(x, precision)).principal[0])
    return values
