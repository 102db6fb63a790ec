"""The array type of the core, small linear algebra, correlation, and seeded choices of rows."""

import mmap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import wrong_type
from bertflow_core.rounding import is_constant

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
Rows: TypeAlias = npt.NDArray[np.int64]


def as_numbers(values: object, what: str) -> npt.NDArray[Any]:
    """Return what a user gave as an array of numbers, of any shape."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise wrong_type(values, what, "an array of numbers") from None
    if values is None or array.dtype.kind not in "biuf":
        raise wrong_type(values, what, "an array of numbers")
    return array


def unit_rows(x: FloatArray) -> FloatArray:
    """Scale the rows of `x`, shape (N, D), to length 1 in float64; zero rows stay zero."""
    x = np.asarray(x, np.float64)
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    unit: FloatArray = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    return unit


def average_ranks(values: npt.ArrayLike) -> FloatArray:
    """Return the ranks of finite numbers, from 1, ties by average rank; float64, shape (N,).

    As `scipy.stats.rankdata`, whose import takes longer than a score.
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def pearson(a: FloatArray, b: FloatArray) -> float | None:
    """Return Pearson's r of two columns, shape (N,) each; None where one is constant."""
    if len(a) < 2 or is_constant(a) or is_constant(b):
        return None
    return float(np.corrcoef(a, b)[0, 1])


def spearman(a: npt.ArrayLike, b: npt.ArrayLike) -> float | None:
    """Return Spearman's rho of two columns, shape (N,) each; None where one is constant."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if len(a) < 2 or is_constant(a) or is_constant(b):  # whose ranks would be those of rounding
        return None
    return pearson(average_ranks(a), average_ranks(b))


_ROWS_IN_CACHE, _ROWS_PAIRED = 256, 512


def row_blocks(X: FloatArray, n_rows: int) -> Iterator[FloatArray]:
    """Yield the rows of `X`, shape (N, D), up to `n_rows` at a time.

    Of a memory-mapped file no more than such a block stays in this process's memory.
    """
    for start in range(0, len(X), n_rows):
        yield X[start : start + n_rows]
        release_pages(X)


def is_mapped(X: object) -> bool:
    """Tell whether an array lies in a file that `numpy.memmap` maps and that may be read again."""
    return _mapping(X) is not None


def release_pages(X: object) -> None:
    """Let this process forget what it has read of a memory-mapped file; the array stays usable.

    Of any other array nothing changes, nor where the system cannot do it.
    """
    file = _mapping(X)
    if file is not None and hasattr(mmap, "MADV_DONTNEED"):
        file.madvise(mmap.MADV_DONTNEED)


def _mapping(X: object) -> mmap.mmap | None:
    """Return the map of the file that an array lies in; None if a write would be lost with it."""
    is_safe = False
    while X is not None and not isinstance(X, mmap.mmap):
        if isinstance(X, np.memmap):
            is_safe = X.mode != "c"  # what is written to a copy is in no file
        X = getattr(X, "base", None)
    return X if is_safe else None


def in_blocks(
    function: Callable[[FloatArray], FloatArray],
    X: FloatArray,
    *,
    n_rows: int = _ROWS_IN_CACHE,
    dtype: npt.DTypeLike | None = None,
) -> FloatArray:
    """Return what a function of rows makes of `X`, shape (N, D), in its dtype or another, (N, ...).

    A few rows at a time stay in the cache, and nothing as large as `X` is made beside the result.
    """
    result, start = np.empty(0, dtype or X.dtype), 0
    for rows in row_blocks(X, n_rows):
        part = function(rows)
        if start == 0:
            result = np.empty((len(X), *part.shape[1:]), result.dtype)
        result[start : start + len(rows)] = part
        start += len(rows)
    return result


def squared_distances(x: FloatArray) -> Iterator[FloatArray]:
    """Yield the squared distances of some rows of `x`, float64, (N, D), to all, shape (n, N).

    They are at least 0, and exactly 0 from each row to itself.
    """
    squares, start = np.square(x).sum(axis=1), 0
    for rows in row_blocks(x, _ROWS_PAIRED):
        own = np.arange(len(rows))
        distances = squares[start + own, None] + squares - 2 * (rows @ x.T)
        distances[own, start + own] = 0.0  # not what rounding leaves of it
        yield distances.clip(min=0.0)
        start += len(rows)


def affine_parts(
    function: Callable[[FloatArray], FloatArray], n_features: int
) -> tuple[FloatArray, FloatArray]:
    """Return A, shape (D, K), and b, shape (K,), of a function of rows that is x -> x A + b."""
    images = function(np.concatenate([np.zeros((1, n_features)), np.eye(n_features)]))
    return images[1:] - images[0], images[0]


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, falling, shape (D,), and eigenvectors as columns.

    The largest component of each vector is positive, so that a refit gives equal signs.
    """
    return _falling(*np.linalg.eigh(matrix))


_SPARE = 6  # directions beside those wanted, since the gap behind them decides how fast it goes
_STEPS_TO_CHECK = 6
_RESIDUAL = 1e-13  # of the largest eigenvalue
_WORTH_ITERATING = 128  # features


def leading_directions(matrix: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """Return the first k of `principal_directions` of a covariance C, sooner where k is low.

    A block Krylov space from a fixed start, orthogonalized in full, is widened until no entry of
    a residual C v - l v is above 1e-13 of the largest eigenvalue (Golub and Van Loan, Matrix
    Computations, 4th ed., section 10.3); where that would take half of all directions, all are
    computed at once. Not by scipy, whose threads hold up those of numpy.
    """
    n_features, width = len(matrix), k + _SPARE
    if n_features >= _WORTH_ITERATING:
        basis = np.empty((n_features, 0))
        block = np.random.default_rng(0).normal(size=(n_features, width))
        while basis.shape[1] + _STEPS_TO_CHECK * width <= n_features // 2:
            for _ in range(_STEPS_TO_CHECK):
                for _ in range(2):  # once leaves what rounding brought back
                    block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
                basis = np.hstack([basis, block])
                block = matrix @ block
            images = matrix @ basis
            values, weights = _falling(*np.linalg.eigh(basis.T @ images))
            vectors = basis @ weights[:, :k]
            residuals = images @ weights[:, :k] - vectors * values[:k]
            if np.abs(residuals).max(initial=0.0) <= _RESIDUAL * values[0]:
                return values[:k], _signed(vectors)
    variances, directions = principal_directions(matrix)
    return variances[:k], directions[:, :k]


def _falling(values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues, falling and not below 0, and their vectors with our signs."""
    return values[::-1].clip(min=0.0), _signed(vectors[:, ::-1])


def _signed(vectors: FloatArray) -> FloatArray:
    """Make the largest component of each column positive."""
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(0, keepdims=True), axis=0)
    signed: FloatArray = vectors * np.where(largest < 0, -1.0, 1.0)
    return signed


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
