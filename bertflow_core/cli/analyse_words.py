"""`bertflow-lab analyse words`: the paper's Table 1, of any model and after any calibrator."""

from typing import Annotated

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import (
    Figures,
    Forms,
    figure_folder,
    write_report,
)
from bertflow_core.cli.options import Device, Output, spec_option, with_params
from bertflow_core.report import Form
from bertflow_core.studies.words.recipe import WordRecipe


@with_params(WordRecipe)
def words(
    recipe: WordRecipe,
    calibrator: Annotated[
        list[str] | None,
        spec_option("Calibrator, repeatable; identity is always there."),
    ] = None,
    device: Device = None,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Measure norm and neighbours of a model's word embeddings by how frequent the words are."""
    into = figure_folder(figures, figure_format)
    from bertflow_core.lab import Lab
    from bertflow_core.studies.words.measure import compare_words
    from bertflow_core.studies.words.report import words_report

    lab = Lab(device=device)
    with progress_bars():
        results = compare_words(recipe, lab, calibrator or ())
    write_report(words_report(results), output, into)
