"""Report the values in the address that no widget accepts; other values are used instead.

Streamlit gives a widget the value under its key in the address, and silently drops a value that
the widget does not offer. So the address is read before the widgets are drawn, and compared with
them afterwards. The sidebar's boxes are on every page, and would keep their values when a link asks
for others. So they get the values of the link here.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields

import streamlit as st
from bertflow_app import state
from streamlit.errors import StreamlitAPIException

from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import parameters_of
from bertflow_core.wording import shortened

Asked = Mapping[str, Sequence[str]]
"""The values that the address gives, by parameter."""

_TEXTS = {each.name for each in parameters_of(Recipe) if each.kind is str}
"""Parameters that take any text: a column may be named "inf"."""

_OF_SIDEBAR = (*(each.name for each in fields(Recipe)), state.SECOND_MODEL)
_MOST_LINES = 10


def arrive() -> Asked:
    """Return the values that the address gives to widgets that are not drawn yet.

    Infinity and the like are removed from the address: a number box fails on
    them and ends the page.
    """
    state.write_once()
    asked = state.asked()
    endless = [
        name
        for name, values in asked.items()
        if name not in _TEXTS and not all(math.isfinite(_number(text) or 0) for text in values)
    ]
    if endless:
        state.visit().unused.update({name: (_shown(name, asked[name]), None) for name in endless})
        try:
            for name in endless:
                del st.query_params[name]
        except StreamlitAPIException:  # after the Back button the widget already exists
            st.query_params.from_dict({})  # the widgets keep their values
        st.rerun()
    if state.has_moved():
        _follow({name: asked[name] for name in _OF_SIDEBAR if name in asked})
    return {name: values for name, values in asked.items() if not state.is_held(name)}


def _follow(asked: Asked) -> None:
    """Give the sidebar's boxes the values of the link that was followed.

    The address then has both values of a parameter: first that of the box, then that of the link.
    """
    for name, (*_, text) in asked.items():
        held = state.held(name)
        if not state.is_held(name) or _is((text,), held):
            continue
        number = _number(text)
        if not isinstance(held, int | float):
            state.choose(**{name: text or None})
        elif number is not None:
            state.choose(**{name: type(held)(number)})


def say_unused(asked: Asked) -> None:
    """Show the values that could not be used, until the visitor changes their widgets."""
    unused = state.visit().unused
    for name, values in asked.items():
        if state.is_held(name) and not _is(values, state.held(name)):
            unused[name] = _shown(name, values), state.held(name)
    sentences = []
    for name, (shown, taken) in [*unused.items()]:
        if not state.is_held(name):
            continue  # the widget is on another page
        held = state.held(name)
        if taken not in (None, held):
            del unused[name]
            continue
        unused[name] = shown, held  # no longer None, since the widget is drawn
        texts = map(str, held if isinstance(held, list | tuple) else [held])
        used = _cut(", ".join(texts) or "nothing")
        sentences.append(f"{shown} cannot be used here; {used} is used.")
    if sentences:
        with st.container(border=True):
            st.markdown(":material/link_off: **Not everything in the address could be used**")
            for sentence in sentences[:_MOST_LINES]:
                st.text(sentence)


def _is(asked: Sequence[str], held: object) -> bool:
    """Tell whether a widget's value is the one that the address asks for."""
    if isinstance(held, list | tuple):
        texts = [text for text in asked if text]
        pairs = zip(texts, held, strict=False)
        return len(texts) == len(held) and all(_is((text,), each) for text, each in pairs)
    text, *others = asked
    if others:
        return False
    if isinstance(held, bool):
        return text.lower() == str(held).lower()
    return _number(text) == held if isinstance(held, int | float) else text == str(held)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _shown(name: str, values: Sequence[str]) -> str:
    return _cut("&".join(f"{name}={value}" for value in values))


def _cut(text: str) -> str:
    return shortened("".join(filter(str.isprintable, text)))
