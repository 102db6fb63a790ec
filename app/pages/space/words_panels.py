"""The panels of the page Words: a word's neighbours, a measure by bin."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.show import show_picture

from bertflow_core.report import Report
from bertflow_core.studies.words.prepared import WordSpace
from bertflow_core.studies.words.published import measure_name, measures


def bins_panel(report: Report) -> None:
    """Show one measure by bin, each calibrator beside the published row."""
    names = {measure_name(measure): measure for measure in measures(report)}
    name = st.selectbox(
        "Measure", list(names), key="word_measure", bind="query-params", help="A row of Table 1."
    )
    show_picture(report, f"{names[name]}_by_bin")


def choose_pressed(words: Sequence[str], key: str) -> None:
    """Choose the word whose mark was pressed in the chart of this key."""
    pressed: Any = state.held(key)
    for point in pressed["selection"]["point_indices"][:1]:
        if point < len(words):
            state.choose(word=words[point])


def neighbours_panel(spaces: Sequence[WordSpace]) -> None:
    """Show the neighbours of the chosen word, in the full space of each calibrator."""
    words = spaces[0].prepared.words
    word = st.selectbox(
        "Word",
        words,
        key="word",
        bind="query-params",
        help="Press a mark above, or search here.",
    )
    row = int(spaces[0].prepared.rows[words.index(word)])
    for column, space in zip(st.columns(len(spaces)), spaces, strict=True):
        with column:
            st.markdown(f"**`{space.calibrator}`**")
            st.dataframe(
                [
                    {"Token": token, "L2": round(value, 3)}
                    for _, token, value in services.word_neighbours(space, row)
                ],
                hide_index=True,
                alt=f"Nearest tokens under {space.calibrator}",
            )
    st.caption("Exact neighbours in the full space, by L2 distance.")
