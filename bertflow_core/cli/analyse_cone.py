"""`bertflow-lab analyse cone`: angles to the mean vector, and what opening the cone is worth."""

from typing import Annotated

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.report import Form


@with_recipe(several_layers=True)
def cone(
    asked: Asked,
    calibrator: Annotated[list[str] | None, spec_option("Calibrator, repeatable.")] = None,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Measure how narrow the cone of sentences is, and how well cosine agrees with people."""
    from bertflow_core.studies.cone.measure import SPECS, measure_cone
    from bertflow_core.studies.cone.report import cone_report

    into = figure_folder(figures, figure_format)
    with progress_bars():
        measured = measure_cone(
            asked.recipe,
            asked.lab,
            layers=asked.layers,
            specs=tuple(calibrator or SPECS),
        )
    write_report(cone_report(measured), output, into)
