"""Table 6 of the paper as it was printed."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from bertflow_core.analysis.lexical import Unit
from bertflow_core.files import resource
from bertflow_core.recipe import Recipe

__all__ = ["PrintedRow", "printed_rows"]


@dataclass(frozen=True)
class PrintedRow:
    """A printed line.

    Attributes:
        citation: Source and table, for a caption.
        label: As printed.
        edit_distance: Spearman's rho x 100 with edit distance.
        gold: Spearman's rho x 100 with gold.
    """

    citation: str
    label: str
    edit_distance: float
    gold: float


def printed_rows(recipe: Recipe, unit: str = Unit.TREEBANK) -> tuple[PrintedRow, ...]:
    """Return the printed lines for the pairs of a recipe; none where others were printed.

    Args:
        recipe: Of the pairs; the printed model is BERT, its size and layers are not stated.
        unit: What an edit changes: only `treebank` gives the distances that were printed.
    """
    found = _table()
    printed = (found["dataset"], found["split"], found["unit"])
    if (recipe.dataset, recipe.split, unit) != printed:
        return ()
    citation = f"{found['source']['title']}, Table {found['source']['table']}"
    return tuple(
        PrintedRow(citation, row["label"], row["edit_distance"], row["gold"])
        for row in found["rows"]
    )


@cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(resource("published_table6.json").read_text("utf-8"))
    return found
