"""Should I calibrate?: four questions about one's own data, answered with evidence."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.pages.advice.advice_panels import answer_panel, finding_card, gains_table
from bertflow_app.parts.components import ask, caption
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.shared_jobs import run
from bertflow_app.show import show_end, show_picture

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.studies.advice.study import LINEAR, AdviceRecipe, findings_of, gains_of


def draw() -> None:
    """Draw it."""
    st.write(
        "Calibration helps where vectors lie in a narrow cone, and hurts where they do not: four "
        "questions about your sentences."
    )
    recipe, fold = state.current_recipe(), Fold()
    with fold.drawing():
        specs = calibrator_picker()
        linear_next = st.toggle(
            "The next step is a linear classifier",
            key="linear_next",
            bind="query-params",
            help="Such as logistic regression on the vectors, instead of comparing them by cosine.",
        )
    asked = AdviceRecipe(**recipe.to_dict(), use=LINEAR if linear_next else AdviceRecipe.use)
    report = ask(
        "Check",
        partial(run, "studies.advice.study:advice", asked, specs),
        fold=fold,
        choices=(
            named_specs(specs),
            recipe.layers,
            "linear classifier next" if linear_next else "",
        ),
        invitation="Choose your data in the sidebar and press **Check**.",
        help="Embeds and measures the sentences, and scores each calibrator where there is gold.",
    )
    st.header("Answer")
    answer_panel(report)
    if recipe.layers not in ("last", DECLARED):
        st.write(
            f"This is about {recipe.layers} alone. Another layer may score higher without "
            "calibration: look at all of them first."
        )
        link("layers")
    if gains := gains_of(report):
        st.header("Measured on your gold scores")
        show_picture(report, "gains")
        gains_table(gains)
    st.header("Evidence")
    for finding in findings_of(report):
        finding_card(finding)
    caption(report.remarks[0])
    show_end(report)
