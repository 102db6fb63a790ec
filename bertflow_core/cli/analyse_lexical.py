"""`bertflow-lab analyse lexical`: does similarity follow words or meaning (Table 6, Figure 2)."""

from typing import Annotated

import typer

from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_figures
from bertflow_core.cli.options import CALIBRATOR_NAMES, Asked, with_recipe
from bertflow_core.report import Form

DEFAULT_CALIBRATORS = ("identity", "flow")


@with_recipe("aggregation")
def lexical(
    asked: Asked,
    calibrator: Annotated[
        list[str] | None,
        typer.Option(
            help="Calibrator, repeatable, the baseline first; identity and flow. "
            f"{CALIBRATOR_NAMES}"
        ),
    ] = None,
    unit: Annotated[
        str, typer.Option(help="What an edit changes: treebank, whitespace, wordpiece, character.")
    ] = "treebank",
    threshold: Annotated[
        int, typer.Option(help="Edit distance up to which a pair is close.", min=0)
    ] = 4,
    draws: Annotated[
        int, typer.Option("--bootstrap", help="Resamples for the intervals.", min=100, max=100_000)
    ] = 2_000,
    output: Annotated[
        Form, typer.Option("--format", help="Form of the result on standard output.")
    ] = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Correlate similarity with edit distance and with gold, before and after calibration."""
    into = figure_folder(figures, figure_format)
    from bertflow_core import experiment
    from bertflow_core.studies.lexical.figures import lexical_figures
    from bertflow_core.studies.lexical.measure import check_unit, lexical_bias
    from bertflow_core.studies.lexical.report import LEXICAL_WRITERS, bias_table

    check_unit(unit)
    with progress_bars() as progress:
        results = experiment.evaluate(
            asked.recipe,
            list(dict.fromkeys(calibrator or DEFAULT_CALIBRATORS)),
            data_dir=asked.data_dir,
            device=asked.device,
            batch_tokens=asked.batch_tokens,
            progress=progress,
        )
        found = lexical_bias(
            results, unit=unit, threshold=threshold, n_draws=draws, progress=progress
        )
    if into is not None:
        caption = " ".join(bias_table(found).remarks)
        write_figures(into, lexical_figures(found), caption=caption, command=found.command())
    emit(LEXICAL_WRITERS[output](found))
