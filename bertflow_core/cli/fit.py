"""`bertflow-lab fit`: fit one calibrator and save it."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars, say
from bertflow_core.recipe import Recipe

__all__ = ["fit"]


def fit(
    out: Annotated[Path, typer.Option(help="Folder to write: config.json, model.safetensors.")],
    calibrator: Annotated[
        str, typer.Option(help="Calibrator: name[:key=value,...], steps joined by +.")
    ] = "flow",
    model: options.Model = Recipe.model,
    revision: options.Revision = None,
    layers: options.Layers = Recipe.layers,
    tokens: options.Tokens = Recipe.tokens,
    max_length: options.MaxLength = Recipe.max_length,
    dtype: options.Dtype = Recipe.dtype,
    dataset: options.Dataset = Recipe.dataset,
    layout: options.Layout = None,
    data_dir: options.DataDir = None,
    sentence1: options.Sentence1 = None,
    sentence2: options.Sentence2 = None,
    score: options.Score = None,
    subset: options.Subset = None,
    scale: options.Scale = None,
    fit_on: options.FitOn = Recipe.fit_on,
    seed: options.Seed = Recipe.seed,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
) -> None:
    """Fit a calibrator on the sentences of a data set or text file and save it as a folder."""
    recipe = Recipe(
        model=model,
        revision=revision,
        layers=layers,
        tokens=tokens,
        max_length=max_length,
        dtype=dtype,
        dataset=dataset,
        layout=layout,
        sentence1=sentence1,
        sentence2=sentence2,
        score=score,
        subset=subset,
        scale=scale,
        calibrator=calibrator,
        fit_on=fit_on,
        seed=seed,
    )
    from bertflow_core import experiment
    from bertflow_core.calibrators.persistence import save_calibrator
    from bertflow_core.folder import check_folder

    check_folder(out)
    with progress_bars() as progress:
        fitted = experiment.fit(
            recipe,
            data_dir=data_dir,
            device=device,
            batch_tokens=batch_tokens,
            progress=progress,
        )
    save_calibrator(fitted.calibrator, out, spec=calibrator, recipe=fitted.recipe.to_dict())
    say(f"saved {calibrator}, fitted on {len(fitted.corpus)} sentences, to {out}")
