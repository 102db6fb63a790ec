"""The contribution of each coordinate to the mean cosine, compared with a sum over pairs."""

from itertools import permutations

import numpy as np
import pytest

from bertflow_core.analysis.coordinates import (
    coordinate_contributions,
    cosine_parts,
    largest_coordinates,
)
from bertflow_core.analysis.isotropy import mean_cosine

X = np.random.default_rng(0).normal(size=(30, 8)) * [1, 9, 1, 1, 1, 1, 1, 1] + [
    0,
    0,
    0,
    5,
    0,
    0,
    0,
    9,
]


def _by_pairs(x: np.ndarray) -> np.ndarray:
    """Return the mean product of each coordinate over all ordered pairs of different unit rows."""
    lengths = [np.sqrt(float(row @ row)) or 1.0 for row in x]
    pairs = [*permutations(range(len(x)), 2)]
    return np.mean([x[i] / lengths[i] * x[j] / lengths[j] for i, j in pairs], axis=0)


@pytest.mark.parametrize("x", [X, X.astype(np.float32), X[:2], np.vstack([X, np.zeros((2, 8))])])
def test_contributions_are_the_mean_products_of_pairs_and_sum_to_the_mean_cosine(x):
    found = coordinate_contributions(x)
    assert found.dtype == np.float64
    expected = _by_pairs(x.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert mean_cosine(x) == pytest.approx(expected.sum(), abs=1e-12)


def test_the_largest_coordinates_raise_the_cosine_rather_than_vary():
    assert largest_coordinates(X, 2).tolist() == [7, 3]  # coordinate 1 varies without a mean
    opposed = np.array([[1.0, 2.0], [-1.0, 2.0]])  # coordinate 0 lowers the cosine
    assert largest_coordinates(opposed, 2).tolist() == [1, 0]


def test_the_parts_of_a_cosine_are_mean_products_over_all_pairs():
    first, others = X[:, ::-1] + 3, 2 * X
    whole = first + others
    unit = whole / np.linalg.norm(whole, axis=1, keepdims=True)
    scales = np.linalg.norm(whole, axis=1)
    pairs = [*permutations(range(len(X)), 2)]
    total = np.mean([unit[i] @ unit[j] for i, j in pairs])
    of_first = np.mean([first[i] / scales[i] @ unit[j] for i, j in pairs])
    chosen = np.array([7, 3])
    of_chosen = np.mean([others[i, chosen] / scales[i] @ unit[j, chosen] for i, j in pairs])
    found = cosine_parts(first, others, chosen)
    assert found["first_part"] == pytest.approx(of_first / total)
    assert found["coordinates_part"] == pytest.approx(of_chosen / total)
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    opposed = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert {*cosine_parts(opposed, opposed, np.array([0])).values()} == {None}
