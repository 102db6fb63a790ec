"""Calibrate: calibrators side by side on one data set, and what each does pair by pair."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from bertflow_app import services, state
from bertflow_app.navigation import link
from bertflow_app.parts.components import ask, result_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import (
    Differences,
    evaluation,
    score_figure,
    score_finding,
    scores_table,
    stored_scores,
    too_little_data,
)
from bertflow_app.parts.tested_scores import tested_scores
from bertflow_app.shared_jobs import run
from bertflow_app.show import Origin, chart, origin_of, show_end

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.figures import cosine_by_label, cosine_histograms, gold_against_cosine
from bertflow_core.lexical_baselines import LexicalResult, above_published
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space
from bertflow_core.studies.scores import scores_report

COMPARED = "Two calibrators whose cosines are compared below."


def draw() -> None:
    """Let the visitor choose calibrators, and show their scores and what changed."""
    st.write("Calibrators that are fitted on sentences alone, beside the uncalibrated vectors.")
    recipe, fold = state.current_recipe(), Fold()
    with fold.drawing():
        specs = baseline_first(calibrator_picker())
    results = ask(
        "Calibrate",
        partial(evaluation, recipe, specs),
        fold=fold,
        choices=(named_specs(specs), recipe.layers),
        invitation="Press **Calibrate** to embed the sentences, fit the calibrators and compare "
        "them.",
        help="Embed, fit and score.",
        meanwhile=partial(_early, recipe, specs),
    )
    lexical = _lexical_rows(recipe, results)
    report = scores_report(results, lexical)
    tested = tested_scores(recipe, specs, results, lexical)
    _scores(results, tested, lexical, origin_of(report))
    show_end(report)
    st.header("What changed, pair by pair")
    chosen = _pairs(results, origin_of(report))
    link(
        "take_home",
        f"Take {chosen.spec} home",
        icon="download",
        asking={**state.recipe_parameters(), "take": chosen.spec},
    )


def _early(recipe: Recipe, specs: Sequence[str], early: Space | None) -> None:
    """Show what there is before all calibrators are fitted: stored results, then the first row."""
    tracked = services.tracked_results("captions")
    if recipe == tracked[0].recipe and tuple(specs) == tuple(each.spec for each in tracked):
        stored_scores(tracked, early)
    elif early is not None:
        scores_table([early], {})


def _lexical_rows(recipe: Recipe, results: list[Space]) -> tuple[LexicalResult, ...]:
    """Return the rows that count shared word pieces, for pairs with labels; else none."""
    if results[0].prepared.pairs.labels is None or not recipe.source.has_layers:  # no tokenizer
        return ()
    found: tuple[LexicalResult, ...] = result_of(run("lexical_baselines:lexical_results", recipe))
    return found


def _scores(
    results: Sequence[Space], tested: Differences, lexical: Sequence[LexicalResult], origin: Origin
) -> None:
    """Show the scores of every calibrator, the uncalibrated first, and what was noted."""
    doubts = too_little_data(results)
    st.write(" ".join((*doubts, score_finding(results, tested))))
    if said := above_published(lexical):
        st.write(said)
    if results[0].prepared.pairs.judged is not None:
        scores = {each.spec: each.score for each in results}
        scores |= {each.spec: each.score for each in lexical}
        title = results[0].metric.title
        chart(
            score_figure(scores, results[0].metric),
            key="bars",
            alt=f"Bars of {title} by calibrator, with the baseline as a dashed line",
            origin=origin,
        )
    scores_table(results, tested.changes, lexical, said=doubts)
    reading = services.reading_of(state.current_recipe())
    if reading is not None and reading.refused:
        n_refused = len(reading.refused)
        st.text(f"Rows of the table that were refused: {n_refused:,} (see Your data).")


def _pairs(results: Sequence[Space], origin: Origin) -> Space:
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
        chart(cosine_by_label(pairs.labels, cosines), key="by-label", origin=origin)
    if pairs.gold is not None:
        low, high = pairs.scale
        drawn = gold_against_cosine(pairs.gold, cosines, gold_label=f"gold ({low:g} to {high:g})")
        chart(drawn, key="scatter", origin=origin)
    if not pairs.is_paired:
        st.write("Each sentence is paired with another one, drawn at random.")
    chart(cosine_histograms(cosines), key="histogram", origin=origin)
    st.caption(
        "Calibration shifts and stretches the cosines: a threshold that was tuned on the old ones "
        "has to be chosen again."
    )
    return by_spec[second]
