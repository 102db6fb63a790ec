"""Do intervals cover, and are equals left alone, as often as they say; seeded, 400 data sets.

Pairs are bivariate normal, whose true Spearman's rho is 6 / pi * asin(r / 2).
"""

import numpy as np
import pytest

from bertflow_core.evaluation import compare_rhos

N_PAIRS, N_DRAWS, REPETITIONS = 120, 400, 400


def true_rho(r):
    return 6 / np.pi * np.arcsin(r / 2)


def comparisons(correlations, seed):
    """Compare two calibrators whose noise is independent, on one data set after another."""
    rng = np.random.default_rng(seed)
    for repetition in range(REPETITIONS):
        gold, *noise = rng.normal(size=(3, N_PAIRS))
        similarities = {
            name: r * gold + np.sqrt(1 - r**2) * e
            for name, r, e in zip("ab", correlations, noise, strict=True)
        }
        yield compare_rhos(
            similarities,
            gold,
            ["x"] * N_PAIRS,
            baseline="b",
            aggregation="all",
            n_draws=N_DRAWS,
            seed=repetition,
        )


@pytest.mark.parametrize(("correlations", "seed"), [((0.8, 0.6), 0), ((0.7, 0.7), 1)])
def test_intervals_cover_and_equal_calibrators_do_not_differ(correlations, seed):
    rhos = [true_rho(r) for r in correlations]
    covered, covered_differences, apart = 0, 0, 0
    for comparison in comparisons(correlations, seed):
        interval, (difference,) = comparison.interval("a"), comparison.to_baseline
        covered += interval.low <= rhos[0] <= interval.high
        ends = difference.interval
        covered_differences += ends.low <= rhos[0] - rhos[1] <= ends.high
        apart += difference.significant
    assert 0.93 <= covered / REPETITIONS <= 0.97
    assert 0.93 <= covered_differences / REPETITIONS <= 0.97
    assert apart <= 0.065 * REPETITIONS if rhos[0] == rhos[1] else apart > 0.8 * REPETITIONS
