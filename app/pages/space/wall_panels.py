"""The panels of the wall: the canvas, the selected rows, and the neighbours of a picked row."""

import streamlit as st
from bertflow_app.browser.canvas import WallState, marks
from bertflow_app.browser.canvas import wall as canvas
from bertflow_app.parts.components import cell
from bertflow_app.parts.neighbours import neighbour_tables
from bertflow_app.show import downloads

from bertflow_core.analysis.layout import Faithfulness
from bertflow_core.studies.wall.drawing import DrawnWall
from bertflow_core.studies.wall.nearest import PaneNeighbours, neighbours_of

N_NEIGHBOURS = 10
SHOWN_ROWS = 500


@st.fragment
def wall_panel(drawn: DrawnWall) -> None:
    """Draw the panes, and the panels that follow a click or a lasso; only this runs again then."""
    seen = canvas(drawn.payload, key="wall")
    lit = _neighbours_panel(drawn, seen)
    st.header("Selection")
    _selection_panel(drawn, seen)
    marks([each.rows.tolist() for each in lit], wall_key="wall", key="wall-marks")


def _neighbours_panel(drawn: DrawnWall, seen: WallState) -> tuple[PaneNeighbours, ...]:
    st.header("Neighbours")
    if seen.picked is None:
        st.write("Click a point to list its nearest rows in the full space of every pane.")
        return ()
    texts, metric = drawn.wall.texts, drawn.picture.metric
    nearest = neighbours_of(drawn.wall, seen.picked, N_NEIGHBOURS, metric)
    st.text(cell(texts[seen.picked]))
    neighbour_tables(nearest, texts, metric=metric)
    st.text(
        f"The {len(nearest[0].rows)} nearest by {metric} in the full space, not in the "
        f"picture. Came and left: compared with {nearest[0].name}. Neighbours are ringed in the "
        "panes."
    )
    return nearest


def _selection_panel(drawn: DrawnWall, seen: WallState) -> None:
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a colour of the legend to list its rows here.")
        return
    rows = seen.selected
    shown = drawn.records(rows[:SHOWN_ROWS])
    st.dataframe(
        [{k: cell(v) if isinstance(v, str) else v for k, v in row.items()} for row in shown],
        hide_index=True,
        alt="The selected rows, with every column",
    )
    first = f"the first {SHOWN_ROWS:,} of " if len(rows) > SHOWN_ROWS else ""
    st.text(f"{first}{len(rows):,} selected rows; the files hold all of them.")
    downloads(drawn.report(rows), label="Save the rows")


def fidelity_table(drawn: DrawnWall) -> None:
    """Show how faithful each projection is: explained variance and kept neighbours."""
    st.dataframe(
        [
            {
                "Pane": each.name,
                "Distances in": each.badge,
                "Explained by the axes": _shares(each.explained),
                "Neighbours kept": _kept(each.faithfulness),
            }
            for each in drawn.panes
        ],
        hide_index=True,
        alt="Explained share and kept neighbours of every pane's picture",
    )
    st.write(
        "Explained by the axes: their share of the variance (PCA) or of the squared length (SVD) "
        "of the rows of the wall, which the metric cosine scales to length 1. Neighbours kept: the "
        "share of a point's nearest neighbours in the full space that are also its nearest in the "
        "picture, on average. Where it is low, distances in the picture mean little; colour the "
        "points by it to see where."
    )
    if any(each.faithfulness is None for each in drawn.panes):
        st.write("To have neighbours counted, switch on **Count kept neighbours** under Choices.")


def _kept(judged: Faithfulness | None) -> str:
    if judged is None:
        return "not counted"
    if judged.mean is None:
        return "none: the picture is one point"
    return f"{100 * judged.mean:.1f} % of {judged.k} (by chance {100 * judged.chance:.1f} %)"


def _shares(explained: tuple[float, ...] | None) -> str:
    return "none" if explained is None else " + ".join(f"{100 * s:.1f} %" for s in explained)
