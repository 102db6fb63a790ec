"""Table 6 of the paper as it was printed."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from bertflow_core.analysis.edit_distance import Unit
from bertflow_core.files import resource
from bertflow_core.recipe import Recipe

__all__ = ["PrintedRow", "printed_rows"]


@dataclass(frozen=True)
class PairText:
    """A distribution of the pairs, whose tokens decide their edit distances.

    Attributes:
        layout: Its arrangement of files.
        text: What was done to the sentences.
        gold_distance: Spearman's rho x 100 of gold with edit distance, computed here.
        close: Pairs at most four edits apart.
    """

    layout: str
    text: str
    gold_distance: float
    close: int

    def describe(self) -> str:
        """Return its numbers in words."""
        return f"{self.gold_distance:.2f} on {self.text} ({self.layout}; {self.close} close pairs)"


@dataclass(frozen=True)
class PrintedRow:
    """One printed row.

    Attributes:
        citation: Source and table, for a caption.
        label: As printed.
        edit_distance: Spearman's rho x 100 with edit distance.
        gold: Spearman's rho x 100 with gold.
        gold_distance: The table's rho x 100 of gold with edit distance.
        texts: What each text of the pairs gives for it.
    """

    citation: str
    label: str
    edit_distance: float
    gold: float
    gold_distance: float
    texts: tuple[PairText, ...]


def printed_rows(recipe: Recipe, unit: str = Unit.TREEBANK) -> tuple[PrintedRow, ...]:
    """Return the printed rows for the pairs of a recipe; none for other pairs.

    Args:
        recipe: Names the pairs. The printed model is BERT; its size and layers are not stated.
        unit: What one edit changes; only `treebank` gives the printed distances.
    """
    table = _table()
    printed = (table["dataset"], table["split"], table["unit"])
    if (recipe.dataset, recipe.split, unit) != printed:
        return ()
    citation = f"{table['source']['title']}, Table {table['source']['table']}"
    texts = tuple(PairText(**text) for text in table["texts"])
    rows = {row["name"]: row for row in table["rows"]}
    of_gold = rows["gold"]["edit_distance"]
    return tuple(
        PrintedRow(citation, row["label"], row["edit_distance"], row["gold"], of_gold, texts)
        for row in rows.values()
    )


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(resource("published_table6.json").read_text("utf-8"))
    return table
