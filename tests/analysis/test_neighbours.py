"""Exact neighbours against scikit-learn and a full sort in float64."""

import numpy as np
import pytest

from bertflow_core.analysis import neighbours
from bertflow_core.analysis.neighbours import knn, nearest_neighbours
from bertflow_core.runtime import context

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(900, 24)) * RNG.gamma(2.0, size=(900, 1)) + 0.7).astype(np.float32)
OWN = np.arange(50, 130)
METRICS = pytest.mark.parametrize("metric", ["l2", "dot"])
SPACES = {
    "round": RNG.normal(size=(300, 24)),
    "cone": RNG.normal(size=(300, 24)) + 30 * RNG.normal(size=24),
    "loud feature": RNG.normal(size=(300, 24)) * np.r_[1e4, np.ones(23)],
    "lengths apart": RNG.normal(size=(300, 24)) * np.geomspace(1e-9, 1e9, 300)[:, None],
    "nearly one place": 1 + 1e-7 * RNG.normal(size=(300, 24)),
    "one place": np.ones((300, 24)),
    "small": 1e-30 * RNG.normal(size=(300, 24)),
    "large": 1e18 * RNG.normal(size=(300, 24)),
    "shifted": 1e3 + 1e-3 * RNG.normal(size=(300, 24)),
}


def brute(x, queries, k, metric, own=None):
    """Return rows and values by a full sort in float64."""
    x, queries = np.asarray(x, np.float64), np.asarray(queries, np.float64)
    if metric == "dot":
        values = np.einsum("nd,vd->nv", queries, x)
        cost = -values
    else:
        values = np.linalg.norm(queries[:, None] - x[None], axis=2)
        cost = values.copy()
    if own is not None:
        there = np.flatnonzero(own >= 0)
        cost[there, own[there]] = np.inf
    order = np.argsort(cost, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(values, order, axis=1)


def check(x, queries, k, metric, own=None):
    """Compare with a full sort; return what was found."""
    result = nearest_neighbours(x, queries, k, metric=metric, own=own)
    rows, values = brute(x, queries, k, metric, own)
    assert result.rows.shape == result.values.shape == (len(queries), k)
    assert (result.rows == rows).all()
    np.testing.assert_allclose(result.values, values, rtol=1e-12, atol=1e-14 * np.abs(values).max())
    return result


@METRICS
@pytest.mark.parametrize("k", [1, 7, 40])
def test_rows_and_values_are_those_of_a_full_sort(metric, k):
    assert not (check(X, X[OWN], k, metric, OWN).rows == OWN[:, None]).any()
    check(X, X[OWN], k, metric, np.where(np.arange(80) % 2, OWN, -1))


@METRICS
@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("space", SPACES)
def test_no_scale_shift_or_cone_hides_a_neighbour(space, factor, metric):
    x = SPACES[space]
    queries = factor * np.vstack([x[:20], RNG.normal(size=(5, 24))])
    result = nearest_neighbours(x, queries, 5, metric=metric)
    rows, values = brute(x, queries, 5, metric)
    np.testing.assert_allclose(result.values, values, rtol=1e-9, atol=1e-14 * np.abs(values).max())
    spread = np.abs(np.diff(values, axis=1)) > 1e-12 * np.abs(values).max(axis=1, keepdims=True)
    apart = spread[:, :-1] & spread[:, 1:]  # what rounding does not decide
    assert (result.rows == rows)[:, 1:-1][apart].all()


def test_a_row_is_not_its_own_neighbour():
    everywhere = knn(X[:300], 4)
    np.testing.assert_array_equal(
        everywhere[1], brute(X[:300], X[:300], 4, "l2", np.arange(300))[0]
    )


@METRICS
def test_few_rows_can_all_be_neighbours_and_one_left_out_of_very_few_is_the_farthest(metric):
    """A query that is no row has one more row to choose among than a query that is one."""
    for n in (2, 5, 6, 7, 33, 64):
        check(X[:n], X[:2], n - 1, metric, np.array([0, -1]))
    for seed in range(20):
        x = np.random.default_rng(seed).normal(size=(7, 4))
        x[5:] = 9 + 1e-9 * x[5:]  # which of the two is farther, float32 cannot say
        check(x, x[[0, 2]], 6, metric, np.array([0, -1]))


@METRICS
def test_what_low_precision_cannot_tell_apart_is_settled_in_float64(metric):
    """Many rows differ by less than float32 resolves."""
    x = RNG.normal(size=(20_000, 16))
    x[:15_000] = x[0] + 1e-8 * RNG.normal(size=(15_000, 16))
    check(x, np.vstack([x[0] * 1.5, x[16_000], x[0] * 1.5]), 4, metric)


@METRICS
@pytest.mark.parametrize("k", [1, 5, 60, 299])
def test_a_row_may_stand_often(metric, k):
    """Of 300 rows, 76 are equal, 36 others are equal, and 20 are very close to the first."""
    x = np.random.default_rng(0).integers(-2, 3, size=(300, 6)).astype(np.float64)
    x[::5] = x[7]
    x[[*range(1, 250, 9), *range(2, 32, 10)]] = x[7]
    x[3::8] = x[4]
    x[6::15] = x[7] + 2.0**-20
    check(x, x, k, metric, np.where(np.arange(300) % 3, np.arange(300), -1))


@METRICS
@pytest.mark.parametrize("at", [1.0, 1e60, -1e60])
def test_rows_in_one_place_far_away_are_told_by_their_order_alone(metric, at):
    """At the scale of the queries, rounding in float64 exceeds the cost of padding."""
    result = nearest_neighbours(np.full((4, 8), at), np.ones((2, 8)), 4, metric=metric)
    assert result.rows.tolist() == [[0, 1, 2, 3]] * 2


def test_blocks_change_nothing_and_are_reported(monkeypatch):
    whole = nearest_neighbours(X, X[OWN], 4, own=OWN)
    monkeypatch.setattr(neighbours, "AT_ONCE", 1000 * 10)
    told = []
    with context.reporting(lambda *each: told.append(each)):
        parts = nearest_neighbours(X, X[OWN], 4, own=OWN)
    assert (parts.rows == whole.rows).all()
    np.testing.assert_allclose(parts.values, whole.values, rtol=1e-15)
    assert told[0] == (0, 80, "queries")
    assert told[-1] == (80, 80, "queries")
    assert len(told) > 3
