"""The choice of several encoders and of their layer sets, on the pages that compare them."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import services, state

from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.encoders.given import source_of
from bertflow_core.encoders.layers import DECLARED, layer_sets

__all__ = ["choose_encoders", "choose_layer_sets", "sets_of"]


def choose_encoders(own: str, key: str) -> list[str]:
    """Let the visitor choose encoders of the catalogue; `own` is the sidebar's.

    Rows of vectors have no sentences that another encoder could take.
    """
    return st.multiselect(
        "Encoders",
        services.encoders() if source_of(own).has_words else [own],
        default=[own],
        key=key,
        bind="query-params",
        help="minilm is installed; the others are downloaded when first used.",
    )


def sets_of(models: Sequence[str]) -> tuple[str, ...]:
    """Return the layer sets that any of these models has; vectors of one's own have one."""
    n_layers = [CATALOG[name].n_layers for name in models if source_of(name).has_layers]
    return layer_sets(max(n_layers)) if n_layers else (DECLARED,)


def choose_layer_sets(
    models: Sequence[str], chosen: Sequence[str], key: str, note: str
) -> list[str]:
    """Let the visitor choose layer sets of `models`; those in `chosen` are chosen at first."""
    options = sets_of(models)
    return st.multiselect(
        "Layer sets",
        list(dict.fromkeys((*options, *chosen, *state.chosen(key)))),
        default=list(dict.fromkeys(chosen)),
        key=key,
        bind="query-params",
        help=note,
    )
