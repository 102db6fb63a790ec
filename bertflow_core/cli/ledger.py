"""`bertflow-lab ledger`: every pair's ranks before and after, and its share of the gain."""

from enum import StrEnum
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.recipe import Recipe

__all__ = ["ledger"]


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


def ledger(
    model: options.Model = Recipe.model,
    revision: options.Revision = None,
    layers: options.Layers = Recipe.layers,
    tokens: options.Tokens = Recipe.tokens,
    max_length: options.MaxLength = Recipe.max_length,
    dtype: options.Dtype = Recipe.dtype,
    dataset: options.Dataset = Recipe.dataset,
    layout: options.Layout = None,
    split: Annotated[str, typer.Option(help="Split that is scored.")] = Recipe.split,
    data_dir: options.DataDir = None,
    sentence1: options.Sentence1 = None,
    sentence2: options.Sentence2 = None,
    score: options.Score = None,
    subset: options.Subset = None,
    scale: options.Scale = None,
    before: Annotated[str, typer.Option(help="Calibrator of the ranks before.")] = "identity",
    after: Annotated[str, typer.Option(help="Calibrator of the ranks after.")] = "flow",
    fit_on: options.FitOn = Recipe.fit_on,
    seed: options.Seed = Recipe.seed,
    aggregation: Annotated[
        str, typer.Option(help="Ranks among all pairs (all) or within subsets (mean, wmean).")
    ] = Recipe.aggregation,
    order: Annotated[Order, typer.Option(help="Which pairs come first.")] = Order.MENDED,
    top: Annotated[
        int | None, typer.Option(help="How many pairs; all by default, 20 in a table.", min=1)
    ] = None,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
    output: Annotated[
        Format, typer.Option("--format", help="Form of the ledger on standard output.")
    ] = Format.TABLE,
) -> None:
    """List which pairs a calibrator mends and which it breaks, against another one."""
    recipe = Recipe(
        model=model,
        revision=revision,
        layers=layers,
        tokens=tokens,
        max_length=max_length,
        dtype=dtype,
        dataset=dataset,
        layout=layout,
        split=split,
        sentence1=sentence1,
        sentence2=sentence2,
        score=score,
        subset=subset,
        scale=scale,
        fit_on=fit_on,
        seed=seed,
        aggregation=aggregation,
    )
    from bertflow_core import experiment
    from bertflow_core.pair_ledger import LEDGER_WRITERS, ledger_of

    with progress_bars() as progress:
        results = experiment.evaluate(
            recipe,
            [before, after],
            data_dir=data_dir,
            device=device,
            batch_tokens=batch_tokens,
            progress=progress,
        )
    found = ledger_of(*results)
    shown = top or (20 if output is Format.TABLE else len(found.ledger))
    emit(LEDGER_WRITERS[output](found, found.rows(order, shown)))
