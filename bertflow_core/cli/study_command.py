"""The command of a study: options from its parameters, one report in any form, its figures."""

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import Figures, Forms, figure_folder, write_report
from bertflow_core.cli.options import (
    Asked,
    DataDir,
    Device,
    Output,
    open_lab,
    spec_option,
    with_params,
    with_recipe,
)
from bertflow_core.params import Params
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form
from bertflow_core.studies import STUDIES
from bertflow_core.study import Study

if TYPE_CHECKING:
    from bertflow_core.lab import Lab

__all__ = ["study_command"]


def study_command(study: Study[Any]) -> Callable[..., None]:
    """Return the command `analyse NAME` of a study."""
    specs = Annotated[list[str] | None, spec_option(_calibrators_help(study))]

    def measured(params: Params, lab: "Lab", layers: Sequence[str], given: dict[str, Any]) -> None:
        into = figure_folder(given["figures"], given["figure_format"])
        with progress_bars():
            report = study(params, lab, given.get("calibrator") or (), layers)
        write_report(report, given["output"], into)

    def of_recipe(
        asked: Asked,
        calibrator: specs = None,
        output: Output = Form.TABLE,
        figures: Figures = None,
        figure_format: Forms = None,
    ) -> None:
        measured(asked.recipe, asked.lab, asked.layers, locals())

    def of_params(
        params: Params,
        calibrator: specs = None,
        data_dir: DataDir = None,
        device: Device = None,
        output: Output = Form.TABLE,
        figures: Figures = None,
        figure_format: Forms = None,
    ) -> None:
        lab = open_lab(device=device, data_dir=data_dir)
        measured(params, lab, (), locals())

    if issubclass(study.params, Recipe):
        run: Callable[..., None] = of_recipe
        give = with_recipe(*study.without, several_layers=study.layers, kind=study.params)
    else:
        run, give = of_params, with_params(study.params)
    run.__name__, run.__doc__ = study.name, STUDIES[study.name][1]
    if not study.calibrators:
        _leave_out(run, "calibrator")
    return give(run)


def _calibrators_help(study: Study[Any]) -> str:
    if study.baseline:
        return "Calibrator, repeatable; identity, the baseline, is always there."
    return f"Calibrator, repeatable; {', '.join(study.calibrators)} by default."


def _leave_out(run: Callable[..., None], name: str) -> None:
    signature = inspect.signature(run)
    kept = [each for each in signature.parameters.values() if each.name != name]
    run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
