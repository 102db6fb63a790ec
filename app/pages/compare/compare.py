"""Compare: encoders and calibrators by data sets, beside the published numbers."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.navigation import link
from bertflow_app.parts.components import cell, say_notes
from bertflow_app.parts.grid import comparison, grid_picker, named_rows, tested
from bertflow_app.parts.work import Fold, ask, then
from bertflow_app.show import depends_on, show_end

from bertflow_core.cells import Cell
from bertflow_core.evaluation import AGGREGATIONS, Metric
from bertflow_core.published import PublishedRow, published_rows, why_not_comparable
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report
from bertflow_core.studies.grid import Comparison
from bertflow_core.text_table import TextTable, percent

Place = tuple[Recipe, str] | None
PAPER = "Li et al. (2020), Table"
GREY = "color: #767676"
"""Of a number that cannot be relied on, with a reason beside it."""

FIT_SECONDS = (
    "Time that this fit took, without what is loaded once for all fits. It varies, and grows where "
    "the processor has other work."
)


def draw() -> None:
    """Let the visitor choose a grid, and show it with what is behind a number."""
    st.write(
        "Encoders, layers and calibrators on several data sets under one protocol. Press a cell to "
        "see what its number is made of."
    )
    fold = Fold()
    with fold.drawing():
        grid = grid_picker()
    filled = comparison(grid)
    ask(
        "Compare",
        filled,
        fold=fold,
        choices=named_rows(grid),
        invitation="Choose rows and columns and press **Compare**. Stored embeddings and earlier "
        "fits are used again.",
        help="Embeds what is not stored yet, fits every calibrator, scores it and tests each "
        "change.",
    )
    report: Report = then(filled, tested(grid, filled))
    shown: Comparison = report.live["comparison"]
    st.subheader(shown.scores_title)
    st.text(report.facts["finding"])
    place = _grid(shown, report)
    _fit_notes(shown)
    show_end(report)
    _behind(shown, place)
    with st.expander("Published numbers", icon=":material/menu_book:"):
        _published(shown)


def _grid(comparison: Comparison, report: Report) -> Place:
    """Show the wide table; return the row and the data set of the cell that is pressed.

    A number whose change is not significant is grey, and its arrow in parentheses.
    """
    table = report.face or TextTable((), ())
    datasets = comparison.grid.datasets
    names = {cell(name): name for name in table.header}
    shown = _without_empty(pd.DataFrame(table.rows, columns=list(names)))
    event = st.dataframe(
        shown.style.map(_grey_where_unproven),
        hide_index=True,
        key="grid",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={name: st.column_config.TextColumn() for name in shown.columns},
        alt="Score of each row on each data set, with arrows against the row's own baseline, in "
        "parentheses where the change is not significant",
    )
    depends_on(" ".join(report.remarks))
    cells = event["selection"]["cells"]
    if not cells:
        return None
    line, column = cells[0][0], names.get(cells[0][1])
    by_heading = {comparison.heading(name): name for name in datasets}
    if line >= len(comparison.grid.rows) or column not in by_heading:
        return None
    return comparison.grid.rows[line], by_heading[column]


def _fit_notes(comparison: Comparison) -> None:
    """Say what the fits of the grid noted, each once."""
    noted = {
        f"{row.calibrator}: {note}."
        for row in comparison.grid.rows
        for dataset in comparison.grid.datasets
        for fit in comparison.cells[row, dataset]
        for note in fit.notes
    }
    say_notes(sorted(noted))


def _behind(comparison: Comparison, place: Place) -> None:
    """Show the recipe, command, seeds, subsets and notes of one number."""
    st.subheader("Behind a number")
    if place is None:
        st.write("Press a number in the table above to see its recipe, seeds and subsets.")
        return
    row, dataset = place
    fits = comparison.cells[row, dataset]
    st.text(fits[0].recipe.caption())
    left, right = st.columns(2)
    with left:
        _fits_table(fits, comparison.scored.metric(dataset))
    with right:
        _subsets_table(fits[0], comparison.scored.metric(dataset))
    for note in fits[0].notes:
        st.text(f"{note}.")
    with st.container(horizontal=True):
        st.button(
            "Make it the recipe",
            icon=":material/input:",
            on_click=_take,
            args=(row, dataset),
            help="Sets encoder, layers and data set in the sidebar.",
        )
        link("ledger", icon="list_alt")
        link("significance", icon="science")
    command = fits[0].recipe.to_command(("identity", row.calibrator))
    st.code(command, language="shell", wrap_lines=True)


def _fits_table(fits: Sequence[Cell], metric: Metric) -> None:
    st.dataframe(
        [
            {
                "Seed": fit.recipe.seed,
                **{how: percent(getattr(fit.scores.main, how)) for how in AGGREGATIONS},
                **{
                    f"{name.capitalize()}, all": percent(measure.all)
                    for name, measure in [*fit.scores.measures.items()][1:]
                },
                "Fit (s)": f"{fit.seconds['fit']:.2f}",
            }
            for fit in fits
        ],
        hide_index=True,
        column_config={"Fit (s)": st.column_config.Column(help=FIT_SECONDS)},
        alt="Each fit under every aggregation",
    )
    st.caption(f"{metric.title} x 100 of each fit, by aggregation over subsets.")


def _subsets_table(fit: Cell, metric: Metric) -> None:
    subsets = fit.scores.main.subsets
    st.dataframe(
        [{"Subset": cell(name), metric.header: percent(score)} for name, score in subsets.items()],
        hide_index=True,
        alt=f"{metric.word} of each subset, first seed",
    )
    st.caption(f"By subset, seed {fit.recipe.seed}.")


def _take(row: Recipe, dataset: str) -> None:
    own = state.current_recipe().dataset
    named = own if uploads.label_of(own) == dataset else dataset
    state.choose(model=row.model, layers=row.layers, dataset=named)


def _published(comparison: Comparison) -> None:
    """Show published rows under the same columns; grey where the protocol differs, with why."""
    sources = list(dict.fromkeys(row.citation for row in published_rows()))
    chosen = st.multiselect(
        "Published tables",
        sources,
        default=[source for source in sources if source.startswith(PAPER)],
        key="published",
        bind="query-params",
        help="A published number can be compared where split, aggregation, fit corpus "
        "and maximum length agree.",
    )
    rows = [
        row
        for row in published_rows()
        if row.citation in chosen and set(row.values) & set(comparison.grid.datasets)
    ]
    if not rows:
        st.write("None of these tables has a number for the data sets above.")
        return
    cells, greyed = _published_cells(rows, comparison)
    st.dataframe(
        cells.style.apply(lambda _: greyed, axis=None),
        hide_index=True,
        column_config={
            "Method": st.column_config.TextColumn(width="medium"),
            "Why grey": st.column_config.TextColumn(width="medium"),
        },
        alt="Published numbers; grey ones were published under another protocol",
    )
    st.caption(
        f"{comparison.scores_title}, as printed. Grey numbers in brackets were published under "
        "another protocol and cannot be compared; the column Why grey says how it differs."
    )


def _published_cells(
    rows: list[PublishedRow], comparison: Comparison
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the cells as text and, cell by cell, their style."""
    protocol = comparison.grid.params
    lines, styles = [], []
    for row in rows:
        line = {"Source": row.citation, "Method": row.label}
        style = dict.fromkeys(line, "")
        reasons: dict[str, None] = {}
        for dataset in comparison.grid.datasets:
            value = row.values.get(dataset)
            why = why_not_comparable(
                row,
                dataset,
                protocol,
                comparison.cells[comparison.grid.rows[0], dataset][0].fitted_on,
            )
            printed = "" if value is None else f"{value:.2f}"
            line[cell(dataset)] = printed if why is None or not printed else f"({printed})"
            style[cell(dataset)] = "" if why is None else GREY
            if why is not None and value is not None:
                reasons[why] = None
        line["Why grey"] = "; ".join(reasons)
        line["Note"] = row.note
        lines.append(line)
        styles.append(style | {"Why grey": "", "Note": ""})
    shown = _without_empty(pd.DataFrame(lines))
    return shown, pd.DataFrame(styles)[shown.columns]


def _without_empty(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table of texts without the columns that say nothing."""
    return frame.loc[:, (frame != "").any()]


def _grey_where_unproven(text: object) -> str:
    """Return the style of a cell whose arrow, in parentheses where it is unproven, is its end."""
    return GREY if any(mark in str(text) for mark in ("(▲)", "(▼)")) else ""
