"""Bins and coordinates against numpy and scipy."""

import numpy as np
import pytest
from scipy import stats

from bertflow_core.analysis.frequency import (
    coordinate_rhos,
    frequency_bins,
    mean_of_nearest,
)
from bertflow_core.errors import InputError

RNG = np.random.default_rng(1)


def test_a_bin_holds_its_low_rank_and_not_its_high_one():
    ranks = np.array([0, 1, 2, 3, 7, 9])
    norms = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    l2, dot = {3: 10 * norms}, {3: -norms}
    first, second, third = frequency_bins(ranks, norms, l2, dot, [0, 2, 9, 20])
    assert [first.n, second.n, third.n] == [2, 3, 1]
    assert first.mean_norm == 1.5
    assert second.mean_norm == pytest.approx((4 + 8 + 16) / 3)
    assert third.knn_l2 == {3: 320.0}
    assert third.knn_dot == {3: -32.0}
    assert first.to_dict() == {
        "range": [0, 2],
        "n": 2,
        "mean_norm": 1.5,
        "knn_l2": {"3": 15.0},
        "knn_dot": {"3": -1.5},
    }
    assert (first.value("mean_norm"), first.value("knn_l2", 3)) == (1.5, 15.0)
    assert first.value("knn_dot", 4) is None


def test_a_bin_without_words_has_no_means():
    (empty,) = frequency_bins(np.array([5]), np.ones(1), {3: np.ones(1)}, {3: np.ones(1)}, [0, 5])
    assert (empty.n, empty.mean_norm, empty.knn_l2, empty.knn_dot) == (
        0,
        None,
        {3: None},
        {3: None},
    )


@pytest.mark.parametrize("edges", [[0], [0, 0], [5, 3], [-1, 4]])
def test_edges_must_rise(edges):
    with pytest.raises(InputError, match="rise"):
        frequency_bins(np.array([0]), np.ones(1), {}, {}, edges)


def test_the_mean_of_the_nearest_takes_the_first_k():
    values = np.array([[1.0, 2.0, 6.0], [2.0, 4.0, 9.0]])
    result = mean_of_nearest(values, [1, 3])
    np.testing.assert_allclose(result[1], [1, 2])
    np.testing.assert_allclose(result[3], [3, 5])


def test_coordinates_are_those_of_the_centred_svd_and_rhos_scipys():
    log_frequency = RNG.normal(size=300).round(1)  # with ties
    x = RNG.normal(size=(300, 12)) * np.linspace(5, 1, 12) + 3
    x[:, 2] -= 2 * log_frequency
    result = coordinate_rhos(x, log_frequency, n_coordinates=5)
    u, s, _ = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    expected = [abs(stats.spearmanr(u[:, k] * s[k], log_frequency).statistic) for k in range(5)]
    assert result == pytest.approx(expected)
    assert max(result) > 0.3
    assert result == pytest.approx(coordinate_rhos(-x, -log_frequency, n_coordinates=5))


def test_a_frequency_direction_is_detected_and_gone_when_removed():
    log_frequency = np.sort(RNG.normal(size=500))
    x = RNG.normal(size=(500, 6))
    x[:, 0] = 20 * log_frequency
    assert coordinate_rhos(x, log_frequency)[0] > 0.99
    assert max(coordinate_rhos(x[:, 1:], log_frequency)) < 0.2


def test_directions_without_variance_have_no_rho():
    x = np.zeros((30, 4))
    x[:, 0] = RNG.normal(size=30)
    result = coordinate_rhos(x, np.arange(30.0))
    assert result[0] is not None
    assert result[1:] == (None, None, None)
    assert coordinate_rhos(x, np.ones(30))[0] is None
    assert len(coordinate_rhos(RNG.normal(size=(4, 9)), np.arange(4.0))) == 3


def test_vectors_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="frequency each"):
        coordinate_rhos(np.ones((5, 3)), np.ones(4))
