"""The Streamlit component that shows the sentences of a measured cone on spheres."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from bertflow_app.browser.assets import script, style

from bertflow_core.figures.cone import circles, on_sphere, top_of_arrow
from bertflow_core.figures.style import colour_of
from bertflow_core.report import Report, Row

_VIEW = st.components.v2.component(
    "bertflow_cone",
    html='<div class="cone"></div>',
    css=style("cone"),
    js=script("cone"),
)


def cone_view(cone: Report, rows: Sequence[Row], *, scale: tuple[float, float], key: str) -> None:
    """Show the sentences as points on one sphere for each opening, with a pair marked on all.

    Args:
        cone: Holds the sentences.
        rows: What each sphere shows.
        scale: Lowest and highest grade that a person could give a pair.
        key: Names the picture on the page.
    """
    payload = {
        "panels": [_panel(row) for row in rows],
        "circles": [{"x": x.tolist(), "y": y.tolist()} for x, y in circles()],
        "pairs": cone.facts["pairs"],
        "scale": scale,
    }
    _VIEW(data=payload, key=key)


def _panel(row: Row) -> dict[str, Any]:
    x, y, nearness = on_sphere(row["angles"], row["azimuths"])
    return {
        "title": f"{row['layers']}, {row['calibrator']}",
        "colour": colour_of(row["calibrator"]),
        "x": x.tolist(),
        "y": y.tolist(),
        "near": np.where(nearness > 0, 1, 0).tolist(),
        "top": top_of_arrow(row["mean_length"]),
        "mean_length": row["mean_length"],
        "pair_angles": row["pair_angles"],
    }
