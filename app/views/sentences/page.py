"""Sentences: how evenly they fill their space, whether it is Gaussian, and where it has holes."""

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import follow, problem
from bertflow_app.parts.exports import exports
from bertflow_app.views.sentences import jobs
from bertflow_app.views.sentences.choices import choices_of_spaces
from bertflow_app.views.sentences.panels import (
    gaussian_panel,
    hole_panel,
    layer_panel,
    meanings,
    measures_table,
    overlaid_layer,
    spectrum_panel,
)

from bertflow_core.errors import BertFlowError
from bertflow_core.studies.sentences.report import (
    SENTENCE_WRITERS,
    SPECTRUM_WRITERS,
    sentences_command,
)
from bertflow_core.studies.sentences.space_measures import Part

st.title("Sentences")
st.write(
    "Sentence vectors fill a narrow part of their space, and leave places empty that a Gaussian "
    "would fill: the paper's cone and its holes. Measure both at any layer, before and after any "
    "calibrator."
)
try:
    chosen = choices_of_spaces()
    pressed = st.button(
        "Measure the sentences",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not chosen.layers,
        help="Embeds once, then fits each calibrator at each layer set and measures what it makes.",
    )
    job = jobs.sentences(
        state.current_recipe(), chosen.layers, chosen.calibrators, chosen.parts, start=pressed
    )
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info("Choose layer sets and calibrators and press **Measure the sentences**.")
    st.stop()
if not follow(job):
    st.stop()

found = job.result
st.header("Measures")
measures_table(found)
with st.expander("What these measure", icon=":material/function:"):
    meanings(found.parts)
if len(found.layers) > 1:
    st.header("Layer by layer")
    layer_panel(found)
layers = overlaid_layer(found)
st.header("Singular spectrum")
spectrum_panel(found, layers)
if Part.HELD_OUT in found.parts:
    st.header("Is it Gaussian?")
    gaussian_panel(found, layers)
st.header("Holes")
hole_panel(found, layers)

st.header("Take it home")
exports(
    {
        "CSV": (lambda: SENTENCE_WRITERS["csv"](found), "sentences.csv"),
        "LaTeX": (lambda: SENTENCE_WRITERS["latex"](found), "sentences.tex"),
        "Markdown": (lambda: SENTENCE_WRITERS["markdown"](found), "sentences.md"),
        "JSON": (lambda: SENTENCE_WRITERS["json"](found), "sentences.json"),
        "Spectra as CSV": (lambda: SPECTRUM_WRITERS["csv"](found), "spectra.csv"),
    }
)
st.code(sentences_command(found), language="shell", wrap_lines=True)
