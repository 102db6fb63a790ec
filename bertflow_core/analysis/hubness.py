"""Hubness: a few rows that are near neighbours of very many."""

import numpy as np
import numpy.typing as npt

from bertflow_core.linalg import FloatArray

__all__ = ["k_occurrence", "occurrence_skewness"]


def k_occurrence(neighbours: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int64]:
    """Count how often each of `n` rows is among the neighbours of the others, shape (n,).

    Args:
        neighbours: Indices of each row's k nearest other rows, shape (n, k).
        n: How many rows there are.
    """
    return np.bincount(np.asarray(neighbours).ravel(), minlength=n).astype(np.int64)


def occurrence_skewness(counts: npt.NDArray[np.int64] | FloatArray) -> float | None:
    """Return the skewness E (N - mean)^3 / sd^3 of k-occurrences N, moments over their number.

    About 0 without hubs; above 1 a few rows are neighbours of very many. None where all counts are
    equal.

    Args:
        counts: How often each row is a neighbour, shape (n,).

    References:
        Hubs in Space (Radovanović et al., 2010), https://jmlr.org/papers/v11/radovanovic10a.html,
        equation 1.
    """
    less = np.asarray(counts, np.float64) - np.mean(counts)
    variance = np.square(less).mean()
    return float((less**3).mean() / variance**1.5) if variance > 0 else None
