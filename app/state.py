"""The recipe between widgets, address bar and session; nothing else touches session state."""

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
"""The key of the sidebar's box; it is no field of a recipe."""

TAB = "_tab"
"""The end of each parameter that says which tab of a page is open, which decides no number."""


@dataclass
class Visit:
    """What a browser session remembers beside its boxes."""

    fold: tuple[str, bool] = "", False  # the title of the choices, and whether they were open
    seen_jobs: list[str] = field(default_factory=list)  # by name, shown in this run of the page
    said: set[str] = field(default_factory=set)  # what this run says is wrong beside a box
    begun_jobs: set[str] = field(default_factory=set)  # by themselves; they may be live
    stopped_jobs: set[str] = field(default_factory=set)  # by this visitor
    unused: dict[str, Any] = field(default_factory=dict)  # asked for by the address, by parameter
    has_page: bool = False  # whether one was sent


def visit() -> Visit:
    """Return what this browser session remembers."""
    found: Visit = st.session_state.setdefault("visit", Visit())
    return found


def keep_recipe(recipe: Recipe) -> None:
    """Remember the sidebar's recipe for the page that runs next."""
    st.session_state["recipe"] = recipe


def current_recipe() -> Recipe:
    """Return the sidebar's recipe."""
    recipe: Recipe = st.session_state.get("recipe", Recipe())
    return recipe


def dropped(keys: Sequence[str]) -> list[UploadedFile]:
    """Return the files that boxes of these keys hold."""
    held = [st.session_state.get(key) for key in keys]
    several = [each if isinstance(each, list) else [each] for each in held if each is not None]
    return [file for files in several for file in files]


def are_used(keys: Sequence[str]) -> bool:
    """Tell whether what these boxes hold was noted as used, or they hold nothing."""
    ids = [file.file_id for file in dropped(keys)]
    return not ids or ids == st.session_state.get(f"used {keys}")


def note_used(keys: Sequence[str]) -> None:
    """Note that what these boxes hold is used."""
    st.session_state[f"used {keys}"] = [file.file_id for file in dropped(keys)]


def known_upload() -> str | None:
    """Return the uploaded table that the sidebar or the address bar names, if either does."""
    for name in (st.session_state.get("dataset"), st.query_params.get("dataset")):
        if is_upload(name):
            return str(name)
    return None


def own_data() -> list[str]:
    """Return the table or vectors that the visitor brought last, or that an address names."""
    names = (known_upload(), st.session_state.get("own_data"))
    return [name for name in names if name is not None][:1]


def is_untouched() -> bool:
    """Tell whether every choice is the default: the address holds each that is not."""
    return all(name.endswith(TAB) for name in st.query_params)


def asked() -> dict[str, list[str]]:
    """Return all that the address holds, by parameter."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def write_once() -> None:
    """Take out of the address what is there twice.

    A link names what the sidebar holds, so that it can be copied; to one that is clicked the
    browser adds that once more.
    """
    once = {name: [*dict.fromkeys(values)] for name, values in asked().items()}
    twice = [name for name, values in asked().items() if len(once[name]) < len(values)]
    with get_session_state().query_params() as parameters:
        for name in twice:
            parameters.set_with_no_forward_msg(name, once[name])
        for name in twice[-1:]:  # one message, and so one entry of the browser's history
            parameters.set_corrected_value(name, once[name], "string_array_value")


def recipe_parameters() -> dict[str, list[str]]:
    """Return what the address holds of the sidebar's choices, by parameter."""
    names = [each.name for each in fields(Recipe) if each.name in st.query_params]
    return {name: st.query_params.get_all(name) for name in names}


def choose(**values: object) -> None:
    """Remember values by their keys; that of a box on the page only from a callback."""
    for key, value in values.items():
        st.session_state[key] = value


def ask(**values: str) -> None:
    """Give values to boxes that are not drawn yet, and to the address, which is read only once."""
    choose(**values)
    st.query_params.update(values)


def chosen(key: str) -> list[str]:
    """Return what a box holds, one or more: on the page, or in an address that was just opened."""
    values = st.session_state.get(key)
    if values is None:
        return st.query_params.get_all(key)
    return [values] if isinstance(values, str) else list(values)


def second_model(model: str) -> str:
    """Return the sidebar's second model; empty where there is none, or `model` is given vectors."""
    if not source_of(model).has_words:
        return ""
    names = (name.strip() for name in chosen(SECOND_MODEL))
    return next((name for name in names if name not in ("", model)), "")


def is_held(key: str) -> bool:
    """Tell whether a box of this key is on the page, or was when it was last drawn."""
    return key in st.session_state


def held(key: str) -> object:
    """Return what a box of this key holds; None where there is none."""
    return st.session_state.get(key)


def visitor() -> str:
    """Return the id of this browser session; nobody's where no page is being drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def drawn_parts() -> tuple[str, ...]:
    """Return the parts of the page that are drawn by themselves now; none for the whole page."""
    context = get_script_run_ctx(suppress_warning=True)
    return tuple((context and context.fragment_ids_this_run) or ())
