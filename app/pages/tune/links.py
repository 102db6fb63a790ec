"""Links that take a calibrator, as it is set on one page, to the pages that fit calibrators."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link

from bertflow_core.calibrators.registry import BASELINE, DEFAULT_SPECS

_ICONS = {
    "calibrate": "tune",
    "compare": "table_chart",
    "ledger": "list_alt",
    "significance": "science",
    "take_home": "download",
}
"""By view that fits calibrators: the icon of its link."""


def use_on_pages(spec: str) -> None:
    """Draw a link to each view that fits calibrators, whose address has `spec` in its choices."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Use `{spec}` on", width="content")
        for view, icon in _ICONS.items():
            link(view, icon=icon, asking=address_of(spec, view))


def address_of(spec: str, view: str) -> dict[str, list[str] | str]:
    """Return the parameters with which a view opens on a calibrator and the sidebar's recipe."""
    recipe = state.recipe_parameters()
    if view == "ledger":
        return {**recipe, "ledger_before": BASELINE, "ledger_after": spec}
    if view == "take_home":
        return {**recipe, "take": spec}
    chosen = state.chosen("calibrators") or DEFAULT_SPECS
    after = {"after": spec} if view == "calibrate" else {}
    return {**recipe, **after, "calibrators": list(dict.fromkeys((*chosen, spec)))}
