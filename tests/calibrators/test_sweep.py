"""Sweeps against calibrators that are fitted one by one."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.registry import set_option
from bertflow_core.calibrators.sweep import swept_cosines
from bertflow_core.evaluation import pairwise_cosine

RNG = np.random.default_rng(3)
D = 12
FULL = RNG.normal(size=(200, D)) @ RNG.normal(size=(D, D)) + 8 * RNG.normal(size=D)


def at_the_floor():
    """Independent features whose variances straddle 1e-6 of the largest, and tie on both sides."""
    rows = np.linalg.qr(RNG.normal(size=(200, D)))[0]
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    variances = np.array([1.0, 1.0, 0.5, 0.5, 0.1, 2e-6, 2e-6, 1.1e-6, 0.9e-6, 5e-7, 5e-7, 1e-9])
    return rows * np.sqrt(variances) * 10 + RNG.normal(size=D)


SPACES = {  # and the number of directions in which each spreads
    "full rank": (FULL, D),
    "rank 5": (RNG.normal(size=(200, 5)) @ RNG.normal(size=(5, D)) + RNG.normal(size=D), 5),
    "dead features": (np.where(np.isin(np.arange(D), (3, 7)), 2.5, FULL), 10),
    "fewer sentences than features": (FULL[:6], 5),
    "ties at the floor": (at_the_floor(), D),
    "float32": (FULL.astype(np.float32), D),
    "tiny": (FULL * 1e-8, D),
}
NUMBERS = [12, 1, 3, 5, 8, 9, 10, 11]
SHARES = [0.5, 0.0, 1e-7, 1e-6, 1e-3, 1.0]
SWEEPS = [
    ("null-top-k", "k", [0, 4, 1, 7, 9, 11, 2, 3, 5, 6, 8, 10]),
    *((f"whiten:shrinkage={s}", "n_components", NUMBERS) for s in (0, 0.05, 1)),
    *((f"whiten:n_components={n}", "shrinkage", SHARES) for n in ("none", 1, 8)),
    ("soft-whiten", "power", [0.0, 0.5, 1.0]),
]
CASES = [
    (space, *sweep, off)
    for space in SPACES
    for sweep in SWEEPS
    for off in (0, 1)  # off the space a whitening was fitted on are directions that it lacks
    if not off or not sweep[0].startswith("whiten")
]


def one_by_one(spec, x_fit, first, second):
    fitted = build_calibrator(spec).fit(np.asarray(x_fit, np.float64))
    return pairwise_cosine(*(fitted.transform(np.asarray(x, np.float64)) for x in (first, second)))


@pytest.mark.parametrize(("space", "spec", "parameter", "values", "off"), CASES)
def test_every_value_is_that_of_a_single_fit(space, spec, parameter, values, off):
    x, rank = SPACES[space]
    if parameter == "k" and not off:
        values = [k for k in values if k < rank]  # of the others rounding alone is left
    rows = np.random.default_rng(1).integers(len(x), size=(2, 60))
    rows[1, :3] = rows[0, :3]
    shift = off * np.random.default_rng(2).normal(size=(2, 60, D)) * np.abs(x).max()
    sides = x[rows[0]] + shift[0], x[rows[1]] + shift[1]
    found = swept_cosines(spec, parameter, values, x, *sides)
    expected = [one_by_one(set_option(spec, parameter, each), x, *sides) for each in values]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert found.dtype == np.float64


def test_what_is_nothing_but_rounding_has_no_direction():
    x, _ = SPACES["rank 5"]
    found = swept_cosines("null-top-k", "k", range(D), x, x[:50], x[50:100])
    assert np.abs(found[:5]).min() > 0
    np.testing.assert_array_equal(found[5:], 0.0)
    mean = FULL.mean(0, keepdims=True)
    for sweep in (("null-top-k", "k", [0, 2]), ("whiten", "n_components", [2, 12])):
        assert swept_cosines(*sweep, FULL, mean, FULL[:1]).tolist() == [[0.0], [0.0]]


def test_a_small_remainder_under_a_huge_direction_keeps_its_cosines():
    """Squared lengths fall from 1e14 to 1: a difference of sums would keep two digits."""
    x = RNG.normal(size=(300, D)) * np.r_[1e7, np.ones(D - 1)]
    found = swept_cosines("null-top-k", "k", [1], x, x[:100], x[100:200])
    less = x - x.mean(0)
    leading = np.linalg.svd(less, full_matrices=False)[2][:1]
    rests = less - less @ leading.T @ leading
    np.testing.assert_allclose(found[0], pairwise_cosine(rests[:100], rests[100:200]), atol=1e-6)


def test_more_pairs_than_are_taken_at_once_keep_their_order():
    rows = np.random.default_rng(1).integers(len(FULL), size=(2, 5_000))
    found = swept_cosines("whiten", "shrinkage", [0.1], FULL, FULL[rows[0]], FULL[rows[1]])
    expected = one_by_one("whiten:shrinkage=0.1", FULL, FULL[rows[0]], FULL[rows[1]])
    np.testing.assert_allclose(found[0], expected, atol=1e-9)
