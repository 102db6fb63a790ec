"""The sidebar: every choice that decides a number, each part of the address."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from bertflow_app import services, state

from bertflow_core.device import AUTO, DTYPES
from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.encoders.layers import DECLARED, layer_sets
from bertflow_core.encoders.pooling import POOLINGS
from bertflow_core.encoders.static import OWN, is_static
from bertflow_core.errors import BertFlowError
from bertflow_core.evaluation import METRICS
from bertflow_core.recipe import Recipe

AS_READ = "as read"


def recipe_picker(note: str = "") -> None:
    """Draw the sidebar's controls and keep the recipe they make; each is part of the URL.

    Args:
        note: Shown first, on a page that the recipe does not decide.
    """
    st.header("Recipe", help="Everything that decides a number. The address bar holds it.")
    if note:
        st.caption(note)
    values = {**_pick_encoder(), **_pick_data()}
    if not services.vectors_of(values["dataset"]) and values["model"] == OWN:
        values["model"] = Recipe.model  # other data were chosen just now
    with st.expander("More"):
        values |= _pick_protocol(values.pop("fit_choices"))
        if not is_static(values["model"]):
            values |= _pick_arithmetic()
    state.keep_recipe(Recipe(**values))


def _pick_encoder() -> dict[str, Any]:
    if services.vectors_of(state.known_upload() or ""):
        st.text("Model: the uploaded vectors, as given")
        return {"model": OWN}
    model = st.selectbox(
        "Model",
        services.encoders(),
        key="model",
        bind="query-params",
        on_change=_show_as_made,
        help="Encoders by short name; minilm is installed, the others come from the hub. One that "
        "was trained for sentences is shown as its makers declare it first.",
    )
    if is_static(model):
        return {"model": model}
    layers = (DECLARED, *layer_sets(CATALOG[model].n_layers))
    chosen = st.selectbox(
        "Layers",
        layers,
        index=layers.index(Recipe.layers),
        key="layers",
        bind="query-params",
        help="model is what the model's folder declares, pooling and all, as sentence-transformers "
        "gives it; all others depart from that. layer:0 is the embedding output; last2 is the "
        "paper's wording, first-last what its code does.",
    )
    if chosen == DECLARED:
        return {"model": model, "layers": chosen, **_pick_declared(model)}
    tokens = st.radio(
        "Token pooling",
        POOLINGS,
        horizontal=True,
        key="tokens",
        bind="query-params",
        help="How a sentence's token vectors become one vector; last is for decoders.",
    )
    return {"model": model, "layers": chosen, "tokens": tokens}


def _show_as_made() -> None:
    """Show a model of another kind than before at the layers that are looked at first.

    The embedded one stands in for BERT, whose middle layers the lesson is about.
    """
    entry = CATALOG.get(str(state.held("model")))
    if entry is None:
        return
    first = DECLARED if entry.contrastive and not entry.embedded else Recipe.layers
    if DECLARED in (first, state.held("layers")):
        state.choose(layers=first)


def _pick_arithmetic() -> dict[str, Any]:
    choices = (AUTO, *DTYPES)
    precision = st.selectbox(
        "Precision",
        choices,
        index=choices.index(Recipe.precision),
        key="precision",
        bind="query-params",
        help="Of the encoder's arithmetic. bfloat16 is about half the time on a processor with "
        "instructions for it; auto is what the server's device is made for, and the recipe names "
        "it.",
    )
    return {"precision": precision}


def _pick_declared(model: str) -> dict[str, Any]:
    """Let the visitor choose among the prompts of a model that declares some, and cut its width."""
    prompts = services.prompts_of(model)
    n_kept = st.number_input(
        "Features kept",
        0,
        key="truncate_dim",
        bind="query-params",
        help="The first ones, for models trained so that these are enough (Matryoshka); 0 keeps "
        "all.",
    )
    choices: dict[str, Any] = {"truncate_dim": int(n_kept)}
    if prompts:
        choices["prompt"] = st.selectbox(
            "Prompt",
            list(prompts),
            index=None,
            key="prompt",
            bind="query-params",
            placeholder="the model's default",
            help="Put before every sentence, as the model's makers declare.",
        )
    return choices


def _pick_data() -> dict[str, Any]:
    infos = {info.name: info for info in services.data_sets() if info.found}
    upload, choices = state.known_upload(), [Recipe.fit_on, *services.fit_corpora()]
    dataset = st.selectbox(
        "Data",
        [*infos, *([upload] if upload else [])],
        index=list(infos).index(Recipe.dataset),
        key="dataset",  # no labels of its own: the address bar would hold the label
        bind="query-params",
        help="Pairs of sentences: built in, from the folder that BERTFLOW_DATA names, or a table "
        "of pairs or sentences that you upload under Data & models; a tag after its name tells "
        "files of one name apart.",
    )
    if dataset not in infos:
        if services.vectors_of(dataset):
            return {"dataset": dataset, "fit_choices": ["target"]}
        return {"dataset": dataset, "fit_choices": [*choices, *infos], **_pick_columns(dataset)}
    splits = [split for split, _ in infos[dataset].splits]
    split = st.selectbox(
        "Split",
        splits,
        index=splits.index("test") if "test" in splits else 0,
        key="split",
        bind="query-params",
        help="The pairs that are scored. More has what calibrators are fitted on.",
    )
    fit_choices = [*choices, *(["train"] if "train" in splits else [])]
    return {"dataset": dataset, "split": split, "fit_choices": fit_choices}


def _pick_columns(dataset: str) -> dict[str, str | None]:
    """Let the visitor choose the columns of an uploaded table."""
    try:
        header, guess = services.columns_of(dataset), services.guessed_columns(dataset)
    except BertFlowError:
        return {}  # the page says why
    if not guess:
        return {}
    nothing = services.no_column(header)

    def pick(field: str, label: str, options: Sequence[str]) -> str | None:
        column = st.selectbox(
            label,
            options,
            index=options.index(guess[field]),
            key=field,
            bind="query-params",
            help="A column of your table.",
        )
        return None if column == nothing else column

    sentences = {
        "sentence1": pick("sentence1", "First sentences", header),
        "sentence2": pick("sentence2", "Second sentences", (nothing, *header)),
    }
    if sentences["sentence2"] is None:
        st.caption("Single sentences: nothing to score, everything else works.")
        return sentences
    return {
        **sentences,
        "score": pick("score", "Gold scores", (nothing, *header)),
        "subset": pick("subset", "Subsets", (nothing, *header)),
        "scale": st.text_input(
            "Gold scale",
            key="scale",
            bind="query-params",
            placeholder="lowest,highest",
            help="For example 0,10; empty takes 0 to 1 or 0 to 5.",
        )
        or None,
        "metric": _pick_metric(),
    }


def _pick_metric() -> str | None:
    """Let the visitor say whether a table's scores are grades or labels."""
    chosen = st.selectbox(
        "Metric",
        (AS_READ, *METRICS),
        key="metric",
        bind="query-params",
        help="rho of graded scores, or auc of labels of two kinds, such as 0 and 1. as read: "
        "numbers are scores, and two named classes, such as yes and no, are labels.",
    )
    return None if chosen == AS_READ else chosen


