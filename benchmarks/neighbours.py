"""Find the exact nearest neighbours of words, as for Table 1, by the package and by FAISS.

The 7 neighbours of 10,000 words are searched among all word embeddings of the built-in model, by L2
distance and by dot product. With `--quick` there are 1,000 words and only L2 distance. The peer
is FAISS's flat index, which is exact except for float32 rounding. Filling the index is part of its
work. FAISS searches for one more neighbour, because a word finds itself.
`max_error` is the largest error of a distance or product of the first 500 words, divided
by the largest distance or product. The reference is computed in float64.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt
from sklearn.metrics import euclidean_distances

from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.arrays.types import FloatArray
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe

from .measure import Comparison, Outcome, Way, outcome_of

_K = 7
_NAMES = {"l2": "neighbours", "dot": "neighbours-dot"}
_COMPARED_WORDS = 500


def run(*, quick: bool) -> Outcome:
    """Measure both metrics on many words or, if `quick`, L2 distance on few words."""
    n_words = 1_000 if quick else 10_000
    found = [comparison(metric, n_words) for metric in (["l2"] if quick else _NAMES)]
    sizes = {"model": WordRecipe.model, "words": n_words, "rows": len(_words(1)[0]), "k": _K}
    return outcome_of(found, quick=quick, **sizes)


def comparison(metric: str, n_words: int) -> Comparison:
    """Return the comparison of the two searches."""

    def check(ours: FloatArray, theirs: FloatArray | None) -> dict[str, float]:
        expected = _reference(metric, n_words)
        results = {"max_error": ours, "peer_max_error": theirs}
        return {
            name: float(np.abs(found[: len(expected)] - expected).max() / np.abs(expected).max())
            for name, found in results.items()
            if found is not None
        }

    return Comparison(
        Way("FAISS flat index", partial(prepare_faiss, metric, n_words)),
        [Way(_NAMES[metric], partial(prepare, metric, n_words))],
        check,
        needs=("faiss", "faiss-cpu"),
    )


def prepare(metric: str, n_words: int) -> Callable[[], FloatArray]:
    """Return our search as a function, which returns the distances or products, shape (n, k)."""
    x, own = _words(n_words)
    return lambda: nearest_neighbours(x, x[own], _K, metric=metric, own=own).values


def prepare_faiss(metric: str, n_words: int) -> Callable[[], FloatArray]:
    """Return FAISS's search as a function with the same output as the package's search."""
    import faiss

    x, own = _words(n_words)

    def work() -> FloatArray:
        index = (faiss.IndexFlatL2 if metric == "l2" else faiss.IndexFlatIP)(x.shape[1])
        index.add(x)
        values, rows = index.search(x[own], _K + 1)
        others = np.argsort(rows == own[:, None], axis=1, kind="stable")[:, :_K]  # without the word
        found = np.take_along_axis(values, others, axis=1)
        return np.sqrt(found.clip(min=0)) if metric == "l2" else found

    return work


@cache
def _words(n: int) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return every row of the table, shape (V, D), and the rows of the first `n` words."""
    prepared = prepare_words(WordRecipe(bins=(0, n)))
    return prepared.x, prepared.rows


def _reference(metric: str, n_words: int) -> FloatArray:
    """Return the distances or products of the first words in float64, nearest first."""
    x, own = _words(n_words)
    x, own = x.astype(np.float64), own[:_COMPARED_WORDS]
    costs = euclidean_distances(x[own], x) if metric == "l2" else -(x[own] @ x.T)
    costs[np.arange(len(own)), own] = np.inf
    nearest = np.sort(costs, axis=1)[:, :_K]
    return nearest if metric == "l2" else -nearest
