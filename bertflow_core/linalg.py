"""The array type of the core, small linear algebra, and seeded choices of rows.

LayerNorm and dead features leave directions of a layer without variance; nothing divides by it.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError

__all__ = [
    "SCALE_FLOOR",
    "VARIANCE_FLOOR",
    "FloatArray",
    "Rows",
    "blocks_of",
    "centred",
    "checked_cloud",
    "covariance",
    "deviations",
    "distinct_rows",
    "in_blocks",
    "principal_directions",
    "sample_rows",
    "second_moments",
    "split_blocks",
    "unit_rows",
]

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
Rows: TypeAlias = npt.NDArray[np.int64]


SCALE_FLOOR = 1e-6

"""A feature whose standard deviation is not above this share of the largest is constant."""


VARIANCE_FLOOR = 1e-6

"""A direction whose variance is not above this share of the largest carries rounding noise."""


def unit_rows(x: FloatArray) -> FloatArray:
    """Scale the rows of `x`, shape (N, D), to length 1 in float64; zero rows stay zero."""
    x = np.asarray(x, np.float64)
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    unit: FloatArray = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    return unit


_ROWS_AT_ONCE = 4096
_ROWS_IN_CACHE = 256


def in_blocks(function: Callable[[FloatArray], FloatArray], X: FloatArray) -> FloatArray:
    """Return what a function of rows makes of `X`, shape (N, D), in its dtype, shape (N, K).

    A few rows at a time stay in the cache, and nothing as large as `X` is made beside the result.
    """
    result = np.empty((0, 0), X.dtype)
    for start in range(0, len(X), _ROWS_IN_CACHE):
        part = function(X[start : start + _ROWS_IN_CACHE])
        if start == 0:
            result = np.empty((len(X), part.shape[1]), X.dtype)
        result[start : start + _ROWS_IN_CACHE] = part
    return result


def deviations(X: FloatArray, mean: FloatArray) -> FloatArray:
    """Return each feature's standard deviation (over N) about its mean, shape (D,), in float64."""
    total = np.zeros(X.shape[1])
    for start in range(0, len(X), _ROWS_IN_CACHE):
        block = np.subtract(X[start : start + _ROWS_IN_CACHE], mean, dtype=np.float64)
        total += np.einsum("nd,nd->d", block, block)
    deviation: FloatArray = np.sqrt(total / len(X))
    return deviation


def covariance(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean, shape (D,), and the covariance (over N - 1), shape (D, D), in float64."""
    mean: FloatArray = X.mean(axis=0, dtype=np.float64)
    return mean, second_moments(X, mean) / (len(X) - 1)


def second_moments(X: FloatArray, origin: FloatArray | float = 0.0) -> FloatArray:
    """Return the sum of (x - origin)(x - origin)^T over the rows, shape (D, D), in float64.

    Args:
        X: Rows, shape (N, D).
        origin: What to measure from, shape (D,), or one number.
    """
    total = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), _ROWS_AT_ONCE):
        block = np.subtract(X[start : start + _ROWS_AT_ONCE], origin, dtype=np.float64)
        total += block.T @ block
    return total


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, falling, shape (D,), and eigenvectors as columns.

    The largest component of each vector is positive, so that a refit gives equal signs.
    """
    variances, directions = np.linalg.eigh(matrix)
    variances, directions = variances[::-1].clip(min=0.0), directions[:, ::-1]
    largest = np.take_along_axis(directions, np.abs(directions).argmax(0, keepdims=True), axis=0)
    return variances, directions * np.where(largest < 0, -1.0, 1.0)


def checked_cloud(x: FloatArray, *, min_rows: int = 2) -> FloatArray:
    """Return embeddings `x`, shape (N, D), in float64.

    Raises:
        InputError: Not such an array, fewer than `min_rows` rows, or values that are not finite.
    """
    x = np.asarray(x, np.float64)
    if x.ndim != 2 or len(x) < min_rows or x.shape[1] < 1 or not np.isfinite(x).all():
        raise InputError(
            f"a measure of a cloud needs finite embeddings (N, D) with N >= {min_rows}, "
            f"got {x.shape}"
        )
    return x


def centred(x: FloatArray) -> FloatArray:
    """Return `x`, shape (N, D), less its mean row."""
    less: FloatArray = x - x.mean(axis=0)
    return less


def sample_rows(n: int, at_most: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Return all of `n` rows, or `at_most` of them drawn without replacement; rising."""
    if n <= at_most:
        return np.arange(n)
    drawn = np.random.default_rng(seed).choice(n, at_most, replace=False)
    return np.sort(drawn).astype(np.int64)


def distinct_rows(sentences: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the row where each distinct sentence first occurs, rising."""
    first: dict[str, int] = {}
    for row, sentence in enumerate(sentences):
        first.setdefault(sentence, row)
    return np.fromiter(first.values(), np.int64, len(first))


_LARGEST, _FEWEST = 10, 20


def blocks_of(n: int) -> npt.NDArray[np.int64]:
    """Return the block of each of n sentences, shape (n,): runs of ten, or of fewer if n < 200."""
    size = min(_LARGEST, max(1, n // _FEWEST))
    return np.arange(n) // size


def split_blocks(n: int, n_parts: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Deal the blocks of n sentences into parts at random; return the part of each, shape (n,).

    Parts differ by at most one block in size.
    """
    blocks = blocks_of(n)
    n_blocks = int(blocks[-1]) + 1
    dealt: npt.NDArray[np.int64] = np.random.default_rng(seed).permutation(n_blocks) % n_parts
    return dealt[blocks]
