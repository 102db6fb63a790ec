"""The wall: the same rows in up to six spaces, with one brush through all of them."""

from dataclasses import replace
from functools import partial

import streamlit as st
from bertflow_app.by_itself import find_or_begin
from bertflow_app.pages.space import wall_jobs as jobs
from bertflow_app.pages.space.wall_choices import choose_picture, choose_wall
from bertflow_app.pages.space.wall_panels import fidelity_table, page_panel, wall_panel
from bertflow_app.parts.components import (
    end_page,
    follow,
    is_under_way,
    result_of,
    say_notes,
)
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.terms import meaning
from bertflow_app.show import depends_on

from bertflow_core.studies.wall.page import TOPICS_NOTE
from bertflow_core.studies.wall.rows import frequency_finding


def draw() -> None:
    """Draw it."""
    st.markdown(
        "The same sentences or words stand side by side in up to six spaces, each with its own "
        "model, layers or calibrator. Select rows in one picture, and they are marked in all of "
        "them.",
        help=meaning("layer", "calibrator"),
    )
    fold = Fold()
    with fold.drawing():
        recipe = choose_wall()
        picture, judged = choose_picture(of_words=recipe.of_words)
        pressed = st.button(
            "Build the spaces",
            type="primary",
            icon=":material/play_arrow:",
            help="Embeds the rows once per encoder and layer set, and fits each calibrator.",
        )
        built = find_or_begin(partial(jobs.spaces, recipe), pressed=pressed)
    specs = tuple(dict.fromkeys(pane.calibrator for pane in recipe.panes))
    rows = "words" if recipe.of_words else "sentences"
    fold.settle((rows, named_specs(specs), picture.method), is_open=not is_under_way(built))
    if built is None:
        st.info("Choose up to six panes and press **Build the spaces**.")
        end_page()
    wall = result_of(built)
    start = pressed or None

    at_once = replace(picture, method="pca") if picture.method == "umap" else picture
    job = jobs.drawn(built, at_once, judged=judged and at_once is picture, start=start)
    if job is None or not follow(job):
        end_page()
    st.write(frequency_finding(wall))
    if picture is not at_once:  # PCA stands in while UMAP lays out
        layout = jobs.drawn(built, picture, judged=True, start=start)
        if layout is not None and follow(layout):
            job, at_once = layout, picture
    noted = [f"{space.name}: {note}." for space in wall.spaces for note in space.notes]
    say_notes(noted, of_words=recipe.of_words)
    wall_panel(job.result)
    page_panel(job)
    with st.expander("How faithful are the pictures?", icon=":material/straighten:"):
        fidelity_table(job.result)
    of_topics = () if wall.recipe.of_words else (TOPICS_NOTE,)
    depends_on(" ".join((*wall.remarks(at_once), *of_topics)))
