"""The selected rows of a wall: records for a table, and the report that is downloaded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.old_report import Report
from bertflow_core.studies.wall.recipe import Picture, WallRecipe
from bertflow_core.studies.wall.row_properties import Cell, Column
from bertflow_core.studies.wall.spaces import Wall
from bertflow_core.text_table import table_of

__all__ = ["selection_records", "selection_report"]


def selection_records(
    wall: Wall, rows: Sequence[int], extra: Sequence[Column] = ()
) -> list[dict[str, int | Cell]]:
    """Return one record per row: id, text, shared columns, then those of each pane by its name.

    Texts are as they were written: a report guards them for spreadsheets.

    Args:
        wall: The spaces.
        rows: Rows of the wall, from 0, in the order of the records.
        extra: More columns, such as `faithfulness_column`.

    Raises:
        InputError: A row or a pane that the wall does not have.
    """
    columns = (*wall.columns, *extra)
    for row in rows:
        if not 0 <= row < len(wall.rows):
            raise InputError(f"expected rows from 0 to {len(wall.rows) - 1}, got {row}")
    return [
        {
            "id": int(wall.rows.ids[row]),
            "text": wall.rows.texts[row],
            **{name: cell for column in columns for name, cell in _cells(wall, column, row)},
        }
        for row in rows
    ]


def selection_report(
    wall: Wall, picture: Picture, rows: Sequence[int], extra: Sequence[Column] = ()
) -> Report:
    """Report selected rows with every column.

    Args:
        wall: The spaces.
        picture: How they are drawn.
        rows: As `selection_records`.
        extra: As `selection_records`.
    """
    remarks = wall.remarks(picture)

    def records() -> list[dict[str, int | Cell]]:
        return selection_records(wall, rows, extra)

    return Report(
        name="selection",
        tables=lambda: (table_of(records(), remarks),),
        records=records,
        shared={"recipe": " ".join(remarks)},
        document=lambda: {
            "recipe": {"wall": _without_paths(wall.recipe), "picture": picture.to_dict()},
            "records": records(),
        },
        remarks=remarks,
    )


def _without_paths(recipe: WallRecipe) -> dict[str, Any]:
    """Return a recipe's fields; files of word counts by their name, not by their folder here."""
    fields = recipe.to_dict()
    for each in (fields, fields["base"]):
        if each.get("counts"):
            each["counts"] = Path(each["counts"]).name
    return fields


def _cells(wall: Wall, column: Column, row: int) -> list[tuple[str, Cell]]:
    if not column.per_pane:
        return [(column.header, column.cell(row))]
    return [
        (f"{column.header}, {name}", column.cell(row, pane)) for pane, name in enumerate(wall.names)
    ]
