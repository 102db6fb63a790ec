"""A small wall of given vectors, with no model behind it."""

from collections.abc import Sequence

import numpy as np

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.studies.wall import Column, Pane, Space, Wall, WallRecipe, WallRows

__all__ = ["tiny_wall"]


def tiny_wall(
    vectors: Sequence[np.ndarray],
    calibrators: Sequence[str] | None = None,
    texts: Sequence[str] | None = None,
) -> Wall:
    """Return a wall of one pane an array, shape (N, K), under `identity` or the named specs."""
    calibrators = calibrators or ["identity"] * len(vectors)
    panes = tuple(Pane("minilm", f"layer:{i}", spec) for i, spec in enumerate(calibrators))
    n = len(vectors[0])
    rows = WallRows(
        ids=np.arange(0, 3 * n, 3),
        texts=tuple(texts or (f"={i}" for i in range(n))),
        columns=(
            Column("length", np.arange(n), unit="words"),
            Column("subset", np.arange(n) % 2, ("even", "odd")),
        ),
        description="rows",
    )
    spaces = tuple(
        Space(
            pane,
            build_calibrator(pane.calibrator),
            np.asarray(z, np.float32),
        )
        for pane, z in zip(panes, vectors, strict=True)
    )
    return Wall(WallRecipe(panes=panes), rows, spaces, "Fitted on nothing.")
