import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.linalg import centred, checked_cloud, sample_rows

X = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)


def test_a_cloud_is_taken_in_double_precision_and_left_as_it_was():
    result = checked_cloud(X)
    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, X)
    np.testing.assert_allclose(centred(result).mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(centred(result) + result.mean(0), X)


@pytest.mark.parametrize("x", [X[0], X[:1], X[:, :0], np.where(X > 1, np.nan, np.inf)])
def test_what_is_no_cloud_is_refused(x):
    with pytest.raises(InputError, match="finite embeddings"):
        checked_cloud(x)


def test_a_sample_is_seeded_rising_and_not_the_first_rows():
    np.testing.assert_array_equal(sample_rows(5, 5, seed=0), np.arange(5))
    result = sample_rows(100, 10, seed=0)
    assert len(set(result)) == 10
    assert (np.diff(result) > 0).all()
    assert result.max() > 10
    np.testing.assert_array_equal(result, sample_rows(100, 10, seed=0))
    assert list(result) != list(sample_rows(100, 10, seed=1))
