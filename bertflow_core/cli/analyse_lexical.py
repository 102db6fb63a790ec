"""`bertflow-lab analyse lexical`: does cosine follow words or meaning (Table 6, Figure 2)?"""

from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.report import Form

DEFAULT_CALIBRATORS = ("identity", "flow")


@with_recipe("aggregation")
def lexical(
    asked: Asked,
    calibrator: Annotated[
        list[str] | None,
        spec_option("Calibrator, repeatable, the baseline first; identity and flow by default."),
    ] = None,
    unit: Annotated[
        str, typer.Option(help="What one edit changes: treebank, whitespace, wordpiece, character.")
    ] = "treebank",
    threshold: Annotated[
        int, typer.Option(help="Largest edit distance of a close pair.", min=0)
    ] = 4,
    distance: Annotated[
        str,
        typer.Option(
            help="edits, as in the paper, or normalised: over the tokens of the longer side."
        ),
    ] = "edits",
    draws: Annotated[
        int, typer.Option("--bootstrap", help="Resamples for the intervals.", min=100, max=100_000)
    ] = 2_000,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Correlate cosine with edit distance and with gold, before and after calibration."""
    into = figure_folder(figures, figure_format)
    from bertflow_core.studies.lexical.measure import compare_with_edits
    from bertflow_core.studies.lexical.report import lexical_report

    with progress_bars():
        bias = compare_with_edits(
            asked.recipe,
            asked.lab,
            calibrator or DEFAULT_CALIBRATORS,
            unit=unit,
            threshold=threshold,
            shown=distance,
            n_draws=draws,
        )
    write_report(lexical_report(bias), output, into)
