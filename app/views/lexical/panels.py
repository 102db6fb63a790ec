"""The panels of the page Words or meaning?: linked panels, Table 6, fooled pairs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st
from bertflow_app.browser.wall.component import wall
from bertflow_app.parts.components import caption, cell, say_notes, table_of_text
from bertflow_app.parts.exports import downloads, figure_button, origin_of
from bertflow_app.views.lexical.jobs import Biased

from bertflow_core.old_report import Report
from bertflow_core.studies.lexical.bias import Fooled, LexicalBias
from bertflow_core.studies.lexical.figures import panels as all_pairs
from bertflow_core.studies.lexical.length import length_conclusions, length_table
from bertflow_core.studies.lexical.report import (
    bias_table,
    lexical_report,
    matrix_records,
    pair_records,
    pairs_report,
)
from bertflow_core.text_table import percent

SHOWN_PAIRS = 10
SELECTED_PAIRS = 500

_RANK_ERROR = (
    "Rank by cosine less rank by gold, in % of all pairs; above 0 the pair is rated too similar."
)


@st.fragment
def panels(biased: Biased) -> None:
    """Draw the linked panels and list the pairs that are selected in them."""
    bias = biased.bias
    left_out = len(bias.specs) + (bias.pairs.gold is not None) - len(biased.drawn)
    if left_out:
        st.write(f"The first {len(biased.drawn)} panels are drawn; the tables hold all.")
    if len(biased.rows) < len(bias.pairs):
        n, total = len(biased.rows), len(bias.pairs)
        st.write(f"A sample of {n:,} of {total:,} pairs is drawn, seed {bias.recipe.seed}.")
    seen = wall(biased.payload, key="lexical")
    if seen.picked is not None:
        row = biased.rows[seen.picked]
        caption(f"{cell(bias.pairs.first[row])} | {cell(bias.pairs.second[row])}")
    figure_button(
        lambda: all_pairs(bias), key="similarity_panels", origin=origin_of(lexical_report(bias))
    )
    st.subheader("Selected pairs")
    if seen.selected is None:
        st.write("Draw a lasso, search, or click a colour of the legend to list pairs here.")
        return
    rows = biased.rows[list(seen.selected)]
    _pair_table(bias, rows[:SELECTED_PAIRS], alt="The pairs that are selected above")
    caption(f"{len(rows):,} of {len(bias.pairs):,} pairs; the files hold all of them.")
    downloads(lambda: pairs_report(bias, rows), label="Pairs as {}")


def matrix_panel(biased: Biased, report: Report) -> None:
    """Show Table 6 with intervals, every two columns, and what the fits noted."""
    bias = biased.bias
    table_of_text(bias_table(bias), alt="Rho of every similarity with edit distance and with gold")
    with st.expander("Every two columns"):
        st.dataframe(
            [
                {
                    "Pairs": f"{record['pairs']}, {record['n']:,}",
                    "One": record["a"],
                    "Other": record["b"],
                    "rho x 100": percent(record["rho"]),
                    "Interval": f"{percent(record['low'])} to {percent(record['high'])}",
                }
                for record in matrix_records(bias)
            ],
            hide_index=True,
            alt="Rho of every two of gold, the similarities and edit distance",
        )
    for remark in report.remarks:
        caption(remark)
    say_notes(biased.notes)
    downloads(lambda: report)


def length_panel(bias: LexicalBias) -> None:
    """Show what becomes of the numbers when length is taken out of the distance."""
    table = length_table(bias)
    for said in length_conclusions(bias):
        st.text(said)
    table_of_text(table, alt="Rho of every similarity with edits, and with length taken out")
    caption(table.remarks[0])


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
            for row in pair_records(bias, rows)
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
