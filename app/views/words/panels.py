"""The panels of the page Words: a word's neighbours, a measure by bin, the frequency bias."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.components import caption, table_of_text
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.studies.words.figures import bins_figure
from bertflow_core.studies.words.paper_table1 import measure_name
from bertflow_core.studies.words.report import direction_table, slope_table, slopes_of_a_guess
from bertflow_core.studies.words.result import WordResult


def bins_panel(results: Sequence[WordResult], origin: Origin) -> None:
    """Show one measure by bin, each calibrator beside the published row."""
    names = {measure_name(*measure): measure for measure in results[0].measures()}
    name = st.selectbox(
        "Measure", list(names), key="word_measure", bind="query-params", help="A row of Table 1."
    )
    measure, k = names[name]
    chart(
        bins_figure(results, measure, k),
        key="word-bins",
        alt=f"{name} by bin of frequency rank; the table below has the numbers",
        origin=origin,
    )


def bias_panel(results: Sequence[WordResult]) -> None:
    """Show how a space follows frequency; slopes are folded away where nothing was counted."""
    guess = slopes_of_a_guess(results)
    if not guess:
        _slopes(results)
        return
    directions = direction_table(results)
    table_of_text(directions, alt="How closely a leading direction follows frequency by rank")
    caption(directions.remarks[0])
    with st.expander("Slopes on 1 / rank", icon=":material/table_rows:"):
        st.write(guess)
        _slopes(results)


def _slopes(results: Sequence[WordResult]) -> None:
    slopes = slope_table(results)
    table_of_text(
        slopes, alt="Slope of norm and of neighbour distance against log frequency, with intervals"
    )
    caption(" ".join(slopes.remarks))


def choose_pressed(words: Sequence[str], key: str) -> None:
    """Choose the word whose mark was pressed in the chart of this key."""
    pressed: Any = state.held(key)
    for point in pressed["selection"]["point_indices"][:1]:
        if point < len(words):
            state.choose(word=words[point])


def neighbours_panel(results: Sequence[WordResult]) -> None:
    """Show the neighbours of the chosen word, in the full space of each calibrator."""
    words = results[0].prepared.words
    word = st.selectbox(
        "Word",
        words,
        key="word",
        bind="query-params",
        help="Press a mark above, or search here.",
    )
    row = int(results[0].prepared.rows[words.index(word)])
    for column, result in zip(st.columns(len(results)), results, strict=True):
        with column:
            st.markdown(f"**`{result.recipe.calibrator}`**")
            st.dataframe(
                [
                    {"Token": token, "L2": round(value, 3)}
                    for _, token, value in services.word_neighbours(result, row)
                ],
                hide_index=True,
                alt=f"Nearest tokens under {result.recipe.calibrator}",
            )
    st.caption("Exact neighbours in the full space, by L2 distance.")
