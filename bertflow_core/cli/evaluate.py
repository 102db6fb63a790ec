"""`bertflow-lab evaluate`: calibrators side by side on a data set of scored pairs."""

from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import Format
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe

__all__ = ["evaluate"]


def evaluate(
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
    calibrator: Annotated[
        list[str] | None,
        typer.Option(help="Calibrator, repeatable: name[:key=value,...], steps joined by +."),
    ] = None,
    fit_on: options.FitOn = Recipe.fit_on,
    seed: options.Seed = Recipe.seed,
    aggregation: Annotated[
        str, typer.Option(help="The rho of the table: all, mean or wmean over subsets.")
    ] = Recipe.aggregation,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
    output: Annotated[
        Format, typer.Option("--format", help="Form of the results on standard output.")
    ] = Format.TABLE,
    pairs: Annotated[bool, typer.Option("--pairs", help="Add each pair's cosine (JSON).")] = False,
) -> None:
    """Score calibrators on pairs of sentences: Spearman's rho of cosine with gold.

    Each calibrator is fitted on sentences alone; gold scores are used for the correlation only.
    """
    if pairs and output is not Format.JSON:
        raise InputError(f"--pairs needs --format json, got {output}")
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
    from bertflow_core import experiment, report

    with progress_bars() as progress:
        results = experiment.evaluate(
            recipe,
            calibrator or ["identity", "null-top-k:k=6", "whiten", "flow"],
            data_dir=data_dir,
            device=device,
            batch_tokens=batch_tokens,
            progress=progress,
        )
    emit(report.to_json(results, pairs=True) if pairs else report.WRITERS[output](results))
