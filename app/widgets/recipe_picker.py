"""The sidebar: every choice that affects a number; each is part of the address."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from bertflow_app import models, services, state, uploads
from bertflow_app.state import SECOND_MODEL
from bertflow_app.widgets.choices import bound, pick_or_type

from bertflow_core.datasets import RawFile
from bertflow_core.datasets.benchmarks import BENCHMARKS
from bertflow_core.datasets.catalog import DatasetInfo
from bertflow_core.datasets.texts import OF_QUERIES
from bertflow_core.encoders.given import OWN, source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS, layer_sets
from bertflow_core.encoders.pooling import POOLINGS
from bertflow_core.encoders.template import OFFERED, SIDE_PROMPTS
from bertflow_core.errors import BertFlowError
from bertflow_core.evaluation import ACCURACY, AUC, RHO, V_MEASURE
from bertflow_core.lab.recipe import OF_SIDES, Recipe
from bertflow_core.runtime import server
from bertflow_core.runtime.device import AUTO, DTYPES
from bertflow_core.wording import ROLES

AS_READ = "as read"
TABLE_BOX, COLLECTION_BOX = ("upload",), ("collection",)
VECTOR_BOXES = (
    *("vector_scores", "vectors_first", "vectors_second"),
    *("other_vectors_first", "other_vectors_second"),
)
"""Scores, the two sides of the pairs, and the same two sides by a second encoder."""


def recipe_picker() -> None:
    """Draw the sidebar and keep its recipe; each choice is in the address."""
    is_given = bool(uploads.vectors_of(state.known_upload() or ""))
    model = OWN if is_given else _pick_model()
    if not is_given:
        _pick_second_model(model)
    infos = {info.name: info for info in services.data_sets() if info.found}
    # The box shows names without labels, since the address would hold the label.
    dataset = bound(Recipe, "dataset", choices=[*infos, *state.own_data()], help=None)
    if is_given and not uploads.vectors_of(dataset):
        model = Recipe.model  # the visitor has just chosen other data
    with st.expander("Advanced", icon=":material/tune:"):
        values = {"model": model, "dataset": dataset}
        if source_of(model).has_layers:
            values |= _pick_vectors(model)
        values |= _pick_data(dataset, infos)
        if source_of(model).has_layers and _has_sides(values):
            values |= _pick_sides(values)
        values["fit_on"] = bound(Recipe, "fit_on", choices=values.pop("fit_choices"))
        values |= {name: bound(Recipe, name) for name in ("seed", "aggregation")}
    state.choose(recipe=Recipe(**values))


def _pick_model() -> str:
    model: str = bound(
        Recipe,
        "model",
        choices=list(dict.fromkeys((*models.offered(), *state.chosen("model")))),
        accept_new_options=True,
        filter_mode="prefix",  # else Enter takes a listed name for a typed one
        help=None,
    ).strip()
    models.say_found(model)
    return model


def _pick_second_model(model: str) -> None:
    """Let the visitor name a model to compare with, which `state.second_model` returns."""
    chosen = pick_or_type(
        st.selectbox,
        "Second model",
        models.offered(),
        index=None,
        key=SECOND_MODEL,
        placeholder="none",
    )
    if chosen and chosen.strip() != model:
        models.say_found(chosen.strip())


def _pick_vectors(model: str) -> dict[str, Any]:
    """Let the visitor choose how sentences become vectors; by default as the model's own output."""
    n_layers = models.n_layers(model)
    layers = (PLAIN_LAYERS, *layer_sets(n_layers)) if n_layers else (PLAIN_LAYERS,)
    values = {"layers": bound(Recipe, "layers", choices=layers, default=PLAIN_LAYERS)}
    if values["layers"] == PLAIN_LAYERS:
        values |= _pick_declared(model)
    else:
        values["tokens"] = bound(Recipe, "tokens", choices=POOLINGS)
    values["template"] = bound(
        Recipe,
        "template",
        choices=list(dict.fromkeys((*OFFERED, *state.chosen("template")))),
        placeholder="the sentence alone",
        accept_new_options=True,
        filter_mode="prefix",
    )
    values["precision"] = bound(Recipe, "precision", choices=(AUTO, *DTYPES))
    return values


def _pick_declared(model: str) -> dict[str, Any]:
    prompts = models.prompts_of(model)
    choices: dict[str, Any] = {"truncate_dim": bound(Recipe, "truncate_dim")}
    if prompts:
        choices["prompt"] = bound(
            Recipe, "prompt", choices=list(prompts), placeholder="the model's default"
        )
    return choices


def _has_sides(values: Mapping[str, Any]) -> bool:
    """Tell whether the chosen data have queries and documents."""
    dataset, named = values["dataset"], BENCHMARKS.get(values["dataset"])
    roles = ROLES.get(str(values.get("roles"))) or (named and named.roles)
    return bool(roles) or uploads.is_collection(dataset)


def _pick_sides(values: Mapping[str, Any]) -> dict[str, Any]:
    """Let the visitor choose other prompts or another template for queries and documents."""
    offered = dict.fromkeys(OF_SIDES, (*models.prompts_of(values["model"]), *SIDE_PROMPTS))
    offered["query_template"] = OFFERED
    names = OF_SIDES if values["layers"] == PLAIN_LAYERS else ("query_template",)
    return {
        name: bound(
            Recipe,
            name,
            choices=list(dict.fromkeys((*offered[name], *state.chosen(name)))),
            placeholder="the model's own",
            accept_new_options=True,
            filter_mode="prefix",
        )
        for name in names
    }


