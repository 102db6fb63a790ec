"""The width of an interval without resampling, against what samples of pairs give."""

import numpy as np
import pytest
from scipy.stats import rankdata

from bertflow_core.evaluation import AUC, RHO

N_SAMPLES = 2_000


@pytest.mark.parametrize(("n", "r"), [(30, 0.3), (50, 0.7), (200, 0.7)])
def test_that_of_rho_is_the_spread_of_rho_over_samples(n, r):
    rng = np.random.default_rng(n)
    x, noise = rng.standard_normal((2, N_SAMPLES, n))
    y = r * x + np.sqrt(1 - r**2) * noise
    a, b = (rankdata(each, axis=1) - (n + 1) / 2 for each in (x, y))
    rhos = (a * b).sum(axis=1) / (n * (n**2 - 1) / 12)
    low, high = np.quantile(rhos, [0.025, 0.975])
    assert RHO.half_width(rhos.mean(), x[0]) == pytest.approx((high - low) / 2, rel=0.16)


@pytest.mark.parametrize(("n_ones", "n_zeros", "apart"), [(15, 15, 0.5), (20, 80, 1.0)])
def test_that_of_auc_is_the_spread_of_auc_over_samples(n_ones, n_zeros, apart):
    rng = np.random.default_rng(n_ones)
    ones = apart + rng.standard_normal((N_SAMPLES, n_ones, 1))
    zeros = rng.standard_normal((N_SAMPLES, 1, n_zeros))
    aucs = (ones > zeros).mean(axis=(1, 2))
    low, high = np.quantile(aucs, [0.025, 0.975])
    labels = np.repeat([1.0, 0.0], [n_ones, n_zeros])
    assert AUC.half_width(aucs.mean(), labels) == pytest.approx((high - low) / 2, rel=0.16)


def test_of_a_perfect_rho_nothing_is_left_open():
    assert RHO.half_width(1.0, np.zeros(30)) == 0
