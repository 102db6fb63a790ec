import numpy as np

from bertflow_core.linalg import sample_rows


def test_a_sample_is_seeded_rising_and_not_the_first_rows():
    np.testing.assert_array_equal(sample_rows(5, 5, seed=0), np.arange(5))
    result = sample_rows(100, 10, seed=0)
    assert len(set(result)) == 10
    assert (np.diff(result) > 0).all()
    assert result.max() > 10
    np.testing.assert_array_equal(result, sample_rows(100, 10, seed=0))
    assert list(result) != list(sample_rows(100, 10, seed=1))
