"""Cosine and edit distance against scipy and the paper; the same interval in three studies."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.evaluation.comparison import compare_to, pair_scores
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.advice.study import AdviceRecipe, advice, gains_of
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.lexical.bias import GOLD, NORMALISED, LexicalRecipe
from bertflow_core.studies.lexical.study import conclusions, correlations, lexical
from bertflow_core.studies.size import size
from bertflow_core.studies.tune import TuneRecipe, tune

SPECS = ("identity", "null-top-k:k=2")
DISTANCES = ("edit_distance", "normalised_edit_distance", "length")


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return LexicalRecipe(**recipe_of().to_dict(), unit="whitespace", n_draws=200)


@pytest.fixture(scope="module")
def report(recipe):
    return lexical(recipe, Lab(), SPECS)


@pytest.fixture(scope="module")
def found(report):
    return report.objects["bias"]


def test_the_matrix_is_of_gold_every_similarity_and_edit_distance(report, found, encode):
    pairs = found.words.pairs
    columns = [
        pairs.gold,
        pairwise_cosine(encode(pairs.first), encode(pairs.second)),
        found.similarities[SPECS[1]],
        edit_distances(pairs.first, pairs.second, unit="whitespace")[0],
    ]
    lengths = [[len(text.split()) for text in side] for side in (pairs.first, pairs.second)]
    longer = np.max(lengths, axis=0)
    columns += [columns[3] / longer, longer]
    assert found.every.names == ("gold", "identity", "null-top-k:k=2", *DISTANCES)
    expected = spearmanr(np.column_stack(columns)).statistic
    np.testing.assert_allclose(found.every.rhos, expected, atol=1e-12)
    near = columns[3] <= 4
    assert 1 < near.sum() < len(pairs)
    close = spearmanr(np.column_stack([column[near] for column in columns[:4]])).statistic
    np.testing.assert_allclose(found.close.rhos, close, atol=1e-12)
    row = report.row(similarity="identity")
    assert report.facts["n_close"] == near.sum()
    assert row["edit_distance"] == found.every.rhos[1, 3]
    assert row["close"] == found.close.rhos[1, 3]
    assert row["edit_distance_low"] < row["edit_distance"] < row["edit_distance_high"]
    for name in ("gold", *SPECS):
        partial = found.every.partial(name, *DISTANCES[::2]).value
        assert report.row(similarity=name)["length_fixed"] == partial
    listed = {(each["pairs"], each["a"], each["b"]): each["rho"] for each in correlations(found)}
    assert len(listed) == 15 + 6
    assert listed["close", "gold", "identity"] == found.close.rhos[0, 1]


def test_which_pairs_fool_cosine_and_by_how_much_their_ranks_are_off(found):
    gold, distances, n = found.gold, found.words.distances, len(found.gold)
    near = {i for i in range(n) if distances[i] <= 4 and gold[i] < 2.5}
    middle = np.sort(distances)[n // 2 - 1 : n // 2 + 1].mean()
    far = {i for i in range(n) if distances[i] > middle and gold[i] > 2.5}
    rows = found.fooled(n)
    for kind, expected in (("near in words", near), ("far in words", far)):
        places = [row["pair"] - 1 for row in rows if row["kind"].startswith(kind)]
        assert set(places) == expected != set()
    for spec, similarity in found.similarities.items():
        errors = 100 * (rankdata(similarity) - rankdata(gold)) / n
        for row in rows:
            assert row[f"error {spec}"] == pytest.approx(errors[row["pair"] - 1])
            assert row["first"] == found.words.pairs.first[row["pair"] - 1]
    of_near = [abs(row["error identity"]) for row in rows[: len(near)]]
    assert of_near == sorted(of_near, reverse=True)
    pairs = replace(found.words.pairs, targets=gold + 10, scale=(10, 15))
    moved = replace(found, words=replace(found.words, pairs=pairs)).fooled(n)
    assert [row["pair"] for row in moved] == [row["pair"] for row in rows]


def test_word_pieces_are_those_of_the_model(recipe):
    units = ("wordpiece", "whitespace", "character")
    pieces, words, letters = (
        lexical(recipe.with_(unit=unit), Lab(), SPECS).objects["bias"].words.distances
        for unit in units
    )
    assert (pieces == words).all()  # every word of the tiny vocabulary is one piece
    assert (pieces < letters).all()


def test_pairs_without_gold_have_a_matrix_without_it(recipe):
    pairs, corpus = Lab().load(recipe)
    blind = Lab(tables={recipe.dataset: (replace(pairs, targets=None), corpus)})
    report = lexical(recipe, blind, SPECS)
    found = report.objects["bias"]
    assert found.every.names == ("identity", "null-top-k:k=2", *DISTANCES)
    assert "gold_fixed" not in report.rows[0]
    (few,) = conclusions(found)
    assert "24 pairs" in few
    assert found.fooled() == []


def test_the_normalised_distance_can_lead(recipe, found):
    report = lexical(recipe.with_(distance="normalised"), Lab(), SPECS)
    shown = report.objects["bias"]
    assert shown.every.rhos == pytest.approx(found.every.rhos)
    np.testing.assert_allclose(shown.apart, found.words.distances / found.words.lengths)
    assert report.table.shown[1].header == "normalised edit distance"
    assert "--distance normalised" in report.command
    partial = found.every.partial("identity", NORMALISED, "gold").value
    assert report.row(similarity="identity")["gold_fixed"] == partial


def test_the_paper_s_table_on_the_development_pairs(real_lab):
    # On SentEval's tokenised text; calibration weakens the correlation, as the paper says.
    recipe = LexicalRecipe(dataset="stsb", split="dev", n_draws=200)
    report = lexical(recipe, real_lab, ["identity", "whiten"])
    gold, found = report.row(similarity="gold"), report.objects["bias"]
    assert 100 * gold["edit_distance"] == pytest.approx(-24.56, abs=0.005)
    assert report.facts["n_close"] == 369
    assert 100 * gold[NORMALISED] == pytest.approx(-48.57, abs=0.005)
    assert found.change("whiten", "edit_distance").low > 0
    assert found.change("whiten", "gold").low > 0
    assert "Gold similarity" in report.write("table")


def test_one_comparison_has_one_interval_whichever_study_shows_it(recipe_of):
    recipe, lab, spec = recipe_of(40).to_dict(), Lab(), SPECS[1]
    (gain,) = gains_of(advice(AdviceRecipe(**recipe), lab, SPECS))
    bias = lexical(LexicalRecipe(**recipe), lab, SPECS).objects["bias"]
    meaning = bias.change(spec, GOLD)
    assert f"{100 * meaning.low:+.2f} to {100 * meaning.high:+.2f}" in next(conclusions(bias))
    asked = EvaluateRecipe.of(Recipe(**recipe))
    row = evaluate(asked, lab, ("standardize", spec), ("layer:2",)).row(calibrator=spec)
    stored = size(Recipe(**recipe), lab, (spec,), ("layer:2",))
    whole = stored.row(calibrator=spec, order="before", encoding="float32")
    tuned = tune(TuneRecipe(**recipe, values=("2",)), lab, ("null-top-k", spec))
    (alike,) = (each for each in tuned.tables[0].rows if each["calibrator"] == spec)
    ends = (gain["low"], gain["high"])
    assert ends == (meaning.low, meaning.high) == (row["change_low"], row["change_high"])
    for each in (whole, alike):
        assert (each["change_low"], each["change_high"]) == ends
    assert alike["change_p"] == row["change_p"]


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_a_change_is_aggregated_as_the_recipe_says(recipe_of, aggregation):
    recipe = recipe_of(60, aggregation=aggregation)
    pairs = replace(Lab().data(recipe), subsets=("a", "b", "b") * 20)
    noise = np.random.default_rng(0).normal(size=(2, 60))
    before, after = pairs.gold + noise
    similarities = {"before": before, "after": after}
    found = compare_to(
        "before",
        pair_scores(similarities, pairs.gold, pairs.subsets, aggregation=aggregation),
    )["after"]
    scores = [
        getattr(score_pairs(x, pairs.gold, pairs.subsets).spearman, aggregation)
        for x in (before, after)
    ]
    assert [found.before, found.after] == pytest.approx(scores)
    assert found.low < found.difference < found.high
