"""Should I calibrate?: four questions about one's own data, answered with evidence."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import page_file, title_of
from bertflow_app.parts.components import ask, caption
from bertflow_app.parts.exports import downloads, origin_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.shared_jobs import run
from bertflow_app.views.advice.panels import answer_panel, finding_card, gains_panel

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.studies.advice.report import advice_report

st.title("Should I calibrate?")
st.write(
    "Calibration helps where vectors lie in a narrow cone, and hurts where they do not. The check "
    "asks four questions about your sentences. Each answer shows its numbers and the measured "
    "thresholds that decide it. Where there are gold scores, they count more than the thresholds."
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
advice = ask(
    "Check",
    partial(run, "advice:advise", recipe, specs, linear_next=linear_next),
    fold=fold,
    choices=(named_specs(specs), recipe.layers, "linear classifier next" if linear_next else ""),
    invitation="Choose your data in the sidebar and press **Check**.",
    help="Embeds and measures the sentences, and scores each calibrator where there is gold.",
)
origin = origin_of(advice_report(advice))
st.header("Answer")
answer_panel(advice)
if recipe.layers not in ("last", DECLARED):
    st.write(
        f"This is about {recipe.layers} alone. Another layer may score higher without calibration: "
        "look at all of them first."
    )
    st.page_link(page_file("layers"), label=title_of("layers"))
if advice.gains:
    st.header("Measured on your gold scores")
    gains_panel(advice.gains, origin)
st.header("Evidence")
for finding in advice.findings:
    finding_card(finding)
caption(origin.caption)
downloads(partial(advice_report, advice), label="Everything as {}")
st.write("This command makes the numbers before and after:")
st.code(origin.command, language="shell", wrap_lines=True)
