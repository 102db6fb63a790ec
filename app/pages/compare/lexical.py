"""Words or meaning?: cosine against edit distance, before and after calibration."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from bertflow_app import state
from bertflow_app.parts.bound import bound
from bertflow_app.parts.components import ask, caption, cell
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import scored
from bertflow_app.parts.terms import meaning
from bertflow_app.shared_jobs import run
from bertflow_app.show import show_end, show_picture, show_table

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.lab import Lab
from bertflow_core.remarks import why_unscored
from bertflow_core.report import Column, Report, Table
from bertflow_core.studies.lexical.bias import Fooled, LexicalBias, LexicalRecipe
from bertflow_core.studies.lexical.study import finding

if TYPE_CHECKING:
    from bertflow_core.linalg import Rows
    from bertflow_core.space import Space

SHOWN_PAIRS = 10
_RANK_ERROR = (
    "Rank by cosine less rank by gold, in % of all pairs; above 0 the pair is rated too similar."
)


def draw() -> None:
    """Let the visitor choose calibrators, and show both before and after them."""
    recipe = state.current_recipe()
    st.markdown(
        "Two sentences can share most of their words and still differ in meaning. How closely does "
        "cosine follow the words?",
        help=meaning("cosine", "edit distance"),
    )
    fold = Fold()
    with fold.drawing():
        specs = baseline_first(calibrator_picker())
        left, right = st.columns(2)
        with left:
            unit, distance = bound(LexicalRecipe, "unit"), bound(LexicalRecipe, "distance")
        with right:
            threshold = bound(LexicalRecipe, "threshold")
    asked = LexicalRecipe(**recipe.to_dict(), unit=unit, distance=distance, threshold=threshold)
    report: Report = ask(
        "Compare with edit distance",
        partial(scored, recipe, specs),
        fold=fold,
        choices=(named_specs(specs), recipe.layers, f"{unit} edits"),
        invitation="Press **Compare with edit distance** to see both before and after calibration.",
        help="Embeds, fits and correlates.",
        then=lambda job, start: run(
            biased, asked, specs, given=[job.result.live["spaces"]], start=start
        ),
    )
    bias: LexicalBias = report.live["bias"]
    st.text(finding(bias))
    if bias.words.pairs.labels is not None:
        st.write(why_unscored(bias.words.pairs))
    show_picture(report, "similarity_panels")
    st.header("How closely cosine follows the words (Table 6)")
    _matrix(report)
    st.header("What length does to it")
    show_table(report.tables[-1], alt="Rho of every similarity with edits, and with length out")
    if bias.gold is not None:
        st.header("Fooled by words")
        _fooled_panel(bias)
    show_end(report)


def biased(
    asked: LexicalRecipe, _: Lab, specs: Sequence[str], results: "Sequence[Space]"
) -> Report:
    """Compare evaluated calibrators with edit distances."""
    from bertflow_core.studies.lexical.study import compared, lexical

    return lexical.collect(compared(results, asked), asked, specs)


def _matrix(report: Report) -> None:
    """Show Table 6 with intervals, as it was printed, and every two columns."""
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


def _fooled_panel(bias: LexicalBias) -> None:
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
            shown = (bias.specs[0], spec)
            _pair_table(bias, rows[chosen[:SHOWN_PAIRS]], alt=alt, specs=shown)


def _pair_table(bias: LexicalBias, rows: "Rows", *, alt: str, specs: Sequence[str] = ()) -> None:
    """List pairs, with columns of some calibrators; the files have all of them."""
    numbers = st.column_config.NumberColumn
    texts = st.column_config.TextColumn(width=150)
    columns: dict[str, Any] = {  # None hides a column, but not in files
        "pair": None,
        "subset": None,
        "first": texts,
        "second": texts,
        "gold": numbers(width=45),
        "edit_distance": numbers("edits", width=50, help="Edit distance of the two sentences"),
        "length": None,
    }
    for spec in bias.specs:
        is_shown = not specs or spec in specs
        cosine = numbers(f"cosine, {spec}", width=105)
        error = numbers(f"error, {spec}", width=105, help=_RANK_ERROR)
        columns[f"cosine {spec}"] = cosine if is_shown else None
        columns[f"rank error {spec} (%)"] = error if is_shown else None
    st.dataframe(
        [
            {name: cell(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in bias.pair_rows(rows)
        ],
        column_config=columns,
        row_height=66,  # long texts wrap from 65 pixels on
        hide_index=True,
        alt=alt,
    )
