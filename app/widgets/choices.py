"""Widgets for choices: a declared parameter, calibrators, encoders, their layers, words."""

from collections.abc import Callable, Iterable, Sequence
from math import floor, log10
from typing import Any

import streamlit as st
from bertflow_app import models, services, state

from bertflow_core.calibrators.spec import DEFAULT_SPECS, Spec, offered_specs
from bertflow_core.encoders.given import source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS, layer_sets
from bertflow_core.errors import InputError
from bertflow_core.params import Params, Value, as_text, parameters_of
from bertflow_core.studies.words.recipe import SWITCHES, WordRecipe

_MOST_IN_A_ROW = 4


def bound(
    params: type[Params],
    name: str,
    *,
    choices: Sequence[str] = (),
    default: Value = None,
    key: str = "",
    **more: Any,  # noqa: ANN401 - whatever the widget takes
) -> Any:  # noqa: ANN401 - of the parameter's kind
    """Draw the widget of a parameter and return its value; None if it is empty.

    `choices` and `default` replace the parameter's own. `key`, by default the parameter's name, is
    the widget's key and its name in the address. The widget takes all other arguments.
    """
    (declared,) = (each for each in parameters_of(params) if each.name == name)
    first = declared.default if default is None else default
    common = {"key": key or name, "bind": "query-params", "help": declared.help, **more}
    if 0 < len(declared.choices) <= _MOST_IN_A_ROW and first is not None and not choices:
        return st.radio(declared.label, declared.choices, horizontal=True, **common)
    if options := list(choices or declared.choices):
        index = options.index(first) if first in options else None if first is None else 0
        return st.selectbox(declared.label, options, index=index, **common)
    if declared.kind in (str, tuple, list):
        text = st.text_input(declared.label, "" if first is None else as_text(first), **common)
        none = () if declared.kind is list else None
        return declared.parse(text) if text else none
    limits = [
        None if each is None else declared.kind(each)
        for each in (declared.low, declared.high, first)
    ]
    if declared.kind is float:  # one more digit than the default has, and no rounding
        first_digit = floor(log10(abs(limits[-1] or 0.1)))
        common = {"format": "%g", "step": 10.0 ** (first_digit - 1), **common}
    number = st.number_input(declared.label, *limits, **common)
    return None if number is None else declared.kind(number)


def pick_or_type(
    widget: Callable[..., Any],
    label: str,
    offered: Iterable[str],
    *,
    key: str,
    is_open: bool = True,
    **options: Any,  # noqa: ANN401 - whatever the widget takes
) -> Any:  # noqa: ANN401 - what the widget returns
    """Draw a box of offered values; if it `is_open`, the address and the visitor can add others."""
    return widget(
        label,
        list(dict.fromkeys((*offered, *(state.chosen(key) if is_open else [])))),
        key=key,
        bind="query-params",
        accept_new_options=is_open,
        filter_mode="prefix",  # else Enter takes a listed name for a misspelt one
        **options,
    )


def calibrator_picker(
    key: str = "calibrators", default: tuple[str, ...] = DEFAULT_SPECS
) -> tuple[Spec, ...]:
    """Let the visitor choose calibrators or type any spec; `identity` is not among them."""
    chosen = pick_or_type(
        st.multiselect,
        "Calibrators",
        (*offered_specs(), *default),
        default=default,
        key=key,
        help="Choose, or type any other calibrator with its options, such as null-top-k:k=12 or "
        "standardize+flow:lr=1e-4. Each is fitted on the sentences of the fit corpus; gold scores "
        "and labels are used for scoring only.",
    )
    return _parsed(chosen)


def calibrator_box(label: str, offered: Sequence[str], first: str, *, key: str, help: str) -> Spec:
    """Let the visitor choose one calibrator or type any spec; `first` stands for a wrong one."""
    index = offered.index(first)
    text: str = pick_or_type(st.selectbox, label, offered, index=index, key=key, help=help)
    return next(iter(_parsed((text,))), Spec(first))


def _parsed(texts: Sequence[str]) -> tuple[Spec, ...]:
    """Return the chosen calibrators and show what each does, or why the page ends at its `Fold`."""
    specs, wrong = [], []
    for text in texts:
        try:
            specs.append(Spec(text.strip()))
        except InputError as error:
            wrong.append(str(error))
    if specs:
        st.caption(". ".join(f"{spec}: {spec.words}" for spec in specs) + ".")
    for sentence in dict.fromkeys(wrong):  # plain text: it may hold what was typed
        st.text(sentence)
    state.visit().said.update(wrong)
    return tuple(specs)


def more_layers(encoders: Sequence[str], own: str, key: str) -> tuple[str, ...]:
    """Let the visitor add layer sets that any of the encoders has; return them with the own one."""
    n_layers = max((models.n_layers(e) for e in encoders if source_of(e).has_layers), default=0)
    if not n_layers:
        return (own,)
    options = (PLAIN_LAYERS, *layer_sets(n_layers), *state.chosen(key))
    added = st.multiselect(
        "More layers",
        [name for name in dict.fromkeys(options) if name != own],
        key=key,
        bind="query-params",
        placeholder="only those of the sidebar",
    )
    return (own, *added)


def recipe_of_words() -> WordRecipe:
    """Draw the choices that affect numbers about words."""
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
