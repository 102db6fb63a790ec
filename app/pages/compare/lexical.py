"""Words or meaning?: cosine against edit distance, before and after calibration."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import streamlit as st
from bertflow_app import state
from bertflow_app.browser.canvas import wall
from bertflow_app.parts.bound import bound
from bertflow_app.parts.components import ask, caption, cell
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import scored
from bertflow_app.parts.terms import meaning
from bertflow_app.shared_jobs import run
from bertflow_app.show import downloads, figure_button, origin_of, show_end, show_table

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.lab import Lab
from bertflow_core.remarks import why_unscored
from bertflow_core.report import Column, Report, Table
from bertflow_core.studies.lexical.bias import Fooled, LexicalBias, LexicalRecipe
from bertflow_core.studies.lexical.study import finding

if TYPE_CHECKING:
    from bertflow_core.space import Space
    from bertflow_core.studies.wall.spaces import Column as Coloured


SHOWN_PAIRS = 10
SELECTED_PAIRS = 500

_RANK_ERROR = (
    "Rank by cosine less rank by gold, in % of all pairs; above 0 the pair is rated too similar."
)


@dataclass(frozen=True, eq=False)
class Biased:
    """Cosines and edit distances, with the panels as the browser gets them.

    Attributes:
        report: Every pair and calibrator.
        drawn: Names of the panels: gold and the first calibrators, as many as there is room for.
        rows: The pairs that are drawn, rising: all, or a seeded sample.
        payload: The panels in bytes.
    """

    report: Report
    drawn: tuple[str, ...]
    rows: npt.NDArray[np.int64] = field(repr=False)
    payload: bytes = field(repr=False)

    @property
    def bias(self) -> "LexicalBias":
        """Cosines and edit distances."""
        bias: LexicalBias = self.report.live["bias"]
        return bias


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
    found = ask(
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
    bias, report = found.bias, found.report
    st.text(finding(bias))
    if bias.words.pairs.labels is not None:
        st.write(why_unscored(bias.words.pairs))
    _panels(found)
    st.header("How closely cosine follows the words (Table 6)")
    _matrix_panel(report)
    st.header("What length does to it")
    _length_panel(report)
    if bias.gold is not None:
        st.header("Fooled by words")
        _fooled_panel(bias)
    show_end(report)


def biased(
    asked: LexicalRecipe, _: Lab, specs: Sequence[str], results: "Sequence[Space]"
) -> Biased:
    """Compare evaluated calibrators with edit distances."""
    from bertflow_core.studies.lexical.study import compared
    from bertflow_core.studies.lexical.study import lexical as study

    return _drawn(study.collect(compared(results, asked), asked, specs))


def _drawn(report: Report) -> Biased:
    from bertflow_core.linalg import sample_rows
    from bertflow_core.studies.lexical.bias import GOLD
    from bertflow_core.studies.wall.payload import Scatter, encode
    from bertflow_core.studies.wall.recipe import MAX_PANES, MAX_ROWS

    bias: LexicalBias = report.live["bias"]
    pairs = bias.words.pairs
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    across = {**gold, **bias.similarities}
    names = tuple(across)[:MAX_PANES]
    rows = sample_rows(len(pairs), MAX_ROWS, seed=bias.recipe.seed)
    distances, across_axis = bias.apart[rows], f"{bias.recipe.label}, {bias.recipe.unit}"
    panes = [
        Scatter(
            name,
            "judged by people" if name == GOLD else f"{bias.recipe.layers}, {name}",
            ("gold score" if name == GOLD else "cosine", across_axis),
            np.column_stack([across[name][rows], distances]),
            equal_scale=False,
        )
        for name in names
    ]
    texts = [f"{pairs.first[row]} | {pairs.second[row]}" for row in rows]
    ids = [f"{row}: {text}" for row, text in zip(rows, texts, strict=True)]
    payload = encode(panes, _columns(bias, rows), texts, ids=ids, caption=report.remarks[0])
    return Biased(report, names, rows, payload)


def _columns(bias: "LexicalBias", rows: npt.NDArray[np.int64]) -> "list[Coloured]":
    from bertflow_core.studies.wall.spaces import BLUE, GREEN, number_column
    from bertflow_core.studies.wall.spaces import Column as Coloured

    limit = f"edit distance {{}} {bias.recipe.threshold}"
    close = Coloured(
        name="close",
        values=np.where(bias.is_close[rows], 0.0, 1.0),
        labels=(limit.format("<="), limit.format(">")),
        colours=(GREEN, BLUE),
    )
    columns: list[Coloured] = [close, number_column("edit distance", bias.words.distances[rows])]
    if bias.words.pairs.gold is not None:
        columns.append(number_column("gold", bias.words.pairs.gold[rows]))
    return columns


@st.fragment
def _panels(biased: Biased) -> None:
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
    downloads(lambda: _listed(biased, rows), label="Save the pairs")


def _listed(biased: Biased, rows: npt.NDArray[np.int64]) -> Report:
    """Return the report of single pairs."""
    listed = biased.bias.pair_rows(rows)
    columns = [Column(key) for key in listed[0]] if listed else []
    return replace(biased.report, name="pairs", columns=columns, rows=listed, tables=())


def _matrix_panel(report: Report) -> None:
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


def _length_panel(report: Report) -> None:
    """Show what becomes of the numbers when length is taken out of the distance."""
    show_table(report.tables[-1], alt="Rho of every similarity with edits, and with length out")


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
            others = [name for name in bias.specs[1:] if name != spec]
            _pair_table(bias, rows[chosen[:SHOWN_PAIRS]], alt=alt, left_out=others)


def _pair_table(
    bias: LexicalBias,
    rows: npt.NDArray[np.int64],
    *,
    alt: str,
    left_out: Sequence[str] = (),
) -> None:
    """List pairs."""
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
