"""A small wall of given vectors, with no model behind it."""

from collections.abc import Sequence

import numpy as np

from bertflow_core.exhibits.wall.recipe import WallRecipe
from bertflow_core.exhibits.wall.spaces import Axis, PaneSpace, Wall


def tiny_wall(vectors: Sequence[np.ndarray], texts: Sequence[str] | None = None) -> Wall:
    """Return a wall of one pane an array, shape (N, K), as if each were a layer of its own."""
    recipe = WallRecipe(
        layers=tuple(f"layer:{i}" for i in range(len(vectors))), calibrators=("identity",)
    )
    n = len(vectors[0])
    spaces = tuple(
        PaneSpace(name, name, np.asarray(z, np.float32))
        for name, z in zip(recipe.names, vectors, strict=True)
    )
    return Wall(
        ids=np.arange(0, 3 * n, 3),
        texts=tuple(texts or (f"={i}" for i in range(n))),
        shared=(
            Axis("length", np.arange(n), unit="words"),
            Axis("subset", np.arange(n) % 2, ("even", "odd")),
        ),
        description="rows",
        spaces=spaces,
        recipe=recipe,
        fitted_on="Fitted on nothing.",
    )
