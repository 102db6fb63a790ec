"""Calibrate: choose calibrators and see what each does to similarity."""

from functools import partial

import streamlit as st
from bertflow_app import services, state
from bertflow_app.navigation import link
from bertflow_app.pages.compare.calibrate_panels import (
    early_panel,
    pairs_panel,
    scores_panel,
    take_home_panel,
)
from bertflow_app.pages.compare.model_export import model_panel
from bertflow_app.parts.components import ask, result_of
from bertflow_app.parts.exports import origin_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.scores import evaluation
from bertflow_app.parts.tested_scores import tested_scores
from bertflow_app.shared_jobs import run

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.lexical_baselines import LexicalResult
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space
from bertflow_core.studies.scores import scores_report


def draw() -> None:
    """Draw it."""
    st.write(
        "Sentence vectors of BERT-like encoders lie in a narrow cone, so their cosines say "
        "little. A calibrator corrects that without labels. Compare some here with the "
        "uncalibrated vectors."
    )
    link("data", "Your own pairs", icon="upload")
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
        meanwhile=partial(early_panel, recipe, specs),
    )
    lexical = _lexical_rows(recipe, results)
    origin = origin_of(scores_report(results, lexical))
    st.header("Before and after")
    tested = tested_scores(recipe, specs, results, lexical)
    scores_panel(results, tested, lexical, services.reading_of(recipe), origin)
    st.header("What changed, pair by pair")
    chosen = pairs_panel(results, origin)
    st.header("Take it home")
    take_home_panel(results, lexical, chosen)
    model_panel(recipe, chosen)
    st.write("The same numbers on the command line:")
    st.code(origin.command, language="shell", wrap_lines=True)


def _lexical_rows(recipe: Recipe, results: list[Space]) -> tuple[LexicalResult, ...]:
    """Return the rows that count shared word pieces, for pairs with labels; else none."""
    if results[0].prepared.pairs.labels is None or not recipe.source.has_layers:  # no tokenizer
        return ()
    found: tuple[LexicalResult, ...] = result_of(run("lexical_baselines:lexical_results", recipe))
    return found