def use_table(dataset: str, scale: str = "", fit_on: str = Recipe.fit_on) -> None:
    """Choose an uploaded table as the data, with the guessed role of each column.

    Args:
        dataset: The table.
        scale: Of its gold scores, as `low,high`; empty takes what they seem to be on.
        fit_on: What calibrators are fitted on: its own sentences, or the name of a data set.
    """
    try:
        columns = services.guessed_columns(dataset)
    except BertFlowError:
        columns = {}  # the page says why
    state.choose(dataset=dataset, scale=scale, fit_on=fit_on, **columns)


def use_vectors(dataset: str) -> None:
    """Choose uploaded vectors as data and model."""
    state.choose(dataset=dataset, fit_on=Recipe.fit_on)


def _pick_protocol(fit_choices: list[str]) -> dict[str, Any]:
    fit_on = st.selectbox(
        "Fit corpus",
        fit_choices,
        key="fit_on",
        bind="query-params",
        help="target: every sentence of the data set, all its splits, without gold scores, as in "
        "the paper; nli: premises and hypotheses, where they are here. For your own table, the "
        "calibrators can also be fitted on another data set.",
    )
    seed = st.number_input(
        "Seed", 0, 10_000, 0, key="seed", bind="query-params", help="Random seed of the flow."
    )
    aggregation = st.radio(
        "Aggregation",
        ["all", "mean", "wmean"],
        horizontal=True,
        key="aggregation",
        bind="query-params",
        help="Over subsets: all pairs at once, mean of rhos, or weighted by pairs (Li et al.).",
    )
    return {"fit_on": fit_on, "seed": int(seed), "aggregation": aggregation}
