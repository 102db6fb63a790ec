"""Scores: models, layers and calibrators on data sets, with intervals, tests and letters."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from bertflow_app import services, state, uploads
from bertflow_app.pages.compare.rows import links_of_row, picked, picking
from bertflow_app.show import Origin, chart, drawer, headline, say, show_picture, show_table
from bertflow_app.study_page import study_page
from bertflow_app.widgets.components import cell, show_rows
from bertflow_app.widgets.grid import grid_picker
from bertflow_app.widgets.scores import scored
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.evaluation import AGGREGATIONS, RANDOM_COSINE
from bertflow_core.figures import cosine_histograms, value_bars
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Report, Table
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.table import wide_table
from bertflow_core.studies.published import numbers_beside, tracked_command
from bertflow_core.wording import percent

SCORES, HUBS = "Scores", "Hubs and queries"
IN_VIEW = (
    *("model", "vectors", "template", "tokens", "calibrator", "score", "letters"),
    *("to_plain", "to_plain_p_holm", "random_cosine", "change", "change_p_holm"),
)
"""Columns that the table shows, as far as there is room for them."""


STORED = "models"
"""The results of a raw language model and of an encoder that ship with the package."""


def draw() -> None:
    """Let the visitor choose a grid, and show its scores; of a collection also its hubs."""
    is_collection = uploads.is_collection(state.current_recipe().dataset)
    if is_collection and _shown_of_collection() == HUBS:
        study_page("retrieval")
        return
    fold = Fold("scores")
    with fold.drawing():
        params, specs, layers = grid_picker()
    report: Report = ask(
        "Score",
        scored(params, specs, layers),
        fold=fold,
        choices=(", ".join(specs), ", ".join(params.models)),
        help="Embeds the sentences, fits the calibrators, and scores and tests them: about 20 "
        "seconds for a model and some thousand sentences.",
        meanwhile=_stored if state.is_untouched() else None,
    )
    board: Board = report.objects["board"]
    for name in report.pictures():
        show_picture(report, name)
    if not report.pictures():
        _cosines(board)
    headline(board.headline())
    say(report, Kind.ANSWER, Kind.WARNING, Kind.MISSING)
    found = board.verdict(board.summary[0])
    row, columns = _table(board, report, found.kept if found else board.rows.every[-1])
    reading = uploads.reading_of(state.current_recipe())
    if reading is not None and reading.refused:
        st.text(f"Rows of the table that were refused: {len(reading.refused):,}.")
    if row is not None:
        links_of_row(row, board.rows.spoken(row))
        with st.expander("Behind the row", icon=":material/zoom_in:"):
            _behind(board, row)
    with st.expander("Published numbers", icon=":material/menu_book:"):
        _published(board)
    drawer(report, columns=columns)


def _shown_of_collection() -> str:
    shown: str = st.segmented_control(
        "Show",
        [SCORES, HUBS],
        default=SCORES,
        required=True,
        key="collection_shown",
        bind="query-params",
        label_visibility="collapsed",
    )
    return shown


def _cosines(board: Board) -> None:
    """Show the cosines of pairs that have no gold scores."""
    dataset = board.datasets[0]
    values = {
        board.rows.name(row): board.cells(row, dataset)[0].unit_values for row in board.rows.every
    }
    known = {name: cosines for name, cosines in values.items() if not np.isnan(cosines).any()}
    if known:
        chart(cosine_histograms(known), key="histogram")


def _table(board: Board, report: Report, first: Recipe) -> tuple[Recipe | None, Sequence[Column]]:
    """Show the rows of one data set, or scores by row and data set.

    Return the picked row, `first` until another is picked, and the columns of one data set.
    """
    alt, rows = "The score of each row, and its tested change", board.rows.every
    columns: Sequence[Column] = ()
    picks = picking(f"rows {report.command}", rows.index(first))
    if len(board.datasets) == 1:
        columns = show_table(report.table, alt=alt, keys=IN_VIEW, **picks)
    else:
        text = wide_table(board)
        shown = pd.DataFrame(text.rows, columns=[*map(cell, text.header)])
        show_rows(shown.loc[:, (shown != "").any()], alt=alt, **picks)
        st.caption(
            "Arrows show the change from the row's uncalibrated vectors, in parentheses where it "
            "is not significant."
        )
    place = picked(picks)
    return (rows[place] if place < len(rows) else None), columns  # the others have no vectors


def _behind(board: Board, row: Recipe) -> None:
    """Show the fits and the subsets of a row on one data set."""
    dataset = board.datasets[0]
    if len(board.datasets) > 1:
        dataset = st.selectbox("Data set", board.datasets, key="behind_data")
    left, right = st.columns(2)
    fits, metric = board.cells(row, dataset), board.metric(dataset)
    with left:
        show_rows(
            [
                {
                    "Seed": fit.recipe.seed,
                    **{how: percent(getattr(fit.scores.main, how)) for how in AGGREGATIONS},
                    "Fit (s)": f"{fit.document['seconds']['fit']:.2f}",
                }
                for fit in fits
            ],
            alt=f"{metric.title} x 100 of each fit under every aggregation",
        )
    with right:
        subsets = fits[0].scores.main.subsets.items()
        show_rows(
            [{"Subset": cell(name), metric.header: percent(score)} for name, score in subsets],
            alt=f"{metric.word} of each subset, first seed",
        )
    st.text("\n".join((f"{fits[0].recipe.caption()}.", *(f"{note}." for note in fits[0].notes))))
    st.button(
        "Use it as the recipe",
        icon=":material/input:",
        on_click=state.choose,
        kwargs=_choices(row, dataset),
    )


def _choices(row: Recipe, dataset: str) -> dict[str, str]:
    """Return the values of the sidebar's boxes for a row."""
    own = state.current_recipe().dataset
    named = own if uploads.label_of(own) == dataset else dataset
    return {"model": row.model, "layers": row.layers, "dataset": named}


