"""`bertflow-lab analyse newborn`: a small language model trained from nothing, and its cone."""

from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import Output, spec_option
from bertflow_core.report import Form
from bertflow_core.studies.newborn.recipe import NewbornRecipe


def newborn(
    dataset: options.Dataset = NewbornRecipe.dataset,
    data_dir: options.DataDir = None,
    n_words: Annotated[int, typer.Option(help="Most words.")] = NewbornRecipe.n_words,
    n_unused: Annotated[
        int, typer.Option(help="Rows of the table whose words never occur.")
    ] = NewbornRecipe.n_unused,
    width: Annotated[int, typer.Option(help="Features.")] = NewbornRecipe.width,
    n_layers: Annotated[int, typer.Option(help="Transformer layers.")] = NewbornRecipe.n_layers,
    max_words: Annotated[
        int, typer.Option(help="Longest sentence in words.")
    ] = NewbornRecipe.max_words,
    n_steps: Annotated[int, typer.Option(help="Steps of training.")] = NewbornRecipe.n_steps,
    every: Annotated[int, typer.Option(help="Steps between two frames.")] = NewbornRecipe.every,
    batch_size: Annotated[int, typer.Option(help="Sentences a step.")] = NewbornRecipe.batch_size,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = NewbornRecipe.learning_rate,
    mask_share: Annotated[
        float, typer.Option(help="Share of words that are masked.")
    ] = NewbornRecipe.mask_share,
    seed: options.Seed = NewbornRecipe.seed,
    calibrator: Annotated[list[str] | None, spec_option("Calibrator, repeatable.")] = None,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Train a small masked language model and record how its word vectors become a cone."""
    recipe = NewbornRecipe(
        dataset=dataset,
        n_words=n_words,
        n_unused=n_unused,
        width=width,
        n_layers=n_layers,
        max_words=max_words,
        n_steps=n_steps,
        every=every,
        batch_size=batch_size,
        learning_rate=learning_rate,
        mask_share=mask_share,
        seed=seed,
    )
    into = figure_folder(figures, figure_format)
    from bertflow_core.experiment import Lab
    from bertflow_core.studies.cone.measure import SPECS
    from bertflow_core.studies.newborn.measure import measure_newborn
    from bertflow_core.studies.newborn.report import newborn_report

    with progress_bars():
        measured = measure_newborn(recipe, Lab(data_dir=data_dir), specs=tuple(calibrator or SPECS))
    write_report(newborn_report(measured), output, into)
