"""Measures of spaces and their rows, against separate encodings and fits."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chi, kstest, rankdata, spearmanr
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.analysis.isotropy import iso_score
from bertflow_core.analysis.judged import JUDGED, judged_value
from bertflow_core.analysis.measures import MEASURES, Group, measure_group, names_of
from bertflow_core.analysis.space_rows import Cloud, Near
from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Corpus
from bertflow_core.datasets.corpus import corpus_of
from bertflow_core.evaluation import cosine_matrix, pairwise_cosine, random_pair_cosine
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.space.layer_map import MapRecipe, layer_map
from bertflow_core.studies.space.measure import (
    SpaceRecipe,
    measured,
    readings,
    scale_reading,
    sentences,
)
from bertflow_core.studies.space.measure import layers as by_layer
from bertflow_core.studies.space.rows import SampleSizes, choose_rows

ROWS = pair_rows(120)
SPECS = ("identity", "standardize", "whiten", "null-top-k:k=2")


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return SpaceRecipe(**recipe_of(ROWS, seed=3).to_dict())


@pytest.fixture(scope="module")
def found(recipe):
    return sentences(recipe, Lab(), SPECS, ["layer:2"])


@pytest.fixture(scope="module")
def unseen(recipe, encode):
    """Vectors of layer 2: the fit corpus without the held-out rows, and the held-out rows."""
    rows = choose_rows(*Lab().load(recipe), Lab().data(recipe).all_sentences, SampleSizes(), seed=3)
    x = encode(rows.sentences)
    return x[rows.fit_without], x[rows.held_out]


def known(row):
    return {name for name in MEASURES if row.get(name) is not None}


def test_each_calibrator_has_every_measure(found):
    assert [row["calibrator"] for row in found.rows] == list(SPECS)
    densities = {name for name in MEASURES if name.startswith("log_density")}
    for row in found.rows:
        missing = set(MEASURES) - known(row)
        assert missing == (set() if row["calibrator"] == "standardize" else densities)


def test_isotropy_after_whitening_is_exact_on_fitted_rows_alone(found, unseen):
    fitted, held_out = unseen
    z = build_calibrator("whiten").fit(fitted).transform(held_out)
    values = found.row(calibrator="whiten")
    variances = np.linalg.eigvalsh(np.cov(z.T))
    used = variances.sum() ** 2 / np.square(variances).sum()
    assert values["iso_score"] == pytest.approx(1, abs=1e-6)
    assert values["held_out_iso_score"] == pytest.approx((used - 1) / 14, abs=1e-4)
    assert values["held_out_iso_score"] < 0.9
    expected = values["held_out_iso_score_expected"] * values["held_out_iso_ratio"]
    assert expected == pytest.approx(values["held_out_iso_score"])
    cosines = cosine_matrix(z, z)[~np.eye(len(z), dtype=bool)]
    assert values["held_out_mean_cosine"] == pytest.approx(cosines.mean(), abs=1e-5)


def test_the_two_sides_of_pairs_hide_the_dimension():
    """Gaussian rows in 12 dimensions, each followed by a copy with an error of 0.01."""
    rng = np.random.default_rng(0)
    apart = rng.normal(size=(600, 12))
    both = np.repeat(apart, 2, axis=0)
    both[1::2] += 0.01 * rng.normal(size=apart.shape)
    values = measure_group(Group.NEIGHBOURS, Near(apart, both))
    assert values["two_nn"] == pytest.approx(11, abs=2)
    assert values["two_nn_both_sides"] < 1


def test_numbers_are_those_of_an_encoding_of_its_own(found, encode):
    both = [np.asarray(encode([row[side] for row in ROWS]), np.float64) for side in (0, 1)]
    x = np.stack(both, axis=1).reshape(240, 16)
    for spec in ("identity", "whiten"):
        a, b = map(build_calibrator(spec).fit(x).transform, both)
        values = found.row(calibrator=spec)
        cosines = cosine_matrix(np.concatenate([a, b]), np.concatenate([a, b]))
        expected = cosines[~np.eye(240, dtype=bool)].mean()
        assert values["mean_cosine"] == pytest.approx(expected, abs=1e-5)
        positive = np.array([row[2] for row in ROWS]) >= 4
        cosine = pairwise_cosine(a[positive], b[positive])
        assert values["alignment"] == pytest.approx((2 - 2 * cosine).mean(), abs=1e-5)
    # LayerNorm leaves 15 directions of 16.
    assert {row["rank"] for row in found.rows} == {13, 15}  # null-top-k removes two of them
    assert found.row(calibrator="whiten")["effective_rank"] == pytest.approx(15, abs=0.1)


def test_held_out_measures_are_of_a_fit_without_those_rows(found, unseen):
    fitted, held_out = unseen
    calibrator = build_calibrator("standardize").fit(fitted)
    norms = np.linalg.norm(calibrator.transform(held_out), axis=1)
    evaluation = found.row(calibrator="standardize")
    curves = found.objects["curves"]["layer:2", "standardize"]
    assert evaluation["norm_ks"] == pytest.approx(kstest(norms, chi(16).cdf).statistic, abs=1e-3)
    np.testing.assert_allclose(curves["norms"], norms, rtol=1e-3)
    expected = calibrator.score_samples(held_out).mean()
    assert evaluation["log_density_real"] == pytest.approx(expected, rel=1e-3)
    groups = curves["likelihoods"]
    assert {len(group) for group in groups.values()} == {len(held_out)}


def test_only_the_parts_asked_for_are_measured(recipe):
    sizes = SampleSizes(cloud=30)
    result = measured(recipe, Lab(), ["identity"], ["last"], [Group.CLOUD], sizes)
    (row,) = result.rows
    assert known(row) == set(names_of(Group.CLOUD))
    (text,) = result.facts["measured"].values()
    assert text.startswith("30 sentences; the calibrators were fitted on")
    (unseen,) = sentences(recipe.with_(parts="held-out"), Lab(), ["identity"], ["last"]).rows
    assert known(unseen) <= set(names_of(Group.HELD_OUT))
    assert "norm_ks" in known(unseen)


def test_no_layer_set_stands_for_every_layer_and_one_point_is_not_measured(recipe):
    """The first token's embedding is the same in every sentence."""
    specs = ("identity", "whiten")
    found = by_layer(recipe.with_(parts="cloud", tokens="cls"), Lab(), specs)
    assert [(row["layers"], row["calibrator"]) for row in found.rows] == [
        (f"layer:{k}", spec) for k in range(4) for spec in specs
    ]
    assert [bool(known(row)) for row in found.rows] == [False] * 2 + [True] * 6


