"""One comparison has one interval, whichever part of the project shows it."""

import numpy as np
import pytest

from bertflow_core.contrasts import changes_of_rho
from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.evaluation import N_DRAWS, score_pairs
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.advice.study import AdviceRecipe, advice, gains_of
from bertflow_core.studies.compare import significance
from bertflow_core.studies.grid import CompareRecipe, Grid, fill
from bertflow_core.studies.lexical.bias import GOLD, LexicalRecipe
from bertflow_core.studies.lexical.study import conclusions, lexical

SPEC = "null-top-k:k=2"


def test_one_comparison_has_one_interval_whichever_study_shows_it(recipe_of):
    recipe, lab, specs = recipe_of(40).to_dict(), Lab(), ("identity", SPEC)
    (gain,) = gains_of(advice(AdviceRecipe(**recipe), lab, specs))
    bias = lexical(LexicalRecipe(**recipe), lab, specs).live["bias"]
    meaning = bias.change(SPEC, GOLD)
    assert f"{100 * meaning.low:+.2f} to {100 * meaning.high:+.2f}" in next(conclusions(bias))
    model, table = recipe["model"], recipe["dataset"]
    params = CompareRecipe(
        models=(model,),
        datasets=(table,),
        max_length=recipe["max_length"],
        baseline=f"{model} layer:2 identity",
    )
    report = significance(fill(Grid(params, ("standardize", SPEC), ("layer:2",)), lab), table)
    row = report.row(calibrator=SPEC)
    assert row["n_draws"] == N_DRAWS
    ends = (gain["low"], gain["high"])
    assert ends == (meaning.low, meaning.high) == (row["change_low"], row["change_high"])


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_a_change_is_aggregated_as_the_recipe_says(aggregation):
    rng = np.random.default_rng(0)
    gold, subsets = rng.integers(0, 6, 60).astype(float), ["a", "b", "b"] * 20
    similarities = {"before": gold + rng.normal(size=60), "after": gold + rng.normal(size=60)}
    source = Provenance("Made by a test.", "none", "table", (), ())
    pairs = SentencePairs("p", "test", ("s",) * 60, ("t",) * 60, gold, (0, 5), subsets, source)
    recipe = Recipe(dataset="p.csv", aggregation=aggregation)
    (found,) = changes_of_rho(similarities, pairs, recipe, baseline="before").to_baseline
    scores = [
        getattr(score_pairs(x, gold, subsets).spearman, aggregation) for x in similarities.values()
    ]
    assert [found.change.before, found.change.after] == pytest.approx(scores)
    assert found.change.low < found.change.difference < found.change.high
