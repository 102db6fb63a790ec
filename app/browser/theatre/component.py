"""The two Streamlit components: the live picture of a flow, and the pad to draw points on."""

from typing import Any

import streamlit as st
from bertflow_app.browser.assets import script, style

from bertflow_core.flows.toy import MAX_POINTS, checked_points
from bertflow_core.linalg import FloatArray

_STYLE = style("theatre")
_FLOW_VIEW = st.components.v2.component(
    "bertflow_flow_view", html='<div class="flow-view"></div>', css=_STYLE, js=script("flow_view")
)
_PAD = st.components.v2.component(
    "bertflow_pad", html='<div class="pad"></div>', css=_STYLE, js=script("pad")
)


def flow_view(payload: bytes, *, key: str) -> None:
    """Show states of a fit; those that came with earlier payloads are still in the browser.

    Args:
        payload: What `payload.encode` wrote.
        key: Names the picture on the page; what it reports is read with `report.decode`.
    """
    _FLOW_VIEW(data=payload, key=key, on_report_change=lambda: None)


def drawn_points(*, key: str) -> FloatArray | None:
    """Let the visitor draw points; return them, shape (N, 2), or None while there are none.

    Raises:
        InputError: Too few of them, or something that no pad sends.
    """
    result: Any = _PAD(data={"most": MAX_POINTS}, key=key, on_points_change=lambda: None)
    points = result["points"]
    return checked_points(points) if points else None
