"""Words: Table 1 made live - frequency against norm and density, before and after calibration."""

from functools import partial

import streamlit as st
from bertflow_app.parts.components import ask, caption, table_of_text
from bertflow_app.parts.exports import chart, downloads, origin_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.word_choices import recipe_of_words
from bertflow_app.views.words import jobs
from bertflow_app.views.words.panels import (
    bias_panel,
    bins_panel,
    choose_pressed,
    neighbours_panel,
)

from bertflow_core.figures import coordinate_bars
from bertflow_core.studies.words.figures import rank_figure
from bertflow_core.studies.words.norms import norm_finding
from bertflow_core.studies.words.report import (
    frequency_finding,
    word_table,
    words_report,
)

DEFAULT_CALIBRATORS = ("flow",)
"""Each takes seconds: the neighbours of every word are found again."""

st.title("Words")
st.write(
    "The paper's argument begins here: in BERT, vectors of frequent words lie near the origin and "
    "close together, those of rare words far out and scattered, and sentence vectors inherit it. "
    "Look at the word table of the encoder that is chosen, and at what a calibrator makes of it."
)
fold = Fold()
with fold.drawing():
    recipe = recipe_of_words()
    specs = calibrator_picker("word_calibrators", DEFAULT_CALIBRATORS)
results = ask(
    "Measure the words",
    partial(jobs.words, recipe, specs),
    fold=fold,
    choices=(named_specs(("identity", *specs)), recipe.model, recipe.table),
    invitation="Press **Measure the words**: it takes some seconds per calibrator.",
    help="Finds the nearest neighbours of every word, then again after each calibrator.",
)
report = words_report(results)
origin = origin_of(report)
first, table = results[0], word_table(results)
st.write(norm_finding(first))
chart(
    rank_figure(first),
    key="norms",
    alt="Norm of each word against its frequency rank, with the trend and its interval",
    origin=origin,
    on_select=partial(choose_pressed, first.prepared.words, "norms"),
    selection_mode="points",
)
st.header("Neighbours of a word")
neighbours_panel(results)
st.header("By frequency")
bins_panel(results, origin)
table_of_text(table, alt="Table 1: every measure by bin of rank, published and measured")
caption(origin.caption)

st.header("Does the frequency bias go?")
st.write(frequency_finding(results))
bias_panel(results)
st.write(
    "A language model is trained to give a word c after a context h the probability that grows "
    "with h . w_c + log p(c) (equation 3 of the paper): the frequency p(c) is written into the "
    "vectors, and so into their leading directions. The bars say how far each of them still "
    "follows it."
)
chart(
    coordinate_bars({result.recipe.calibrator: result.coordinate_rhos for result in results}),
    key="coordinates",
    alt="Absolute Spearman correlation of each leading coordinate with log frequency",
    origin=origin,
)
downloads(lambda: report)
st.code(origin.command, language="shell", wrap_lines=True)
