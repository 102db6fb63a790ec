"""`bertflow-lab bench`: running times on this machine, compared with peers in the same run."""

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from bertflow_core.cli.console import emit
from bertflow_core.cli.options import Output
from bertflow_core.errors import check_name
from bertflow_core.report.report import Form
from bertflow_core.runtime.context import progress_bars
from bertflow_core.text_table import to_csv


def bench(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            help="embedding, flow, linear, neighbours, bootstrap (these five by default) or app.",
            metavar="[SUITE]...",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Use small sizes: the five suites take under a minute.")
    ] = False,
    form: Output = Form.TABLE,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for one JSON file per suite, with machine, versions and sizes."),
    ] = None,
) -> None:
    """Measure running time, its ratio to another library's, and the agreement of results.

    Our code and a peer library take turns in one process. A ratio is the median over rounds of the
    peer's seconds divided by ours (above 1: ours is faster). The spread is the smallest and the
    largest ratio of a round. Seconds are medians too, so a ratio need not be their quotient.
    """
    known = import_module("bertflow_benchmarks.record")  # the installed name of benchmarks/
    names = suites or known.BY_DEFAULT
    for name in names:
        check_name(name, known.SUITES, "suite")
    records = []
    with progress_bars():
        for record in known.measure(names, quick=quick):
            records.append(record)
            if out is not None:
                known.write_record(out, record)
    rows = [row for record in records for row in record["results"]]
    if form is Form.JSON:
        emit(json.dumps(rows, indent=2, allow_nan=False))
    elif form is Form.CSV:
        emit(to_csv([_flat(row) for row in rows]))
    else:
        emit("\n\n".join(known.table(record).write(form) for record in records))


def _flat(row: Mapping[str, Any]) -> dict[str, object]:
    low, high = row.get("spread") or (None, None)
    plain = {key: value for key, value in row.items() if key not in ("spread", "checks")}
    return {**plain, "spread_low": low, "spread_high": high, **row.get("checks", {})}
