"""A table with one picked row, and links that open the row's recipe on other pages."""

from typing import Any

import streamlit as st
from bertflow_app import models, state
from bertflow_app.navigation import link

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.lab.recipe import Recipe


def picking(key: str, first: int) -> dict[str, Any]:
    """Return the options of a table in which one row is picked, at first the one at `first`."""
    return {
        "key": key,
        "on_select": "rerun",
        "selection_mode": "single-row-required",
        "selection_default": {"selection": {"rows": [first]}},
    }


def picked(options: dict[str, Any]) -> int:
    """Return the place of the picked row of a table that was drawn with these options."""
    held: Any = state.held(options["key"])
    return int(held["selection"]["rows"][0])


def links_of_row(row: Recipe, name: str) -> None:
    """Draw links that open a row elsewhere: its space, its pairs, and its export."""
    spec, recipe = row.calibrator, state.current_recipe()
    own: dict[str, str | list[str]] = {**state.recipe_parameters()}
    if models.second_of(recipe):
        own[state.SECOND_MODEL] = ""
    both = {**own, "ledger_before": BASELINE}  # for the ledger, which compares two sides
    if row.source.has_layers:
        own |= {"model": row.model, "layers": row.layers}
    if spec != BASELINE:
        both |= {**own, "ledger_after": spec}
    elif other := row.model if row.model != recipe.model else models.second_of(recipe):
        both |= {"layers": row.layers, state.SECOND_MODEL: other, "ledger_after": BASELINE}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"{name}:")
        link("wall", "See the space", icon="grid_view", asking={**own, "wall_calibrators": [spec]})
        link("ledger", icon="list_alt", asking=both)
        link("export", "Take home", icon="download", asking={**own, "take": spec})
