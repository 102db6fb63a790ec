"""Compare: encoders and calibrators on several data sets, next to the published numbers."""

import pandas as pd
import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.navigation import link
from bertflow_app.show import depends_on, say, show_end, show_picture
from bertflow_app.widgets.components import cell, show_rows
from bertflow_app.widgets.grid import grid_picker
from bertflow_app.widgets.scores import scored
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.evaluation import AGGREGATIONS
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import BASIS, Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.table import wide_table
from bertflow_core.studies.published import numbers_beside
from bertflow_core.wording import percent

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
        params, specs, layers = grid_picker()
    report: Report = ask(
        "Compare",
        scored(params, specs, layers),
        fold=fold,
        choices=(", ".join(specs), ", ".join(layers), ", ".join(params.models)),
        help="Embeds what is not stored yet, fits every calibrator, scores it and tests each "
        "change.",
    )
    board: Board = report.objects["board"]
    say(report, Kind.WARNING, Kind.ANSWER, Kind.MISSING)
    for name in report.pictures():
        show_picture(report, name)
    place = _grid(board, report)
    show_end(report)
    st.subheader("Behind a number")
    if place is None:
        st.write("Press a number in the table above to see its recipe, seeds and subsets.")
    else:
        _behind(board, place)
    with st.expander("Published numbers", icon=":material/menu_book:"):
        _published(board)


def _grid(board: Board, report: Report) -> Place | None:
    """Show scores by row and data set. Return the row and the data set of the pressed cell.

    A number whose change is not significant is grey, and its arrow stands in parentheses.
    """
    table = wide_table(board)
    shown = _without_empty_columns(pd.DataFrame(table.rows, columns=[*map(cell, table.header)]))
    columns = {cell(board.heading(name)): name for name in board.datasets}
    style = pd.DataFrame("", index=shown.index, columns=shown.columns)
    for header, name in columns.items():
        changes = board.comparisons[name]["change"]
        for line, row in enumerate(board.rows.every):
            if row in changes and not changes[row].significant:
                style.loc[line, header] = GREY
    event = show_rows(
        shown.style.apply(lambda _: style, axis=None),
        key="grid",
        on_select="rerun",
        selection_mode="single-cell",
        alt="Score of each row on each data set. Arrows show the change from the row's "
        "uncalibrated vectors, in parentheses where the change is not significant",
    )
    depends_on(report.text(*BASIS))
    for line, column in event["selection"]["cells"]:
        if line < len(board.rows.every) and column in columns:
            return board.rows.every[line], columns[column]
    return None


def _without_empty_columns(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.loc[:, (frame != "").any()]


def _behind(board: Board, place: Place) -> None:
    row, dataset = place
    fits, metric = board.cells(row, dataset), board.metric(dataset)
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
                    "Fit (s)": f"{fit.document['seconds']['fit']:.2f}",
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
    command = first.recipe.to_command(("identity", row.calibrator))
    st.code(command, language="shell", wrap_lines=True)


def _published(board: Board) -> None:
    asked, first = board.params, board.rows.every[-1]
    rows = [
        row
        for name in board.datasets
        for row in numbers_beside(name, asked, board.cells(first, name)[0].about["fitted"])
    ]
    sources = list(dict.fromkeys(row["source"] for row in rows))
    if not rows:
        st.write("None of the published tables has a number for these data sets.")
        return
    chosen = st.multiselect(
        "Published tables",
        sources,
        default=[source for source in sources if source.startswith(PAPER)],
        key="published",
        bind="query-params",
        help="A published number can be compared where split, aggregation, fit corpus "
        "and maximum length agree.",
    )
    shown = pd.DataFrame([row for row in rows if row["source"] in chosen])
    if shown.empty:
        return
    is_apart = shown["why not comparable"] != ""
    style = pd.DataFrame("", index=shown.index, columns=shown.columns)
    style.loc[is_apart, "value"] = GREY
    wide = st.column_config.TextColumn(width="medium")
    show_rows(
        shown.style.apply(lambda _: style, axis=None).format({"value": "{:.2f}"}),
        column_config={"method": wide, "why not comparable": wide},
        alt="Published numbers; grey ones come from a different protocol",
    )
    st.caption("Metrics x 100, as printed. Grey numbers come from a different protocol.")
