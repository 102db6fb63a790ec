import numpy as np
import pytest

from bertflow_core.linalg import distinct_rows, second_moments
from bertflow_core.moments import covariance

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [2, 4096, 9000])
def test_covariance_is_numpy_s(dtype, n):
    x = (RNG.normal(size=(n, 7)) + 100).astype(dtype)
    mean, matrix = covariance(x)
    np.testing.assert_allclose(mean, x.astype(np.float64).mean(0), rtol=1e-13)
    np.testing.assert_allclose(matrix, np.cov(x.astype(np.float64).T), rtol=1e-10, atol=1e-12)


def test_second_moments_are_measured_from_the_origin_given():
    x = RNG.normal(size=(5000, 3)) + 2
    np.testing.assert_allclose(second_moments(x), x.T @ x, rtol=1e-12)
    np.testing.assert_allclose(second_moments(x, 1.0), (x - 1).T @ (x - 1), rtol=1e-12)


def test_distinct_rows_are_the_first_of_each_sentence():
    assert distinct_rows(["b", "a", "b", "c", "a"]).tolist() == [0, 1, 3]
    assert distinct_rows([]).tolist() == []
