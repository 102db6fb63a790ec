"""Measures of spaces and their rows, against separate encodings and fits."""

import re

import numpy as np
import pytest
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.analysis.measures import MEASURES, Group, functions_of, measure_group
from bertflow_core.analysis.space_rows import Cloud, Near
from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Corpus, Texts
from bertflow_core.evaluation import cosine_matrix, pairwise_cosine
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.space.measure import SpaceRecipe, sentences
from bertflow_core.studies.space.rows import AT_MOST, choose_rows

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
    rows = choose_rows(*Lab().load(recipe), Lab().recipe_data(recipe).all_sentences, seed=3)
    x = encode(rows.sentences)
    return x[rows.fit_without], x[rows.held_out]


NAMES = {name for group in Group for name in functions_of(group)}
REFERENCES = NAMES - MEASURES.keys()
SHARES = {"mean_share", "coordinate_share", "top_1_share"}  # shown with three decimals


def known(row):
    return {name for name in NAMES if row.get(name) is not None}


def test_each_calibrator_has_every_measure(found):
    assert [row["calibrator"] for row in found.rows] == list(SPECS)
    densities = {"log_density_real", "log_density_real_reference"}
    for row in found.rows:
        missing = NAMES - known(row)
        assert missing == (set() if row["calibrator"] == "standardize" else densities)
    table = found.text_table
    shown = {line[0]: line[table.header.index("layer:2 whiten")] for line in table.rows}
    row = found.row(calibrator="whiten")
    for measure in MEASURES.values():
        text = shown[measure.label]
        if measure.reference_name in REFERENCES - densities:
            text, beside = re.fullmatch(r"(\S+) \(.+: (\S+)\)", text).groups()
            assert float(beside) == pytest.approx(row[measure.reference_name], rel=1e-3)
        if measure.name not in densities:
            digits = ".3f" if measure.name in SHARES else ".4g"
            assert text == format(row[measure.name], digits)


def test_isotropy_after_whitening_is_exact_on_fitted_rows_alone(found, unseen):
    fitted, held_out = unseen
    z = build_calibrator("whiten").fit(fitted).transform(held_out)
    values = found.row(calibrator="whiten")
    variances = np.linalg.eigvalsh(np.cov(z.T))
    used = variances.sum() ** 2 / np.square(variances).sum()
    assert values["iso_score"] == pytest.approx(1, abs=1e-6)
    assert values["iso_score_reference"] == pytest.approx((used - 1) / 14, abs=1e-4)
    assert values["iso_score_reference"] < 0.9


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
    assert found.row(calibrator="whiten")["effective_rank"] == pytest.approx(15, abs=0.1)


def test_the_log_density_is_of_a_fit_without_those_rows(found, unseen):
    fitted, held_out = unseen
    calibrator = build_calibrator("standardize").fit(fitted)
    evaluation = found.row(calibrator="standardize")
    groups = found.objects["curves"]["layer:2", "standardize"]["likelihoods"]
    expected = calibrator.score_samples(held_out).mean()
    assert evaluation["log_density_real"] == pytest.approx(expected, rel=1e-3)
    assert evaluation["log_density_real_reference"] == groups["samples"].mean()
    assert {len(group) for group in groups.values()} == {len(held_out)}


def test_only_the_parts_asked_for_are_measured(recipe):
    for parts, groups in (("cloud", [Group.CLOUD]), ("held-out", [Group.HELD_OUT])):
        report = sentences(recipe.with_(parts=parts), Lab(), ["identity"], ["last"])
        names = {name for group in groups for name in functions_of(group)}
        assert known(report.rows[0]) == names - {"log_density_real", "log_density_real_reference"}
        assert [*report.facts["measured"]] == groups


def test_one_point_is_not_measured(recipe):
    """The first token's embedding is the same in every sentence."""
    specs = ("identity", "whiten")
    layers = [f"layer:{k}" for k in range(4)]
    found = sentences(recipe.with_(parts="cloud", tokens="cls"), Lab(), specs, layers)
    assert [(row["layers"], row["calibrator"]) for row in found.rows] == [
        (f"layer:{k}", spec) for k in range(4) for spec in specs
    ]
    assert [bool(known(row)) for row in found.rows] == [False] * 2 + [True] * 6


