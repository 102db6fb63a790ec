"""The choice of several encoders and of their layer sets, on the pages that compare them."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import state

from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.encoders.layers import layer_sets

__all__ = ["choose_encoders", "choose_layer_sets"]


def choose_encoders(own: str, key: str) -> list[str]:
    """Let the visitor choose encoders of the catalogue; `own` is the sidebar's."""
    return st.multiselect(
        "Encoders",
        list(CATALOG),
        default=[own],
        key=key,
        bind="query-params",
        help="minilm is installed; the others are downloaded when first used.",
    )


def choose_layer_sets(
    models: Sequence[str], chosen: Sequence[str], key: str, note: str
) -> list[str]:
    """Let the visitor choose layer sets of `models`; those in `chosen` are chosen at first."""
    options = layer_sets(max((CATALOG[name].n_layers for name in models), default=0))
    return st.multiselect(
        "Layer sets",
        list(dict.fromkeys((*options, *chosen, *state.chosen(key)))),
        default=list(dict.fromkeys(chosen)),
        key=key,
        bind="query-params",
        help=note,
    )
