"""Exact neighbours of words: 7 of 10,000 words among every row of the embedded model's word table.

What Table 1 needs. The reference is FAISS's flat index, which is exact but for float32 rounding:
filling it is part of the work, as is putting our rows in order, and it looks for one more, since a
word finds itself. The last column is the largest difference of a distance or product from the
reference's, in the unit of the vectors.
"""

from collections.abc import Callable

import faiss
import numpy as np
import numpy.typing as npt

from benchmarks.measure import Measured, Way, compare_ways
from benchmarks.record import Outcome
from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.studies.words.measure import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["prepare", "run"]

FloatArray = npt.NDArray[np.floating]

_K = 7
_LIBRARIES = {"faiss": "FAISS flat index", "bertflow-lab": "bertflow-lab"}
_METRICS = {"l2": "L2 distance", "dot": "dot product"}


def run(*, quick: bool) -> Outcome:
    """Measure both metrics, of many words or few."""
    n_words, repeats = (500, 1) if quick else (10_000, 5)
    rows = []
    for metric, title in _METRICS.items():
        size = {"metric": metric, "n_words": n_words}
        ways = [
            Way(f"{label}, {title}", prepare, {"library": library, **size})
            for library, label in _LIBRARIES.items()
        ]
        measured = compare_ways(ways, repeats=repeats)
        rows += [way.row(value_difference=_difference(measured[0], way)) for way in measured]
    recipe = {"model": WordRecipe.model, "words": n_words, "rows": len(_words(1)[0]), "k": _K}
    return Outcome({**recipe, "faiss": faiss.__version__, "repeats": repeats}, rows)


def prepare(library: str, metric: str, n_words: int) -> Callable[[], FloatArray]:
    """Return a search whose result is the distances or products, shape (n, k)."""
    x, own = _words(n_words)
    if library == "bertflow-lab":
        return lambda: nearest_neighbours(x, x[own], _K, metric=metric, own=own).values
    return lambda: _by_faiss(x, own, metric)


def _words(n: int) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return every row of the table, shape (V, D), and the rows of the first `n` words."""
    prepared = prepare_words(WordRecipe(bins=(0, n)))
    return prepared.x, prepared.rows


def _by_faiss(x: FloatArray, own: npt.NDArray[np.int64], metric: str) -> FloatArray:
    index = (faiss.IndexFlatL2 if metric == "l2" else faiss.IndexFlatIP)(x.shape[1])
    index.add(x)
    values, rows = index.search(x[own], _K + 1)
    others = np.argsort(rows == own[:, None], axis=1, kind="stable")[:, :_K]  # itself goes last
    found = np.take_along_axis(values, others, axis=1)
    return np.sqrt(found.clip(min=0)) if metric == "l2" else found


def _difference(reference: Measured, way: Measured) -> float:
    return float(np.abs(reference.result - way.result).max())
