"""The calibrators that are here: what each does, and everything about one of them."""

from typing import TYPE_CHECKING

import streamlit as st

from bertflow_core.calibrators.registry import CALIBRATORS, plain_name

if TYPE_CHECKING:
    from bertflow_core.calibrators import Calibrator


def calibrators_panel() -> None:
    """Show what every calibrator does, and below it the one that the visitor chooses in full."""
    st.dataframe(
        [
            {"Name": info.name, "In words": plain_name(info.name), "Source": info.source}
            for info in CALIBRATORS.values()
        ],
        column_config={
            "Name": st.column_config.TextColumn(width=140),
            "In words": st.column_config.TextColumn(width=330),
            "Source": st.column_config.TextColumn(width=300),
        },
        height="content",
        hide_index=True,
        alt="Calibrators, what each does, and where it comes from",
    )
    names = list(CALIBRATORS)
    name = st.selectbox(
        "Formula and parameters of",
        names,
        index=names.index("flow"),
        key="calibrator_in_full",
        bind="query-params",
        help="Parameters are typed after a colon, such as null-top-k:k=6.",
    )
    _in_full(CALIBRATORS[name])


def _in_full(info: "type[Calibrator]") -> None:
    st.code(info.formula, language=None, wrap_lines=True)
    st.text(f"Invertible: {info.invertible}. Density: {info.density}.")
    if info.presets:
        st.text("Presets: " + ", ".join(f"{info.name}:preset={each.name}" for each in info.presets))
    if info.url:
        st.markdown(f"Source: [{info.source}]({info.url})")
    if not info.parameters():
        st.text("It takes no parameters.")
        return
    st.table(
        [
            {
                "Parameter": each.name,
                "What it is": each.help,
                "Expected": each.expected,
                "Default": "none" if each.default is None else str(each.default),
            }
            for each in info.parameters()
        ],
        hide_index=True,
    )
