"""The selected rows of a wall as a table and a report."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertflow_core.report import Column as Shown
from bertflow_core.report import Report, Row
from bertflow_core.studies.wall.recipe import Picture, WallRecipe
from bertflow_core.studies.wall.spaces import Column, Wall


def selection_records(wall: Wall, rows: Sequence[int], extra: Sequence[Column] = ()) -> list[Row]:
    """Return one record per row: id, text, shared columns, then those of each pane by its name.

    Texts are as they were written: a report guards them for spreadsheets. `extra` are more columns,
    such as `faithfulness_column`.
    """
    cells: dict[str, list[Any]] = {
        "id": wall.rows.ids[list(rows)].tolist(),
        "text": [wall.rows.texts[row] for row in rows],
    }
    for column in (*wall.columns, *extra):
        if not column.per_pane:
            cells[column.header] = column.cells(rows)
            continue
        for pane, space in enumerate(wall.spaces):
            cells[f"{column.header}, {space.name}"] = column.cells(rows, pane)
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def selection_report(
    wall: Wall, picture: Picture, rows: Sequence[int], extra: Sequence[Column] = ()
) -> Report:
    """Report selected rows with every column; the arguments are those of `selection_records`."""
    remarks, records = wall.remarks(picture), selection_records(wall, rows, extra)
    return Report(
        name="selection",
        params=picture,
        columns=[Shown(key, key) for key in records[0]],
        rows=[{**row, "recipe": " ".join(remarks)} for row in records],
        remarks=remarks,
        facts={} if wall.recipe is None else {"wall": _without_paths(wall.recipe)},
    )


def _without_paths(recipe: WallRecipe) -> dict[str, Any]:
    """Return a recipe's fields; files of word counts by their name, not by their folder here."""
    fields = recipe.to_dict()
    for each in (fields, fields["base"]):
        if each.get("counts"):
            each["counts"] = Path(each["counts"]).name
    return fields
