"""Results as Markdown: what a run prints, and what stands in the README."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from .record import Record, conditions

__all__ = ["END", "README", "START", "aligned", "markdown", "put_into_readme", "section"]

README = Path(__file__).parent / "README.md"
START, END = "<!-- results: python -m benchmarks --table -->\n", "<!-- end of results -->\n"

_FORMATS = {
    "seconds": ".3g",
    "peer_seconds": ".3g",
    "ratio": ".2f",
    "peak_mib": ",.0f",
    "server_mib": ",.1f",
    "sentences": ",",
}


def markdown(records: Iterable[Record]) -> str:
    """Return the sections of all records."""
    return "\n".join(section(record) for record in records)


def section(record: Record) -> str:
    """Return a heading, what the numbers depend on, and an aligned table."""
    rows = record["results"]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[_heading(column) for column in columns]]
    cells += [[_cell(column, row.get(column)) for column in columns] for row in rows]
    lines = [f"### {record['benchmark']}", "", conditions(record), "", *aligned(cells)]
    return "\n".join(lines) + "\n"


def put_into_readme(text: str, readme: Path = README) -> None:
    """Put `text` between the README's two marks."""
    before, start, rest = readme.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"{readme.name} needs the marks {START!r} and {END!r}, in this order")
    readme.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")


def _heading(column: str) -> str:
    return {"name": "way"}.get(column, column.replace("_mib", " MiB").replace("_", " "))


def _cell(column: str, value: object) -> str:
    match value:
        case None:
            return ""
        case dict():  # checks
            return ", ".join(
                f"{key.replace('_', ' ')} {number:.3g}" for key, number in value.items()
            )
        case [low, high] if column == "spread":
            return f"{low:.2f} to {high:.2f}"
        case _:
            return format(value, _FORMATS.get(column, ""))


def aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: the first column to the left, numbers to the right."""
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    lines = []
    for row in cells:
        padded = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        lines.append(f"| {' | '.join(padded)} |")
    return [lines[0], f"|{rule}|", *lines[1:]]
