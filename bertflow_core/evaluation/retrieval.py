"""Documents ranked by similarity to queries, and how well that agrees with judgements."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.similarities import nearness, of_all, prepared
from bertflow_core.runtime import context

DEEP, TOP = 100, 10
"""How many documents are ranked per query, and how many count in a metric @10."""

_AT_ONCE = 1 << 23  # scores in a block
MEASURES = {
    "ndcg": "nDCG@10",
    "mrr": "MRR@10",
    "recall_1": "recall@1",
    "recall_10": "recall@10",
    "recall_100": "recall@100",
    "map": "MAP",
}
"""The usual name of each measure."""


def ranking(
    queries: FloatArray,
    documents: FloatArray,
    similarity: str = "cosine",
    k: int = DEEP,
    *,
    own: Mapping[int, int] | None = None,
) -> np.ndarray:
    """Return the rows of the k documents nearest to each query, best first, shape (Q, k).

    Scores are rounded to float32; of equal scores the earlier row comes first. `own` has the row of
    each query that is itself a document, and this document's, which comes last.
    """
    q, d = (prepared(x, similarity) for x in (queries, documents))
    k, step, own = min(k, len(d)), max(1, _AT_ONCE // len(d)), own or {}
    less = nearness(d, q) if similarity == "csls" else np.zeros(len(d))
    found = np.empty((len(q), k), np.int64)
    for start in range(0, len(q), step):
        context.report(start, len(q), "queries")
        scores = (of_all(q[start : start + step], d, similarity) - less).astype(np.float32)
        for query in own.keys() & range(start, start + len(scores)):
            scores[query - start, own[query]] = -np.inf
        least = np.partition(scores, -k, axis=1)[:, -k]
        for row, (each, last) in enumerate(zip(scores, least, strict=True), start):
            some = np.flatnonzero(each >= last)
            found[row] = some[np.argsort(-each[some], kind="stable")[:k]]
    return found


def measured(
    ranked: np.ndarray, documents: Sequence[str], grades: Mapping[str, Mapping[str, int]]
) -> dict[str, FloatArray]:
    """Return the `MEASURES` of every query, shape (Q,), as trec_eval defines them.

    `ranked` has the rows of each query's documents, best first, shape (Q, k); `documents` has the
    ids of all rows. `grades` has, for each query in order, grades of documents by id; above 0 means
    relevant, and each query has a relevant document. A document with the query's own id is left
    out, as in BEIR and MTEB.
    """
    gains, best = np.zeros(ranked.shape), np.zeros((len(ranked), TOP))
    n_relevant = np.empty(len(ranked))
    for row, ((query, of), found) in enumerate(zip(grades.items(), ranked.tolist(), strict=True)):
        others = [name for place in found if (name := documents[place]) != query]
        gains[row, : len(others)] = [max(0, of.get(name, 0)) for name in others]
        positive = sorted((grade for grade in of.values() if grade > 0), reverse=True)
        best[row, : len(positive)] = positive[:TOP]
        n_relevant[row] = len(positive)
    hits, ranks = gains > 0, np.arange(1, ranked.shape[1] + 1)
    discounts = 1 / np.log2(np.arange(2, TOP + 2))
    n_hits = hits.cumsum(axis=1)
    return {
        "ndcg": gains[:, :TOP] @ discounts[: len(ranks)] / (best @ discounts),
        "mrr": (hits / ranks)[:, :TOP].max(axis=1),
        **{f"recall_{k}": hits[:, :k].sum(axis=1) / n_relevant for k in (1, TOP, DEEP)},
        "map": (hits * n_hits / ranks).sum(axis=1) / n_relevant,
    }


def own_rows(queries: Iterable[str], documents: Sequence[str]) -> dict[int, int]:
    """Return the row of each query whose id is a document's, and the row of this document."""
    rows = {name: row for row, name in enumerate(documents)}
    return {place: rows[name] for place, name in enumerate(queries) if name in rows}
