"""The gap of the sides: how far the queries of a search lie from its documents."""

from typing import NamedTuple

import numpy as np

from bertflow_core.arrays.types import FloatArray


class Gap(NamedTuple):
    """The distance of the two sides."""

    squared: float  # squared distance of the two centroids
    share: float  # of the mean squared distance between a query and a document, in [0, 1]


def gap_of_sides(queries: FloatArray, documents: FloatArray) -> Gap:
    """Return the gap between queries, shape (Q, K), and documents, shape (N, K).

    The mean squared distance over all Q N pairs is the gap and the variances of both sides. See
    arXiv 2601.18525 and 2604.00279 on the gap between two sides of text.
    """
    q, d = np.asarray(queries, np.float64), np.asarray(documents, np.float64)
    squared = float(((q.mean(axis=0) - d.mean(axis=0)) ** 2).sum())
    mean = squared + float(sum(side.var(axis=0).sum() for side in (q, d)))
    return Gap(squared, squared / mean if mean else 0.0)


def centred(x: FloatArray) -> FloatArray:
    """Return one side without its mean, shape (N, K)."""
    z: FloatArray = x - x.mean(axis=0, dtype=np.float64)
    return z
