"""Bounds of costs against the costs themselves, of every pair, in float64."""

import numpy as np
import pytest

from bertflow_core.analysis import precisions
from bertflow_core.analysis.screening import GROUP, Frame, Metric, Screen

RNG = np.random.default_rng(0)
PRECISIONS = {"float32": precisions._Float32(), "bfloat16": precisions._BFloat16()}
SPACES = {
    "round": RNG.normal(size=(300, 24)),
    "cone": RNG.normal(size=(300, 24)) + 30 * RNG.normal(size=24),
    "loud feature": RNG.normal(size=(300, 24)) * np.r_[1e4, np.ones(23)],
    "lengths apart": RNG.normal(size=(300, 24)) * np.geomspace(1e-9, 1e9, 300)[:, None],
    "nearly one place": 1 + 1e-7 * RNG.normal(size=(300, 24)),
    "one place": np.ones((300, 24)),
    "tiny": 1e-30 * RNG.normal(size=(300, 24)),
}


def values_of(x, queries, metric):
    """Return distances or products of every pair, shape (n, V)."""
    if metric is Metric.DOT:
        return np.einsum("vd,nd->nv", x, queries)
    return np.linalg.norm(queries[:, None] - x[None], axis=2)


def bounds_and_limits(x, queries, metric, precision):
    """Return every bound (n, V) and the limit of every cost (n, V), both to be compared."""
    frame = Frame.of(x, queries, metric)
    screen = Screen.of(x, frame, precision)
    framed = frame.queries(queries)
    bounds = screen.bounds(framed, precision.empty(len(queries), len(screen.table)))
    values = values_of(x, queries, metric)
    limits = [bounds.limit(frame.costs(column, framed)) for column in values.T]
    return bounds, np.stack(limits, axis=1)


@pytest.mark.parametrize("precision", PRECISIONS.values(), ids=PRECISIONS)
@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("space", SPACES)
def test_no_bound_is_above_its_cost(space, factor, metric, precision):
    x = SPACES[space]
    queries = factor * np.vstack([x[:20], RNG.normal(size=(5, 24))])
    bounds, limits = bounds_and_limits(x, queries, metric, precision)
    assert (bounds.least[:, : len(x)] <= limits).all()


@pytest.mark.parametrize("precision", PRECISIONS.values(), ids=PRECISIONS)
@pytest.mark.parametrize("metric", Metric)
def test_few_rows_have_a_bound_within_the_tenth_cost(metric, precision):
    x = RNG.normal(size=(3000, 64)).astype(np.float32)
    bounds, limits = bounds_and_limits(x, x[:50], metric, precision)
    tenth = np.sort(limits, axis=1)[:, 9:10]
    within = (bounds.least[:, : len(x)] <= tenth).sum(axis=1)
    assert within.min() >= 10
    assert within.mean() < (11 if precision.step < 1e-6 else 25)


@pytest.mark.parametrize("precision", PRECISIONS.values(), ids=PRECISIONS)
def test_padding_and_what_is_left_out_come_last(precision):
    x = RNG.normal(size=(33, 8))
    frame = Frame.of(x, x, Metric.L2)
    screen = Screen.of(x, frame, precision)
    bounds = screen.bounds(frame.queries(x[:2]), precision.empty(2, len(screen.table)))
    assert bounds.least.shape == (2, 2 * GROUP)
    bounds.leave_out(np.array([1]), np.array([1]))
    assert set(np.argsort(bounds.least[0])[33:]) == set(range(33, 64))
    assert set(np.argsort(bounds.least[1])[32:]) == {1, *range(33, 64)}


def test_a_frame_holds_costs_of_distances_and_products():
    x, queries = 7 + RNG.normal(size=(30, 5)), 100 * RNG.normal(size=(4, 5))
    for metric in Metric:
        frame = Frame.of(x, queries, metric)
        rows, framed = frame.rows(x), frame.queries(queries)
        assert max(np.abs(rows).max(), np.abs(framed).max()) == pytest.approx(1)
        expected = (
            0.5 * np.square(framed[:, None] - rows).sum(2)
            if metric is Metric.L2
            else -framed @ rows.T
        )
        values = values_of(x, queries, metric)
        found = np.stack([frame.costs(column, framed) for column in values.T], axis=1)
        np.testing.assert_allclose(found, expected, atol=1e-12)
