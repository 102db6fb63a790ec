"""The table of exports in the documentation, made from `results/exports.json` alone."""

from pathlib import Path
from typing import Any

from .record import Record
from .tables import aligned, put_into_readme

__all__ = ["PAGE", "summary", "write"]

PAGE = Path(__file__).parent.parent / "docs" / "export.md"

_SHOWN = ("layer:4", "mean")
_HEAD = (
    "calibrator",
    "read by",
    "largest difference",
    "smallest cosine",
    "MB",
)
_TIMES = ("ms a sentence", "our ms a sentence")


def write(record: Record) -> None:
    """Put the table between the marks of the page."""
    put_into_readme(summary(record), PAGE)


def summary(record: Record) -> str:
    """Return the worst agreement of each kind of export over layers and token poolings.

    Sizes and times, where they were taken, are those of the page's example.
    """
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in record["results"]:
        rows.setdefault((row["name"], row["read_by"]), []).append(row)
    is_timed = record["recipe"]["repeats"] > 0
    cells = [[*_HEAD, *(_TIMES if is_timed else ())]]
    cells += [[*key, *_cells(group)] for key, group in sorted(rows.items())]
    return "\n".join([_conditions(record, is_timed=is_timed), "", *aligned(cells)]) + "\n"


def _conditions(record: Record, *, is_timed: bool) -> str:
    recipe, shown = record["recipe"], " ".join(_SHOWN)
    spaces = {(row["layers"], row["tokens"]): None for row in record["results"]}
    listed = ", ".join(" ".join(space) for space in spaces)
    times = f" and times on one thread of {record['machine']['cpu']}"
    return (
        f"{record['date']}; {recipe['model']}, fitted on {recipe['fitted_on']}, "
        f"{recipe['sentences']:,} sentences. Differences and cosines: the worst of {listed}. "
        f"Sizes{times if is_timed else ''}: {shown}."
    )


def _cells(rows: list[dict[str, Any]]) -> list[str]:
    (shown,) = [row for row in rows if (row["layers"], row["tokens"]) == _SHOWN]
    times = [shown[key] for key in ("milliseconds", "own_milliseconds") if key in shown]
    return [
        f"{max(row['value_difference'] for row in rows):.1e}",
        f"{min(row['minimum_cosine'] for row in rows):.7f}",
        f"{shown['megabytes']:,.1f}",
        *(f"{each:.3g}" for each in times),
    ]
