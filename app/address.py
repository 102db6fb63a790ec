"""What the address asks for and no box can use: it is named on the page, and the default is used.

Streamlit gives a box the value that the address has under its key, and drops in silence what the
box does not offer. So the address is read before the boxes are drawn and compared with them
afterwards.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

import streamlit as st
from bertflow_app import state
from streamlit.errors import StreamlitAPIException

from bertflow_core.params import parameters_of
from bertflow_core.recipe import Recipe

__all__ = ["Arrival", "arrive"]

_TEXTS = {each.name for each in parameters_of(Recipe) if each.kind is str}
"""The parameters that may be called as an endless number is: a column, for example."""

_LONGEST, _MOST_LINES = 80, 10


@dataclass(frozen=True)
class _Unused:
    """A parameter whose box took a value of its own; None before the box is drawn."""

    asked: str
    taken: object


@dataclass(frozen=True)
class Arrival:
    """What the address asks of boxes that are not drawn yet.

    Attributes:
        asked: The values by parameter.
    """

    asked: Mapping[str, tuple[str, ...]]

    def compare(self) -> None:
        """Note what boxes that are drawn by now did not take."""
        noted = state.visit().unused
        for name, values in self.asked.items():
            if state.is_held(name) and not _is(values, state.held(name)):
                noted[name] = _Unused(_shown(name, values), state.held(name))
        for name, unused in noted.items():
            if unused.taken is None and state.is_held(name):  # taken out before its box was drawn
                noted[name] = replace(unused, taken=state.held(name))

    def say(self) -> None:
        """Name on the page whatever could not be used, as long as its box was not changed."""
        sentences = []
        noted = state.visit().unused
        for name, unused in [*noted.items()]:
            if not state.is_held(name):
                continue  # on another page
            if state.held(name) == unused.taken:
                sentences.append(
                    f"{unused.asked} cannot be used here; {_text(unused.taken)} is used."
                )
            else:
                del noted[name]
        if sentences:
            with st.container(border=True):
                st.markdown(":material/link_off: **Not everything in the address could be used**")
                for sentence in sentences[:_MOST_LINES]:
                    st.text(sentence)


def arrive() -> Arrival:
    """Read the address before any box is drawn; take out numbers that no box could read."""
    state.write_once()
    asked = {name: tuple(values) for name, values in state.asked().items()}
    endless = [name for name in asked if name not in _TEXTS and _is_endless(asked[name])]
    if endless:
        _start_over(endless, asked)
    return Arrival({name: values for name, values in asked.items() if not state.is_held(name)})


def _start_over(names: Iterable[str], asked: Mapping[str, tuple[str, ...]]) -> NoReturn:
    """Run the page again without some parameters, and remember that they were asked for."""
    state.visit().unused.update({name: _Unused(_shown(name, asked[name]), None) for name in names})
    try:
        for name in names:
            del st.query_params[name]
    except StreamlitAPIException:  # the browser went back, and the box is there already
        st.query_params.from_dict({})  # the boxes keep what they hold
    st.rerun()


def _is_endless(values: tuple[str, ...]) -> bool:
    """Tell whether a box would have to turn infinity into a whole number, which ends the page."""
    numbers = map(_number, values)
    return any(number is not None and not math.isfinite(number) for number in numbers)


def _is(asked: tuple[str, ...], held: object) -> bool:
    """Tell whether what a box holds is what the address asks for."""
    if isinstance(held, list | tuple):
        texts = [text for text in asked if text]
        pairs = zip(texts, held, strict=False)
        return len(texts) == len(held) and all(_is((text,), each) for text, each in pairs)
    text, *others = asked
    if others:
        return False
    if isinstance(held, bool):
        return text.lower() == str(held).lower()
    if isinstance(held, int | float):
        return _number(text) == held
    return text == str(held)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _shown(name: str, values: tuple[str, ...]) -> str:
    return _cut("&".join(f"{name}={value}" for value in values))


def _text(held: object) -> str:
    values = held if isinstance(held, list | tuple) else [held]
    return _cut(", ".join(map(str, values)) or "nothing")


def _cut(text: str) -> str:
    printable = "".join(each for each in text if each.isprintable())
    return printable if len(printable) <= _LONGEST else f"{printable[:_LONGEST]}..."
