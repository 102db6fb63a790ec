"""Every similarity against scipy and scikit-learn, of pairs, of all rows and of a fitted map."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import cosine_similarity

from bertflow_core import Lab, Recipe
from bertflow_core.calibrators import Standardize
from bertflow_core.errors import InputError
from bertflow_core.evaluation.retrieval import ranking
from bertflow_core.evaluation.similarities import (
    SIMILARITIES,
    nearness,
    of_all,
    of_pairs,
    prepared,
)
from bertflow_core.lab.grid import scored

RNG = np.random.default_rng(4)
A, B = RNG.normal(1, 3, size=(1100, 7)), RNG.normal(1, 3, size=(1100, 7))
A[:40, 2] = A[:40, 5]  # features that are ties


def near_of(x, corpus, own=None):
    """Return the mean cosine with the ten nearest rows, without each row's own."""
    cosines = cosine_similarity(x, corpus)
    if own is not None:
        cosines[np.arange(len(x)), own] = -2
    return np.sort(cosines, axis=1)[:, -10:].mean(axis=1)


EXPECTED = {
    "cosine": cosine_similarity,
    "dot": lambda a, b: a @ b.T,
    "euclidean": lambda a, b: -cdist(a, b),
    "manhattan": lambda a, b: -cdist(a, b, "cityblock"),
    "spearman": lambda a, b: spearmanr(a, b, axis=1).statistic[: len(a), len(a) :],
    "csls": lambda a, b: 2 * cosine_similarity(a, b),
}


@pytest.mark.parametrize("name", SIMILARITIES)
def test_pairs_and_all_rows_are_scipys(name):
    expected = EXPECTED[name](A, B)
    found = of_all(prepared(A, name), prepared(B, name), name)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(of_pairs(A, B, name), expected.diagonal(), rtol=1e-9, atol=1e-9)
    few = A[:9].astype(np.float32)
    wide = EXPECTED[name](few.astype(np.float64), B[:9])
    np.testing.assert_allclose(of_pairs(few, B[:9], name), wide.diagonal(), rtol=1e-9, atol=1e-9)


def test_neighbours_are_the_ten_nearest_other_rows_of_the_corpus():
    np.testing.assert_allclose(nearness(A, B), near_of(A, B), rtol=1e-9)
    own = RNG.permutation(len(A))
    corpus = np.empty_like(A)
    corpus[own] = A
    np.testing.assert_allclose(nearness(A, corpus, own.tolist()), near_of(A, corpus, own))
    few = nearness(A[:4], A[:4], [0, 1, 2, 3])  # fewer than ten neighbours
    others = cosine_similarity(A[:4])[~np.eye(4, dtype=bool)].reshape(4, 3)
    np.testing.assert_allclose(few, others.mean(axis=1))
    np.testing.assert_allclose(nearness(A[:2], B[:3], [-1, -1]).shape, (2,))


@pytest.mark.parametrize("name", SIMILARITIES)
def test_a_ranking_follows_the_similarity(name):
    expected = EXPECTED[name](A[:30], B) - (near_of(B, A[:30]) if name == "csls" else 0)
    order = np.argsort(-expected.astype(np.float32), axis=1, kind="stable")[:, :10]
    np.testing.assert_array_equal(ranking(A[:30], B, name, 10), order)


@pytest.fixture(scope="module")
def evaluations(recipe_of):
    recipe = recipe_of(30).with_(calibrator="standardize", layers="layer:1")
    found = Lab(device="cpu").evaluate([recipe.with_(similarity=name) for name in SIMILARITIES])
    return dict(zip(SIMILARITIES, found, strict=True))


@pytest.mark.parametrize("name", SIMILARITIES)
def test_an_evaluation_compares_mapped_vectors(evaluations, name):
    found = evaluations[name]
    first, second = (z.astype(np.float64) for z in found.z)
    expected = EXPECTED[name](first, second).diagonal()
    if name == "csls":
        texts, corpus = found.embedded.data.texts, found.embedded.corpus.sentences
        distinct = [*dict.fromkeys(corpus)]
        z_fit = found.calibrator.transform(found.embedded.x_fit)
        z_fit = np.array([z_fit[corpus.index(text)] for text in distinct])
        own = np.array([distinct.index(text) for text in texts])
        near = near_of(np.concatenate([first, second]), z_fit, own)
        expected = expected - near[: len(first)] - near[len(first) :]
    np.testing.assert_allclose(found.similarity, expected, rtol=1e-9, atol=2e-7)
    assert found.rho == pytest.approx(spearmanr(expected, found.embedded.data.gold).statistic)
    assert found.random_cosine == evaluations["cosine"].random_cosine


def test_the_grid_fits_once_and_scores_by_every_similarity(evaluations, monkeypatch):
    fits, fit = [], Standardize.fit
    monkeypatch.setattr(Standardize, "fit", lambda *a, **k: fits.append(1) or fit(*a, **k))
    recipes = [each.recipe for each in evaluations.values()]
    grid = scored(recipes, Lab(device="cpu"))
    assert len(fits) == 1
    for recipe, evaluation in zip(recipes, evaluations.values(), strict=True):
        np.testing.assert_array_equal(grid.cells[recipe].unit_values, evaluation.unit_values)
    assert len({cell.to_dict()["fingerprint"] for cell in grid.cells.values()}) == len(recipes)


def test_a_pair_is_compared_without_the_other_pairs(recipe_of, tmp_path):
    """Pairs that are left out of the scored table, but not of the fit corpus, change nothing."""
    corpus, whole = tmp_path / "corpus.txt", recipe_of(30)
    (all_pairs,) = Lab(device="cpu").evaluate([whole])
    corpus.write_text("\n".join(all_pairs.embedded.data.texts))
    few = tmp_path / "few.csv"
    pairs = all_pairs.embedded.data
    rows = zip(pairs.first[:12], pairs.second[:12], pairs.gold[:12], strict=True)
    few.write_text("sentence1,sentence2,score\n" + "".join(f"{a},{b},{g}\n" for a, b, g in rows))
    asked = [whole.with_(dataset=name, fit_on=str(corpus)) for name in (whole.dataset, str(few))]
    for name in SIMILARITIES:
        long, short = Lab(device="cpu").evaluate([r.with_(similarity=name) for r in asked])
        np.testing.assert_allclose(long.similarity[:12], short.similarity, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["dot", "euclidean", "csls"])
def test_a_simplex_ranks_nothing_by_other_similarities_either(recipe_of, name):
    few = recipe_of(7).with_(calibrator="whiten", similarity=name)
    (found,) = Lab(device="cpu").evaluate([few])
    assert found.ranks_nothing and found.score is None


def test_labelled_texts_and_unknown_names_are_refused(tmp_path):
    table = tmp_path / "topics.csv"
    table.write_text("text,topic\n" + "".join(f"text {i},{'ab'[i % 2]}\n" for i in range(12)))
    recipe = Recipe(dataset=str(table), similarity="dot")
    with pytest.raises(InputError, match=r"topics.* neither a classifier nor clusters .*'dot'"):
        Lab(device="cpu").data(recipe)
