"""Lines of cells between raw tabs, the benchmarks' format: no quoting, a quotation mark is text."""

from collections.abc import Iterable, Sequence

from bertflow_core.datasets.choices import listed
from bertflow_core.datasets.files import RawFile
from bertflow_core.errors import InputError

__all__ = ["named_cells", "numbers", "tab_cells"]


def tab_cells(raw: RawFile, cells: int) -> list[list[str]]:
    """Cut each line at its tabs; cells beyond the first `cells` are extra and allowed.

    Raises:
        InputError: A line has fewer cells.
    """
    rows = [line.split("\t") for line in raw.lines()]
    for number, row in enumerate(rows, start=1):
        if len(row) < cells:
            raise InputError(
                f"{raw.name!r}, line {number}: expected {cells} cells between tabs, "
                f"got {len(row)}; is this the original file?"
            )
    return rows


def named_cells(raw: RawFile, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Cut each line after the header at its tabs and pick the cells of the columns `names`.

    Raises:
        InputError: The header lacks a name, or a line has another number of cells than the header.
    """
    header, *rows = [line.split("\t") for line in raw.lines()] or [[]]
    missing = [name for name in names if name not in header]
    if missing:
        raise InputError(
            f"{raw.name!r}: expected a header line with {listed(names)} between tabs, "
            f"got {listed(header)}; is this the original file?"
        )
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{raw.name!r}, line {number}: expected {len(header)} cells between tabs like "
                f"the header, got {len(row)}; is this the original file?"
            )
    places = [header.index(name) for name in names]
    return [tuple(row[place] for place in places) for row in rows]


def numbers(raw: RawFile, lines: Iterable[tuple[int, str]]) -> list[float]:
    """Read the scores of `raw` from (line number, text).

    Raises:
        InputError: A text is not a number; the sentence names its line.
    """
    values = []
    for number, text in lines:
        try:
            values.append(float(text))
        except ValueError:
            raise InputError(
                f"{raw.name!r}, line {number}: expected a score, got {text[:40]!r}; "
                "is this the original file?"
            ) from None
    return values
