"""The recorded results as tables: in a terminal, and in the README between two marks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bertflow_core.text_table import TextTable, table_of

from .record import Record, conditions, read_records

__all__ = ["README", "RESULTS", "put_into_readme", "table"]

RESULTS = Path(__file__).parent / "results"
README = Path(__file__).with_name("README.md")
_START, _END = "<!-- results: make bench -->\n", "<!-- end of results -->\n"


def table(record: Record) -> TextTable:
    """Return the rows of a record and, below them, what they depend on."""
    columns = dict.fromkeys(key for row in record["results"] for key in row if key != "missing")
    rows = [{_heading(key): _cell(key, row) for key in columns} for row in record["results"]]
    missing = [f"{row['name']}: {row['missing']}" for row in record["results"] if "missing" in row]
    return table_of(rows, [*missing, f"{record['benchmark']}: {conditions(record)}"])


def put_into_readme(readme: Path = README, results: Path = RESULTS) -> None:
    """Put the tables of all recorded results between the README's marks."""
    before, start, rest = readme.read_text(encoding="utf-8").partition(_START)
    _, end, after = rest.partition(_END)
    if not (start and end):
        raise ValueError(f"{readme.name} needs the marks {_START!r} and {_END!r}, in this order")
    tables = "\n".join(
        f"### {record['benchmark']}\n\n{table(record).write('markdown')}\n"
        for record in read_records(results)
    )
    readme.write_text(f"{before}{start}\n{tables}\n{end}{after}", encoding="utf-8")


def _heading(key: str) -> str:
    return key.replace("_mib", " MiB").replace("_", " ")


def _cell(key: str, row: Mapping[str, Any]) -> str:
    match row.get(key):
        case None:
            return "-"
        case dict() as checks:
            return ", ".join(f"{_heading(name)} {value:.3g}" for name, value in checks.items())
        case [low, high] if key == "spread":
            return f"{low:.2f} to {high:.2f}"
        case float() as number:
            return f"{number:.2f}" if key == "ratio" else f"{number:,.4g}"
        case value:
            return str(value)


if __name__ == "__main__":
    put_into_readme()
