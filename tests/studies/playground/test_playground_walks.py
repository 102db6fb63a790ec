"""Walks and samples: closed forms where the map is affine, and the round trip on real sentences."""

import json

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.calibrators.linear import Standardize
from bertflow_core.errors import InputError, NotInvertibleError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.playground import (
    WayName,
    build_playground,
    draw_samples,
    embed_typed,
    load_presets,
    sample_records,
    walk,
    walk_records,
    walk_report,
)
from bertflow_core.studies.playground.samples import MATCHED, Distances, _compared
from bertflow_core.studies.playground.walk import Band, _against, round_trip

ROWS = pair_rows(30)
CORPUS = [s for a, b, _, _ in ROWS for s in (a, b)]
LINES = ("the cat sat", "a dog runs fast", ROWS[0][0], "The CAT sat")
AFFINE, BENT, LOSSY = "standardize", "flow:epochs=20,lr=0.01", "null-top-k:k=2"


@pytest.fixture(scope="module")
def playground(tiny_bert, tmp_path_factory):
    folder = tmp_path_factory.mktemp("walks")
    recipe = tiny_recipe(tiny_bert, write_pairs(folder / "p.csv", ROWS))
    specs = ("identity", AFFINE, BENT, LOSSY)
    return build_playground(recipe, Lab(EmbeddingStore(folder / "store")), specs)


@pytest.fixture(scope="module")
def typed(playground):
    return embed_typed(playground, Lab(), LINES)


@pytest.fixture(scope="module")
def affine(playground, typed):
    return walk(playground, typed, AFFINE, start=0, end=1, n_steps=5)


def nearest(real, points, metric):
    found = cdist(points, real, "cosine" if metric == "cosine" else "euclidean")
    rows = found.argmin(axis=1)
    values = found.min(axis=1)
    return rows, 1 - values if metric == "cosine" else values


