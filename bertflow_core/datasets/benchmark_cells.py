"""The cells of a benchmark's original files, and the pairs that they hold."""

from collections.abc import Callable, Sequence

from bertflow_core.datasets.delimited import cut_at_tabs
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.rows import Rows
from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

__all__ = ["Cells", "cells_at", "named_cells", "not_original", "rows_of"]

Cells = list[tuple[int, tuple[str, ...]]]
"""Line number, and the cells that were asked for."""


def cells_at(raw: RawFile, places: Sequence[int], n_cells: int) -> Cells:
    """Cut each line at its tabs; cells beyond the first `n_cells` are extra and allowed.

    Raises:
        InputError: A line has fewer cells.
    """
    rows = cut_at_tabs(raw)
    for line, cells in rows:
        if len(cells) < n_cells:
            raise not_original(raw, line, f"{n_cells} cells between tabs", len(cells))
    return [(line, tuple(cells[place] for place in places)) for line, cells in rows]


def named_cells(raw: RawFile, names: Sequence[str]) -> Cells:
    """Cut each line after the header at its tabs and pick the cells of the columns `names`.

    Raises:
        InputError: The header lacks a name, or a line has another number of cells than the header.
    """
    (_, header), *rows = cut_at_tabs(raw) or [(1, [])]
    if not set(names) <= set(header):
        raise InputError(
            f"{quoted(raw.name)}: expected a header line with {listed(names)} between tabs, "
            f"got {listed(header)}; is this the original file?"
        )
    for line, cells in rows:
        if len(cells) != len(header):
            expected = f"{len(header)} cells between tabs like the header"
            raise not_original(raw, line, expected, len(cells))
    places = [header.index(name) for name in names]
    return [(line, tuple(cells[place] for place in places)) for line, cells in rows]


def _score(raw: RawFile, line: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise not_original(raw, line, "a score", repr(text[:40])) from None


def rows_of(
    raw: RawFile,
    cells: Cells,
    *,
    subset: str = "",
    files: Sequence[RawFile] = (),
    read: Callable[[RawFile, int, str], float] = _score,
) -> Rows:
    """Return pairs from cells: first, second, score if known, and subset if there are several.

    Args:
        raw: The file with the scores.
        cells: With line numbers of `raw`.
        subset: The only subset, where the cells name none.
        files: Everything that was read; `raw` alone by default.
        read: Reads a score, or a label as 1 or 0.

    Raises:
        InputError: A score is not a number, or a label is unknown; the sentence names its line.
    """
    is_scored = all(len(each) > 2 for _, each in cells)
    return Rows(
        first=[each[0] for _, each in cells],
        second=[each[1] for _, each in cells],
        gold=[read(raw, line, each[2]) for line, each in cells] if is_scored else None,
        subsets=[subset or each[3] for _, each in cells],
        files=[file.source_file() for file in files or [raw]],
    )


def not_original(raw: RawFile, line: int, expected: str, got: object) -> InputError:
    """Return the error about a line that is not as it was published."""
    return InputError(
        f"{quoted(raw.name)}, line {line}: expected {expected}, got {got}; is this the original "
        "file?"
    )
