"""UMAP's first layout in a fresh process: exact neighbours and a start by PCA against umap-learn.

Rows of the embedded model's word table, in two dimensions. Each round starts two processes, one
after the other, and counts from the rows to the layout, all compiling included; the peer is
`umap.UMAP()` as it comes. `kept_neighbours` is the share of each point's 15 nearest rows that are
among its 15 nearest in the picture, measured once beside the rounds.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.faithfulness import faithfulness
from bertflow_core.analysis.neighbours import Neighbours, nearest_neighbours
from bertflow_core.analysis.projection import project
from bertflow_core.analysis.umap_layout import umap_layout
from bertflow_core.studies.words.measure import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe

from .measure import Way, compare, in_child
from .peers import row_of
from .record import Outcome

__all__ = ["prepare_ours", "prepare_umap_learn", "run"]

FloatArray = npt.NDArray[np.floating]

_PEER, _NAME, _K = "umap-learn", "umap-first-call", 15


def run(*, quick: bool) -> Outcome:
    """Measure with 17,256 rows, or once with few."""
    n, repeats = (1_000, 1) if quick else (17_256, 5)
    ways = [Way(_PEER, prepare_umap_learn, {"n": n}), Way(_NAME, prepare_ours, {"n": n})]
    measured = compare({way.name: partial(in_child, way) for way in ways}, repeats=repeats)
    checks = {
        f"{prefix}kept_neighbours": _kept(way.prepare(n=n)(), n)
        for prefix, way in zip(("peer_", ""), ways, strict=True)
    }
    peer, ours = measured
    return Outcome({"rows": n, "repeats": repeats}, [row_of(ours, peer, checks)])


def prepare_umap_learn(n: int) -> Callable[[], FloatArray]:
    """Return umap-learn's layout of n rows, shape (n, 2)."""
    x = _rows(n)

    def work() -> FloatArray:
        import umap

        return np.asarray(umap.UMAP().fit_transform(x))

    return work


def prepare_ours(n: int) -> Callable[[], FloatArray]:
    """Return the package's layout of n rows, shape (n, 2), neighbours and start included."""
    x = _rows(n)
    return lambda: umap_layout(_nearest(x), project(x).coordinates).coordinates


def _rows(n: int) -> FloatArray:
    return np.ascontiguousarray(prepare_words(WordRecipe()).x[:n])


def _nearest(x: FloatArray) -> Neighbours:
    return nearest_neighbours(x, x, _K, own=np.arange(len(x)))


def _kept(coordinates: FloatArray, n: int) -> float:
    return float(faithfulness(coordinates, _nearest(_rows(n)).rows, k=_K).shares.mean())
