"""Words or meaning?: cosine against edit distance, before and after calibration (Figure 2)."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.compare.lexical_jobs import biased
from bertflow_app.pages.compare.lexical_panels import (
    fooled_panel,
    length_panel,
    matrix_panel,
    panels,
)
from bertflow_app.parts.bound import bound
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import evaluation
from bertflow_app.shared_jobs import run
from bertflow_app.show import show_end

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.remarks import why_unscored
from bertflow_core.studies.lexical.bias import LexicalRecipe
from bertflow_core.studies.lexical.study import finding


def draw() -> None:
    """Draw it."""
    recipe = state.current_recipe()
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
        with left:
            unit, distance = bound(LexicalRecipe, "unit"), bound(LexicalRecipe, "distance")
        with right:
            threshold = bound(LexicalRecipe, "threshold")
    asked = LexicalRecipe(**recipe.to_dict(), unit=unit, distance=distance, threshold=threshold)
    found = ask(
        "Compare with edit distance",
        partial(evaluation, recipe, specs),
        fold=fold,
        choices=(named_specs(specs), recipe.layers, f"{unit} edits"),
        invitation="Press **Compare with edit distance** to see both before and after calibration.",
        help="Embeds, fits and correlates.",
        then=lambda job, start: run(biased, asked, specs, given=[job.result], start=start),
    )
    bias, report = found.bias, found.report
    st.text(finding(bias))
    if bias.words.pairs.labels is not None:
        st.write(why_unscored(bias.words.pairs))
    panels(found)
    st.header("How closely cosine follows the words (Table 6)")
    matrix_panel(report)
    st.header("What length does to it")
    length_panel(report)
    if bias.gold is not None:
        st.header("Fooled by words")
        fooled_panel(bias)
    show_end(report)
