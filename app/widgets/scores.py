"""The scores of a grid of recipes: the job that makes them, and their headline."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from bertflow_app import uploads
from bertflow_app.shared import Shared
from bertflow_app.work.registry import kept

from bertflow_core.encoders.given import OWN
from bertflow_core.evaluation import AUC
from bertflow_core.figures import Figure, score_bars
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.report import Report
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.published import TrackedResult


def scored(params: EvaluateRecipe, specs: Sequence[str], layers: Sequence[str]) -> Shared:
    """Return the job that scores a grid; fits that exist are reused."""
    return Shared(_scored, params.with_(dataset=params.datasets[0]), specs, layers)


def _scored(shown: EvaluateRecipe, lab: Lab, specs: Sequence[str], layers: Sequence[str]) -> Report:
    from bertflow_core.studies.evaluate.study import evaluate

    own, *others = shown.datasets
    model = uploads.own_model(own)
    params = shown.with_(
        models=tuple(model if each == OWN else each for each in shown.models),
        datasets=(shown.dataset, *others),
    )
    first = params.rows(layers, specs)[-1]
    # Shared word pieces are the baseline for labelled pairs; counting them needs a tokenizer.
    is_labelled = first.source.has_layers and lab.data(first).metric == AUC.name
    if is_labelled and not others:
        params = params.with_(lexical=True)
    return evaluate(params, replace(lab, cells=kept()), specs, layers)


def stored_bars(tracked: Sequence[TrackedResult]) -> Figure:
    """Draw the rho of stored results."""
    rhos, labels = [each.rho for each in tracked], [each.label for each in tracked]
    return score_bars([each.spec for each in tracked], rhos, labels=labels)


def say_how_scored(result: Evaluation) -> None:
    """Say why there is no score, or that it is based on few pairs, if so."""
    pairs = result.embedded.data
    if pairs.targets is None:
        st.text(why_unscored(pairs))
    elif few := result.too_few:
        st.text(few)
