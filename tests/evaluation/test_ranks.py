import numpy as np
from scipy.stats import rankdata

from bertflow_core.evaluation.ranks import average_ranks


def test_ranks_are_those_of_scipy_with_and_without_ties():
    rng = np.random.default_rng(0)
    for values in (rng.normal(size=50), rng.integers(0, 5, 80) / 4, np.ones(3), np.float32([2, 1])):
        ranks = average_ranks(values)
        assert ranks.dtype == np.float64
        assert np.array_equal(ranks, rankdata(values))
