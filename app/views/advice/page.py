"""Should I calibrate?: four questions to one's own data, answered with evidence."""

import json

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption, follow, problem
from bertflow_app.parts.exports import Origin, exports
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.views.advice import jobs
from bertflow_app.views.advice.panels import finding_card, gains_panel

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.errors import BertFlowError

recipe = state.current_recipe()

st.title("Should I calibrate?")
st.write(
    "Calibration helps where vectors lie in a cone, and costs where they do not. Four questions "
    "to the sentences of the recipe, each with its numbers and with a threshold that was measured "
    "with this package; gold scores, where there are any, have the last word."
)
specs = calibrator_picker()
linear_next = st.toggle(
    "The next step is a linear classifier",
    key="linear_next",
    bind="query-params",
    help="Such as logistic regression on the vectors, in place of comparing them by cosine.",
)
pressed = st.button(
    "Check",
    type="primary",
    icon=":material/play_arrow:",
    help="Embeds the sentences, looks at them, and fits each calibrator where there is gold.",
)
try:
    job = jobs.advice(recipe, specs, linear_next=linear_next, start=pressed)
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info("Choose your data in the sidebar and press **Check**.")
    st.stop()
if not follow(job):
    st.stop()

found = job.result
origin = Origin(found.recipe.caption(), found.recipe.to_command(baseline_first(specs)))
st.header("Answer")
with st.container(border=True):
    st.text(found.recommendation)
    if found.note:
        st.text(found.note)
if found.gains:
    st.header("Measured on your gold scores")
    gains_panel(found.gains, origin)
st.header("Evidence")
for finding in found.findings:
    finding_card(finding)
caption(origin.caption)
text = json.dumps(found.to_dict(), indent=2, ensure_ascii=False)
exports({"Everything as JSON": (lambda: text, "advice.json")})
st.write("The numbers before and after come from this command:")
st.code(origin.command, language="shell", wrap_lines=True)
