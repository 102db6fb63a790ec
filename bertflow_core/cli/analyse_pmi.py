"""`bertflow-lab analyse pmi`: equation 3 of the paper in an encoder with its masked-word head."""

from dataclasses import replace

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import Asked, Output, with_recipe
from bertflow_core.report import Form


@with_recipe("model", "layers", "tokens", "split", "aggregation", "precision")
def pmi(
    asked: Asked,
    model: options.Model = "bert-base",
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Regress h . w of masked words on PMI + log p(x), and compare rows that no text has.

    Words and contexts are counted on the fit corpus.
    """
    into = figure_folder(figures, figure_format)
    from bertflow_core.studies.newborn.encoder import encoder_report, measure_encoder

    asked = replace(asked, recipe=asked.recipe.with_(model=model))
    with progress_bars() as progress:
        measured = measure_encoder(asked.recipe, asked.lab, progress=progress)
    write_report(encoder_report(measured), output, into)
