"""`bertflow-lab ledger`: every pair's ranks before and after, and its share of the gain."""

from enum import StrEnum
from typing import Annotated

import typer

from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import Asked, with_recipe


class Format(StrEnum):
    """How the ledger is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class Order(StrEnum):
    """Which pairs come first."""

    MENDED = "mended"
    BROKEN = "broken"
    ROW = "row"


@with_recipe()
def ledger(
    asked: Asked,
    before: Annotated[str, typer.Option(help="Calibrator of the ranks before.")] = "identity",
    after: Annotated[str, typer.Option(help="Calibrator of the ranks after.")] = "flow",
    order: Annotated[Order, typer.Option(help="Which pairs come first.")] = Order.MENDED,
    top: Annotated[
        int | None, typer.Option(help="How many pairs; all by default, 20 in a table.", min=1)
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="Form of the ledger on standard output.")
    ] = Format.TABLE,
) -> None:
    """List which pairs a calibrator mends and which it breaks, against another one."""
    from bertflow_core import experiment
    from bertflow_core.studies.ledger import LEDGER_WRITERS, ledger_of

    with progress_bars() as progress:
        results = experiment.evaluate(
            asked.recipe,
            [before, after],
            data_dir=asked.data_dir,
            device=asked.device,
            batch_tokens=asked.batch_tokens,
            progress=progress,
        )
    found = ledger_of(*results)
    shown = top or (20 if output is Format.TABLE else len(found.ledger))
    emit(LEDGER_WRITERS[output](found, found.rows(order, shown)))