@pytest.mark.filterwarnings("error")
def test_a_calibrator_that_leaves_nothing_gives_no_spectrum():
    cloud = Cloud(np.zeros((30, 4)))
    known = {"mean_cosine": 0, "permuted_cosine": 0}
    assert measure_group(Group.CLOUD, cloud) == dict.fromkeys(names_of(Group.CLOUD)) | known
    assert not cloud.singular_values.any()
    nothing = measure_group(Group.NEIGHBOURS, Near(np.zeros((30, 4)), np.zeros((0, 4))))
    for name in ("two_nn", "two_nn_both_sides", "gaussian_distance_ratio"):
        assert nothing[name] is None


# Every layer, pooling and calibrator.


def test_a_place_at_which_a_calibrator_leaves_nothing_is_a_gap(recipe_of):
    asked = MapRecipe(**recipe_of().to_dict(), poolings="last")  # rank 5 in layer 0
    found = layer_map(asked, Lab(), ["null-top-k:k=6"])
    assert [row["score"] is None for row in found.rows] == [True, False, False, False]


def test_every_place_is_that_of_an_encoding_of_its_own(recipe_of, encode_tiny):
    recipe, rows = recipe_of(aggregation="wmean", seed=3), pair_rows()
    specs = ("null-top-k:k=2", "identity", "whiten:n_components=5")
    found = layer_map(MapRecipe(**recipe.to_dict()), Lab(), specs)
    first, second = (encode_tiny([row[side] for row in rows]) for side in (0, 1))  # (4, 4, 24, 16)
    gold = np.array([row[2] for row in rows])
    subsets = np.arange(24) % 2 == 0, np.arange(24) % 2 == 1
    assert len(found.rows) == 4 * 4 * 3
    for row in found.rows:
        place = SimpleNamespace(**row)
        is_point = (place.layer, place.tokens) == (0, "cls")  # equal embeddings
        keys = ("score", "random_cosine", "iso_score")
        assert {row[key] is None for key in keys} == {is_point}
        if place.layer == 0 and place.tokens in ("cls", "last"):
            continue  # special tokens differ by position at most, so ties decide
        pooling = ("mean", "cls", "max", "last").index(place.tokens)
        a, b = (np.asarray(v[place.layer, pooling], np.float64) for v in (first, second))
        corpus = np.stack([a, b], axis=1).reshape(48, 16)
        fitted = build_calibrator(place.calibrator).fit(corpus)
        a, b = fitted.transform(a), fitted.transform(b)
        cosine = pairwise_cosine(a, b)
        low, high = (  # these differ only if float32 may order two cosines either way
            np.mean([spearmanr(cosine[m] + nudge * rankdata(gold[m]), gold[m])[0] for m in subsets])
            for nudge in (-1e-6, 1e-6)
        )
        assert low - 1e-9 <= place.score <= high + 1e-9
        both = np.concatenate([a, b])
        assert place.random_cosine == pytest.approx(random_pair_cosine(both, seed=3), abs=1e-4)
        assert place.iso_score == pytest.approx(iso_score(both), abs=1e-4)


