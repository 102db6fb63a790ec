"""The plain page of a study: its choices, a button, and everything that it reports."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import show
from bertflow_app.widgets.choices import bound, calibrator_picker
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import BASELINE, Spec, baseline_first
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import FILES, Params, parameters_of
from bertflow_core.report.report import Report
from bertflow_core.report.study import Study
from bertflow_core.studies import STUDIES, study_of

_LONG = {"size"}
"""Studies that take more than five seconds on the default data."""


def study_page(name: str) -> None:
    """Draw the plain page of a study by its name in `STUDIES`."""
    show(study_report(name))


def study_report(name: str) -> Report:
    """Draw the choices of a study and return its report; the sidebar's recipe gives its data."""
    study = study_of(name)
    fold = Fold(name)
    with fold.drawing():
        params = _params(study, state.current_recipe())
        specs = _calibrators(study) if study.calibrators else ()
    report: Report = ask(
        "Measure",
        Shared(_measured, params, name, specs),
        fold=fold,
        is_quick=name not in _LONG,
        choices=(", ".join(specs),),
        help=f"{STUDIES[name][1]} Some seconds to a minute for some thousand sentences.",
    )
    return report


def _calibrators(study: Study[Any]) -> tuple[Spec, ...]:
    """Let the visitor choose calibrators; uncalibrated vectors come first if they are compared."""
    default = tuple(spec for spec in study.calibrators if spec != BASELINE)
    chosen = calibrator_picker("calibrators", default)
    return baseline_first(chosen) if study.baseline or BASELINE in study.calibrators else chosen


def _params(study: Study[Any], recipe: Recipe) -> Params:
    held = recipe.to_dict()
    if not issubclass(study.params, Recipe):
        held = {name: value for name, value in held.items() if hasattr(study.params, name)}
        held.pop("calibrator", None)  # the page has its own calibrators
    shared = {each.name for each in parameters_of(Recipe)} - {"similarity"}  # no sidebar has it
    own = [
        each.name
        for each in parameters_of(study.params)
        if each.name not in shared.union(study.without) and each.panel != FILES
    ]
    columns = st.columns(2) if own else []
    for place, name in enumerate(own):
        with columns[place % 2]:
            held[name] = bound(study.params, name)
    params: Params = study.params.from_dict(held)
    return params


def _measured(params: Params, lab: Lab, name: str, calibrators: Sequence[Spec]) -> Report:
    return study_of(name)(params, lab, calibrators)
