"""Compare: encoders and calibrators on several data sets, next to the published numbers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import depends_on, show_end, show_picture
from bertflow_app.widgets.components import cell, say_notes, show_rows
from bertflow_app.widgets.grid import grid_picker, named_rows, shared_grid
from bertflow_app.widgets.work import Fold, ask, then

from bertflow_core.evaluation import AGGREGATIONS
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.remark import BASIS
from bertflow_core.report.report import Report
from bertflow_core.studies.grid import GridResult
from bertflow_core.studies.published import published_rows, why_not_comparable
from bertflow_core.text_table import TextTable
from bertflow_core.wording import percent

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Place = tuple[Recipe, str]
PAPER = "Li et al. (2020), Table"
GREY = "color: #767676"
"""Style of a number that cannot be relied on; the reason stands next to it."""

FIT_SECONDS = (
    "Time of this fit, excluding the loading of shared data. A busy processor makes it longer."
)


def draw() -> None:
    """Let the visitor choose a grid, show it, and show how the selected number was made."""
    st.write(
        "The table compares encoders, layers and calibrators on several data sets under one "
        "protocol. Press a cell to see its recipe, seeds and subsets."
    )
    fold = Fold()
    with fold.drawing():
        grid = grid_picker()
    filled = shared_grid(grid)
    ask(
        "Compare",
        filled,
        fold=fold,
        choices=named_rows(grid),
        help="Embeds what is not stored yet, fits every calibrator, scores it and tests each "
        "change.",
    )
    report: Report = then(filled, Shared(_tested, filled, grid.params.aggregation), fold)
    found: GridResult = report.objects["comparison"]
    st.subheader(found.scores_title)
    unscored = [why_unscored(pairs) for pairs in found.pairs.values() if pairs.targets is None]
    st.text(" ".join(filter(None, [report.facts["finding"], *dict.fromkeys(unscored)])))
    if "between-models" in report.pictures():
        show_picture(report, "between-models")
    fits = [(row.calibrator, fit) for (row, _), fits in found.cells.items() for fit in fits]
    say_notes(sorted({f"{spec}: {note}." for spec, fit in fits for note in fit.notes}))
    place = _grid(found, report)
    show_end(report)
    st.subheader("Behind a number")
    if place is None:
        st.write("Press a number in the table above to see its recipe, seeds and subsets.")
    else:
        _behind(found, place)
    with st.expander("Published numbers", icon=":material/menu_book:"):
        _published(found)


def _tested(filled: GridResult, aggregation: str) -> Report:
    from bertflow_core.studies.compare import comparison_report

    return comparison_report(filled.under(aggregation))


def _grid(comparison: GridResult, report: Report) -> Place | None:
    """Show the wide table. Return the row and the data set of the pressed cell.

    A number whose change is not significant is grey, and its arrow stands in parentheses.
    """
    table = report.text_table or TextTable((), ())
    shown = _without_empty_columns(pd.DataFrame(table.rows, columns=[*map(cell, table.header)]))
    help = {each.header: each.help or None for each in report.columns}
    columns = {cell(comparison.heading(name)): name for name in comparison.grid.datasets}
    rows = comparison.grid.rows
    tested = {
        (line, header): comparison.changes.get((row, name))
        for line, row in enumerate(rows)
        for header, name in columns.items()
    }
    unsure = [at for at, each in tested.items() if each and each.shown and not each.significant]
    event = show_rows(
        _greyed(shown, unsure),
        key="grid",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            name: st.column_config.TextColumn(help=help.get(name)) for name in shown.columns
        },
        alt="Score of each row on each data set. Arrows show the change from the row's baseline, "
        "in parentheses where the change is not significant",
    )
    depends_on(report.text(*BASIS))
    for line, column in event["selection"]["cells"]:
        if line < len(rows) and column in columns:
            return rows[line], columns[column]
    return None


def _without_empty_columns(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.loc[:, (frame != "").any()]


def _greyed(frame: pd.DataFrame, unsure: Iterable[tuple[int, str]]) -> "Styler":
    """Write the numbers that cannot be relied on in grey, each named by its line and column."""
    styles = pd.DataFrame("", frame.index, frame.columns)
    for line, column in unsure:
        styles.loc[line, column] = GREY
    return frame.style.apply(lambda _: styles, axis=None)


def _behind(comparison: GridResult, place: Place) -> None:
    row, dataset = place
    fits, metric = comparison.cells[place], comparison.metric(dataset)
    first = fits[0]
    st.text(first.recipe.caption())
    left, right = st.columns(2)
    with left:
        show_rows(
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
            column_config={"Fit (s)": st.column_config.Column(help=FIT_SECONDS)},
            alt="Each fit under every aggregation",
        )
        st.caption(f"{metric.title} x 100 of each fit, by aggregation over subsets.")
    with right:
        subsets = first.scores.main.subsets.items()
        show_rows(
            [{"Subset": cell(name), metric.header: percent(score)} for name, score in subsets],
            alt=f"{metric.word} of each subset, first seed",
        )
        st.caption(f"Each subset, seed {first.recipe.seed}.")
    for note in first.notes:
        st.text(f"{note}.")
    own = state.current_recipe().dataset
    named = own if uploads.label_of(own) == dataset else dataset
    with st.container(horizontal=True):
        st.button(
            "Use it as the recipe",
            icon=":material/input:",
            on_click=state.choose,
            kwargs={"model": row.model, "layers": row.layers, "dataset": named},
            help="Sets encoder, layers and data set in the sidebar.",
        )
        link("ledger", icon="list_alt")
        link("significance", icon="science")
    command = first.recipe.to_command(("identity", row.calibrator))
    st.code(command, language="shell", wrap_lines=True)


def _published(comparison: GridResult) -> None:
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
    columns = comparison.grid.datasets
    lines: list[dict[str, str]] = []
    unsure: list[tuple[int, str]] = []
    for row in published_rows():
        if row.citation not in chosen or not set(row.values) & set(columns):
            continue
        line, reasons = {"Source": row.citation, "Method": row.label}, []
        for dataset in columns:
            value = row.values.get(dataset)
            fitted_on = comparison.cells[comparison.grid.rows[0], dataset][0].fitted_on
            why = why_not_comparable(row, dataset, comparison.grid.params, fitted_on)
            printed = "" if value is None else f"{value:.2f}" if why is None else f"({value:.2f})"
            line[cell(dataset)] = printed
            if why is not None and value is not None:
                reasons.append(why)
                unsure.append((len(lines), cell(dataset)))
        lines.append({**line, "Why grey": "; ".join(dict.fromkeys(reasons)), "Note": row.note})
    if not lines:
        st.write("None of these tables has a number for the data sets above.")
        return
    shown = _without_empty_columns(pd.DataFrame(lines))
    wide = st.column_config.TextColumn(width="medium")
    show_rows(
        _greyed(shown, unsure),
        column_config={"Method": wide, "Why grey": wide},
        alt="Published numbers; grey ones come from a different protocol",
    )
    st.caption(
        f"{comparison.scores_title}, as printed. Grey numbers in parentheses come from a different "
        "protocol and cannot be compared; the column “Why grey” says how the protocol differs."
    )
