"""The pieces of the wall: the canvas, what was selected, and the neighbours of a picked row."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from bertflow_app.browser.wall.component import marks, wall
from bertflow_app.browser.wall.selection import WallState
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption, cell
from bertflow_app.parts.exports import exports
from bertflow_app.parts.neighbours import neighbour_tables
from bertflow_app.views.wall.jobs import Drawn

from bertflow_core.analysis.faithfulness import Faithfulness
from bertflow_core.studies.wall import (
    PaneNeighbours,
    Picture,
    Wall,
    neighbours_of,
    selection_records,
)
from bertflow_core.tables import table_of, to_csv, to_json

N_NEIGHBOURS = 10
SHOWN_ROWS = 500


@st.fragment
def wall_panel(built: Job, job: Job, picture: Picture) -> None:
    """Draw the panes and what follows from touching them; only this runs again then."""
    found, drawn = built.result, job.result
    seen = wall(drawn.payload, key="wall")
    lit = _neighbours_panel(found, seen, picture)
    marks([each.rows.tolist() for each in lit], wall_key="wall", key="wall-marks")
    _selection_panel(found, drawn, picture, seen)


def _neighbours_panel(found: Wall, seen: WallState, picture: Picture) -> tuple[PaneNeighbours, ...]:
    st.header("Neighbours")
    if seen.picked is None:
        st.write("Click a point to list its nearest rows in the full space of every pane.")
        return ()
    nearest = neighbours_of(found, seen.picked, N_NEIGHBOURS, picture.metric)
    st.text(cell(found.rows.texts[seen.picked]))
    neighbour_tables(nearest, found.rows.texts, metric=picture.metric)
    st.text(
        f"The {len(nearest[0].rows)} nearest by {picture.metric} in the full space, not in the "
        f"picture; came and left against {nearest[0].name}. They are ringed in the panes."
    )
    return nearest


def _selection_panel(found: Wall, drawn: Drawn, picture: Picture, seen: WallState) -> None:
    st.header("Selection")
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a colour of the legend to list its rows here.")
        return
    rows = seen.selected
    shown = selection_records(found, rows[:SHOWN_ROWS], drawn.extra)
    st.dataframe(
        [{k: cell(v) if isinstance(v, str) else v for k, v in row.items()} for row in shown],
        hide_index=True,
        alt="The rows that are selected above, with every column",
    )
    first = f"the first {SHOWN_ROWS:,} of " if len(rows) > SHOWN_ROWS else ""
    caption(f"{first}{len(rows):,} selected rows; the files hold all of them.")
    _selection_exports(lambda: selection_records(found, rows, drawn.extra), found, picture)


def _selection_exports(
    records: Callable[[], Sequence[dict[str, int | str | float | None]]],
    found: Wall,
    picture: Picture,
) -> None:
    wall = found.recipe.to_dict()
    for part in (
        wall,
        wall["base"],
    ):  # by name, not by its place on the server
        if part.get("counts"):
            part["counts"] = Path(part["counts"]).name
    recipe = {"wall": wall, "picture": picture.to_dict()}
    remarks = found.remarks(picture)
    exports(
        {
            "CSV": (lambda: to_csv(records(), {"recipe": " ".join(remarks)}), "selection.csv"),
            "LaTeX": (lambda: table_of(records(), remarks).to_latex(), "selection.tex"),
            "Markdown": (lambda: table_of(records(), remarks).to_markdown(), "selection.md"),
            "JSON": (lambda: to_json(records(), {"recipe": recipe}), "selection.json"),
        }
    )


def honesty_table(drawn: Drawn) -> None:
    """Show how far each picture can be believed."""
    st.dataframe(
        [
            {
                "Pane": each.name,
                "Distances in": each.badge,
                "Explained by the axes": _shares(each.projection.explained),
                "Neighbours kept": _kept(each.faithfulness),
            }
            for each in drawn.pictures
        ],
        hide_index=True,
        alt="Explained share and kept neighbours of every pane's picture",
    )
    st.write(
        "Neighbours kept: of each point's nearest rows in the full space, the share that is among "
        "its nearest in the picture. Where it is low, do not read distances off the picture; "
        "colour by it to see where."
    )


def _kept(found: Faithfulness | None) -> str:
    if found is None:
        return "not judged"
    if found.mean is None:
        return "none: the picture is one point"
    return f"{100 * found.mean:.1f} % of {found.k} (by chance {100 * found.chance:.1f} %)"


def _shares(explained: tuple[float, ...] | None) -> str:
    return "none" if explained is None else " + ".join(f"{100 * s:.1f} %" for s in explained)
