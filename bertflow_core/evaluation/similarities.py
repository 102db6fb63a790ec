"""How alike two vectors are, by one of six similarities: of pairs of rows, or of all rows.

Each is higher for vectors that are more alike, so that distances are negative. Dot product and
distances take vectors as they are; cosine, Spearman's correlation and CSLS do not depend on length.
CSLS is 2 cos(a, b) - r(a) - r(b), where r is the mean cosine with the ten nearest neighbours
(Conneau et al., 2018, https://arxiv.org/abs/1710.04087): of a sentence in the fit corpus, so that
the similarity of a pair does not depend on other pairs, and of a document among the queries.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.correlation import average_ranks
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.similarity import COSINE_DIGITS, pairwise_cosine

SIMILARITIES: Mapping[str, str] = {
    "cosine": "cosine",
    "dot": "dot product",
    "euclidean": "Euclidean distance",
    "manhattan": "Manhattan distance",
    "spearman": "Spearman's correlation of features",
    "csls": "CSLS",
}
"""The similarities by name, in words."""

AS_THEY_ARE = ("dot", "euclidean", "manhattan")
"""Similarities that depend on the length of vectors."""

BOUNDED = ("cosine", "spearman")
"""Similarities from -1 to 1, with the ends for parallel vectors."""

_NEAR = 10  # neighbours of CSLS
_AT_ONCE, _ROWS_AT_ONCE = 1 << 23, 1024  # cosines in a block, rows in a block


def prepared(x: FloatArray, similarity: str) -> FloatArray:
    """Return the rows of `x`, shape (N, D), for `of_all`, in float64."""
    if similarity == "spearman":
        middle = (x.shape[1] + 1) / 2
        x = np.apply_along_axis(average_ranks, 1, x) - middle
    return np.asarray(x, np.float64) if similarity in AS_THEY_ARE else unit_rows(x)


def of_all(a: FloatArray, b: FloatArray, similarity: str) -> FloatArray:
    """Return the similarity of all rows `prepared`, shapes (N, D) and (M, D), as (N, M).

    CSLS is without the neighbourhoods, which the caller subtracts: 2 cos(a, b).
    """
    from scipy.spatial.distance import cdist  # late: slow to import

    match similarity:
        case "euclidean":
            return -cdist(a, b)
        case "manhattan":
            return -cdist(a, b, "cityblock")
    products: FloatArray = a @ b.T
    return 2 * products if similarity == "csls" else products


def of_pairs(a: FloatArray, b: FloatArray, similarity: str) -> FloatArray:
    """Return the similarity of each row of `a` with the same row of `b`, (N, D) each, shape (N,).

    CSLS is without the neighbourhoods, which the caller subtracts: 2 cos(a, b).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.similarities import of_pairs
        >>> a, b = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 4.0, 9.0]])
        >>> [of_pairs(a, b, name).item() for name in ("dot", "manhattan", "spearman")]
        [36.0, -8.0, 1.0]
    """
    if similarity in ("cosine", "csls"):
        return (2 if similarity == "csls" else 1) * pairwise_cosine(a, b)
    found = [np.empty(0)]
    for sides in zip(*(row_blocks(x, _ROWS_AT_ONCE) for x in (a, b)), strict=True):
        first, second = (prepared(rows, similarity) for rows in sides)
        match similarity:
            case "euclidean":
                found.append(-np.linalg.norm(first - second, axis=1))
            case "manhattan":
                found.append(-np.abs(first - second).sum(axis=1))
            case _:
                found.append(np.einsum("nd,nd->n", first, second))
    values = np.concatenate(found)
    return values.round(COSINE_DIGITS) if similarity in BOUNDED else values


def nearness(x: FloatArray, corpus: FloatArray, own: Sequence[int] = ()) -> FloatArray:
    """Return the mean cosine of each row, (N, D), with its ten nearest of the corpus, shape (N,).

    `own` is the row of the corpus that is the same sentence, which does not count; -1 for none.
    """
    unit, start = unit_rows(corpus), 0
    near = min(_NEAR, len(corpus) - (1 if own else 0))
    found = np.empty(len(x))
    for rows in row_blocks(x, max(1, _AT_ONCE // len(corpus))):
        cosines = unit_rows(rows) @ unit.T
        for i, row in enumerate(own[start : start + len(rows)]):
            if row >= 0:
                cosines[i, row] = -np.inf
        part = np.partition(cosines, -near, axis=1)[:, -near:]
        found[start : start + len(rows)] = part.mean(axis=1)
        start += len(rows)
    return found
