import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from bertflow_core.evaluation import (
    cosine_matrix,
    pairwise_cosine,
    random_pair_cosine,
    random_pairs,
)

RNG = np.random.default_rng(0)


def test_cosine_agrees_with_scikit_learn():
    a, b = RNG.normal(size=(7, 5)), RNG.normal(size=(9, 5))
    np.testing.assert_allclose(cosine_matrix(a, b), cosine_similarity(a, b), atol=1e-12)
    np.testing.assert_allclose(
        pairwise_cosine(a, b[:7]), np.diag(cosine_similarity(a, b[:7])), atol=1e-12
    )


def test_a_zero_vector_has_cosine_zero_and_nothing_is_written_to():
    a = np.array([[0.0, 0.0], [3.0, 4.0]], np.float32)
    before = a.copy()
    np.testing.assert_array_equal(pairwise_cosine(a, a), [0.0, 1.0])
    np.testing.assert_array_equal(a, before)


def test_random_pairs_see_the_cone_and_never_pair_a_row_with_itself():
    centred = RNG.normal(size=(2000, 50))
    assert abs(random_pair_cosine(centred)) < 0.01
    assert random_pair_cosine(centred + 10) > 0.9
    assert random_pair_cosine(np.array([[1.0, 0.0], [-1.0, 0.0]])) == pytest.approx(-1)


@pytest.mark.parametrize("n_pairs", [5, 60, 700])
def test_the_random_cosine_is_the_mean_over_the_pairs_that_are_drawn(n_pairs):
    x = RNG.normal(1, 2, size=(60, 7)).astype(np.float32)
    x[3] = 0
    drawn = zip(*random_pairs(60, n_pairs=n_pairs, seed=4), strict=True)
    cosines = [cosine_matrix(x[[i]], x[[j]]).item() for i, j in drawn]
    assert random_pair_cosine(x, n_pairs=n_pairs, seed=4) == pytest.approx(np.mean(cosines))
    assert random_pair_cosine(x, n_pairs=n_pairs, seed=3) != pytest.approx(np.mean(cosines))
