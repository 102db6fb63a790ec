"""The gap of the sides: how far the queries of a search lie from its documents."""

from typing import NamedTuple

import numpy as np

from bertflow_core.arrays.types import FloatArray


class Gap(NamedTuple):
    """The distance of the two sides."""

    squared: float  # squared distance of the two centroids
    share: float  # of the mean squared distance between a query and a document, in [0, 1]


def gap_of_sides(queries: FloatArray, documents: FloatArray) -> Gap:
    """Return the gap between queries, shape (Q, K), and documents, shape (N, K), of float64.

    The mean squared distance over all Q N pairs is the gap and the variances of both sides. See
    arXiv 2601.18525 and 2604.00279 on the gap between two sides of text.
    """
    sides = queries, documents
    squared = float((np.subtract(*(side.mean(axis=0) for side in sides)) ** 2).sum())
    mean = squared + float(sum(side.var(axis=0).sum() for side in sides))
    return Gap(squared, squared / mean if mean else 0.0)