def test_sentences_without_gold_have_a_map_of_isotropy_only(recipe_of):
    recipe = MapRecipe(**recipe_of().to_dict(), poolings="mean")
    pairs, corpus = Lab().load(recipe)
    lab = Lab(tables={recipe.dataset: (replace(pairs, gold=None, second=()), corpus)})
    found = layer_map(recipe, lab, ["identity"])
    assert {row["score"] for row in found.rows} == {None}
    assert sorted(found.pictures()) == ["layers", "layers-iso_score", "layers-random_cosine"]
    asked = SpaceRecipe(**recipe.base().to_dict(), parts="pairs")
    (values,) = sentences(asked, lab, ["identity"], ["last"]).rows
    assert values["alignment"] is None and values["uniformity"] < 0
    encoded = next(lab.embedded([recipe]))
    assert found.rows[2]["iso_score"] == pytest.approx(iso_score(encoded.x_first), abs=1e-9)


# The choice of rows.

TABLE = [*pair_rows(40), pair_rows(1)[0]]  # the first pair occurs twice
SIDES = [side for row in TABLE for side in row[:2]]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "lines.txt").write_text("\n".join([*SIDES[10:60], "another one"]))
    table = write_pairs(tmp_path / "pairs.csv", TABLE)
    recipe = tiny_recipe("none", table, fit_on=str(tmp_path / "lines.txt"))
    return (*Lab().load(recipe), Lab().data(recipe).all_sentences)


@pytest.fixture
def whole(data):
    return choose_rows(*data, SampleSizes(), seed=0)


def texts(rows, which):
    return [rows.sentences[i] for i in which]


def test_the_cloud_is_every_sentence_and_neighbours_are_one_side_of_each_pair(data, whole):
    assert texts(whole, whole.cloud) == SIDES
    assert whole.n_fitted == sum(side in SIDES[10:60] for side in SIDES)
    assert texts(whole, whole.neighbours) == SIDES[:80:2]
    assert texts(whole, whole.both_sides) == SIDES[:80]
    assert texts(whole, whole.fit) == [*SIDES[10:60], "another one"]
    low, high = data[0].scale
    positive = [row for row in TABLE if row[2] >= low + 0.8 * (high - low)]
    assert positive
    assert texts(whole, whole.first) == [row[0] for row in positive]
    assert texts(whole, whole.second) == [row[1] for row in positive]


