"""`bertflow-lab bench`: how fast the work is on this machine, beside a peer in the same run."""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from bertflow_core.cli.console import emit, progress_bars, say
from bertflow_core.cli.options import Output
from bertflow_core.errors import check_name
from bertflow_core.report import Form
from bertflow_core.text_table import TextTable, table_of, to_csv

_BENCHMARKS = "bertflow_benchmarks"
"""The installed name of the folder benchmarks/."""

Row = Mapping[str, Any]


def bench(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            help="embedding, flow, linear, neighbours, bootstrap (these five by default) or app.",
            metavar="[SUITE]...",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes: the five in under a minute.")
    ] = False,
    form: Output = Form.TABLE,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for one JSON file a suite, with machine, versions and sizes."),
    ] = None,
) -> None:
    """Measure seconds, ratio to a named peer, and how far the results agree.

    Ways take turns in one process; a ratio is the median over the rounds of the peer's seconds by
    ours, above 1 is faster, and the spread is its smallest and its largest round. Both columns of
    seconds are medians of their own, so the ratio need not be their quotient.
    """
    known = import_module(f"{_BENCHMARKS}.suites")
    names = suites or known.BY_DEFAULT
    for name in names:
        check_name(name, known.SUITES, "suite")
    record_of = import_module(f"{_BENCHMARKS}.record")
    rows: list[Row] = []
    remarks: list[str] = []
    with progress_bars():
        for record in known.measure([known.SUITES[name] for name in names], quick=quick):
            if out is not None:
                record_of.write_record(out, record)
            rows += [known.comparison_of(row) for row in record["results"]]
            remarks.append(f"{record['benchmark']}: {record_of.conditions(record)}")
    missing = [f"{row['name']}: {row['missing']}" for row in rows if row.get("missing")]
    if form in (Form.JSON, Form.CSV):
        for each in missing:
            say(each)
    emit(_written(rows, [*missing, *remarks], form))


def _written(rows: Sequence[Row], remarks: Sequence[str], form: Form) -> str:
    if form is Form.JSON:
        return json.dumps(rows, indent=2, allow_nan=False)
    if form is Form.CSV:
        return to_csv([_flat(row) for row in rows])
    table: TextTable = table_of([_shown(row) for row in rows], remarks)
    return table.write(form)


def _flat(row: Row) -> dict[str, object]:
    """Return a row with a column for each end of the spread and each check."""
    low, high = row["spread"] or (None, None)
    plain = {key: value for key, value in row.items() if key not in ("spread", "checks")}
    return {**plain, "spread_low": low, "spread_high": high, **row["checks"]}


def _shown(row: Row) -> dict[str, object]:
    low, high = row["spread"] or (None, None)
    return {
        "name": row["name"],
        "seconds": _number(row["seconds"]),
        "peer": row["peer"] or "-",
        "peer seconds": _number(row["peer_seconds"]),
        "ratio": "-" if row["ratio"] is None else f"{row['ratio']:.2f}",
        "spread": "-" if low is None else f"{low:.2f} to {high:.2f}",
        "checks": ", ".join(
            f"{key.replace('_', ' ')} {_number(value)}" for key, value in row["checks"].items()
        ),
    }


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else str(value or "-")
