"""The command of a study: options from its parameters, one report in any form, its figures."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from bertflow_core.cli.console import emit
from bertflow_core.cli.figure_files import Figures, Forms, Out, figure_folder
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.context import progress_bars
from bertflow_core.report import Form
from bertflow_core.studies import STUDIES
from bertflow_core.study import Study


def study_command(study: Study[Any]) -> Callable[..., None]:
    """Return the command `analyse NAME` of a study."""
    specs = Annotated[list[str] | None, spec_option(_calibrators_help(study))]

    def run(
        asked: Asked,
        calibrator: specs = None,
        output: Output = Form.TABLE,
        figures: Figures = None,
        out: Out = None,
        figure_format: Forms = None,
    ) -> None:
        into = figure_folder(out or figures, figure_format)
        lab = asked.lab
        if out and into:
            lab = replace(lab, cells=into.cells())
        with progress_bars():
            report = study(asked.recipe, lab, calibrator or (), asked.layers)
        if into:
            (into.write_everything if out else into.write_figures)(report)
        emit(report.write(output))

    run.__name__, run.__doc__ = study.name, STUDIES[study.name][1]
    unused = {"figures" if study.folder else "out", *["calibrator"] * (not study.calibrators)}
    signature = inspect.signature(run)
    kept = [each for name, each in signature.parameters.items() if name not in unused]
    run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return with_recipe(*study.without, several_layers=study.layers, kind=study.params)(run)


def _calibrators_help(study: Study[Any]) -> str:
    if study.baseline:
        return "Calibrator, repeatable; identity, the baseline, is always there."
    return f"Calibrator, repeatable; {', '.join(study.calibrators)} by default."
