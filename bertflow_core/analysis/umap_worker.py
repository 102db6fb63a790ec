"""The process that runs UMAP: reads `input`, writes `output`, and reports to its stdout.

A line of its stdout is a stage's done, total and name: `0 1 graph`, then `n N epochs`.

It ends when its stdin does, so that no layout goes on after the process that started it.
"""

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from bertflow_core.files import read_saved, write_saved
from bertflow_core.linalg import FloatArray

__all__ = ["import_umap", "lay_out", "main"]

_LARGEST, _NOISE = 10.0, 1e-4  # of UMAP's own start from principal components
_SEARCH: dict[str, dict[str, Any]] = {
    "pynndescent": {"NNDescent": type("NNDescent", (), {})},
    "pynndescent.distances": {"named_distances": {}},
    "pynndescent.sparse": {"sparse_named_distances": {}},
}
"""What UMAP imports of its search for neighbours."""


def main() -> None:
    """Lay out the neighbours that lie in the folder named by the first argument."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    home = Path(sys.argv[1])
    settings, arrays = read_saved(home / "input")
    coordinates = lay_out(
        arrays["rows"],
        arrays["distances"],
        arrays["start"],
        min_dist=settings["min_dist"],
        seed=settings["seed"],
    )
    write_saved(home / "output", {}, {"coordinates": coordinates})


def _end_with_parent() -> None:
    while os.read(0, 1):  # not through `sys.stdin`, whose lock would be held at the end
        pass
    os._exit(1)


def import_umap() -> ModuleType:
    """Import UMAP's steps without its search for neighbours: here the neighbours are given.

    The first import of that search compiles for a quarter of a minute.
    """
    with _stand_ins(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # of a variant that needs TensorFlow
        from umap import umap_  # type: ignore[import-untyped]
    return umap_  # type: ignore[no-any-return]


@contextmanager
def _stand_ins() -> Iterator[None]:
    """Let the modules of `_SEARCH` be found without an import, where they are not there yet."""
    missing = [name for name in _SEARCH if name not in sys.modules]
    for name in missing:
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(_SEARCH[name])
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


def lay_out(
    rows: np.ndarray, distances: np.ndarray, start: FloatArray, *, min_dist: float, seed: int
) -> FloatArray:
    """Return UMAP's layout of a graph of neighbours, float32, shape (N, dims).

    Its two public steps are called in place of the class `UMAP`, which would find neighbours of its
    own, and warns of each argument that this spares.

    Args:
        rows: Each point itself, then its nearest, int32, shape (N, n_neighbors).
        distances: Their distances, rising from 0, float32, shape (N, n_neighbors).
        start: Where the points start, shape (N, dims).
        min_dist: How close two points may come.
        seed: Random seed, of the noise on the start and of the points that repel.

    References:
        UMAP: Uniform Manifold Approximation and Projection (McInnes, Healy and Melville, 2018).
        https://arxiv.org/abs/1802.03426
    """
    umap_ = import_umap()
    for slow_to_compile in (umap_.smooth_knn_dist, umap_.compute_membership_strengths):
        slow_to_compile.enable_caching()  # in numba's own place, so that the next start is fast
    sys.stdout.write("0 1 graph\n")
    sys.stdout.flush()
    random = np.random.RandomState(seed)  # UMAP takes no other kind
    graph, _, _ = umap_.fuzzy_simplicial_set(
        start, rows.shape[1], random, "euclidean", knn_indices=rows, knn_dists=distances
    )
    a, b = umap_.find_ab_params(1.0, min_dist)
    spread = _LARGEST / np.abs(start).max() * start
    spread += random.normal(scale=_NOISE, size=start.shape)  # so that no two start at one place
    coordinates, _ = umap_.simplicial_set_embedding(
        None,
        graph,
        n_components=start.shape[1],
        initial_alpha=1.0,
        a=a,
        b=b,
        gamma=1.0,
        negative_sample_rate=5,
        n_epochs=None,
        init=spread.astype(np.float32),
        random_state=random,
        metric="euclidean",
        metric_kwds={},
        densmap=False,
        densmap_kwds={},
        output_dens=False,
        tqdm_kwds={
            "disable": False,
            "file": sys.stdout,
            "bar_format": "{n_fmt} {total_fmt} epochs\n",
            "mininterval": 0.2,
        },
    )
    return np.asarray(coordinates, np.float32)


if __name__ == "__main__":
    main()
