"""The real sentences nearest to points: to typed sentences, steps of a walk and samples."""

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours, nearest_neighbours
from bertflow_core.linalg import FloatArray, Rows, unit_rows
from bertflow_core.studies.playground.spaces import Playground, PlaySpace
from bertflow_core.studies.playground.typed import Typed
from bertflow_core.studies.wall import PaneNeighbours
from bertflow_core.studies.wall.recipe import check_metric

__all__ = ["N_NEIGHBOURS", "corpus_neighbours", "nearest_rows"]

N_NEIGHBOURS = 10


def nearest_rows(
    z: FloatArray, points: FloatArray, k: int, metric: str, *, own: Rows | None = None
) -> Neighbours:
    """Find the rows of `z`, shape (M, K), nearest to points, shape (n, K), exactly.

    Args:
        z: Real sentences.
        points: Where to look from.
        k: How many, or all rows where there are fewer.
        metric: `cosine`, whose values fall, or `l2`, whose values rise.
        own: The row of `z` to exclude for each point, -1 for none, shape (n,).

    Raises:
        InputError: An unknown metric.
    """
    check_metric(metric)
    k = min(k, len(z) - (own is not None))
    if metric == "l2":
        return nearest_neighbours(z, points, k, own=own)
    return nearest_neighbours(unit_rows(z), unit_rows(points), k, metric="dot", own=own)


def corpus_neighbours(
    playground: Playground, typed: Typed, *, k: int = N_NEIGHBOURS
) -> tuple[tuple[PaneNeighbours, ...], ...]:
    """Find the real sentences nearest to each typed one by cosine, in the full space.

    A real sentence that is the typed one, letter by letter, is left out.

    Returns:
        For each typed sentence its neighbours under each calibrator, compared with those under
        the first.
    """
    places = {sentence: row for row, sentence in enumerate(playground.sentences)}
    own = np.array([places.get(sentence, -1) for sentence in typed.sentences], np.int64)
    nearest = [
        nearest_rows(space.z, typed.z[space.spec], k, "cosine", own=own)
        for space in playground.spaces
    ]
    return tuple(
        tuple(
            _of_space(playground, space, each.rows[i], each.values[i], nearest[0].rows[i])
            for space, each in zip(playground.spaces, nearest, strict=True)
        )
        for i in range(len(typed.sentences))
    )


def _of_space(
    playground: Playground, space: PlaySpace, rows: Rows, values: FloatArray, first: Rows
) -> PaneNeighbours:
    return PaneNeighbours(
        name=space.spec,
        badge=f"{playground.badge(space)}, cosine",
        rows=rows,
        texts=tuple(playground.sentences[row] for row in rows),
        values=values,
        stayed=np.isin(rows, first),
        left=first[~np.isin(first, rows)],
    )
