"""Words: Table 1 made live - frequency against norm and density, before and after calibration."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from bertflow_app.jobs import Job
from bertflow_app.pages.space.words_panels import bins_panel, choose_pressed, neighbours_panel
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.word_choices import recipe_of_words
from bertflow_app.shared_jobs import run
from bertflow_app.show import show_end, show_picture, show_table

from bertflow_core.calibrators.registry import takes_seed
from bertflow_core.studies.words.recipe import WordRecipe

DEFAULT_CALIBRATORS = ("flow",)
"""Each takes seconds: the neighbours of every word are found again."""


def draw() -> None:
    """Draw it."""
    st.write(
        "The paper's argument begins here: in BERT, vectors of frequent words lie near the origin "
        "and close together, those of rare words far out and scattered, and sentence vectors "
        "inherit it. Look at the word table of the encoder that is chosen, and at what a "
        "calibrator makes of it."
    )
    fold = Fold()
    with fold.drawing():
        recipe = recipe_of_words()
        specs = calibrator_picker("word_calibrators", DEFAULT_CALIBRATORS)
    report = ask(
        "Measure the words",
        partial(measured, recipe, specs),
        fold=fold,
        choices=(named_specs(("identity", *specs)), recipe.model, recipe.table),
        invitation="Press **Measure the words**: it takes some seconds per calibrator.",
        help="Finds the nearest neighbours of every word, then again after each calibrator.",
    )
    spaces = report.live["spaces"]
    st.text(report.facts["finding"])
    show_picture(
        report,
        "norm_against_rank",
        on_select=partial(choose_pressed, spaces[0].prepared.words, "norm_against_rank"),
        selection_mode="points",
    )
    st.header("Neighbours of a word")
    neighbours_panel(spaces)
    st.header("By frequency")
    bins_panel(report)
    show_table(report.table, alt="Table 1: every measure by calibrator and bin of rank")
    *published, slopes = report.tables
    for table in published:
        st.subheader("Published")
        show_table(table, alt="Table 1 as it was printed")

    st.header("Does the frequency bias go?")
    show_table(slopes, alt="How norm, neighbour distance and directions follow frequency")
    st.write(
        "A language model is trained to give a word c after a context h the probability that grows "
        "with h . w_c + log p(c) (equation 3 of the paper): the frequency p(c) is written into the "
        "vectors, and so into their leading directions. The bars say how far each of them still "
        "follows it."
    )
    show_picture(report, "coordinates")
    show_end(report)


def measured(recipe: WordRecipe, specs: Sequence[str], *, start: bool) -> Job | None:
    """Return the job that measures a model's words, as they are and after these calibrators."""
    if not any(map(takes_seed, (recipe.calibrator, *specs))):
        recipe = recipe.with_(seed=WordRecipe.seed)  # nothing draws: every seed gives this result
    return run("studies.words.study:words", recipe, specs, start=start)
