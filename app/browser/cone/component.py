"""The Streamlit component that shows the sentences of a measured cone on spheres."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from bertflow_app.browser.assets import script, style

from bertflow_core.figures.cone import circles, on_sphere, top_of_arrow
from bertflow_core.figures.style import colour_of
from bertflow_core.studies.cone.measure import Cone, Opening

_VIEW = st.components.v2.component(
    "bertflow_cone",
    html='<div class="cone"></div>',
    css=style("cone"),
    js=script("cone"),
)


def cone_view(
    cone: Cone, openings: Sequence[Opening], *, scale: tuple[float, float], key: str
) -> None:
    """Show the sentences as points on one sphere for each opening, with a pair marked on all.

    Args:
        cone: Holds the sentences.
        openings: What each sphere shows.
        scale: Lowest and highest grade that a person could give a pair.
        key: Names the picture on the page.
    """
    payload = {
        "panels": [_panel(each) for each in openings],
        "circles": [{"x": x.tolist(), "y": y.tolist()} for x, y in circles()],
        "pairs": cone.pairs,
        "scale": scale,
    }
    _VIEW(data=payload, key=key)


def _panel(opening: Opening) -> dict[str, Any]:
    x, y, nearness = on_sphere(opening.angles, opening.azimuths)
    return {
        "title": f"{opening.layers}, {opening.spec}",
        "colour": colour_of(opening.spec),
        "x": x.tolist(),
        "y": y.tolist(),
        "near": np.where(nearness > 0, 1, 0).tolist(),
        "top": top_of_arrow(opening.mean_length),
        "mean_length": opening.mean_length,
        "pair_angles": opening.pair_angles,
    }
