import numpy as np
import pytest
from scipy.stats import skew

from bertflow_core.analysis.hubness import k_occurrence, occurrence_skewness
from bertflow_core.analysis.neighbours import knn

RNG = np.random.default_rng(0)


def test_occurrences_are_counted_over_all_rows():
    neighbours = np.array([[1, 2], [0, 2], [0, 1], [0, 2]])
    np.testing.assert_array_equal(k_occurrence(neighbours, 4), [3, 2, 3, 0])


def test_the_skewness_is_scipys():
    counts = RNG.poisson(3, size=500)
    assert occurrence_skewness(counts) == pytest.approx(skew(counts))
    assert occurrence_skewness(np.array([0, 0, 0, 4])) == pytest.approx(2 / np.sqrt(3))
    assert occurrence_skewness(np.array([4, 4, 4, 0])) == pytest.approx(-2 / np.sqrt(3))
    assert occurrence_skewness(np.full(9, 3)) is None


def test_hubs_grow_with_the_dimension():
    """As Radovanović et al. (2010) find for independent Gaussian features."""
    result = []
    for d in (2, 20, 200):
        x = RNG.normal(size=(1000, d))
        result.append(occurrence_skewness(k_occurrence(knn(x, 10)[1], 1000)))
    assert result == sorted(result)
    assert result[0] < 0.5
    assert result[2] > 2
