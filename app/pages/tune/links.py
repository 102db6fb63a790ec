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
}
"""By page that fits calibrators: the icon of its link."""

_HELP = {"calibrate": "Its last part exports what is chosen: vectors, calibrator or model."}


def use_on_pages(spec: str) -> None:
    """Draw a link to each page that fits calibrators, whose address has `spec` among its choices.

    Args:
        spec: A calibrator, such as `flow:epochs=3`.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Use `{spec}` on", width="content")
        for name, icon in _ICONS.items():
            link(name, icon=icon, asking=address_of(spec, name), help=_HELP.get(name))


def address_of(spec: str, page: str) -> dict[str, list[str] | str]:
    """Return the parameters with which a page opens on a calibrator and the sidebar's recipe.

    Streamlit adds the sidebar's to a link that is clicked, where they are then twice, but not to
    one that is copied or opened in a new tab.

    Args:
        spec: The calibrator.
        page: The page, by the name of its view.
    """
    recipe = state.recipe_parameters()
    if page == "ledger":
        return {**recipe, "ledger_before": BASELINE, "ledger_after": spec}
    chosen = state.chosen("calibrators") or DEFAULT_SPECS
    after = {"after": spec} if page == "calibrate" else {}
    return {**recipe, **after, "calibrators": list(dict.fromkeys((*chosen, spec)))}
