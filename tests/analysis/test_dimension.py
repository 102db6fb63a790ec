import numpy as np
import pytest

from bertflow_core.analysis.dimension import two_nn
from bertflow_core.analysis.neighbours import knn
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)


def ideal(d, n=4000, k=8):
    """Distances as a uniform density in d dimensions gives them: T_j^d are a Poisson process."""
    return np.cumsum(RNG.exponential(size=(n, k)), axis=1) ** (1 / d)


@pytest.mark.parametrize("d", [1, 3, 20])
def test_distances_of_a_uniform_density_give_its_dimension(d):
    distances = ideal(d)
    assert two_nn(distances) == pytest.approx(d, rel=0.05)


def test_neither_scale_nor_the_space_around_matters():
    flat = RNG.uniform(size=(1500, 2))
    turn = np.linalg.qr(RNG.normal(size=(10, 10)))[0][:2]
    result = two_nn(knn(flat, 8)[0])
    assert result == pytest.approx(2, rel=0.1)
    assert two_nn(knn(50 * flat @ turn + 3, 8)[0]) == pytest.approx(result, rel=1e-3)


def test_a_line_has_one_dimension():
    line = np.outer(RNG.normal(size=1000), RNG.normal(size=12))
    distances, _ = knn(line, 8)
    assert two_nn(distances) == pytest.approx(1, rel=0.1)


def test_two_nn_is_the_slope_through_the_origin():
    distances = ideal(4, n=100, k=2)
    mu = np.sort(distances[:, 1] / distances[:, 0])[:90]
    heights = -np.log(1 - np.arange(1, 91) / 100)
    slope = np.linalg.lstsq(np.log(mu)[:, None], heights, rcond=None)[0][0]
    assert two_nn(distances) == pytest.approx(slope)


def test_rows_that_equal_another_are_left_out():
    distances = ideal(3, n=200)
    doubled = np.vstack([np.zeros((50, 8)), distances])
    assert two_nn(doubled) == pytest.approx(two_nn(distances))
    assert two_nn(np.zeros((50, 8))) is None
    assert two_nn(distances[:9]) is None
    assert two_nn(np.ones((50, 8))) is None
    with pytest.raises(InputError, match="at least"):
        two_nn(distances[:, :1])
