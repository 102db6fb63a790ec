"""Distances of a cloud's rows to the rows nearest to them, themselves left out."""

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.numerics import FloatArray

__all__ = ["knn"]


def knn(
    x: FloatArray, k: int, *, queries: FloatArray | None = None
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the L2 distances to the `k` nearest rows of `x`, rising, and which rows they are.

    Args:
        x: Embeddings, shape (N, D).
        k: Neighbours.
        queries: Rows to look from, shape (Q, D); None looks from each row of `x` at the others.

    Returns:
        Distances and indices of rows of `x`, each of shape (Q, k) or (N, k).

    Raises:
        InputError: `x` has not so many rows to find, or as `nearest_neighbours`.
    """
    x = np.asarray(x)
    own = np.arange(len(x)) if queries is None else None
    found = nearest_neighbours(x, x if queries is None else np.asarray(queries), k, own=own)
    return found.values, found.rows
