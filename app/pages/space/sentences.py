"""Sentences: do they fill their space evenly, is it Gaussian, and does it have holes?"""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.space.sentences_choices import choices_of_spaces
from bertflow_app.pages.space.sentences_panels import (
    gaussian_panel,
    hole_panel,
    judged_panel,
    layer_panel,
    meanings,
    measures_table,
    overlaid_layer,
    spectrum_panel,
)
from bertflow_app.parts.components import ask, say_notes
from bertflow_app.parts.exports import downloads, origin_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.shared_jobs import run

from bertflow_core.analysis.measures import Part
from bertflow_core.layer_choices import of_layers
from bertflow_core.studies.space.measure import SpaceRecipe


def draw() -> None:
    """Draw it."""
    st.write(
        "Sentence vectors fill only a narrow part of their space, the paper's cone. They also "
        "leave places empty that a Gaussian would fill, its holes. Measure both at any layer, "
        "before and after any calibrator."
    )
    fold = Fold()
    with fold.drawing():
        chosen = choices_of_spaces()
    recipe = SpaceRecipe(**state.current_recipe().to_dict(), parts=",".join(chosen.parts))
    report = ask(
        "Measure the sentences",
        partial(
            run,
            "studies.space.study:sentences",
            of_layers(recipe, chosen.layers).without("calibrator", "aggregation"),
            chosen.calibrators,
            chosen.layers,
        ),
        fold=fold,
        choices=(named_specs(chosen.calibrators), ", ".join(chosen.layers)),
        invitation="Choose layer sets and calibrators and press **Measure the sentences**.",
        help="Embeds once, then fits each calibrator at each layer set and measures the result.",
        disabled=not chosen.layers,
    )
    origin = origin_of(report)
    layers = overlaid_layer(report)
    judged_panel(report, layers, origin)
    say_notes(report.live["notes"])
    with st.expander("All measures", icon=":material/table_rows:"):
        measures_table(report)
    with st.expander("What these measure", icon=":material/function:"):
        meanings(chosen.parts)
    if len(chosen.layers) > 1:
        st.header("Layer by layer")
        layer_panel(report, origin)
    st.header("Singular spectrum")
    spectrum_panel(report, layers, origin)
    if Part.HELD_OUT in chosen.parts:
        st.header("Is it Gaussian?")
        gaussian_panel(report, layers, origin)
    st.header("Holes")
    hole_panel(report, layers, origin)

    st.header("Take it home")
    downloads(lambda: report)
    st.code(origin.command, language="shell", wrap_lines=True)
