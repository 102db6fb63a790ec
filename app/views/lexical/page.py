"""Words or meaning?: cosine against edit distance, before and after calibration (Figure 2)."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import evaluation
from bertflow_app.views.lexical import jobs
from bertflow_app.views.lexical.panels import fooled_panel, length_panel, matrix_panel, panels
from bertflow_app.views.lexical.typed_pairs import typed_pairs

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.remarks import why_unscored
from bertflow_core.studies.lexical.bias import DEFAULT_THRESHOLD, Distance
from bertflow_core.studies.lexical.measure import UNITS
from bertflow_core.studies.lexical.report import finding, lexical_report

recipe = state.current_recipe()
st.title("Words or meaning?")
st.write(
    "Two sentences can share most of their words and still differ in meaning. Li et al. (2020) "
    "found on the development pairs of STS-B that the cosine of raw embeddings follows edit "
    "distance far more closely than people's scores do, and that a flow weakens this. Check it "
    "for your pairs and your encoder."
)
fold = Fold()
with fold.drawing():
    specs = baseline_first(calibrator_picker())
    left, right = st.columns(2)
    unit = left.radio(
        "Unit of an edit",
        UNITS,
        horizontal=True,
        key="unit",
        bind="query-params",
        help="treebank and whitespace compare words in lower case, character compares the text as "
        "it is, wordpiece the encoder's tokens. treebank reproduces the paper's number for gold.",
    )
    threshold = right.slider(
        "Close: an edit distance up to",
        0,
        20,
        DEFAULT_THRESHOLD,
        key="threshold",
        bind="query-params",
        help="Largest edit distance of a close pair, drawn in green; 4 in the paper.",
    )
    distance = left.radio(
        "Distance",
        [str(each) for each in Distance],
        horizontal=True,
        key="distance",
        bind="query-params",
        help="edits counts them, as the paper does: long pairs can be further apart. normalised "
        "divides by the units of the longer sentence.",
    )
typed_pairs()
biased = ask(
    "Compare with edit distance",
    partial(evaluation, recipe, specs),
    fold=fold,
    choices=(named_specs(specs), recipe.layers, f"{unit} edits"),
    invitation="Press **Compare with edit distance** to see both before and after calibration.",
    help="Embeds, fits and correlates.",
    then=partial(jobs.lexical, recipe, specs, unit, threshold, Distance(distance)),
)
bias = biased.bias
report = lexical_report(bias)
st.text(finding(bias))
if bias.pairs.labels is not None:
    st.write(why_unscored(bias.pairs))
panels(biased)
st.header("How closely cosine follows the words (Table 6)")
matrix_panel(biased, report)
st.header("What length does to it")
length_panel(bias)
if bias.pairs.gold is not None:
    st.header("Fooled by words")
    fooled_panel(bias)
st.code(report.command, language="shell", wrap_lines=True)
