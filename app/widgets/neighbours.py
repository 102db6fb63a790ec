"""Neighbours of one row in several spaces, side by side, with those gained and lost."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.widgets.components import cell, show_rows

from bertflow_core.exhibits.wall.nearest import PaneNeighbours

ACROSS = 2


def neighbour_tables(
    nearest: Sequence[PaneNeighbours], texts: Sequence[str], *, metric: str
) -> None:
    """Show one table per space, with the neighbours that came or left, compared with the first."""
    for start in range(0, len(nearest), ACROSS):
        for column, each in zip(st.columns(ACROSS), nearest[start : start + ACROSS], strict=False):
            with column:
                st.text(each.badge)
                show_rows(
                    _rows(each, texts, metric, is_first=each is nearest[0]),
                    alt=f"Nearest rows under {each.name}, with those gained and lost",
                )


def _rows(
    each: PaneNeighbours, texts: Sequence[str], metric: str, *, is_first: bool
) -> list[dict[str, str]]:
    rows = [
        {
            metric: f"{value:.3f}",
            "Change": "" if is_first or stayed else "came",
            "Text": cell(texts[row]),
        }
        for row, value, stayed in zip(each.rows, each.values, each.stayed, strict=True)
    ]
    return rows + [{metric: "", "Change": "left", "Text": cell(texts[row])} for row in each.left]
