"""The command of a study: options from its parameters, one report in any form, its figures."""

import inspect
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, cast

from bertflow_core.cli.console import emit
from bertflow_core.cli.figure_files import Figures, Forms, Out, figure_folder
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.encoders.given import short_names
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, Remark
from bertflow_core.report.report import Column, Form, Report
from bertflow_core.report.study import Study
from bertflow_core.runtime.context import progress_bars
from bertflow_core.studies import STUDIES

_WITHIN = "Tests are within a model; `bertflow-lab evaluate` tests two models on the same pairs."


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
        recipes = [asked.recipe.with_(model=name) for name in asked.models] or [asked.recipe]
        with progress_bars():
            reports = [study(each, lab, calibrator or (), asked.layers) for each in recipes]
        report = reports[0] if len(reports) == 1 else of_models(study, asked.models, reports)
        if into:
            (into.write_everything if out else into.write_figures)(report)
        emit(report.write(output))

    run.__name__, run.__doc__ = study.name, STUDIES[study.name][1]
    unused = {*["out"] * (not study.folder), *["calibrator"] * (not study.calibrators)}
    signature = inspect.signature(run)
    kept = [each for name, each in signature.parameters.items() if name not in unused]
    run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return with_recipe(
        *study.without,
        several_layers=study.layers,
        several_models=study.layers and study.plain and "model" not in study.without,
        kind=study.params,
    )(run)


def of_models(study: Study[Any], models: Sequence[str], reports: Sequence[Report]) -> Report:
    """Join the reports of a study on several models; rows, remarks and pictures name the model."""
    first, names = reports[0], short_names(models).values()
    every = dict(zip(names, reports, strict=True))
    words = shlex.split(first.command)
    if "--model" in words:
        del words[(place := words.index("--model")) : place + 2]
    words += [word for model in models for word in ("--model", model)]
    return replace(
        first,
        params=cast("Recipe", first.params).without("model", "revision"),
        columns=(Column("model"), *first.columns),
        rows=[{"model": name, **row} for name, report in every.items() for row in report.rows],
        remarks=(
            *dict.fromkeys(
                replace(remark, text=f"{name}: {remark.text}")
                if remark.kind is Kind.ANSWER
                else remark
                for name, report in every.items()
                for remark in report.remarks
            ),
            Remark(Kind.METHOD, _WITHIN),
        ),
        command=shlex.join(words),
        tables=tuple(
            replace(table, title=f"{name}: {table.title}")
            for name, report in every.items()
            for table in report.tables
        ),
        facts={"models": {name: dict(report.facts) for name, report in every.items()}},
        draw=study.figures
        if study.joint
        else lambda _: {
            f"{key}-{name}": partial(report.figure, key)
            for name, report in every.items()
            for key in report.pictures()
        },
    )


def _calibrators_help(study: Study[Any]) -> str:
    if study.baseline:
        return "Calibrator, repeatable; the baseline identity is always included."
    return f"Calibrator, repeatable; {', '.join(study.calibrators)} by default."