class TestWalk:
    def test_the_latent_line_is_mapped_back_by_the_inverse(self, playground, typed, affine):
        calibrator = playground.space(AFFINE).calibrator
        t = np.linspace(0, 1, 5)[:, None]
        x = (1 - t) * typed.x[0].astype(float) + t * typed.x[1]  # an affine map keeps lines
        z = (x - calibrator.mean_) / calibrator.scale_
        way = affine.way(WayName.LINE)
        np.testing.assert_allclose(way.norms, np.linalg.norm(z, axis=1), rtol=1e-5)
        density = multivariate_normal(calibrator.mean_, np.diag(calibrator.scale_**2))
        np.testing.assert_allclose(way.log_density, density.logpdf(x), atol=1e-3)
        rows, values = nearest(playground.space(AFFINE).z.astype(float), z, "cosine")
        assert way.rows.tolist() == rows.tolist()
        np.testing.assert_allclose(way.values, values, atol=1e-5)
        assert (way.errors < 1e-6).all()

    def test_an_affine_map_walks_the_raw_line_alike_and_a_flow_does_not(
        self, playground, typed, affine
    ):
        assert affine.bend < 1e-6
        np.testing.assert_allclose(
            affine.way(WayName.RAW).norms, affine.way(WayName.LINE).norms, rtol=1e-5
        )
        bent = walk(playground, typed, BENT, start=0, end=1, n_steps=5)
        z = playground.space(BENT).calibrator.transform(np.linspace(*typed.x[:2], 5))
        line = np.linspace(*z[[0, -1]], 5)
        gap = np.linalg.norm(z - line, axis=1).max() / np.linalg.norm(z[-1] - z[0])
        assert bent.bend == pytest.approx(gap, rel=1e-3)
        assert bent.bend > 0.01

    def test_the_great_circle_keeps_the_norms_of_its_ends(self, affine):
        norms = affine.way(WayName.CIRCLE).norms
        np.testing.assert_allclose(norms, np.linspace(norms[0], norms[-1], 5), rtol=1e-5)
        assert affine.way(WayName.LINE).norms[2] < norms[2]

    def test_the_nearest_may_be_by_distance(self, playground, typed):
        found = walk(playground, typed, AFFINE, start=2, end=0, n_steps=3, metric="l2")
        z = typed.z[AFFINE][[2, 0]].astype(float)
        rows, values = nearest(playground.space(AFFINE).z, np.linspace(*z, 3), "l2")
        way = found.way(WayName.LINE)
        assert way.rows.tolist() == rows.tolist()
        np.testing.assert_allclose(way.values, values, atol=1e-4)
        assert found.sentences[way.rows[0]] == LINES[2]  # which is a real sentence

    def test_without_a_density_there_is_none(self, playground, typed):
        found = walk(playground, typed, "identity", start=0, end=1)
        assert found.log_density is None
        assert all(way.log_density is None for way in found.ways)
        assert not any("nats" in sentence for sentence in found.remarks())
        assert walk_records(found)[0]["log_density"] is None

    def test_every_step_of_every_way_is_a_record(self, affine):
        records = walk_records(affine)
        assert [(r["way"], r["step"]) for r in records] == [
            (str(name), step) for name in WayName for step in range(1, 6)
        ]
        assert [r["fraction"] for r in records[:5]] == [0, 0.25, 0.5, 0.75, 1]
        assert records[7]["norm"] == affine.way(WayName.LINE).norms[2]

    def test_remarks_follow_from_the_numbers(self, playground, affine):
        norms = np.linalg.norm(playground.space(AFFINE).z, axis=1)
        low, high = np.percentile(norms, [5, 95])
        line = affine.way(WayName.LINE)
        text = " ".join(affine.remarks())
        assert f"from {low:.1f} to {high:.1f}" in text
        assert f"as near to the origin as {line.norms.min():.1f}" in text
        known = playground.space(AFFINE).log_density
        low, high = np.percentile(known, [5, 95])
        assert f"between {line.log_density.min():,.0f} and {line.log_density.max():,.0f}" in text
        assert f"5 steps {sum(line.log_density < low)} lie below" in text
        assert f"and {sum(line.log_density > high)} above" in text
        assert f"at most {100 * affine.bend:.1f} %" in text

    def test_a_band_holds_nine_tenths(self):
        assert Band.of(np.arange(101.0)) == Band(5, 50, 95)

    def test_steps_are_counted_below_within_and_above_a_band(self):
        values = np.array([-130.0, 4.9, 5, 50, 95, 95.1])
        assert _against(values, Band(5, 50, 95)) == (
            "Along the latent line the log-density is between -130 and 95 nats. Of its 6 steps 2 "
            "lie below, 3 within and 1 above the middle 90 % of the real sentences (5 to 95 nats)."
        )

    def test_the_file_names_the_ends_and_the_metric(self, playground, affine):
        report = walk_report(playground, affine)
        ends = {"from": LINES[0], "to": LINES[1], "metric": "cosine"}
        document = json.loads(report.write("json"))
        assert ends.items() <= report.shared.items()
        assert ends.items() <= document.items()
        assert document["recipe"]["calibrator"] == report.shared["recipe_calibrator"] == AFFINE
        assert len(document["records"]) == len(report.write("csv").splitlines()) - 1 == 15

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"start": 0, "end": 0}, "tells apart"),
            ({"start": 0, "end": 3}, "tells apart"),
            ({"start": 0, "end": 9}, "two of the 4 typed sentences"),
            ({"start": 0, "end": 1, "n_steps": 1}, "from 2 to 51 steps"),
            ({"start": 0, "end": 1, "n_steps": 52}, "from 2 to 51 steps"),
            ({"start": 0, "end": 1, "metric": "dot"}, "unknown metric"),
        ],
    )
    def test_a_walk_that_cannot_be_gets_a_sentence(self, playground, typed, options, words):
        with pytest.raises(InputError, match=words):
            walk(playground, typed, AFFINE, **options)

    def test_what_discards_something_has_no_way_back(self, playground, typed):
        with pytest.raises(NotInvertibleError, match="null-top-k:k=2 cannot be inverted"):
            walk(playground, typed, LOSSY, start=0, end=1)
        with pytest.raises(NotInvertibleError, match="null-top-k:k=2 cannot be inverted"):
            draw_samples(playground, LOSSY)
        with pytest.raises(InputError, match="no space of 'maf'"):
            walk(playground, typed, "maf", start=0, end=1)


class Careless(Standardize):
    """Its inverse comes back a thousandth too long."""

    def _inverse_transform(self, Z):
        return super()._inverse_transform(1.001 * Z)


def test_a_careless_inverse_is_found_out():
    calibrator = Careless().fit(np.random.default_rng(0).normal(size=(50, 4)))
    z = np.array([[3.0, 0, 4, 0], [0, 0, 0, 0]])
    x, errors = round_trip(calibrator, z)
    np.testing.assert_allclose(errors, [1e-3, 0], rtol=1e-6)
    np.testing.assert_allclose(x[1], calibrator.mean_)


