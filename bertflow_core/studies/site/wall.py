"""The walls of the site: sentences in four spaces, and words by frequency with and without flow."""

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Pane, Picture, WallRecipe
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["sentence_wall", "word_wall"]

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
