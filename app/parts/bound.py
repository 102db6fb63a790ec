"""The box of a parameter: drawn from its declaration, its value held by the address."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from bertflow_core.params import Params, Value, as_text, parameters_of

__all__ = ["bound"]

_MOST_IN_A_ROW = 4


def bound(
    params: type[Params],
    name: str,
    *,
    choices: Sequence[str] = (),
    default: Value = None,
    key: str = "",
    **more: Any,  # noqa: ANN401 - whatever the box takes
) -> Any:  # noqa: ANN401 - of the parameter's kind
    """Draw the box of a parameter and return its value, None where the box is empty.

    Args:
        params: What declares it.
        name: The parameter.
        choices: What can be chosen here; its own choices if empty.
        default: Chosen at first, if it is there; the parameter's default if not told.
        key: Of the box, and in the address; its name if empty.
        more: More arguments of the box.
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
    limits = (
        None if each is None else declared.kind(each)
        for each in (declared.low, declared.high, first)
    )
    number = st.number_input(declared.label, *limits, **common)
    return None if number is None else declared.kind(number)