def _published(board: Board) -> None:
    last = board.rows.every[-1]
    rows = [
        row
        for name in board.datasets
        for row in numbers_beside(name, board.params, board.cells(last, name)[0].about["fitted"])
    ]
    if not rows:
        st.write("None of the published tables has a number for these data sets.")
        return
    columns = (
        *(Column("source"), Column("method"), Column("dataset", "data set")),
        *(Column("value", "x 100", ".2f"), Column("why not comparable")),
    )
    show_table(Table(columns, rows), alt="Published numbers, and why some cannot be compared")


def _stored() -> None:
    """Show stored results: a raw language model beside an encoder, before and after calibration."""
    rows = services.tracked_results(STORED)
    models, specs = ([getattr(each.recipe, of) for each in rows] for of in ("model", "calibrator"))
    draw = partial(
        value_bars,
        "rho x 100, captions test",
        [f"{m}, {Spec(s).plain_name}" for m, s in zip(models, specs, strict=True)],
        specs,
        [100 * each.rho for each in rows],
        digits=".2f",
    )
    chart(services.figure_of("stored-models", draw), key="stored-models")
    raw = {each.spec: each.rho for each in rows if each.recipe.model == models[0]}
    headline(
        f"BERT-flow raises the raw language model from {percent(raw[BASELINE])} to "
        f"{percent(raw['flow'])}."
    )
    st.text("Stored results on the captions. The encoder trained on pairs needs no calibration.")
    picks = picking("stored_rows", specs.index("flow"))
    columns = (
        *(Column("model"), Column("calibrator"), Column("rho", "rho x 100", ".2f", times=100)),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
    )
    shown = [{"model": each.recipe.model, "calibrator": each.spec, **vars(each)} for each in rows]
    show_table(Table(columns, shown), alt="The stored score of each row", **picks)
    row = rows[picked(picks)].recipe
    links_of_row(row, f"{row.model}, {row.spec.plain_name}")
    about = "; ".join(dict.fromkeys(each.recipe.without("calibrator").caption() for each in rows))
    drawer(Origin(about, tracked_command(STORED)))