@pytest.mark.filterwarnings("error")
def test_a_calibrator_that_leaves_nothing_gives_no_spectrum():
    cloud = Cloud(np.zeros((30, 4)))
    known = {"mean_cosine": 0, "mean_cosine_reference": 0}
    assert measure_group(Group.CLOUD, cloud) == dict.fromkeys(functions_of(Group.CLOUD)) | known
    assert not cloud.singular_values.any()
    nothing = measure_group(Group.NEIGHBOURS, Near(np.zeros((30, 4))))
    for name in ("two_nn", "gaussian_distance_ratio"):
        assert nothing[name] is None


def test_sentences_without_gold_have_no_alignment(recipe):
    pairs, corpus = Lab().load(recipe)
    shared = {name: getattr(pairs, name) for name in ("name", "subsets", "provenance")}
    lab = Lab(tables={recipe.dataset: (Texts(texts=pairs.first, **shared), corpus)})
    (values,) = sentences(recipe.with_(parts="pairs"), lab, ["identity"], ["last"]).rows
    assert values["alignment"] is None and values["uniformity"] < 0


# The choice of rows.

TABLE = [*pair_rows(40), pair_rows(1)[0]]  # the first pair occurs twice
SIDES = [side for row in TABLE for side in row[:2]]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "lines.txt").write_text("\n".join([*SIDES[10:60], "another one"]))
    table = write_pairs(tmp_path / "pairs.csv", TABLE)
    recipe = tiny_recipe("none", table, fit_on=str(tmp_path / "lines.txt"))
    return (*Lab().load(recipe), Lab().recipe_data(recipe).all_sentences)


@pytest.fixture
def whole(data):
    return choose_rows(*data, seed=0)


def texts(rows, which):
    return [rows.sentences[i] for i in which]


def test_the_cloud_is_every_sentence_and_neighbours_are_one_side_of_each_pair(data, whole):
    assert texts(whole, whole.cloud) == SIDES
    assert whole.n_fitted == sum(side in SIDES[10:60] for side in SIDES)
    assert texts(whole, whole.neighbours) == SIDES[:80:2]
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
    none = choose_rows(data[0], few, few, seed=0)
    assert len(none.held_out) == 0  # too few sentences to hold some out
    np.testing.assert_array_equal(none.fit_without, none.fit)


def test_a_bound_draws_from_the_held_out_fifth_without_fitting_on_the_rest_of_it(
    data, whole, monkeypatch
):
    for group, n in ((Group.CLOUD, 9), (Group.NEIGHBOURS, 8), (Group.HELD_OUT, 7)):
        monkeypatch.setitem(AT_MOST, group, n)
    few, again, other = (choose_rows(*data, seed=seed) for seed in (0, 0, 1))
    assert (len(few.cloud), len(few.neighbours), len(few.held_out)) == (9, 8, 7)
    assert set(few.held_out) < set(whole.held_out)
    np.testing.assert_array_equal(few.fit_without, whole.fit_without)
    np.testing.assert_array_equal(again.cloud, few.cloud)
    assert list(other.cloud) != list(few.cloud)


COSINES = {"layer:0": 0.34, "layer:1": 0.60, "layer:4": 0.52, "layer:6": 0.02}


@pytest.mark.campaign  # it embeds all of STS-B in every layer
def test_stsb_lies_in_a_cone_and_not_after_the_flow(real_lab):
    recipe = SpaceRecipe(**tiny_recipe("minilm", "stsb", max_length=64).to_dict(), parts="cloud")

    def cosines(spec, layers):
        rows = sentences(recipe, real_lab, [spec], layers).rows
        return {row["layers"]: row["mean_cosine"] for row in rows}

    assert cosines("identity", [*COSINES]) == pytest.approx(COSINES, abs=0.02)
    assert abs(cosines("flow", ["layer:4"])["layer:4"]) < 0.05
