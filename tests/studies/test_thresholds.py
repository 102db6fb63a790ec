"""Thresholds against a known distribution, on held-out sentences, and as a file."""

import json
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import f1_score, precision_recall_curve, precision_score, recall_score
from sklearn.metrics.pairwise import cosine_similarity
from tiny_pairs import pair_rows

from bertflow_core.datasets import Corpus
from bertflow_core.errors import InputError
from bertflow_core.evaluation.thresholds import RandomPairs, ScoredPairs
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.saved_thresholds import owner_of, read_thresholds, threshold_of
from bertflow_core.report.remark import Kind
from bertflow_core.studies.thresholds import ThresholdRecipe, thresholds

RATES = (0.001, 0.01, 0.05)


def test_a_threshold_is_one_of_cosines_whatever_the_similarity(recipe_of):
    found, other = (
        thresholds(ThresholdRecipe(**recipe_of(60).to_dict() | {"similarity": name}), Lab(), ())
        for name in ("cosine", "dot")
    )
    assert found.rows and found.rows == other.rows


def random_rows(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_the_threshold_of_gaussian_rows_is_that_of_their_law():
    d = 12  # (1 + cosine) / 2 is Beta((d - 1) / 2, (d - 1) / 2)
    random = RandomPairs.of(random_rows(1500, d))
    for rate in RATES:
        expected = 2 * beta.isf(rate, (d - 1) / 2, (d - 1) / 2) - 1
        assert random.threshold(rate) == pytest.approx(expected, abs=0.01)
        low, high = random.interval(expected)
        assert low < rate < high
    curve = random.curve()
    assert curve["random pairs above"] == [random.rate(at) for at in curve["at"]]


def test_pairs_judged_together_do_not_count():
    z, together = random_rows(30, 4), np.zeros((30, 30), bool)
    together[3, 8] = together[20, 1] = True
    cosine, apart = cosine_similarity(z), ~(together | together.T)
    expected = cosine[np.tril(apart, k=-1)]
    random = RandomPairs.of(z, together)
    assert random.falling == pytest.approx(sorted(expected, reverse=True), abs=1e-6)
    assert random.rate(0.5) == np.mean(expected > 0.5)
    assert random.rate(random.threshold(0.1)) == pytest.approx(0.1, abs=1 / len(expected))


def test_an_interval_is_that_of_each_sentence_among_the_others_and_of_other_rows():
    z = random_rows(40, 6)
    shares = ((cosine_similarity(z) > 0.4).sum(axis=1) - 1) / 39
    rate = np.mean(shares)
    factor = np.exp(1.959964 * np.sqrt(2) * 2 * np.std(shares, ddof=1) / np.sqrt(40) / rate)
    random = RandomPairs.of(z)
    assert random.rate(0.4) == pytest.approx(rate)
    assert random.interval(0.4) == pytest.approx((rate / factor, rate * factor), rel=1e-6)
    centre = np.array([1.5, 0, 0, 0, 0, 0])  # in a cone, the pairs of a row are correlated
    met = []
    for seed in range(100):
        first, second = (RandomPairs.of(random_rows(120, 6, 2 * seed + i) + centre) for i in (0, 1))
        threshold = first.threshold(0.05)
        low, high = first.interval(threshold)
        met.append(low <= second.rate(threshold) <= high)
    assert 0.9 <= np.mean(met) <= 0.99


def test_an_interval_of_pairs_within_groups_is_that_of_the_jackknife():
    z, group = random_rows(60, 6), np.arange(60) ** 2 // 900  # groups of 30, 13, 9, 8
    cosine, same = cosine_similarity(z), group[:, None] == group
    np.fill_diagonal(same, False)
    random = RandomPairs.of(z).only([same])
    rates = []
    for i in range(60):
        kept = np.delete(np.delete(same, i, 0), i, 1)
        rates.append((np.delete(np.delete(cosine, i, 0), i, 1)[kept] > 0.4).mean())
    error = np.std(rates) * 59**0.5 * 59**0.5 / 60**0.5  # the jackknife's (n - 1) / sqrt(n)
    rate, (low, high) = random.rate(0.4), random.interval(0.4)
    assert rate == (cosine[same] > 0.4).mean()
    assert np.log([high / rate, rate / low]) == pytest.approx(1.96 * 2**0.5 * error / rate, rel=0.1)


@pytest.mark.parametrize("spec", ["identity", "standardize"])
def test_random_pairs_all_within_and_across_subsets_are_of_a_fit_that_did_not_see_them(
    recipe_of, spec
):
    recipe, lab = ThresholdRecipe(**recipe_of(60).to_dict(), rate=0.1), Lab()
    report = thresholds(recipe, lab, [spec])
    embedded = next(lab.embedded([recipe]))
    found = {"scored": [], "within one subset": [], "across subsets": []}
    x = np.concatenate([embedded.x_first, embedded.x_second])
    halves = np.array_split(np.random.default_rng(recipe.seed).permutation(120), 2)
    for part in [np.arange(120)] if spec == "identity" else halves:
        others = np.delete(x, part, axis=0) if spec == "standardize" else None
        z = x[part] if others is None else (x[part] - others.mean(axis=0)) / others.std(axis=0)
        pair, cosines = part % 60, cosine_similarity(z)
        odd, random = pair % 2, np.tril(pair[:, None] != pair, k=-1)
        for name, kept in zip(found, (True, odd[:, None] == odd, odd[:, None] != odd), strict=True):
            found[name].append(cosines[random & kept])
    for name, parts in found.items():
        cosines = np.concatenate(parts)
        row = report.row(layers=recipe.layers, calibrator=spec, sentences=name)
        assert row["n_random"] == len(cosines)
        expected = [*np.quantile(cosines, [0.5, 0.99]), np.mean(cosines > row["threshold"])]
        assert [row["q50"], row["q99"], row["rate"]] == pytest.approx(expected, abs=2e-3)
    scored = report.where(sentences="scored")
    of_all = np.quantile(np.concatenate(found["scored"]), 0.9)
    assert scored[-1]["threshold"] == pytest.approx(of_all, abs=1e-3)
    is_met = [row["held_out_low"] <= row["held_out"] <= row["held_out_high"] for row in scored]
    warned = "miss their expected interval" in report.text()
    assert warned is not all(is_met)
    one_subset = [(*row[:3], "all") for row in pair_rows(24)]
    report = thresholds(ThresholdRecipe(**recipe_of(one_subset).to_dict()), lab, [spec])
    assert {row["sentences"] for row in report.rows} == {"scored", "generic"}
    assert "subset" not in report.text(Kind.ANSWER)


@pytest.mark.parametrize(
    ("dataset", "spec"),
    [
        pytest.param("captions", "whiten", marks=pytest.mark.gate),
        pytest.param("teaching", "null-top-k:k=6", marks=pytest.mark.gate),
        (None, "null-top-k:k=6"),
    ],
)
def test_the_promised_rate_is_met_on_held_out_sentences(recipe_of, dataset, spec):
    met, recipe = [], Recipe(dataset=dataset) if dataset else recipe_of(300)
    for rate in RATES:
        report = thresholds(ThresholdRecipe(**recipe.to_dict(), rate=rate), Lab(), [spec])
        for row in report.where(layers=recipe.layers, sentences="scored"):
            assert row["rate_low"] < rate < row["rate_high"]
            met.append(row["held_out_low"] <= row["held_out"] <= row["held_out_high"])
    assert sum(met) >= 5  # each of the six intervals holds with a probability of 0.95


def test_a_threshold_has_the_gold_score_of_the_closest_rising_curve(recipe_of):
    lab, recipe = Lab(), ThresholdRecipe(**recipe_of(60).to_dict(), cosine=0.5)
    (evaluation,) = lab.evaluations(recipe.each(layers=[recipe.layers], calibrators=["identity"]))
    order, gold = np.argsort(evaluation.similarity), evaluation.embedded.data.gold
    y, x = gold[order], evaluation.similarity[order]
    means = np.full((60, 60), np.nan)
    for i, j in combinations_with_replacement(range(60), 2):
        means[i, j] = y[i : j + 1].mean()
    curve = [np.nanmax(np.nanmin(means[: i + 1, i:], axis=1)) for i in range(60)]  # max-min formula
    row = thresholds(recipe, lab, ["identity"]).row(layers=recipe.layers, sentences="scored")
    assert row["gold"] == pytest.approx(np.interp(0.5, x, curve))
    assert np.abs(curve - y).mean() < row["gold_error"] < np.abs(y - y.mean()).mean() * 1.5


@pytest.mark.parametrize("seed", range(3))
def test_the_best_threshold_has_the_highest_f1(seed):
    rng = np.random.default_rng(seed)
    alike = rng.random(300) < 0.3
    cosines = 0.3 * alike + rng.normal(scale=0.2, size=300)
    found = ScoredPairs(cosines, None, alike).best()
    precision, recall, _ = precision_recall_curve(alike, cosines)
    best = np.nanmax(2 * precision * recall / np.maximum(precision + recall, 1e-9))
    at = found["threshold"]
    assert f1_score(alike, cosines > at) == pytest.approx(best, abs=0.01)  # `at` is rounded
    assert found["precision"] == precision_score(alike, cosines > at)
    assert found["recall"] == recall_score(alike, cosines > at)
    curve = ScoredPairs(cosines, None, alike).curve()
    for at, right, found in zip(*curve.values(), strict=True):
        assert found == recall_score(alike, cosines > at)
        assert right is None or right == precision_score(alike, cosines > at)


@pytest.mark.parametrize("seed", range(20))
def test_of_few_pairs_no_other_threshold_has_a_higher_f1(seed):
    rng = np.random.default_rng(seed)
    cosines, alike = rng.permutation(12) / 20, rng.permutation(12) < 4
    between = np.sort(cosines)[:-1] + 1 / 40
    best = ScoredPairs(cosines, None, alike).best()["threshold"]
    found = f1_score(alike, cosines > best)
    assert found == max(f1_score(alike, cosines > each) for each in between)


@pytest.mark.parametrize("wanted", [0.5, 0.75, 0.95])
def test_the_lowest_threshold_of_a_wanted_precision_is_found(wanted):
    rng = np.random.default_rng(4)
    alike = rng.random(200) < 0.4
    cosines = np.round(rng.normal(size=200) * 0.1 + 0.2 * alike, 2)
    at = ScoredPairs(cosines, None, alike).reaching(wanted)
    assert precision_score(alike, cosines > at) >= wanted
    for lower in np.unique(cosines[cosines < at]):
        assert precision_score(alike, cosines > lower) < wanted
    # Where the highest cosine is of a pair that is not alike, no threshold has only right hits.
    few = ScoredPairs(np.array([0.9, 0.8, 0.7, 0.1]), None, np.array([False, True, True, False]))
    assert few.reaching(1.0) == 0.1


@pytest.mark.parametrize("alike", [[True] * 4, [False] * 4, []])
def test_no_threshold_is_best_where_there_is_nothing_to_separate(alike):
    assert ScoredPairs(np.arange(len(alike)), None, np.array(alike, bool)).best() == {}
    assert ScoredPairs(np.ones(2), None, np.array([True, False])).best() == {}


@pytest.mark.parametrize("gold", [5.0, 0.0])
def test_cosines_that_do_not_rise_with_the_gold_scores_separate_nothing(recipe_of, gold):
    same = [(first, first, gold, "same") for first, *_ in pair_rows(12)]
    recipe = ThresholdRecipe(**recipe_of([*pair_rows(24), *same]).to_dict())
    said = thresholds(recipe, Lab(), ["identity"]).text()
    assert ("No threshold separates" in said) is (gold == 0)


def test_a_threshold_is_read_again_and_carried_over(recipe_of, tmp_path):
    lab, recipe, file = Lab(device="cpu"), recipe_of(60), tmp_path / "threshold.json"

    def asked(**changes):
        return thresholds(ThresholdRecipe(**recipe.to_dict() | changes), lab, ["whiten"])

    report = asked(rate=0.02)
    file.write_text(report.write("json"), encoding="utf-8")
    plain, _, answer = json.loads(file.read_text(encoding="utf-8"))["thresholds"][:3]
    row = report.row(calibrator="whiten", sentences="scored")
    assert (plain["layers"], plain["fit_corpus"]) == ("model", None)
    owner = {"model": recipe.model, "layers": "layer:2", "calibrator": "whiten"}
    assert {**owner, "threshold": row["threshold"]}.items() <= answer.items()
    assert answer["interval"] == [row["rate_low"], row["rate_high"]]
    assert answer["threshold_interval"] == [row["threshold_low"], row["threshold_high"]]
    assert answer["quantiles"] == {"0.5": row["q50"], "0.99": row["q99"], "0.999": row["q999"]}
    found = asked(known=str(file)).row(calibrator="whiten", sentences="scored")
    assert [found[name] for name in ("threshold", "rate")] == [row["threshold"], row["rate"]]
    for there in asked(layers="last", carried=str(file)).where(sentences="scored"):
        from_ = "model" if there["layers"] == "model" else "layer:2"
        here = report.row(layers=from_, calibrator=there["calibrator"], sentences="scored")
        assert there["rate"] == pytest.approx(here["rate"], abs=1e-5)
    with pytest.raises(InputError, match=r"belongs to layers 'layer:2', not 'last'.*--carried"):
        asked(layers="last", known=str(file))
    for way in ("known", "carried"):
        other = ThresholdRecipe(**recipe.to_dict() | {way: str(file)})
        with pytest.raises(InputError, match=r"no threshold under flow: .* 'identity', 'whiten'$"):
            thresholds(other, lab, ["flow"])
    document, rates = json.loads(file.read_text(encoding="utf-8")), [0.02, 0.05, 0.1]
    for entry, rate in zip(document["thresholds"], rates, strict=True):  # two are of identity
        entry["rate"] = rate
    file.write_text(json.dumps(document), encoding="utf-8")
    found = [row["rate"] for row in asked(carried=str(file)).where(sentences="scored")]
    assert found == pytest.approx(rates, abs=1e-3)


def test_a_threshold_of_other_vectors_or_another_fit_is_refused():
    target, other = (Corpus(("a", name), "", ()) for name in ("target", "other"))
    recipe = Recipe(layers="layer:2", calibrator="flow")
    found = [owner_of(recipe, target) | {"threshold": 0.5}]
    assert threshold_of(found, owner_of(recipe, target), "a.json") == found[0]
    changes = [{"model": "bert-base"}, {"tokens": "cls"}, {"max_length": 32}, {"seed": 1}]
    owners = [owner_of(recipe.with_(**each), target) for each in changes]
    for owner in [*owners, owner_of(recipe.with_(fit_on="other"), other)]:
        with pytest.raises(InputError, match=r"'a\.json' belongs to"):
            threshold_of(found, owner, "a.json")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"threshold": float("nan")}, "threshold 1 of .* is nan, not a number from -1 to 1"),
        ({"threshold": -1.5}, "is -1.5, not a number from -1 to 1"),
        ({"threshold": 1.5}, "is 1.5, not a number from -1 to 1"),
        ({"threshold": "0.5"}, "is '0.5', not a number from -1 to 1"),
        ({"threshold": True}, "is True, not a number from -1 to 1"),
        ({"rate": -0.1}, "has the rate -0.1, not a number from 0 to 1"),
        ({"interval": [0.1]}, r"has the interval \[0.1\], not two numbers from 0 to 1"),
        ({"interval": [0.2, 0.1]}, r"has the interval \[0.2, 0.1\], not .* in rising order"),
        ({"layers": ["layer:2"]}, r"has the layers \['layer:2'\], neither a text nor"),
        ({"seed": ...}, "has no 'seed'"),
        (["x"], "is 'x', not an object"),
        ([], "holds no thresholds"),
        (b"[" * 100_000, "holds no thresholds"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b" " * 10_000_001, "10 MB"),
    ],
)
def test_a_profile_with_a_fault_is_refused_in_one_sentence(tmp_path, changes, fault):
    corpus = Corpus(("a", "b"), "", ())
    entry = owner_of(Recipe(calibrator="whiten"), corpus)
    entry |= {"threshold": 0.5, "rate": 0.1, "interval": [0.0, 0.2]}
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps({"models": {"a": {"thresholds": [entry]}}}))
    assert read_thresholds(profile) == [entry]
    if isinstance(changes, dict):
        changes = [{key: value for key, value in (entry | changes).items() if value is not ...}]
    is_raw = isinstance(changes, bytes)
    profile.write_bytes(changes if is_raw else json.dumps({"thresholds": changes}).encode())
    with pytest.raises(InputError, match=fault):
        read_thresholds(profile)


