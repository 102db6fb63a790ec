"""Playground: typed sentences under several calibrators."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.by_itself import find_or_begin
from bertflow_app.pages.space import playground_jobs as jobs
from bertflow_app.pages.space.playground_panels import (
    map_panel,
    neighbours_panel,
    pairs_panel,
    tokens_panel,
    unit_picker,
)
from bertflow_app.pages.space.typed_box import typed_box
from bertflow_app.parts.components import (
    caption,
    end_page,
    follow,
    is_under_way,
    result_of,
    say_notes,
)
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.shared_jobs import run

from bertflow_core.calibrators.registry import baseline_first

SECTIONS = ("Similarity", "Among real sentences")


def draw() -> None:
    """Draw it."""
    st.write(
        "Type sentences and see what each calibrator makes of them. The calibrators are fitted on "
        "the data set of the sidebar, never on what you type."
    )
    recipe, fold = state.current_recipe(), Fold()
    with fold.drawing():
        typed = typed_box()
        specs = baseline_first(calibrator_picker("play_calibrators"))
        unit = unit_picker()
        pressed = st.button(
            "Compare the sentences",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not typed.is_read,
            help="Embeds the data set and fits each calibrator once; then what you type follows.",
        )
        built = find_or_begin(partial(jobs.spaces, recipe, specs), pressed=pressed)
    fold.settle(
        (f"{len(typed.sentences)} sentences", named_specs(specs), recipe.layers),
        is_open=not (is_under_way(built) and typed.is_read),
    )
    if built is None:
        st.info("Press **Compare the sentences**: some seconds per calibrator, once per data set.")
        end_page()
    playground = result_of(built)
    section = st.segmented_control(
        "Show",
        SECTIONS,
        default=SECTIONS[0],
        required=True,
        key="play_section",
        bind="query-params",
        help="Only what is shown is computed.",
    )
    if not typed.is_read:
        st.info("Below are still the last sentences that could be read.")
    job = run(jobs.compared, built, typed.sentences, unit, start=pressed or None)
    if job is None or not follow(job):
        end_page()
    found = job.result
    if section == "Similarity":
        pairs_panel(found, typed.preset)
        st.subheader("Tokens")
        tokens_panel(found)
    else:
        map_panel(playground, found)
        st.subheader("Neighbours")
        neighbours_panel(playground, found)
    caption(playground.caption())
    say_notes([f"{each.name}: {note}." for each in playground.spaces for note in each.notes])
