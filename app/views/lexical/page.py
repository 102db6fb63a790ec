"""Words or meaning?: similarity against edit distance, before and after calibration (Figure 2)."""

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import follow, problem
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import evaluation
from bertflow_app.views.lexical import jobs
from bertflow_app.views.lexical.panels import fooled_panel, matrix_panel, panels
from bertflow_app.views.lexical.typed_pairs import typed_pairs

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.errors import BertFlowError
from bertflow_core.studies.lexical.measure import DEFAULT_THRESHOLD, UNITS
from bertflow_core.studies.lexical.report import said

recipe = state.current_recipe()
st.title("Words or meaning?")
st.write(
    "Sentences that share their words need not share their meaning. In Li et al. (2020), on the "
    "development pairs of STS-B, cosine of raw embeddings follows the edit distance of a pair far "
    "more closely than people's own scores do, and a flow loosens that hold. See here what holds "
    "for your pairs and your encoder."
)
typed_pairs()
with st.container(border=True):
    specs = baseline_first(calibrator_picker())
    left, right = st.columns(2)
    unit = left.radio(
        "Unit of an edit",
        UNITS,
        horizontal=True,
        key="unit",
        bind="query-params",
        help="treebank and whitespace in lower case, character as it was written, wordpiece by "
        "the encoder. treebank reproduces the paper's number for gold.",
    )
    threshold = right.slider(
        "Close: an edit distance up to",
        0,
        20,
        DEFAULT_THRESHOLD,
        key="threshold",
        bind="query-params",
        help="Edit distance up to which a pair is green; 4 in the paper.",
    )
pressed = st.button(
    "Compare with edit distance",
    type="primary",
    icon=":material/play_arrow:",
    help="Embed, fit and correlate.",
)
try:
    evaluated = evaluation(recipe, specs, start=pressed)
    if evaluated is None:
        st.info("Press **Compare with edit distance** to see both before and after calibration.")
        st.stop()
    if not follow(evaluated):
        st.stop()
    job = jobs.lexical(evaluated, unit, threshold, again=pressed)
except BertFlowError as error:
    problem(error)
    st.stop()
if not follow(job):
    st.stop()

biased = job.result
found = biased.found
for sentence in said(found):
    st.text(sentence)
panels(biased)
st.header("How closely similarity follows words (Table 6)")
matrix_panel(found)
if found.pairs.gold is not None:
    st.header("Fooled by words")
    fooled_panel(found)
st.code(found.command(), language="shell", wrap_lines=True)
