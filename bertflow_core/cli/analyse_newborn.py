"""`bertflow-lab analyse newborn`: a small language model trained from nothing, and its cone."""

from typing import Annotated

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import DataDir, Output, spec_option, with_params
from bertflow_core.report import Form
from bertflow_core.studies.newborn.recipe import NewbornRecipe


@with_params(NewbornRecipe)
def newborn(
    recipe: NewbornRecipe,
    data_dir: DataDir = None,
    calibrator: Annotated[list[str] | None, spec_option("Calibrator, repeatable.")] = None,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Train a small masked language model and record how its word vectors become a cone."""
    into = figure_folder(figures, figure_format)
    from bertflow_core.lab import Lab
    from bertflow_core.studies.cone import SPECS
    from bertflow_core.studies.newborn.measure import measure_newborn
    from bertflow_core.studies.newborn.report import newborn_report

    with progress_bars():
        measured = measure_newborn(recipe, Lab(data_dir=data_dir), specs=tuple(calibrator or SPECS))
    write_report(newborn_report(measured), output, into)
