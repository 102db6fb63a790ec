"""`bertflow-lab ledger`: every pair's ranks before and after, and its share of the gain."""

from enum import StrEnum
from typing import Annotated

import typer

from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import Asked, Output, with_recipe
from bertflow_core.report import Form

SHOWN = 20


class Order(StrEnum):
    """Which pairs come first."""

    IMPROVED = "improved"
    WORSENED = "worsened"
    ROW = "row"


@with_recipe()
def ledger(
    asked: Asked,
    before: Annotated[str, typer.Option(help="Calibrator of the ranks before.")] = "identity",
    after: Annotated[str, typer.Option(help="Calibrator of the ranks after.")] = "flow",
    order: Annotated[
        Order,
        typer.Option(
            help="Which pairs: those that moved closest to their gold rank first (improved), those "
            "that moved farthest away first (worsened), or all in order (row)."
        ),
    ] = Order.IMPROVED,
    top: Annotated[
        int | None,
        typer.Option(help=f"How many pairs; by default {SHOWN} in a table, else all.", min=1),
    ] = None,
    output: Output = Form.TABLE,
) -> None:
    """List the pairs that a calibrator moves closer to their gold rank, or away from it."""
    from bertflow_core.studies.ledger import ledger_report, pair_ledger

    with progress_bars():
        pairs = pair_ledger(asked.recipe, asked.lab, before, after)
    shown = top or (len(pairs.ledger) if output in (Form.CSV, Form.JSON) else SHOWN)
    emit(ledger_report(pairs, pairs.rows(order, shown)).write(output))
