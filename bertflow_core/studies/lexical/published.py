"""Table 6 of the paper as it was printed."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from bertflow_core.files import resource
from bertflow_core.recipe import Recipe


@dataclass(frozen=True)
class PrintedRow:
    """One printed row."""

    citation: str  # source and table, for a caption
    label: str  # as printed
    edit_distance: float  # spearman's rho x 100 with edit distance
    gold: float  # spearman's rho x 100 with gold
    gold_distance: float  # the table's rho x 100 of gold with edit distance
    texts: tuple[str, ...]  # what the texts of the pairs that are in use give for it, in words


def printed_rows(recipe: Recipe, unit: str = "treebank") -> tuple[PrintedRow, ...]:
    """Return the printed rows for the pairs of a recipe; none for other pairs.

    Args:
        recipe: Names the pairs. The printed model is BERT; its size and layers are not stated.
        unit: What one edit changes; only `treebank` gives the printed distances.
    """
    table = _table()
    if (recipe.dataset, recipe.split, unit) != (table["dataset"], table["split"], table["unit"]):
        return ()
    citation = f"{table['source']['title']}, Table {table['source']['table']}"
    texts = tuple(
        f"{text['gold_distance']:.2f} on {text['text']} ({text['layout']}; {text['close']} close "
        "pairs)"
        for text in table["texts"]
    )
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