def test_a_cosine_is_read_and_a_number_of_pairs_is_met(recipe_of):
    lab, recipe = Lab(), ThresholdRecipe(**recipe_of(300).to_dict())
    pairs = lab.data(recipe)
    n = len({*pairs.first, *pairs.second})

    def row(**asked):
        found = thresholds(recipe.with_(**asked), lab, ["identity"])
        return found.row(layers=recipe.layers, sentences="scored")

    by_cosine = row(cosine=0.83)
    assert 0 < by_cosine["rate"] < 1
    assert (by_cosine["threshold"], by_cosine["percentile"]) == (0.83, 1 - by_cosine["rate"])
    by_none = row(cosine=0.99999)
    assert by_none["rate"] == 0 == by_none["rate_low"] < by_none["rate_high"]
    assert by_none["threshold_low"] is by_none["threshold_high"] is None
    assert by_cosine["threshold_low"] < 0.83 < by_cosine["threshold_high"]
    assert row(n_pairs=500)["rate"] * (n * (n - 1) / 2 - 300) == pytest.approx(500, abs=1)
    by_number = row(n_pairs=20_000)
    (evaluation,) = lab.evaluate([recipe])
    above, alike = evaluation.similarity > by_number["threshold"], pairs.gold >= 4
    assert 0 < by_number["precision"] == alike[above].mean() < 1
    assert by_number["recall"] == above[alike].mean()


