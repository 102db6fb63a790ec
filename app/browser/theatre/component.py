"""The Streamlit component of a flow on the plane, which the visitor's browser trains."""

import re
from typing import Any

import streamlit as st
from bertflow_app.browser.assets import script, style
from bertflow_app.browser.wire import refused

_FLOW_VIEW = st.components.v2.component(
    "bertflow_flow_view",
    html='<div class="flow-view"></div>',
    css=style("theatre"),
    js=script("flow_view"),
)
_CHOICE = re.compile(r"[a-z]{1,10}-[a-z]{1,10}(-[0-9.]{1,8}){4}")


def flow_view(choice: str | None, *, key: str) -> str | None:
    """Show a flow on the plane; return the visitor's own choice, None before there is one.

    Args:
        choice: What to show, as `choice.js` writes it: shape, coupling, depth, width, learning rate
            and seed, such as `moons-additive-4-16-0.003-0`. Other text is named on the page.
        key: Names the component on the page.

    Raises:
        InputError: The browser reported something that no picture sends.
    """
    result: Any = _FLOW_VIEW(data={"choice": choice}, key=key, on_choice_change=lambda: None)
    chosen = result["choice"]
    if chosen is None:
        return None
    if not isinstance(chosen, str) or not _CHOICE.fullmatch(chosen):
        raise refused()
    return chosen
