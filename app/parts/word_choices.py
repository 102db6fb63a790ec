"""The choices that decide a number about words, for Words and the wall."""

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.bound import bound

from bertflow_core.params import parameters_of
from bertflow_core.studies.words.recipe import SWITCHES, WordRecipe


def recipe_of_words() -> WordRecipe:
    """Draw the choices that decide a number about words."""
    sources = services.count_sources()
    left, right = st.columns(2)
    with left:
        counts = bound(WordRecipe, "counts", choices=list(sources))
    with right:
        bins = bound(WordRecipe, "bins") or WordRecipe.bins
    with st.popover("Switches", icon=":material/tune:"):
        switches = {
            each.name: bound(WordRecipe, each.name, key=f"words_{each.name}")
            for each in parameters_of(WordRecipe)
            if each.panel == SWITCHES
        }
    own = state.current_recipe()
    return WordRecipe(model=own.model, seed=own.seed, counts=sources[counts], bins=bins, **switches)
