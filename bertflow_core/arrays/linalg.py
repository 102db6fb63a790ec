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
    """Yield the squared distances from each block of n rows to all N rows, shape (n, N).

    The distance of a row to itself is exactly 0.
    """
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
    """Return A, (D, K), and b, (K,), of a function that maps each row x to x A + b."""
    images = function(np.concatenate([np.zeros((1, n_features)), np.eye(n_features)]))
    return images[1:] - images[0], images[0]


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, descending, (D,), and its eigenvectors as columns.

    The component of largest magnitude is positive in each vector, so that refits agree in sign.
    """
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1].clip(min=0.0), _signed(vectors[:, ::-1])


_SPARE = 6  # further directions: the eigenvalue gap after them sets the rate of convergence
_STEPS_TO_CHECK = 6
_RESIDUAL = 1e-13  # of the largest eigenvalue
_WORTH_ITERATING = 128  # features


def leading_directions(matrix: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """Return the first k of `principal_directions` of a covariance C, faster for small k.

    A block Krylov space grows from a fixed start with full orthogonalization. It is large enough
    when no entry of a residual C v - l v exceeds 1e-13 of the largest eigenvalue (Golub and Van
    Loan, Matrix Computations, 4th ed., section 10.3). If that would take half of all directions,
    all of them are computed at once. scipy is avoided, since its threads slow down those of numpy.
    """
    n_features, width = len(matrix), k + _SPARE
    if n_features >= _WORTH_ITERATING:
        basis = np.empty((n_features, 0))
        block = np.random.default_rng(0).normal(size=(n_features, width))
        while basis.shape[1] + _STEPS_TO_CHECK * width <= n_features // 2:
            for _ in range(_STEPS_TO_CHECK):
                for _ in range(2):  # one pass leaves rounding errors along the basis
                    block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
                basis = np.hstack([basis, block])
                block = matrix @ block
            images = matrix @ basis
            values, weights = principal_directions(basis.T @ images)
            vectors = basis @ weights[:, :k]
            residuals = images @ weights[:, :k] - vectors * values[:k]
            if np.abs(residuals).max(initial=0.0) <= _RESIDUAL * values[0]:
                return values[:k], _signed(vectors)
    variances, directions = principal_directions(matrix)
    return variances[:k], directions[:, :k]


def _signed(vectors: FloatArray) -> FloatArray:
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(0, keepdims=True), axis=0)
    signed: FloatArray = vectors * np.where(largest < 0, -1.0, 1.0)
    return signed


def centred(x: FloatArray) -> FloatArray:
    """Return `x`, shape (N, D), minus its mean row."""
    less: FloatArray = x - x.mean(axis=0)
    return less
