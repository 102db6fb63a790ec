"""Scores: calibrators side by side on one data set, and what each does pair by pair."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st
from bertflow_app import services, state, uploads
from bertflow_app.navigation import link_export
from bertflow_app.show import Origin, chart, origin_of, say, show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.scores import scored, stored_bars
from bertflow_app.widgets.terms import meaning
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import Spec, baseline_first
from bertflow_core.datasets import Collection, LabelledTexts, Pairs
from bertflow_core.figures import cosine_by_label, cosine_histograms, gold_against_cosine
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.board import Board

COMPARED = "One of the two calibrators whose cosines are compared below."


def draw() -> None:
    """Let the visitor choose calibrators, and show their scores and what changed."""
    st.markdown(
        "Compare calibrators with the model's plain output. Calibrators are fitted on sentences, "
        "without gold scores.",
        help=meaning("calibrator", "rho", "random cosine"),
    )
    recipe, fold = state.current_recipe(), Fold()
    with fold.drawing():
        specs = baseline_first(calibrator_picker())
    report: Report = ask(
        "Score",
        scored(EvaluateRecipe.of(recipe), specs, (recipe.layers,)),
        fold=fold,
        choices=(", ".join(specs), recipe.vectors),
        help="Embeds the sentences, fits the calibrators, and scores and tests them.",
        meanwhile=partial(_stored, recipe, specs),
    )
    say(report, Kind.WARNING, Kind.ANSWER, Kind.MISSING)
    for name in report.pictures():
        show_picture(report, name)
    show_table(report.table, alt="The score of each row, and its tested change")
    reading = uploads.reading_of(recipe)
    if reading is not None and reading.refused:
        n_refused = len(reading.refused)
        st.text(f"Rows of the table that were refused: {n_refused:,} (see Your data).")
    show_end(report)
    chosen = _pairs(report.objects["board"], origin_of(report)) or specs[-1]
    link_export(chosen)


def _stored(recipe: Recipe, specs: Sequence[Spec]) -> None:
    """Show stored results while the same numbers are computed here."""
    plain, *fitted = services.tracked_results("captions")
    if recipe != fitted[0].recipe or list(specs) != [each.spec for each in fitted]:
        return
    st.plotly_chart(
        stored_bars([plain, *fitted]), key="stored", alt="Stored rho of each row as a bar"
    )
    st.text(f"Stored results: {recipe.caption()}. {plain.n_pairs:,} pairs.")


def _pairs(board: Board, origin: Origin) -> str | None:
    """Compare the cosines of two calibrators, and return the second; None without pairs."""
    (dataset,) = board.datasets
    pairs, plain = board.data(dataset), board.rows.every[0]
    found = {
        row.calibrator: board.cells(row, dataset)[0].unit_values
        for row in board.rows.every
        if row.vectors != plain.vectors or row.layers == board.rows.every[-1].layers
    }
    by_spec = {spec: cosines for spec, cosines in found.items() if not np.isnan(cosines).any()}
    if isinstance(pairs, LabelledTexts | Collection) or not by_spec:
        return None
    st.header("What changed, pair by pair")
    specs = list(by_spec)
    before, after = st.columns(2)
    first = before.selectbox("Before", specs, key="before", bind="query-params", help=COMPARED)
    second = after.selectbox(
        "After", specs, index=len(specs) - 1, key="after", bind="query-params", help=COMPARED
    )
    cosines = {spec: by_spec[spec] for spec in dict.fromkeys((first, second))}
    if not isinstance(pairs, Pairs):
        st.write("Each sentence is paired with another one, drawn at random.")
    elif pairs.gold is not None:
        low, high = pairs.scale
        drawn = gold_against_cosine(pairs.gold, cosines, gold_label=f"gold ({low:g} to {high:g})")
        chart(drawn, key="scatter", origin=origin)
    elif pairs.targets is not None:
        chart(cosine_by_label(pairs.targets, cosines), key="by-label", origin=origin)
    chart(cosine_histograms(cosines), key="histogram", origin=origin)
    st.caption("Calibration shifts and stretches cosines, so thresholds must be set again.")
    return str(second)
