"""The rows that a reader selected, as records for a table or a file."""

from collections.abc import Sequence

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.row_properties import Cell, Column
from bertflow_core.studies.wall.spaces import Wall

__all__ = ["selection_records"]


def selection_records(
    wall: Wall, rows: Sequence[int], extra: Sequence[Column] = ()
) -> list[dict[str, int | Cell]]:
    """Return a record a row: id, text, shared columns, then each pane's own by its name.

    Texts are as they were written: `tables.to_csv` guards them for spreadsheets.

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


def _cells(wall: Wall, column: Column, row: int) -> list[tuple[str, Cell]]:
    if not column.per_pane:
        return [(column.header, column.cell(row))]
    return [
        (f"{column.header}, {name}", column.cell(row, pane)) for pane, name in enumerate(wall.names)
    ]