class TestSamples:
    def test_are_draws_of_the_gaussian_mapped_back(self, playground):
        found = draw_samples(playground, AFFINE, n_samples=20, seed=5)
        space = playground.space(AFFINE)
        z = np.random.default_rng(5).standard_normal((20, 16))
        rows, values = nearest(space.z, z, "l2")
        assert found.latent.rows.tolist() == rows.tolist()
        np.testing.assert_allclose(found.latent.samples, values, rtol=1e-5)
        calibrator = space.calibrator
        x = z * calibrator.scale_ + calibrator.mean_
        rows, values = nearest(playground.x, x, "l2")
        assert found.raw.rows.tolist() == rows.tolist()
        np.testing.assert_allclose(found.raw.samples, values, rtol=1e-4)
        density = multivariate_normal(calibrator.mean_, np.diag(calibrator.scale_**2))
        np.testing.assert_allclose(found.log_density, density.logpdf(x), atol=1e-3)
        record = sample_records(found)[3]
        assert record["nearest_raw"] == playground.sentences[rows[3]]
        assert record["distance_latent"] == found.latent.samples[3]

    def test_real_sentences_are_not_their_own_nearest(self, playground):
        found = draw_samples(playground, AFFINE, n_samples=1_000)
        apart = cdist(playground.x, playground.x)
        np.fill_diagonal(apart, np.inf)
        np.testing.assert_allclose(found.raw.real, apart.min(axis=1), rtol=1e-4, atol=1e-5)
        ratio = np.median(found.raw.samples) / np.median(apart.min(axis=1))
        assert found.raw.ratio == pytest.approx(ratio, rel=1e-4)
        assert f"{ratio:.2f} times as far" in found.remarks()[3]

    def test_a_space_without_a_density_has_the_gaussian_of_its_own_moments(self, playground):
        found = draw_samples(playground, "identity", n_samples=1_000, seed=2)
        assert found.remarks()[0] == f"The samples are of {MATCHED}."
        assert found.log_density is None
        x = playground.x.astype(float)
        drawn = np.random.default_rng(7).multivariate_normal(x.mean(0), np.cov(x.T), 5_000)
        expected = np.median(cdist(drawn, x).min(axis=1))
        assert np.median(found.latent.samples) == pytest.approx(expected, rel=0.1)
        np.testing.assert_allclose(found.latent.samples, found.raw.samples, rtol=1e-4)
        assert draw_samples(playground, AFFINE).remarks()[0] == "The samples are of N(0, I)."

    def test_draws_among_draws_are_as_far_apart_as_gaussians_are(self, playground):
        found = draw_samples(playground, AFFINE, n_samples=300, seed=1)
        rng = np.random.default_rng(99)
        n = len(playground.sentences)
        expected = cdist(rng.normal(size=(2_000, 16)), rng.normal(size=(n, 16))).min(axis=1)
        assert np.median(found.apart) == pytest.approx(np.median(expected), rel=0.05)
        reference = found.remarks()[2]
        assert f" {np.median(found.apart):.2f} " in reference
        assert f" {n} " in reference

    @pytest.mark.parametrize(
        ("sample", "words"),
        [
            (1.8, "0.90 times as far, so the typical sample falls among sentences."),
            (2.008, "1.00 times as far, so the typical sample falls among sentences."),
            (2.2, "1.10 times as far, so the typical sample falls where sentences are sparser."),
        ],
    )
    def test_a_ratio_is_read_as_it_is_printed(self, sample, words):
        rows = np.arange(3)
        found = Distances(np.full(3, sample), np.array([1.0, 2, 9]), rows)
        assert _compared("raw", found).endswith(words)
        assert f"median sample lies {sample:.2f} from" in _compared("raw", found)
        assert "the median real sentence 2.00 from" in _compared("raw", found)
        assert _compared("raw", Distances(np.ones(3), np.zeros(3), rows)) == ""

    @pytest.mark.parametrize("n", [0, 1_001])
    def test_a_number_out_of_range_gets_a_sentence(self, playground, n):
        with pytest.raises(InputError, match="from 1 to 1,000 samples"):
            draw_samples(playground, AFFINE, n_samples=n)


@pytest.mark.parametrize(("dataset", "layers"), [("teaching", "last"), ("stsb", "layer:4")])
def test_the_default_flow_comes_back_on_real_sentences(request, real_store, dataset, layers):
    lab = request.getfixturevalue("real_lab") if dataset == "stsb" else Lab(real_store)
    recipe = Recipe(dataset=dataset, layers=layers)
    found = build_playground(recipe, lab, ["flow"])
    ends = embed_typed(found, Lab(), load_presets()["Swapped roles"].sentences)
    assert found.x.dtype == ends.x.dtype == np.float32
    assert 0 < walk(found, ends, "flow", start=0, end=3).largest_error < 1e-5
    assert draw_samples(found, "flow").errors.max() < 1e-5
