"""The recipe between widgets and session; the only reader and writer of session state."""

import uuid

import streamlit as st

from bertflow_core.recipe import Recipe

__all__ = ["current_recipe", "keep_recipe", "visitor"]


def keep_recipe(recipe: Recipe) -> None:
    """Remember the sidebar's recipe for the page that runs next."""
    st.session_state["recipe"] = recipe


def current_recipe() -> Recipe:
    """Return the sidebar's recipe."""
    recipe: Recipe = st.session_state.get("recipe", Recipe())
    return recipe


def visitor() -> str:
    """Return an id of this browser session."""
    return str(st.session_state.setdefault("visitor", uuid.uuid4().hex))
