"""What a recipe says about its data, in the form that the readers of data take."""

from pathlib import Path
from typing import Any

from bertflow_core.datasets import TableColumns
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

__all__ = ["data_options", "table_columns", "table_scale"]


def data_options(
    recipe: Recipe, data_dir: str | Path | None, *, strict: bool = False
) -> dict[str, Any]:
    """Return the keyword arguments of `load_pairs` and `load_corpus` that a recipe names."""
    return {
        "data_dir": data_dir,
        "columns": table_columns(recipe),
        "scale": table_scale(recipe),
        "strict": strict,
    }


def table_columns(recipe: Recipe) -> TableColumns | None:
    """Return the columns a recipe names, or None where they are to be recognised."""
    named = (recipe.sentence1, recipe.sentence2, recipe.score, recipe.subset)
    if not any(named):
        return None
    if recipe.sentence1 is None:
        raise InputError(
            "name the columns of sentences: --sentence1 and --sentence2, or --sentence1 alone for "
            "single sentences"
        )
    return TableColumns(recipe.sentence1, recipe.sentence2, recipe.score, recipe.subset)


def table_scale(recipe: Recipe) -> tuple[float, float] | None:
    """Return the gold scale a recipe names, or None where it is to be inferred."""
    if recipe.scale is None:
        return None
    try:
        low, high = map(float, recipe.scale.split(","))
    except ValueError:
        raise InputError(
            "scale must be the lowest and highest gold score as LOW,HIGH, got "
            f"{quoted(recipe.scale)}"
        ) from None
    return low, high
