import numpy as np
import pytest
from scipy.spatial.distance import cdist

from bertflow_core.analysis.neighbours import knn
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)


def test_distances_are_exact_and_leave_the_row_itself_out():
    x = RNG.normal(size=(80, 6)) + 1000
    distances, rows = knn(x, 5)
    full = cdist(x, x)
    np.fill_diagonal(full, np.inf)
    np.testing.assert_allclose(distances, np.sort(full, axis=1)[:, :5], rtol=1e-5)
    np.testing.assert_array_equal(rows, np.argsort(full, axis=1)[:, :5])


def test_queries_look_at_all_rows():
    x = RNG.normal(size=(30, 3))
    distances, rows = knn(x, 2, queries=x[:4])
    np.testing.assert_array_equal(rows[:, 0], np.arange(4))
    np.testing.assert_allclose(distances[:, 0], 0, atol=1e-6)
    assert knn(x, 30, queries=x)[0].shape == (30, 30)


@pytest.mark.parametrize("k", [0, 30])
def test_too_many_or_no_neighbours_are_refused(k):
    with pytest.raises(InputError, match="k must be"):
        knn(RNG.normal(size=(30, 3)), k)
