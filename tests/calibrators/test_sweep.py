"""Sweeps against calibrators that are fitted one by one."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.sweep import swept_cosines
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine


def null_top_k_cosines(x_fit, first, second, ks):
    return swept_cosines("null-top-k", "k", ks, x_fit, first, second)


def whiten_cosines(x_fit, first, second, numbers, shrinkage=0):
    spec = f"whiten:shrinkage={shrinkage}"
    return swept_cosines(spec, "n_components", numbers, x_fit, first, second)


def whiten_shrinkage_cosines(x_fit, first, second, shares, n_components=None):
    spec = f"whiten:n_components={n_components}"
    return swept_cosines(spec, "shrinkage", shares, x_fit, first, second)


RNG = np.random.default_rng(3)
D = 12
FULL = RNG.normal(size=(200, D)) @ RNG.normal(size=(D, D)) + 8 * RNG.normal(size=D)


def dead_features():
    x = FULL.copy()
    x[:, 3] = 2.5
    x[:, 7] = 0.0
    return x


def at_the_floor():
    """Independent features whose variances straddle 1e-6 of the largest, and tie on both sides."""
    rows = np.linalg.qr(RNG.normal(size=(200, D)) - 0.0)[0]
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    variances = np.array([1.0, 1.0, 0.5, 0.5, 0.1, 2e-6, 2e-6, 1.1e-6, 0.9e-6, 5e-7, 5e-7, 1e-9])
    return rows * np.sqrt(variances) * 10 + RNG.normal(size=D)


SPACES = {
    "full rank": FULL,
    "rank 5": RNG.normal(size=(200, 5)) @ RNG.normal(size=(5, D)) + RNG.normal(size=D),
    "dead features": dead_features(),
    "fewer sentences than features": FULL[:6],
    "ties at the floor": at_the_floor(),
    "float32": FULL.astype(np.float32),
    "tiny": FULL * 1e-8,
}
RANKS = {"rank 5": 5, "dead features": 10, "fewer sentences than features": 5}


def one_by_one(spec, x_fit, first, second):
    fitted = build_calibrator(spec).fit(np.asarray(x_fit, np.float64))
    return pairwise_cosine(*(fitted.transform(np.asarray(x, np.float64)) for x in (first, second)))


@pytest.fixture(params=SPACES)
def space(request):
    return request.param


@pytest.fixture
def sides(space):
    """Pairs from the very space that is fitted on."""
    x = SPACES[space]
    rows = np.random.default_rng(1).integers(len(x), size=(2, 60))
    rows[1, :3] = rows[0, :3]
    return x, x[rows[0]], x[rows[1]]


def test_null_top_k_is_that_of_single_fits(space, sides):
    ks = [k for k in (0, 4, 1, 7, 9, 11) if k < RANKS.get(space, D)]
    found = null_top_k_cosines(*sides, ks)
    expected = [one_by_one(f"null-top-k:k={k}", *sides) for k in ks]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert found.dtype == np.float64


def test_null_top_k_of_sentences_off_the_space_is_that_of_single_fits(space, sides):
    x_fit, first, second = sides
    shift = np.random.default_rng(2).normal(size=(2, *first.shape)) * np.abs(x_fit).max()
    ks = range(D)
    found = null_top_k_cosines(x_fit, first + shift[0], second + shift[1], ks)
    expected = [
        one_by_one(f"null-top-k:k={k}", x_fit, first + shift[0], second + shift[1]) for k in ks
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_what_is_nothing_but_rounding_has_no_direction():
    x = SPACES["rank 5"]
    found = null_top_k_cosines(x, x[:50], x[50:100], range(D))
    assert np.abs(found[:5]).min() > 0
    np.testing.assert_array_equal(found[5:], 0.0)


def test_a_small_remainder_under_a_huge_direction_keeps_its_cosines():
    """Squared lengths fall from 1e14 to 1: a difference of sums would keep two digits."""
    x = RNG.normal(size=(300, D))
    x[:, 0] *= 1e7
    found = null_top_k_cosines(x, x[:100], x[100:200], [1])
    mean = x.mean(0)
    leading = np.linalg.svd(x - mean, full_matrices=False)[2][:1]
    rests = [(s - mean) - (s - mean) @ leading.T @ leading for s in (x[:100], x[100:200])]
    np.testing.assert_allclose(found[0], pairwise_cosine(*rests), atol=1e-6)


@pytest.mark.parametrize("shrinkage", [0.0, 0.05, 1.0])
def test_whitening_is_that_of_single_fits(sides, shrinkage):
    numbers = [12, 1, 3, 5, 8, 9, 10, 11]
    found = whiten_cosines(*sides, numbers, shrinkage)
    expected = [
        one_by_one(f"whiten:n_components={n},shrinkage={shrinkage}", *sides) for n in numbers
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_components", [None, 1, 5, 8, 12])
def test_shrinkages_are_those_of_single_fits(sides, n_components):
    shares = [0.5, 0.0, 1e-7, 1e-6, 1e-3, 1.0]
    found = whiten_shrinkage_cosines(*sides, shares, n_components)
    expected = [
        one_by_one(f"whiten:n_components={n_components},shrinkage={share!r}", *sides)
        for share in shares
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_the_mean_itself_has_cosine_zero():
    mean = FULL.mean(0, keepdims=True)
    other = FULL[:1]
    assert null_top_k_cosines(FULL, mean, other, [0, 2]).tolist() == [[0.0], [0.0]]
    assert whiten_cosines(FULL, mean, other, [2, 12]).tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("sweep", [null_top_k_cosines, whiten_cosines, whiten_shrinkage_cosines])
def test_a_whole_sweep_decomposes_one_covariance(sweep, monkeypatch):
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda *args: calls.append(args) or eigh(*args))
    values = (0.0, 0.5, 1.0) if sweep is whiten_shrinkage_cosines else range(1, D)
    sweep(FULL, FULL[:9], FULL[9:18], values)
    assert len(calls) == 1


def test_more_pairs_than_are_taken_at_once_keep_their_order(monkeypatch):
    first, second = FULL[:50], FULL[50:100]
    expected = null_top_k_cosines(FULL, first, second, [2, 5])
    monkeypatch.setattr("bertflow_core.calibrators.sweep._PAIRS_AT_ONCE", 7)
    found = null_top_k_cosines(FULL, first, second, [2, 5])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)
    assert found.shape == (2, 50)


def test_inputs_are_left_untouched():
    x = FULL.copy()
    null_top_k_cosines(x, x, x, [2])
    whiten_cosines(x, x, x, [2])
    whiten_shrinkage_cosines(x, x, x, [0.1])
    np.testing.assert_array_equal(x, FULL)


@pytest.mark.parametrize(
    ("sweep", "values", "message"),
    [
        (null_top_k_cosines, [], "nothing to sweep"),
        (null_top_k_cosines, [0, -1], "^null-top-k: k must be a whole number from 0"),
        (null_top_k_cosines, [1.5], "k must be a whole number"),
        (null_top_k_cosines, [D], "k must be below the number of features"),
        (whiten_cosines, [0], "n_components must be a whole number from 1"),
        (whiten_cosines, [D + 1], "n_components must be at most"),
        (whiten_shrinkage_cosines, [1.01], "shrinkage must be a number from 0 to 1"),
        (whiten_shrinkage_cosines, [], "nothing to sweep"),
    ],
)
def test_values_out_of_range_are_refused(sweep, values, message):
    with pytest.raises(InputError, match=message):
        sweep(FULL, FULL[:3], FULL[3:6], values)


@pytest.mark.parametrize("sweep", [null_top_k_cosines, whiten_cosines, whiten_shrinkage_cosines])
def test_embeddings_that_cannot_be_used_are_refused(sweep):
    with pytest.raises(InputError, match="one shape"):
        sweep(FULL, FULL[:3], FULL[:4], [1])
    with pytest.raises(InputError, match="features"):
        sweep(FULL, FULL[:3, :4], FULL[:3, :4], [1])
    with pytest.raises(InputError, match="NaN"):
        sweep(FULL, FULL[:3], np.full((3, D), np.nan), [1])
    with pytest.raises(InputError, match="NaN"):
        sweep(np.where(FULL == FULL[0], np.nan, FULL), FULL[:3], FULL[:3], [1])
