"""Every layer, pooling and calibrator: against an encoding and a fit of each by itself."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_pairs import pair_rows

from bertflow_core.analysis.isotropy import iso_score
from bertflow_core.calibrators import build_calibrator
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine
from bertflow_core.lab import Lab
from bertflow_core.studies.space.layer_map import MEASURES, MapRecipe, layer_map

SPECS = ("null-top-k:k=2", "identity", "whiten:n_components=5")
TOKENS = ("mean", "cls", "max", "last")
ROWS = pair_rows()


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return MapRecipe(**recipe_of(aggregation="wmean", seed=3).to_dict())


@pytest.fixture(scope="module")
def found(recipe):
    return layer_map(recipe, Lab(), SPECS)


def test_every_place_is_that_of_an_encoding_of_its_own(found, encode_tiny):
    first, second = (encode_tiny([row[side] for row in ROWS]) for side in (0, 1))  # (4, 4, 24, 16)
    gold = np.array([row[2] for row in ROWS])
    even = np.arange(24) % 2 == 0
    assert len(found.rows) == 4 * 4 * 3
    for row in found.rows:
        place = SimpleNamespace(**row)
        is_point = (place.layer, place.tokens) == (0, "cls")  # in which nothing is measured
        assert {row[measure.key] is None for measure in MEASURES} == {is_point}
        if place.layer == 0 and place.tokens in ("cls", "last"):
            continue  # one special token, which tells at most the length: ties decide
        pooling = TOKENS.index(place.tokens)
        a, b = (np.asarray(v[place.layer, pooling], np.float64) for v in (first, second))
        corpus = np.stack([a, b], axis=1).reshape(48, 16)
        fitted = build_calibrator(place.calibrator).fit(corpus)
        a, b = fitted.transform(a), fitted.transform(b)
        cosine = pairwise_cosine(a, b)
        rho = np.mean([spearmanr(cosine[m], gold[m]).statistic for m in (even, ~even)])
        assert place.rho == pytest.approx(rho, abs=1e-6)
        both = np.concatenate([a, b])
        assert place.random_cosine == pytest.approx(random_pair_cosine(both, seed=3), abs=1e-4)
        assert place.iso_score == pytest.approx(iso_score(both), abs=1e-4)


def test_sentences_without_gold_have_isotropy_only(recipe):
    pairs, corpus = Lab().load(recipe)
    lab = Lab(tables={recipe.dataset: (replace(pairs, gold=None, second=()), corpus)})
    found = layer_map(recipe.with_(poolings="mean"), lab, ["identity"])
    assert {row["rho"] for row in found.rows} == {None}
    assert sorted(found.pictures()) == ["layers", "layers-iso_score", "layers-random_cosine"]
    encoded = lab.prepare(recipe)
    assert found.rows[2]["iso_score"] == pytest.approx(iso_score(encoded.x_first), abs=1e-9)
