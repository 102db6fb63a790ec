"""The wall of a recipe's sentences for the site: four spaces, coloured by the words' frequency."""

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.experiment import Lab
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Column, Pane, Picture, WallRecipe, build_spaces, pictures
from bertflow_core.studies.wall.payload import encode, with_key

__all__ = ["SPECS", "wall_of"]

SPECS = ("identity", "null-top-k:k=6", "whiten", "flow")
MAX_ROWS = 3_000
_FIRST = "mean frequency of its words"


def wall_of(
    recipe: Recipe, lab: Lab, *, progress: Progress = silent
) -> tuple[bytes, tuple[str, ...]]:
    """Return a wall as the browser reads it, and what decides it, a sentence each.

    Args:
        recipe: Whose sentences are shown; its calibrator is ignored.
        lab: Where data and vectors are found.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Data or a model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    panes = tuple(Pane(recipe.model, recipe.layers, spec) for spec in SPECS)
    base = recipe.with_(calibrator=Recipe.calibrator)
    chosen = WallRecipe(base=base, panes=panes, max_rows=MAX_ROWS, counts=VOCABULARY)
    wall = build_spaces(chosen, lab, progress=progress)
    picture = Picture()
    texts, remarks = wall.rows.texts, wall.remarks(picture)
    payload = encode(
        pictures(wall, picture, progress=progress),
        _frequency_first(wall.columns),
        texts,
        ids=[f"{place}: {text}" for place, text in zip(wall.rows.ids, texts, strict=True)],
        caption=" ".join(remarks),
    )
    return with_key(payload, "wall"), remarks


def _frequency_first(columns: tuple[Column, ...]) -> list[Column]:
    return sorted(columns, key=lambda column: column.name != _FIRST)
