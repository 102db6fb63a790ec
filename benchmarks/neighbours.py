"""Find the exact nearest neighbours of words, as for Table 1, by the package and by FAISS.

The 7 neighbours of 10,000 words are searched among all word embeddings of the built-in model, by L2
distance and by dot product. With `--quick` there are 1,000 words and only L2 distance. The peer
is FAISS's flat index, which is exact except for float32 rounding. Filling the index is part of its
work. FAISS searches for one more neighbour, because a word finds itself.
`max_error` is the largest error of a distance or product of the first 500 words, divided
by the largest distance or product. The reference is computed in float64.
"""

from functools import cache, partial

import numpy as np
import numpy.typing as npt
from sklearn.metrics import euclidean_distances

from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.arrays.types import FloatArray
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe

from .measure import Run

_K = 7
_NAMES = {"l2": "neighbours", "dot": "neighbours-dot"}
_COMPARED_WORDS = 500


def main() -> None:
    """Measure both metrics on many words or, with `--quick`, L2 distance on few words."""
    run, rows = Run.asked("neighbours", __doc__), []
    n = 1_000 if run.quick else 10_000
    for metric in ["l2"] if run.quick else _NAMES:
        ours = {_NAMES[metric]: partial(by_package, metric, n)}
        peer = "FAISS flat index", partial(by_faiss, metric, n)
        rows += run.compare(ours, peer, partial(errors, metric, n), needs="faiss-cpu")
    sizes = {"model": WordRecipe.model, "words": n, "rows": len(_words(1)[0]), "k": _K}
    run.finish(rows, **sizes, repeats=run.repeats)


def by_package(metric: str, n_words: int) -> FloatArray:
    """Return the distances or products of our search, shape (n, k)."""
    x, own = _words(n_words)
    return nearest_neighbours(x, x[own], _K, metric=metric, own=own).values


def by_faiss(metric: str, n_words: int) -> FloatArray:
    """Return those of FAISS's search."""
    import faiss

    x, own = _words(n_words)
    index = (faiss.IndexFlatL2 if metric == "l2" else faiss.IndexFlatIP)(x.shape[1])
    index.add(x)
    values, rows = index.search(x[own], _K + 1)
    others = np.argsort(rows == own[:, None], axis=1, kind="stable")[:, :_K]  # without the word
    found = np.take_along_axis(values, others, axis=1)
    return np.sqrt(found.clip(min=0)) if metric == "l2" else found


def errors(
    metric: str, n_words: int, ours: FloatArray, theirs: FloatArray | None
) -> dict[str, float]:
    """Compare both results with the reference."""
    expected = _reference(metric, n_words)
    return {
        name: float(np.abs(found[: len(expected)] - expected).max() / np.abs(expected).max())
        for name, found in {"max_error": ours, "peer_max_error": theirs}.items()
        if found is not None
    }


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


if __name__ == "__main__":
    main()
