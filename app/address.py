"""What the address asks for and no box can use: it is named on the page, and the default is used.

Streamlit gives a box the value that the address has under its key, and drops in silence what the
box does not offer. So the address is read before the boxes are drawn and compared with them
afterwards.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import NoReturn

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import TAB_KEYS
from streamlit.errors import StreamlitAPIException

from bertflow_core.params import parameters_of
from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["CHOICES", "NUMBERS", "SPECS", "Arrival", "arrive"]

_BOXES = {each.name: each for each in parameters_of(Recipe) if each.title}
_WORDS = {each.name: each for each in parameters_of(WordRecipe) if each.title}

NUMBERS = frozenset(
    {
        *(name for name, each in _BOXES.items() if each.kind is int),
        *("direction", "flow_seeds", "n_seeds", "newborn_seed", "threshold"),
        *("ledger_edits", "ledger_gold", "ledger_length"),
        *("umap_min_dist", "umap_neighbors", "wall_size"),
    }
)
"""The parameters of boxes of numbers."""

CHOICES = frozenset(
    {
        *(name for name, each in _BOXES.items() if each.kind is str),
        *(f"words_{name}" if each.panel else name for name, each in _WORDS.items()),
        *("after", "baseline", "before", "calibrators", "columns", "density", "distance"),
        "fooled_by",
        *("inside_epochs", "knob_k", "layer_measure", "ledger_after", "ledger_before"),
        *("layer_measures", "ledger_subsets", "word"),
        *("linear_next", "flow_parameter", "models", "overlaid", "published"),
        *("measure_held_out", "measure_neighbours", "relative", "row_layers"),
        *("space_calibrators", "space_layers", "word_calibrators", "layer_calibrators"),
        *("play_calibrators", "play_section", "play_sentence", "preset"),
        *("plane", "step", "take", "tested", "unit"),
        *("turn_batch_size", "turn_coupling_width", "turn_depth", "turn_epochs", "turn_lr"),
        "turn_n_levels",
        *("wall_calibrators", "wall_counts", "wall_judged", "wall_layers"),
        state.SELECTED,  # which no box holds
        *("wall_method", "wall_metric", "wall_models", "wall_rows", "wall_tables"),
        "word_measure",
        *TAB_KEYS,
    }
)
"""The parameters of all other boxes."""

SPECS = {
    "calibrators": ("advice", "calibrate", "compare", "lexical", "significance"),
    "layer_calibrators": ("layers",),
    "play_calibrators": ("playground",),
    "space_calibrators": ("sentences",),
    "wall_calibrators": ("wall",),
    "word_calibrators": ("words",),
}
"""The parameters of choices of calibrators, and the views that have such a box."""

REMOVED = frozenset(
    {
        "backend",
        "calibrator_in_full",
        "glossary",
        "inside",
        "layout",
        "n_draws",
        "presenter",
        "wall_dims",
    }
)
"""Parameters of older addresses; nothing is lost without them."""

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
        noted = state.unused()
        for name, values in self.asked.items():
            if state.is_held(name) and not _is(values, state.held(name)):
                noted[name] = _Unused(_shown(name, values), state.held(name))
        for name, unused in noted.items():
            if unused.taken is None and state.is_held(name):  # taken out before its box was drawn
                noted[name] = replace(unused, taken=state.held(name))

    def say(self, view: str) -> None:
        """Name on the page whatever could not be used, as long as its box was not changed.

        Args:
            view: What the page shows.
        """
        sentences = [
            _unknown(name) for name in self.asked if name not in NUMBERS | CHOICES | REMOVED
        ]
        sentences += [
            f"{_shown(name, values)} is a choice of another page."
            for name, values in self.asked.items()
            if view not in SPECS.get(name, (view,))
        ]
        noted = state.unused()
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
                if len(sentences) > _MOST_LINES:
                    st.text(f"And {len(sentences) - _MOST_LINES:,} more.")


def arrive() -> Arrival:
    """Read the address before any box is drawn; take out numbers that no box could read."""
    state.write_once()
    asked = {name: tuple(values) for name, values in state.asked().items()}
    endless = [name for name in asked if name in NUMBERS and _is_endless(asked[name])]
    if endless:
        _start_over(endless, asked)
    return Arrival({name: values for name, values in asked.items() if not state.is_held(name)})


def _start_over(names: Iterable[str], asked: Mapping[str, tuple[str, ...]]) -> NoReturn:
    """Run the page again without some parameters, and remember that they were asked for."""
    state.unused().update({name: _Unused(_shown(name, asked[name]), None) for name in names})
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


def _unknown(name: str) -> str:
    return f"{_cut(name)} is no parameter of any page{_hint(name)}"


def _hint(name: str) -> str:
    close = get_close_matches(name, sorted(NUMBERS | CHOICES), n=1)
    return f"; did you mean {close[0]}?" if close else "."


def _shown(name: str, values: tuple[str, ...]) -> str:
    return _cut("&".join(f"{name}={value}" for value in values))


def _text(held: object) -> str:
    values = held if isinstance(held, list | tuple) else [held]
    return _cut(", ".join(map(str, values)) or "nothing")


def _cut(text: str) -> str:
    printable = "".join(each for each in text if each.isprintable())
    return printable if len(printable) <= _LONGEST else f"{printable[:_LONGEST]}..."
