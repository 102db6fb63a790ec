"""The models that visitors may choose, each described before anything is downloaded."""

import os
from contextlib import suppress
from fnmatch import fnmatchcase

import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.folders import without_folders

from bertflow_core.encoders.catalog import (
    ANY_MODEL,
    CATALOG,
    MODELS_VARIABLE,
    FoundModel,
    folder_here,
    is_hub_id,
    look_at,
    offered_models,
    prompts_here,
)
from bertflow_core.encoders.given import OWN
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import quoted


def offered() -> list[str]:
    """Return the names of the models that are listed: the catalogue and the operator's folders."""
    return list(dict.fromkeys((*CATALOG, *offered_models())))


def found(name: str) -> FoundModel:
    """Return the description of a model, or raise an error that says why it is not allowed."""
    _check_allowed(name)
    answer = look_at(name) if folder_here(name) else _asked(name)
    if isinstance(answer, BertFlowError):
        raise answer
    return answer


def say_found(name: str, *, is_one_of_many: bool = False) -> None:
    """Show the description of a model, or why it cannot be used. Names are untrusted text."""
    try:
        st.text(f"{name}: {found(name)}" if is_one_of_many else str(found(name)))
    except BertFlowError as error:
        st.text(without_folders(str(error)))
        if is_one_of_many:  # shown on the page, which need not repeat it
            state.visit().said.add(str(error))


def n_layers(name: str) -> int:
    """Return the number of layers of a model; 0 if it has none or cannot be used."""
    with suppress(BertFlowError):
        return found(name).folder.n_layers
    return CATALOG[name].n_layers if name in CATALOG else 0


def prompts_of(name: str) -> dict[str, str]:
    """Return the prompts that a model declares; none if it is not here or may not be read."""
    with suppress(BertFlowError):
        found(name)
        return prompts_here(name)
    return {}


def check(recipe: Recipe, *more: str) -> None:
    """Refuse a recipe if its model, or one of `more`, cannot be used or does not fit in memory."""
    is_given = bool(uploads.vectors_of(recipe.dataset))
    given = (OWN, uploads.second_own_model(recipe.dataset)) if is_given else ()
    for name in (recipe.model, *more):
        if name not in given:
            found(name).check_memory(recipe.precision)


def second_of(recipe: Recipe) -> str:
    """Return the second set of vectors or the second model that a recipe is compared with."""
    return uploads.second_own_model(recipe.dataset) or state.second_model(recipe.model)


def _check_allowed(name: str) -> None:
    """Refuse a model that is not offered, with the same sentence whether it exists or not."""
    patterns = os.environ.get(MODELS_VARIABLE, "").split(os.pathsep)
    if ANY_MODEL in patterns or name in offered():
        return
    is_id = is_hub_id(name) and any(fnmatchcase(name, pattern) for pattern in patterns)
    if not is_id or os.path.lexists(name):  # a server's folder takes precedence over a hub id
        raise InputError(
            f"{quoted(name)} is not offered on this server: choose a listed model, or ask whoever "
            "runs it for `--models`"
        )


@st.cache_data(ttl=60, max_entries=64, show_spinner="Asking the hub about the model")
def _asked(name: str) -> FoundModel | BertFlowError:
    try:
        return look_at(name)
    except BertFlowError as error:
        return error