def _pick_data(dataset: str, infos: Mapping[str, DatasetInfo]) -> dict[str, Any]:
    """Let the visitor choose what of the data is scored; `fit_choices` are the fit corpora."""
    choices = [Recipe.fit_on, *services.fit_corpora()]
    if uploads.vectors_of(dataset):
        return {"fit_choices": ["target"]}
    if dataset not in infos:
        own = _pick_search if uploads.is_collection(dataset) else _pick_columns
        return {"fit_choices": [*choices, *infos], **own(dataset)}
    splits = [split for split, _ in infos[dataset].splits]
    if uploads.is_collection(dataset):
        return {"fit_choices": choices, **_pick_search(dataset, splits)}
    split = bound(Recipe, "split", choices=splits)
    others = (name for name in infos if name != dataset and not uploads.is_collection(name))
    fit_choices = [*choices, *(["train"] if "train" in splits else []), *others]
    return {"split": split, "fit_choices": fit_choices}


def _pick_search(dataset: str, splits: Sequence[str] = ()) -> dict[str, str]:
    try:
        split = bound(Recipe, "split", choices=splits or uploads.splits_of(dataset))
    except BertFlowError:
        return {}  # the page shows the error
    metric = bound(Recipe, "metric", choices=OF_QUERIES, default=OF_QUERIES[0], key="query_metric")
    return {"split": split, "metric": metric}


def _pick_columns(dataset: str) -> dict[str, str | None]:
    try:
        header, guess = uploads.columns_of(dataset), uploads.guessed_columns(dataset)
    except BertFlowError:
        return {}  # the page shows the error
    if not guess:
        return {}
    nothing = uploads.no_column(header)

    def pick(field: str, options: Sequence[str]) -> str | None:
        column = bound(Recipe, field, choices=options, default=guess[field])
        return None if column == nothing else column

    sentences = {
        "sentence1": pick("sentence1", header),
        "sentence2": pick("sentence2", (nothing, *header)),
    }
    if sentences["sentence2"] is None:
        label = pick("score", (nothing, *header))
        if label is None:
            st.caption("Sentences without labels cannot be scored; everything else works.")
            return sentences
        of_texts = (ACCURACY.name, V_MEASURE.name)
        metric = bound(Recipe, "metric", choices=of_texts, default=of_texts[0], key="text_metric")
        return {**sentences, "score": label, "metric": metric}
    columns = {field: pick(field, (nothing, *header)) for field in ("score", "subset")}
    columns["roles"] = bound(Recipe, "roles", placeholder="by the names of the columns")
    scale = bound(Recipe, "scale", placeholder="lowest,highest")
    chosen = bound(Recipe, "metric", choices=(AS_READ, RHO.name, AUC.name), default=AS_READ)
    metric = None if chosen == AS_READ else chosen
    return {**sentences, **columns, "scale": scale, "metric": metric}


def use_table(dataset: str, scale: str = "", fit_on: str = Recipe.fit_on) -> None:
    """Choose an uploaded table or collection as the data, and the likely role of each column."""
    try:
        columns = uploads.guessed_columns(dataset)
    except BertFlowError:
        columns = {}  # the page shows the error
    state.choose(own_data=dataset, dataset=dataset, scale=scale, fit_on=fit_on, **columns)


def use_start() -> None:
    """If the address asks for nothing, choose the model and table given at the server's start."""
    if state.visit().has_page or not state.is_untouched():
        return
    if model := os.environ.get(server.START_MODEL):
        state.ask(model=model)
    if table := os.environ.get(server.START_TABLE):
        file = RawFile.of(table)
        state.ask(dataset=uploads.add(file.name, file.content))


def use_dropped() -> None:
    """Use the files that were dropped since the last call; call this before widgets are drawn.

    A callback would not do: the visitor's next action interrupts it, and it is not called again.
    """
    if not state.are_used(TABLE_BOX):
        for file in state.dropped(TABLE_BOX):
            use_table(uploads.add(file.name, file.getvalue()))
        state.note_used(TABLE_BOX)
    if not state.are_used(COLLECTION_BOX):
        files = [(file.name, file.getvalue()) for file in state.dropped(COLLECTION_BOX)]
        use_table(uploads.add_collection(files))
        state.note_used(COLLECTION_BOX)
    if not state.are_used(VECTOR_BOXES):
        with suppress(BertFlowError):  # the page shows the error
            if are_vectors_complete():
                vectors = add_vectors()
                state.choose(own_data=vectors, dataset=vectors, fit_on=Recipe.fit_on)
        state.note_used(VECTOR_BOXES)


def are_vectors_complete() -> bool:
    """Tell whether an upload of vectors is complete.

    It is one file, or gold scores with the vectors of both sides by one or by two encoders.
    """
    held = tuple(key for key in VECTOR_BOXES if state.dropped([key]))
    return len(held) == 1 or held in (VECTOR_BOXES[:3], VECTOR_BOXES)


def add_vectors() -> str:
    """Store uploaded vectors: one file, or gold scores and per encoder a file of each side."""
    files = state.dropped(VECTOR_BOXES)
    return uploads.add_vectors([(file.name, file.getvalue()) for file in files])
