"""The value of each unit of data, a pair, a text or a query, under given vectors."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.collection import Collection
from bertflow_core.datasets.texts import LabelledTexts, Texts
from bertflow_core.evaluation.labelled import clusters, hits
from bertflow_core.evaluation.metrics import ACCURACY
from bertflow_core.evaluation.retrieval import measured, own_rows, ranking
from bertflow_core.evaluation.similarity import pairwise_cosine

Without = Callable[[NDArray[np.bool_]], FloatArray]
"""Vectors of all texts, shape (N, K), by a map that was fitted without the marked ones."""


def unit_values(
    data: Texts,
    a: FloatArray,
    b: FloatArray,
    *,
    seed: int,
    similarity: str = "cosine",
    without: Without | None = None,
) -> FloatArray:
    """Return the values that the metric of `data` scores, given the vectors of `Texts.compared`.

    Pairs have a cosine each, (N,), and queries of a collection their metric, (Q,). Labelled texts
    have a hit each, (N,), or their clusters under each start of k-means, (N, S). `without` gives
    vectors for each fold by a map that did not see it; by default they are `b`.
    """
    match data:
        case Collection():
            ids, grades = [*data.documents], data.grades
            ranked = ranking(a, b, similarity, own=own_rows(grades, ids))
            measure = "recall_10" if data.metric == "recall" else data.metric
            return measured(ranked, ids, grades)[measure]
        case LabelledTexts(metric=ACCURACY.name):
            z_of = without or (lambda _: b)
            return hits(data.texts, data.targets, lambda out: [("", z_of(out))], seed=seed)[""]
        case LabelledTexts():
            return clusters(b, len({*data.labels}), seed=seed)
    return pairwise_cosine(a, b)
