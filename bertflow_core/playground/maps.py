"""Where typed sentences fall on the map of real ones, in every space."""

from dataclasses import dataclass, field

from bertflow_core.analysis.clouds import sample_rows
from bertflow_core.numerics import FloatArray
from bertflow_core.playground.spaces import Playground
from bertflow_core.playground.typed import Typed

__all__ = ["MAP_ROWS", "SentenceMap", "map_typed"]

MAP_ROWS = 1_500
"""Real sentences that are drawn; the plane is fitted on all."""


@dataclass(frozen=True, eq=False)
class SentenceMap:
    """Coordinates in the plane of most variance, by spec.

    Attributes:
        texts: The m real sentences that are drawn.
        real: Their coordinates, float32, shape (m, 2).
        typed: Those of the n typed ones, float32, shape (n, 2).
        explained: Share of the variance on each axis, in [0, 1].
    """

    texts: tuple[str, ...] = field(repr=False)
    real: dict[str, FloatArray] = field(repr=False)
    typed: dict[str, FloatArray] = field(repr=False)
    explained: dict[str, tuple[float, float]]


def map_typed(playground: Playground, typed: Typed) -> SentenceMap:
    """Put typed sentences into the planes that were fitted on the real ones alone."""
    rows = sample_rows(len(playground.sentences), MAP_ROWS, seed=playground.recipe.seed)
    planes = {space.spec: space.plane for space in playground.spaces}
    return SentenceMap(
        texts=tuple(playground.sentences[row] for row in rows),
        real={space.spec: space.plane.place(space.z[rows]) for space in playground.spaces},
        typed={spec: plane.place(typed.z[spec]) for spec, plane in planes.items()},
        explained={spec: plane.explained for spec, plane in planes.items()},
    )