def test_more_pairs_than_there_are_cannot_be_met(recipe_of):
    asked = ThresholdRecipe(**recipe_of().to_dict(), n_pairs=10**9)
    with pytest.raises(InputError, match="n_pairs must be below 1,128, the pairs of 48 distinct"):
        thresholds(asked, Lab(), ["identity"])


def test_precision_and_recall_are_of_pairs_that_the_fit_did_not_see(recipe_of):
    recipe = recipe_of(60)
    report = thresholds(ThresholdRecipe(**recipe.to_dict(), rate=0.1), Lab(), ["standardize"])
    row = report.row(calibrator="standardize", sentences="scored")
    embedded = next(Lab().embedded([recipe]))
    x = np.concatenate([embedded.x_first, embedded.x_second])
    assert report.row(layers="model", sentences="scored")["n_random"] == 120 * 119 / 2 - 60
    scored = np.empty(60)
    for half in np.array_split(np.random.default_rng(recipe.seed).permutation(60), 2):
        others = np.delete(x, [*half, *half + 60], axis=0)
        z = (x - others.mean(axis=0)) / others.std(axis=0)
        found = [cosine_similarity(z[[i]], z[[i + 60]])[0, 0] for i in half]
        scored[half] = found
    above, alike = scored > row["threshold"], embedded.data.gold >= 4
    assert 0 < above.sum() < 60
    assert row["precision"] == alike[above].mean() and row["recall"] == above[alike].mean()
