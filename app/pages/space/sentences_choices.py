"""The choices of the page Sentences: layer sets, calibrators and parts, all in the address."""

from dataclasses import dataclass

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.encoder_picker import sets_of
from bertflow_app.parts.grid_picker import calibrator_picker

from bertflow_core.analysis.measures import Part
from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.studies.space.rows import SampleSizes

DEFAULT_CALIBRATORS = ("flow",)
"""Each takes seconds: twice fitted, and its neighbours found."""


@dataclass(frozen=True)
class Choices:
    """What is measured."""

    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    parts: tuple[Part, ...]


def choices_of_spaces() -> Choices:
    """Draw the choice of layer sets, calibrators and parts."""
    recipe = state.current_recipe()
    offered = sets_of([recipe.model])
    layers = st.multiselect(
        "Layer sets",
        list(dict.fromkeys((*offered, recipe.layers, *state.chosen("space_layers")))),
        default=[recipe.layers],
        key="space_layers",
        bind="query-params",
        help="All come from one pass of the encoder. Each calibrator is fitted at each.",
    )
    st.button(
        "Every layer",
        icon=":material/layers:",
        type="tertiary",
        on_click=state.choose,
        kwargs={"space_layers": [name for name in offered if name.startswith("layer:")]},
        help="Chooses every single layer, the embedding output included.",
    )
    calibrators = baseline_first(calibrator_picker("space_calibrators", DEFAULT_CALIBRATORS))
    parts = _parts()
    return Choices(tuple(layers), calibrators, parts)


def _parts() -> tuple[Part, ...]:
    """Draw the switches of the two slow parts; the fast ones are always measured."""
    left, right = st.columns(2)
    neighbours = left.toggle(
        "Neighbours",
        value=True,
        key="measure_neighbours",
        bind="query-params",
        help="Dimension, hubs and clumps, from exact neighbours of up to "
        f"{SampleSizes.neighbours:,} sentences: some seconds per space.",
    )
    held_out = right.toggle(
        "Held-out rows",
        value=True,
        key="measure_held_out",
        bind="query-params",
        help="Gaussianity and holes, on sentences that a second fit of every calibrator does not "
        "see.",
    )
    return (
        *(Part.CLOUD, Part.PAIRS),
        *((Part.NEIGHBOURS,) if neighbours else ()),
        *((Part.HELD_OUT,) if held_out else ()),
    )