def test_no_held_out_sentence_is_fitted_on(data, whole):
    held = set(texts(whole, whole.held_out))
    assert len(held) == len(whole.held_out) == pytest.approx(40 / 5, abs=4)
    partners = {side for row in TABLE for side in row[:2] if held & set(row[:2])}
    assert len(partners) == 2 * len(held)
    fitted = texts(whole, whole.fit)
    assert held & set(fitted)
    assert texts(whole, whole.fit_without) == [s for s in fitted if s not in partners]
    few = Corpus(tuple(SIDES[:19]), "19 sentences.", ())
    none = choose_rows(data[0], few, few, SampleSizes(), seed=0)
    assert len(none.held_out) == 0  # too few sentences to hold some out
    np.testing.assert_array_equal(none.fit_without, none.fit)


def test_a_bound_draws_from_the_held_out_fifth_without_fitting_on_the_rest_of_it(data, whole):
    few, again, other = (
        choose_rows(*data, SampleSizes(cloud=9, neighbours=8, held_out=7), seed=seed)
        for seed in (0, 0, 1)
    )
    assert (len(few.cloud), len(few.neighbours), len(few.held_out)) == (9, 8, 7)
    assert len(few.both_sides) == 8
    assert set(few.both_sides[::2]) < set(few.neighbours)
    assert set(few.held_out) < set(whole.held_out)
    np.testing.assert_array_equal(few.fit_without, whole.fit_without)
    np.testing.assert_array_equal(again.cloud, few.cloud)
    assert list(other.cloud) != list(few.cloud)


# Sentences about measures.


def evaluation(spec="flow", **values):
    return {**dict.fromkeys(MEASURES), "layers": "layer:4", "calibrator": spec, **values}


def test_an_energy_distance_is_read_against_its_floor():
    for energy, is_further in ((0.03, True), (0.01, False)):
        (said,) = readings(evaluation(energy=energy, energy_floor=0.02))
        assert ("further" in said) is is_further


@pytest.mark.parametrize(
    ("norm", "told"), [(15.6, False), (15.8, True), (24.4, True), (24.6, False)]
)
def test_a_gap_of_norms_is_told_of_spaces_on_the_scale_of_a_gaussian_alone(norm, told):
    row = evaluation(norm_ks=0.3, norm_mean=norm, norm_mean_expected=19.6)
    assert "norm_ks" in JUDGED
    assert (judged_value("norm_ks", row) == 0.3) is told
    reading = scale_reading(row)
    assert (reading == "") is told
    assert told or f"{norm:.2f}; under N(0, I) it is 19.60" in reading


COSINES = {"layer:0": 0.34, "layer:1": 0.60, "layer:4": 0.52, "layer:6": 0.02}


@pytest.mark.campaign  # it embeds all of STS-B in every layer
def test_stsb_lies_in_a_cone_and_not_after_the_flow(real_lab):
    """Measured on 4,000 sentences of train, dev and test with duplicates."""
    recipe = tiny_recipe("minilm", "stsb", max_length=64)

    def cosines(spec, layers):
        found = measured(recipe, real_lab, [spec], layers, [Group.CLOUD], SampleSizes(4000))
        return {row["layers"]: row["mean_cosine"] for row in found.rows}

    assert cosines("identity", [*COSINES]) == pytest.approx(COSINES, abs=0.02)
    assert abs(cosines("flow", ["layer:4"])["layer:4"]) < 0.05


@pytest.mark.campaign
def test_partners_halve_the_dimension_of_stsb(real_lab):
    """TwoNN is 4.3 with both sides of the test pairs and 15.3 with one side of each."""
    recipe = tiny_recipe("minilm", "stsb", layers="layer:4", max_length=64)
    pairs = real_lab.pairs(recipe)
    lab = replace(real_lab, tables={"stsb": (pairs, corpus_of(pairs))})
    asked = SpaceRecipe(**recipe.to_dict(), parts="neighbours")
    (values,) = sentences(asked, lab, ["identity"], ["layer:4"]).rows
    assert values["two_nn_both_sides"] == pytest.approx(4.3, abs=0.3)
    assert values["two_nn"] == pytest.approx(15.3, abs=1)
