"""The width of an interval without resampling, against what samples of pairs give."""

import numpy as np
import pytest
from scipy.stats import rankdata

from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, RHO
from bertflow_core.remarks import MANY_PAIRS, WIDE, few_pairs

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


@pytest.mark.parametrize(
    ("metric", "judged", "why"),
    [
        (RHO, np.arange(3.0), "at least 4 pairs, got 3"),
        (RHO, np.arange(0.0), "at least 4 pairs, got 0"),
        (AUC, np.ones(5), "two kinds"),
        (AUC, np.zeros(5), "two kinds"),
    ],
)
def test_pairs_without_an_interval_are_refused(metric, judged, why):
    for value in (0.5, 1.0):
        with pytest.raises(InputError, match=why):
            metric.half_width(value, judged)
    assert 0 < RHO.half_width(0.5, np.zeros(4)) < 1


def labels(n_ones, n):
    return (np.arange(n) < n_ones).astype(float)


POINTS = "x 100 is known to about {} points either way (95 % interval)."


@pytest.mark.parametrize(
    ("metric", "judged", "half_width", "said"),
    [
        (AUC, labels(8, 5_000), None, f"Only 8 of 5,000 pairs have label 1: AUC {POINTS}"),
        (AUC, labels(4_999, 5_000), 0.4, f"Only 1 of 5,000 pairs has label 0: AUC {POINTS}"),
        (AUC, labels(24, 100), 0.12, f"Only 24 of 100 pairs have label 1: AUC {POINTS}"),
        (AUC, labels(25, 100), 0.12, f"Only 100 pairs: AUC {POINTS}"),
        (AUC, labels(400, 500), None, ""),
        (AUC, labels(250, 500), 0.12, f"The AUC {POINTS}"),
        (RHO, labels(8, 50), None, f"Only 50 pairs: rho {POINTS}"),
        (RHO, labels(8, 5_000), 0.12, f"The rho {POINTS}"),
        (RHO, labels(8, 5_000), None, ""),
        (RHO, labels(8, 50), np.nan, ""),
        (AUC, labels(8, 5_000), np.nan, ""),
        (RHO, labels(8, 29), np.nan, "Only 29 pairs: a rho of so few is mostly chance."),
    ],
)
def test_what_makes_an_interval_wide_is_named(metric, judged, half_width, said):
    width = metric.half_width(0.7, judged) if half_width is None else half_width
    found = few_pairs(len(judged), metric, half_width=width, judged=judged)
    assert found == said.format(round(100 * np.nan_to_num(width)))


def test_so_many_pairs_have_no_wide_interval_for_their_number():
    scores = np.linspace(0, 1, 101)
    assert max(RHO.half_width(rho, np.zeros(MANY_PAIRS)) for rho in scores) < WIDE
    assert max(AUC.half_width(auc, labels(MANY_PAIRS // 2, MANY_PAIRS)) for auc in scores) < WIDE


def test_of_a_perfect_rho_nothing_is_left_open():
    assert RHO.half_width(1.0, np.zeros(30)) == 0
