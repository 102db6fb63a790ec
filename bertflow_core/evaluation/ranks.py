"""Ranks in numpy alone: a score needs nothing else of scipy.stats, which takes longer to import."""

import numpy as np

__all__ = ["average_ranks"]


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of finite numbers, from 1, ties by average rank; float64, shape (N,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.ranks import average_ranks
        >>> average_ranks(np.array([0.3, 0.1, 0.3])).tolist()
        [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: np.ndarray = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks
