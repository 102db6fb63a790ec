"""The panels of the page Calibrate: scores, two calibrators pair by pair, what to take home."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from bertflow_app import services
from bertflow_app.pages.compare import take_home
from bertflow_app.parts.exports import Origin, chart, downloads
from bertflow_app.parts.scores import (
    Differences,
    score_figure,
    score_finding,
    scores_table,
    stored_scores,
    too_little_data,
)

from bertflow_core.datasets import TableReading
from bertflow_core.figures import cosine_by_label, cosine_histograms, gold_against_cosine
from bertflow_core.lexical_baselines import LexicalResult, above_published
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space
from bertflow_core.studies.scores import scores_report

COMPARED = "Two calibrators whose cosines are compared below."


def early_panel(recipe: Recipe, specs: Sequence[str], early: Space | None) -> None:
    """Show what there is before all calibrators are fitted: stored results, then the first row."""
    tracked = services.tracked_results("captions")
    if recipe == tracked[0].recipe and tuple(specs) == tuple(each.spec for each in tracked):
        stored_scores(tracked, early)
    elif early is not None:
        scores_table([early], {})


def scores_panel(
    results: Sequence[Space],
    tested: Differences,
    lexical: Sequence[LexicalResult],
    reading: TableReading | None,
    origin: Origin,
) -> None:
    """Show the scores of every calibrator, and what was refused or noted on the way.

    Args:
        results: The uncalibrated first.
        tested: Their differences.
        lexical: Baselines without vectors, if there are any.
        reading: Of the uploaded table that was scored, if one was.
        origin: Where the numbers come from.
    """
    doubts = too_little_data(results)
    st.write(" ".join((*doubts, score_finding(results, tested))))
    if said := above_published(lexical):
        st.write(said)
    if results[0].prepared.pairs.judged is not None:
        chart(
            score_figure(
                {each.spec: each.score for each in results}
                | {each.spec: each.score for each in lexical},
                results[0].metric,
            ),
            key="bars",
            alt=f"Bars of {results[0].metric.title} by calibrator, with the baseline as a dashed "
            "line",
            origin=origin,
        )
    scores_table(results, tested.changes, lexical, said=doubts)
    if reading is not None and reading.refused:
        n_refused = len(reading.refused)
        st.text(f"Rows of the table that were refused: {n_refused:,} (see Your data).")


def pairs_panel(results: Sequence[Space], origin: Origin) -> Space:
    """Compare the cosines of two calibrators, and return the result of the second."""
    by_spec = {result.spec: result for result in results}
    specs = list(by_spec)
    before, after = st.columns(2)
    first = before.selectbox("Before", specs, key="before", bind="query-params", help=COMPARED)
    second = after.selectbox(
        "After", specs, index=len(specs) - 1, key="after", bind="query-params", help=COMPARED
    )
    cosines = {spec: by_spec[spec].similarity for spec in dict.fromkeys((first, second))}
    pairs = results[0].prepared.pairs
    if pairs.labels is not None:
        chart(
            cosine_by_label(pairs.labels, cosines),
            key="by-label",
            origin=origin,
        )
    if pairs.gold is not None:
        low, high = pairs.scale
        gold_label = f"gold score ({low:g} to {high:g})"
        chart(
            gold_against_cosine(pairs.gold, cosines, gold_label=gold_label),
            key="scatter",
            origin=origin,
        )
    if not pairs.is_paired:
        st.write("Each sentence is paired with another one, drawn at random.")
    chart(
        cosine_histograms(cosines),
        key="histogram",
        origin=origin,
    )
    st.write(
        "Calibration shifts and stretches the cosines. A threshold that was tuned on the old ones "
        "no longer holds: choose it again."
    )
    return by_spec[second]


def take_home_panel(
    results: Sequence[Space], lexical: Sequence[LexicalResult], chosen: Space
) -> None:
    """Offer the table in every form, and the vectors and calibrator of the one `chosen`."""
    downloads(partial(scores_report, results, lexical), label="Table as {}")
    with st.container(horizontal=True):
        st.download_button(
            f"Vectors under {chosen.spec}",
            partial(take_home.calibrated_vectors, chosen),
            "calibrated.npy",
            on_click="ignore",
            help=f"float32, {take_home.vector_rows(chosen)}.",
        )
        st.download_button(
            f"Fitted {chosen.spec}",
            partial(take_home.saved_calibrator, chosen),
            "calibrator.safetensors",
            on_click="ignore",
            help="A file for `bertflow-lab calibrate --calibrator` and `bertflow-lab export`.",
        )
