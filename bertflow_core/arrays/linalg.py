"""Small linear algebra: unit rows, distances, principal directions."""

from collections.abc import Callable, Iterator

import numpy as np

from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.types import FloatArray

_ROWS_PAIRED = 512


def unit_rows(x: FloatArray) -> FloatArray:
    """Scale the rows of `x`, shape (N, D), to length 1 in float64; zero rows stay zero."""
    x = np.asarray(x, np.float64)
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    unit: FloatArray = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    return unit


def squared_distances(x: FloatArray) -> Iterator[FloatArray]:
    """Yield squared distances of blocks of rows to all, shape (n, N); to itself exactly 0."""
    squares, start = np.square(x).sum(axis=1), 0
    for rows in row_blocks(x, _ROWS_PAIRED):
        own = np.arange(len(rows))
        distances = squares[start + own, None] + squares - 2 * (rows @ x.T)
        distances[own, start + own] = 0.0  # exactly 0, without rounding error
        yield distances.clip(min=0.0)
        start += len(rows)


def affine_parts(
    function: Callable[[FloatArray], FloatArray], n_features: int
) -> tuple[FloatArray, FloatArray]:
    """Return A, shape (D, K), and b, shape (K,), of an affine function of rows x -> x A + b."""
    images = function(np.concatenate([np.zeros((1, n_features)), np.eye(n_features)]))
    return images[1:] - images[0], images[0]


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, falling, shape (D,), and its eigenvectors as columns.

    The largest component of each vector is positive, so that a refit gives equal signs.
    """
    return _falling(*np.linalg.eigh(matrix))


_SPARE = 6  # directions beside those wanted, since the gap behind them decides how fast it goes
_STEPS_TO_CHECK = 6
_RESIDUAL = 1e-13  # of the largest eigenvalue
_WORTH_ITERATING = 128  # features


def leading_directions(matrix: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """Return the first k of `principal_directions` of a covariance C, faster for small k.

    A block Krylov space from a fixed start, orthogonalized in full, is widened until no entry of a
    residual C v - l v is above 1e-13 of the largest eigenvalue (Golub and Van Loan, Matrix
    Computations, 4th ed., section 10.3); if that would take half of all directions, all are
    computed at once. scipy is avoided, since its threads slow down those of numpy.
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
    """Return eigenvalues, falling and at least 0, and their vectors with fixed signs."""
    return values[::-1].clip(min=0.0), _signed(vectors[:, ::-1])


def _signed(vectors: FloatArray) -> FloatArray:
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(0, keepdims=True), axis=0)
    signed: FloatArray = vectors * np.where(largest < 0, -1.0, 1.0)
    return signed


def centred(x: FloatArray) -> FloatArray:
    """Return `x`, shape (N, D), minus its mean row."""
    less: FloatArray = x - x.mean(axis=0)
    return less
