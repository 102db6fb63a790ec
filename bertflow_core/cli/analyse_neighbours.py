"""`bertflow-lab analyse neighbours`: the nearest of many vectors, exactly, read from shards."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.cli import shards
from bertflow_core.cli.console import emit, progress_bars, say
from bertflow_core.cli.options import Output
from bertflow_core.errors import InputError
from bertflow_core.report import Form, Record, Report
from bertflow_core.scale.engines import EngineName
from bertflow_core.scale.names import Nearness
from bertflow_core.text_table import table_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.scale.nearest import ShardNeighbours


def neighbours(
    source: Annotated[
        Path,
        typer.Argument(
            help="Vectors to search: a parquet file, a folder of them, or their pattern in "
            "quotes ('DIR/*.parquet')."
        ),
    ],
    queries: Annotated[
        Path, typer.Option(help="Vectors to look from (.npy, .parquet, .csv), one a row.")
    ],
    k: Annotated[int, typer.Option(min=1, help="How many neighbours of each.")] = 10,
    metric: Annotated[Nearness, typer.Option(help="By what rows are near.")] = Nearness.COSINE,
    exclude_own: Annotated[
        bool,
        typer.Option(
            "--exclude-own",
            help="Leave out the rows whose id is that of the query, which its column --id holds.",
        ),
    ] = False,
    column: shards.VectorColumn = shards.VECTOR,
    key: shards.Key = shards.ID,
    engine: shards.Engine = EngineName.PROCESS,
    address: shards.Address = None,
    output: Output = Form.TABLE,
) -> None:
    """Find the exact nearest neighbours of some vectors among those of many files.

    The files are read one batch of rows at a time, so that they may be larger than the memory.
    """
    from bertflow_core.datasets import read_vectors
    from bertflow_core.scale import neighbours as find
    from bertflow_core.scale import open_engine

    asked = read_vectors(queries, key if exclude_own else None)
    if len(asked.sides) > 1:
        raise InputError(f"{quoted(queries)} holds pairs of vectors: expected one vector a row")
    if exclude_own and asked.names is None:
        raise InputError(f"--exclude-own needs ids, and {quoted(queries)} holds none: leave it out")
    x = asked.sides[0]
    own = asked.names if exclude_own else None
    with open_engine(engine, address=address) as at, progress_bars() as progress:
        found = find(
            source,
            x,
            k,
            engine=at,
            metric=metric,
            own=own,
            column=column,
            key=key,
            progress=progress,
        )
    names = asked.names or [str(number) for number in range(1, len(x) + 1)]
    emit(_report(found, names).write(output))
    if found.refused:
        say(f"rows that could not be used: {found.refused:,} ({found.reason})")


def _report(found: "ShardNeighbours", names: Sequence[str]) -> Report:
    records: list[Record] = [
        {"query": name, "rank": rank, "id": str(row), str(found.metric): float(value)}
        for name, ids, values in zip(names, found.ids, found.values, strict=True)
        for rank, (row, value) in enumerate(zip(ids, values, strict=True), start=1)
    ]
    remark = f"The nearest of {found.n_rows:,} rows by {found.metric}, compared exactly."
    table = replace(table_of(records, (remark,)), n_labels=3)
    return Report("neighbours", lambda: (table,), lambda: records, remarks=(remark,))
