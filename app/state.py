"""The state of a visit: recipe, widgets, address. No other module uses Streamlit's session."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import streamlit as st
from bertflow_app.uploads import is_upload
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state
from streamlit.runtime.uploaded_file_manager import UploadedFile

from bertflow_core.encoders.given import source_of
from bertflow_core.lab.recipe import Recipe

SECOND_MODEL = "second_model"
"""The key of the sidebar's box for a second model; no field of a recipe has this name."""

TAB = "_tab"
"""Suffix of the parameters that say which part of a page is open; they affect no number."""


@dataclass
class Visit:
    """What a browser session remembers besides the values of its widgets."""

    folds: dict[str, tuple[str, bool]] = field(default_factory=dict)  # title, and whether open
    seen_jobs: list[str] = field(default_factory=list)  # names of the jobs shown in this run
    said: set[str] = field(default_factory=set)  # errors that this run shows next to a box
    begun_jobs: set[str] = field(default_factory=set)  # started without a press; some may still run
    stopped_jobs: set[str] = field(default_factory=set)  # stopped by this visitor
    drawn: dict[str, Any] = field(default_factory=dict)  # the figures of this page, by key
    shown_jobs: dict[str, str] = field(default_factory=dict)  # the last result, by kind of work
    unused: dict[str, Any] = field(default_factory=dict)  # unusable values, by parameter
    has_page: bool = False  # whether this visitor has seen a page
    page: str = ""  # hash of the page that was drawn last


def visit() -> Visit:
    """Return what this browser session remembers."""
    found: Visit = st.session_state.setdefault("visit", Visit())
    return found


def current_recipe() -> Recipe:
    """Return the sidebar's recipe."""
    recipe: Recipe = st.session_state.get("recipe", Recipe())
    return recipe


def dropped(keys: Sequence[str]) -> list[UploadedFile]:
    """Return the files that were dropped in the upload boxes of these keys."""
    held = [st.session_state.get(key) for key in keys]
    several = [each if isinstance(each, list) else [each] for each in held if each is not None]
    return [file for files in several for file in files]


def are_used(keys: Sequence[str]) -> bool:
    """Tell whether all files in these upload boxes were noted as used, or the boxes are empty."""
    ids = [file.file_id for file in dropped(keys)]
    return not ids or ids == st.session_state.get(f"used {keys}")


def note_used(keys: Sequence[str]) -> None:
    """Record that the files in these upload boxes are in use."""
    st.session_state[f"used {keys}"] = [file.file_id for file in dropped(keys)]


def known_upload() -> str | None:
    """Return the uploaded table that the sidebar or the address names; None without one."""
    for name in (st.session_state.get("dataset"), st.query_params.get("dataset")):
        if is_upload(name):
            return str(name)
    return None


def own_data() -> list[str]:
    """Return the table or vectors that the visitor brought last, or that the address names."""
    names = (known_upload(), st.session_state.get("own_data"))
    return [name for name in names if name is not None][:1]


def is_untouched() -> bool:
    """Tell whether every choice is the default: the address names those that are not."""
    return all(name.endswith(TAB) for name in st.query_params)


def has_moved() -> bool:
    """Tell, once, whether this run shows another page, or another tab, than the one before."""
    context, before = get_script_run_ctx(), visit().page
    visit().page = context.page_script_hash if context else ""
    tabs = {name: value for name, value in st.query_params.items() if name.endswith(TAB)}
    is_other_tab = any(is_held(name) and held(name) != value for name, value in tabs.items())
    return visit().page != before or is_other_tab


def asked() -> dict[str, list[str]]:
    """Return all values of the address, by parameter."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def write_once() -> None:
    """Remove duplicate values from the address.

    A link names the sidebar's choices, so that it can be copied. When it is clicked, Streamlit adds
    the same choices again.
    """
    once = {name: [*dict.fromkeys(values)] for name, values in asked().items()}
    twice = [name for name, values in asked().items() if len(once[name]) < len(values)]
    with get_session_state().query_params() as parameters:
        for name in twice:
            parameters.set_with_no_forward_msg(name, once[name])
        for name in twice[-1:]:  # one message makes one entry in the browser's history
            parameters.set_corrected_value(name, once[name], "string_array_value")


def recipe_parameters() -> dict[str, list[str]]:
    """Return the sidebar's choices that the address names, by parameter."""
    names = [each.name for each in fields(Recipe) if each.name in st.query_params]
    return {name: st.query_params.get_all(name) for name in names}


def choose(**values: object) -> None:
    """Store values by key. The value of a widget on the page can only be set in a callback."""
    for key, value in values.items():
        st.session_state[key] = value


def ask(**values: str) -> None:
    """Set the values of widgets that are not drawn yet, in the session and in the address."""
    choose(**values)
    st.query_params.update(values)


def chosen(key: str) -> list[str]:
    """Return the value or values of a widget on the page, or in an address that was just opened."""
    values = st.session_state.get(key)
    if values is None:
        return st.query_params.get_all(key)
    return [values] if isinstance(values, str) else list(values)


def second_model(model: str) -> str:
    """Return the sidebar's second model; empty without one, or if `model` is uploaded vectors."""
    if not source_of(model).has_words:
        return ""
    names = (name.strip() for name in chosen(SECOND_MODEL))
    return next((name for name in names if name not in ("", model)), "")


def is_held(key: str) -> bool:
    """Tell whether a widget of this key is on the page, or was when it was last drawn."""
    return key in st.session_state


def held(key: str) -> object:
    """Return the value of the widget of this key, or None without one."""
    return st.session_state.get(key)


def visitor() -> str:
    """Return the id of this browser session; empty if no page is being drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def drawn_parts() -> tuple[str, ...]:
    """Return the parts of the page that are being redrawn alone; empty for the whole page."""
    context = get_script_run_ctx(suppress_warning=True)
    return tuple((context and context.fragment_ids_this_run) or ())
