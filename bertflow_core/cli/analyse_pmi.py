"""`bertflow-lab analyse pmi`: equation 3 of the paper in an encoder with its masked-word head."""

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import Output
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form


def pmi(
    model: options.Model = "bert-base",
    revision: options.Revision = None,
    dataset: options.Dataset = Recipe.dataset,
    data_dir: options.DataDir = None,
    max_length: options.MaxLength = Recipe.max_length,
    seed: options.Seed = Recipe.seed,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Regress h . w of masked words on PMI + log p(x), and compare rows that no text has."""
    recipe = Recipe(
        model=model, revision=revision, dataset=dataset, max_length=max_length, seed=seed
    )
    into = figure_folder(figures, figure_format)
    from bertflow_core.experiment import Lab
    from bertflow_core.studies.newborn.encoder import encoder_report, measure_encoder

    with progress_bars() as progress:
        measured = measure_encoder(recipe, Lab(data_dir=data_dir), progress=progress)
    write_report(encoder_report(measured), output, into)
