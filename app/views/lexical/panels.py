"""The pieces of the page Words or meaning?: linked panels, the matrix, fooled pairs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st
from bertflow_app.browser.wall.component import wall
from bertflow_app.parts.components import caption, cell, table_of_text
from bertflow_app.parts.exports import Origin, exports, figure_button
from bertflow_app.views.lexical.jobs import Biased

from bertflow_core.studies.lexical.figures import LEXICAL_FIGURES, lexical_figures
from bertflow_core.studies.lexical.measure import Fooled, LexicalBias
from bertflow_core.studies.lexical.report import (
    LEXICAL_WRITERS,
    bias_table,
    matrix_records,
    pair_records,
    said,
)
from bertflow_core.tables import to_csv, to_json

SHOWN_PAIRS = 10
SELECTED_PAIRS = 500

_RANK_ERROR = (
    "Rank by similarity less rank by gold, in % of all pairs; above 0 the pair is taken for too "
    "similar."
)


@st.fragment
def panels(biased: Biased) -> None:
    """Draw the linked panels and list the pairs that are selected in them."""
    found = biased.found
    left_out = len(found.specs) + (found.pairs.gold is not None) - len(biased.drawn)
    if left_out:
        st.write(f"The first {len(biased.drawn)} panels are drawn; the tables hold all.")
    if len(biased.rows) < len(found.pairs):
        n, total = len(biased.rows), len(found.pairs)
        st.write(f"A sample of {n:,} of {total:,} pairs is drawn, seed {found.recipe.seed}.")
    seen = wall(biased.payload, key="lexical")
    if seen.picked is not None:
        row = biased.rows[seen.picked]
        caption(f"{cell(found.pairs.first[row])} | {cell(found.pairs.second[row])}")
    (name,) = LEXICAL_FIGURES
    origin = Origin(" ".join(bias_table(found).remarks), found.command())
    figure_button(lambda: lexical_figures(found)[name], key=name, origin=origin)
    st.subheader("Selected pairs")
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a colour of the legend to list its pairs here.")
        return
    rows = biased.rows[list(seen.selected)]
    _pair_table(found, rows[:SELECTED_PAIRS], alt="The pairs that are selected above")
    caption(f"{len(rows):,} of {len(found.pairs):,} pairs; the files hold all of them.")
    shared, columns = {"recipe": found.to_dict()["recipe"]}, found.columns()
    exports(
        {
            "Pairs as CSV": (
                lambda: to_csv(pair_records(found, rows), columns),
                "pairs.csv",
            ),
            "Pairs as JSON": (lambda: to_json(pair_records(found, rows), shared), "pairs.json"),
        }
    )


def matrix_panel(found: LexicalBias) -> None:
    """Show Table 6, with intervals, and offer every two columns."""
    table = bias_table(found)
    table_of_text(table, alt="Rho of every similarity with edit distance and with gold")
    with st.expander("Every two columns"):
        st.dataframe(
            [
                {
                    "Pairs": f"{record['pairs']}, {record['n']:,}",
                    "One": record["a"],
                    "Other": record["b"],
                    "rho x 100": _points(record["rho"]),
                    "Interval": f"{_points(record['low'])} to {_points(record['high'])}",
                }
                for record in matrix_records(found)
            ],
            hide_index=True,
            alt="Rho of every two of gold, the similarities and edit distance",
        )
    for remark in table.remarks:
        if remark not in said(found):  # the page begins with these
            caption(remark)
    exports(
        {
            name: ((lambda form=form: LEXICAL_WRITERS[form](found)), f"lexical.{ending}")  # type: ignore[misc]
            for name, form, ending in (
                ("CSV", "csv", "csv"),
                ("LaTeX", "latex", "tex"),
                ("Markdown", "markdown", "md"),
                ("JSON", "json", "json"),
            )
        }
    )


def _points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def fooled_panel(found: LexicalBias) -> None:
    """List pairs whose words and meaning disagree, by how much a calibrator mends them."""
    after = found.specs[1:]
    spec = None
    if after:
        spec = st.selectbox(
            "Ranked by",
            after,
            index=len(after) - 1,
            key="fooled_by",
            bind="query-params",
            help="How much nearer to gold's rank this calibrator puts a pair than "
            f"{found.specs[0]} does.",
        )
    for tab, kind in zip(st.tabs([kind.capitalize() for kind in Fooled]), Fooled, strict=True):
        with tab:
            _fooled(found, kind, spec)


def _fooled(found: LexicalBias, kind: Fooled, spec: str | None) -> None:
    rows = found.fooled(kind)
    if not len(rows):
        st.write("There is no such pair.")
        return
    errors = {name: 100 * np.abs(found.errors(name)[rows]).mean() for name in found.specs}
    off = "; ".join(f"{name} {value:.1f} %" for name, value in errors.items())
    caption(f"{len(rows):,} pairs. Mean distance from gold's rank, in % of all pairs: {off}.")
    if spec is None:
        _pair_table(found, rows[:SHOWN_PAIRS], alt=f"{kind}: the first pairs")
        return
    mended = found.mended(spec)[rows]
    order = np.argsort(-mended, kind="stable")
    for title, chosen in (
        ("Mended most", order[mended[order] > 0]),
        ("Broken most", order[::-1][mended[order[::-1]] < 0]),
    ):
        st.write(f"{title}: {len(chosen):,} of these pairs")
        if len(chosen):
            alt = f"{kind}: {title.lower()} by {spec}"
            others = [name for name in found.specs[1:] if name != spec]
            _pair_table(found, rows[chosen[:SHOWN_PAIRS]], alt=alt, left_out=others)


def _pair_table(
    found: LexicalBias,
    rows: npt.NDArray[np.int64],
    *,
    alt: str,
    left_out: Sequence[str] = (),
) -> None:
    """List pairs.

    Args:
        found: Every pair and calibrator.
        rows: The pairs.
        alt: What the table shows.
        left_out: Calibrators without columns of their own; the files have them all.
    """
    st.dataframe(
        [
            {name: cell(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in pair_records(found, rows)
        ],
        column_config=_pair_columns(found, left_out),
        row_height=66,  # long texts wrap from 65 pixels on
        hide_index=True,
        alt=alt,
    )


def _pair_columns(found: LexicalBias, left_out: Sequence[str]) -> dict[str, Any]:
    """Return how the columns of a table of pairs are shown; None hides one."""
    numbers = st.column_config.NumberColumn
    texts = st.column_config.TextColumn(width=170)
    columns = {
        "pair": numbers(width=50),
        "first": texts,
        "second": texts,
        "gold": numbers(width=50),
        "edit_distance": numbers("edits", width=50, help="Edit distance of the two sentences"),
    }
    for spec in found.specs:
        columns[f"cosine {spec}"] = numbers(f"cosine, {spec}", width=110)
        columns[f"rank error {spec} (%)"] = numbers(f"error, {spec}", width=110, help=_RANK_ERROR)
    hidden = {f"cosine {s}" for s in left_out} | {f"rank error {s} (%)" for s in left_out}
    return {name: None if name in hidden else column for name, column in columns.items()}
