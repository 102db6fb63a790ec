"""Pictures that the browser computes: spheres, layers, the newborn model, the flow on the plane.

Their scripts and style sheets are bundled by `npm run build` and committed, so neither an
installation nor a server needs Node. Streamlit's `asset_dir` could serve the modules unbundled, but
it does not find a package that is installed from its source folder.
"""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from bertflow_core.errors import InputError
from bertflow_core.figures.cone import spheres_payload
from bertflow_core.report.report import Report, Row
from bertflow_core.runtime.shipped import bundle

_CHOICE = re.compile(r"[a-z]{1,10}-[a-z]{1,10}(-[0-9.]{1,8}){4}")


def component(name: str, box: str, *, script: str = "") -> Any:  # noqa: ANN401 - Streamlit's own
    """Declare a component by the names of its bundles and the CSS class of its container."""
    return st.components.v2.component(
        f"bertflow_{script or name}",
        html=f'<div class="{box}"></div>',
        css=bundle(f"{name}.css"),
        js=bundle(f"{script or name}.js"),
    )


_CONE = component("cone", "cone")
_DEPTH = component("depth", "depth cone")
_NEWBORN = component("newborn", "newborn")
_FLOW = component("flow_plane", "flow-plane", script="flow_plane")


def refused() -> InputError:
    """Return the error for a report that no component would send, since anyone can forge one."""
    return InputError("the picture's report could not be read: reload the page")


def cone_view(
    cone: Report, rows: Mapping[str, Row], *, scale: tuple[float, float], key: str
) -> None:
    """Show a cone's sentences, one sphere per row of its report; a marked pair is marked on all.

    `rows` has each sphere's row by its title; `scale` has the lowest and the highest gold score.
    """
    _CONE(data=spheres_payload(rows, cone.facts["pairs"], scale), key=key)


def depth_view(spheres: dict[str, Any], *, key: str) -> None:
    """Show the layers of `studies.depth.spheres`; other layers need another key."""
    _DEPTH(data=spheres, key=key)


def newborn_view(recording: dict[str, Any], *, key: str) -> None:
    """Play a recording of a newborn model, `Recording.picture`."""
    _NEWBORN(data=recording, key=key)


def flow_plane(choice: str | None, *, key: str) -> str | None:
    """Show a flow on the plane. Return the visitor's choice, or None before the first choice.

    `choice.js` writes a choice as shape, coupling, depth, width, learning rate and seed, such as
    `moons-additive-4-16-0.003-0`. If it gets any other text, the picture says so.
    """
    chosen = _FLOW(data={"choice": choice}, key=key, on_choice_change=lambda: None)["choice"]
    if chosen is None:
        return None
    if not isinstance(chosen, str) or not _CHOICE.fullmatch(chosen):
        raise refused()
    return chosen
