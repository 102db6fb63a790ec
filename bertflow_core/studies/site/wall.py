"""The walls of the site: sentences in four spaces, and words by frequency with and without flow."""

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.experiment import Lab
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Column, Pane, Picture, WallRecipe, build_spaces, pictures
from bertflow_core.studies.wall.payload import encode, with_key
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["drawn_wall", "sentence_wall", "word_wall"]

_OF_SENTENCES = ("identity", "null-top-k:k=6", "whiten", "flow")
_OF_WORDS = ("identity", "flow")
_MAX_ROWS = 4_000


def sentence_wall(recipe: Recipe) -> tuple[WallRecipe, Picture]:
    """Return the wall of a recipe's sentences, which are compared by cosine."""
    panes = tuple(Pane(recipe.model, recipe.layers, spec) for spec in _OF_SENTENCES)
    base = recipe.with_(calibrator=Recipe.calibrator)
    wall = WallRecipe(base=base, panes=panes, max_rows=_MAX_ROWS, counts=VOCABULARY)
    return wall, Picture()


def word_wall(recipe: Recipe) -> tuple[WallRecipe, Picture]:
    """Return the wall of the words of a recipe's model, whose lengths say most."""
    base = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    panes = tuple(Pane(recipe.model, base.table, spec) for spec in _OF_WORDS)
    return WallRecipe(base=base, panes=panes, max_rows=_MAX_ROWS), Picture(metric="l2")


def drawn_wall(
    recipe: WallRecipe, picture: Picture, lab: Lab, *, progress: Progress = silent
) -> tuple[bytes, str]:
    """Return a wall as the browser reads it, and what decides it.

    Args:
        recipe: Its rows and spaces; they are coloured by the frequency of words at first.
        picture: How the spaces are drawn.
        lab: Where data and vectors are found.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Data or a model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    wall = build_spaces(recipe, lab, progress=progress)
    texts, remarks = wall.rows.texts, " ".join(wall.remarks(picture))
    payload = encode(
        pictures(wall, picture, progress=progress),
        _frequency_first(wall.columns),
        texts,
        ids=[f"{place}: {text}" for place, text in zip(wall.rows.ids, texts, strict=True)],
        caption=remarks,
    )
    return with_key(payload, "wall"), remarks


def _frequency_first(columns: tuple[Column, ...]) -> list[Column]:
    return sorted(columns, key=lambda column: "frequency" not in column.name)
