"""The panels of the page Words or meaning?: linked panels, Table 6, fooled pairs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st
from bertflow_app.browser.wall.component import wall
from bertflow_app.pages.compare.lexical_jobs import Biased
from bertflow_app.parts.components import caption, cell
from bertflow_app.parts.exports import downloads, figure_button, origin_of
from bertflow_app.show import show_table

from bertflow_core.report import Column, Report, Table
from bertflow_core.studies.lexical.bias import Fooled, LexicalBias

SHOWN_PAIRS = 10
SELECTED_PAIRS = 500

_RANK_ERROR = (
    "Rank by cosine less rank by gold, in % of all pairs; above 0 the pair is rated too similar."
)


@st.fragment
def panels(biased: Biased) -> None:
    """Draw the linked panels and list the pairs that are selected in them."""
    bias = biased.bias
    left_out = len(bias.specs) + (bias.gold is not None) - len(biased.drawn)
    if left_out:
        st.write(f"The first {len(biased.drawn)} panels are drawn; the tables hold all.")
    if len(biased.rows) < len(bias.words.pairs):
        n, total = len(biased.rows), len(bias.words.pairs)
        st.write(f"A sample of {n:,} of {total:,} pairs is drawn, seed {bias.recipe.seed}.")
    seen = wall(biased.payload, key="lexical")
    if seen.picked is not None:
        row = biased.rows[seen.picked]
        caption(f"{cell(bias.words.pairs.first[row])} | {cell(bias.words.pairs.second[row])}")
    draw = biased.report.pictures()["similarity_panels"]
    figure_button(draw, key="similarity_panels", origin=origin_of(biased.report))
    st.subheader("Selected pairs")
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a colour of the legend to list pairs here.")
        return
    rows = biased.rows[list(seen.selected)]
    _pair_table(bias, rows[:SELECTED_PAIRS], alt="The pairs that are selected above")
    caption(f"{len(rows):,} of {len(bias.words.pairs):,} pairs; the files hold all of them.")
    downloads(lambda: _listed(biased, rows), label="Pairs as {}")


def _listed(biased: Biased, rows: npt.NDArray[np.int64]) -> Report:
    """Return the report of single pairs."""
    listed = biased.bias.pair_rows(rows)
    columns = [Column(key) for key in listed[0]] if listed else []
    return replace(biased.report, name="pairs", columns=columns, rows=listed, tables=())


def matrix_panel(report: Report) -> None:
    """Show Table 6 with intervals, every two columns, and what the fits noted."""
    show_table(report.table, alt="Rho of every similarity with edit distance and with gold")
    for table in report.tables[:-1]:
        show_table(table, alt="Table 6 as it was printed")
    with st.expander("Every two columns"):
        columns = (Column("pairs"), Column("n", format=","), Column("a", "one"))
        rho = Column("rho", "rho x 100", ".2f", times=100, ends=True)
        rows = [
            {**row, "rho_low": row["low"], "rho_high": row["high"]}
            for row in report.facts["correlations"]
        ]
        show_table(
            Table((*columns, Column("b", "other"), rho), rows),
            alt="Rho of every two of gold, the similarities and edit distance",
        )


def length_panel(report: Report) -> None:
    """Show what becomes of the numbers when length is taken out of the distance."""
    show_table(report.tables[-1], alt="Rho of every similarity with edits, and with length out")


def fooled_panel(bias: LexicalBias) -> None:
    """List pairs whose words and meaning disagree, by how much a calibrator corrects them."""
    after = bias.specs[1:]
    spec = None
    if after:
        spec = st.selectbox(
            "Ranked by",
            after,
            index=len(after) - 1,
            key="fooled_by",
            bind="query-params",
            help="Pairs are sorted by how much smaller their rank error is under this calibrator "
            f"than under {bias.specs[0]}.",
        )
    for tab, kind in zip(st.tabs([kind.capitalize() for kind in Fooled]), Fooled, strict=True):
        with tab:
            _fooled(bias, kind, spec)


def _fooled(bias: LexicalBias, kind: Fooled, spec: str | None) -> None:
    rows = bias.fooled(kind)
    if not len(rows):
        st.write("There is no such pair.")
        return
    errors = {name: 100 * np.abs(bias.errors(name)[rows]).mean() for name in bias.specs}
    off = "; ".join(f"{name} {value:.1f} %" for name, value in errors.items())
    caption(f"{len(rows):,} pairs. Mean size of the rank error, in % of all pairs: {off}.")
    if spec is None:
        _pair_table(bias, rows[:SHOWN_PAIRS], alt=f"{kind}: the first pairs")
        return
    gain = bias.improvement(spec)[rows]
    order = np.argsort(-gain, kind="stable")
    for title, chosen in (
        ("Corrected most", order[gain[order] > 0]),
        ("Worsened most", order[::-1][gain[order[::-1]] < 0]),
    ):
        st.write(f"{title}: {len(chosen):,} of these pairs")
        if len(chosen):
            alt = f"{kind}: {title.lower()} by {spec}"
            others = [name for name in bias.specs[1:] if name != spec]
            _pair_table(bias, rows[chosen[:SHOWN_PAIRS]], alt=alt, left_out=others)


def _pair_table(
    bias: LexicalBias,
    rows: npt.NDArray[np.int64],
    *,
    alt: str,
    left_out: Sequence[str] = (),
) -> None:
    """List pairs.

    Args:
        bias: Every pair and calibrator.
        rows: The pairs.
        alt: What the table shows.
        left_out: Calibrators whose columns are hidden; the files have all of them.
    """
    st.dataframe(
        [
            {name: cell(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in bias.pair_rows(rows)
        ],
        column_config=_pair_columns(bias, left_out),
        row_height=66,  # long texts wrap from 65 pixels on
        hide_index=True,
        alt=alt,
    )


def _pair_columns(bias: LexicalBias, left_out: Sequence[str]) -> dict[str, Any]:
    """Return how the columns of a table of pairs are shown; None hides one, but not in files."""
    numbers = st.column_config.NumberColumn
    texts = st.column_config.TextColumn(width=150)
    columns: dict[str, Any] = {
        "pair": None,
        "subset": None,
        "first": texts,
        "second": texts,
        "gold": numbers(width=45),
        "edit_distance": numbers("edits", width=50, help="Edit distance of the two sentences"),
        "length": None,
    }
    for spec in bias.specs:
        columns[f"cosine {spec}"] = numbers(f"cosine, {spec}", width=105)
        columns[f"rank error {spec} (%)"] = numbers(f"error, {spec}", width=105, help=_RANK_ERROR)
    hidden = {f"cosine {s}" for s in left_out} | {f"rank error {s} (%)" for s in left_out}
    return {name: None if name in hidden else column for name, column in columns.items()}
