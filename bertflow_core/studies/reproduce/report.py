"""What was made again as a report: ours beside published in every form, and the figures."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bertflow_core.old_report import Report
from bertflow_core.studies.reproduce.items import Item
from bertflow_core.studies.reproduce.latex import PaperTable, Style
from bertflow_core.studies.reproduce.request import Request
from bertflow_core.studies.reproduce.result import Line, Reproduction
from bertflow_core.text_table import TextTable

__all__ = ["reproduce", "reproduction_report"]

CITATION = "Li et al. (2020)"


def reproduce(item: Item, request: Request) -> Reproduction:
    """Make a table or figure of the paper again.

    Raises:
        InputError: A model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    module, _, name = item.make.partition(":")
    make = getattr(import_module(f"{__package__}.{module}"), name)
    made: Reproduction = make(request)
    return made


def reproduction_report(
    item: Item, made: Reproduction, *, command: str, style: Style = Style.PAPER
) -> Report:
    """Report ours beside published.

    Args:
        item: What was made.
        made: The rows.
        command: Makes them again.
        style: Of LaTeX: the paper's form, or every column with intervals.
    """
    remarks = _remarks(item, made)
    return Report(
        name=item.name,
        tables=lambda: (_table(item, made, remarks, style),),
        records=lambda: _records(made),
        document=lambda: {
            "item": item.name,
            "title": item.title,
            "command": command,
            "remarks": list(remarks),
            "records": _records(made),
        },
        remarks=remarks,
        command=command,
        figures=lambda: {
            f"{item.name}_{name}".replace("/", "-"): figure
            for name, figure in made.figures().items()
        },
    )


def _remarks(item: Item, made: Reproduction) -> tuple[str, ...]:
    return (
        f"{item.title}; published: {CITATION}.",
        *made.recipe,
        *made.missing,
        *item.differences,
    )


def _table(item: Item, made: Reproduction, remarks: Sequence[str], style: Style) -> TextTable:
    header = ("by", "encoder", "row", *made.columns)
    rows = tuple(
        (str(line.origin), line.group, line.label, *(cell.full for cell in line.cells))
        for line in made.lines
    )
    if style is Style.FULL:
        return TextTable(header, rows, tuple(remarks), n_labels=3)
    return PaperTable(
        header,
        rows,
        tuple(remarks),
        n_labels=3,
        corner="Method",
        columns=made.columns,
        lines=made.lines,
        is_best_bold=made.is_best_bold,
        caption=" ".join(remarks[: 1 + len(made.recipe)]),
        notes=(*made.missing, *item.differences),
        label=f"tab:{item.name}",
    )


def _records(made: Reproduction) -> list[dict[str, Any]]:
    """Return one record per number."""
    return [record for line in made.lines for record in _of_line(made.columns, line)]


def _of_line(columns: Sequence[str], line: Line) -> list[dict[str, Any]]:
    named = {"by": str(line.origin), "encoder": line.group, "row": line.label}
    return [
        {**named, "column": column, "value": cell.value, "text": cell.full}
        for column, cell in zip(columns, line.cells, strict=True)
    ]
