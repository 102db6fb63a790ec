"""What is said of scores whose intervals are wide."""

import numpy as np
import pytest

from bertflow_core.evaluation import AUC, RHO
from bertflow_core.remarks import doubt_of_score


class Judged:
    """Pairs of which as many have label 1."""

    def __init__(self, n_ones, n):
        self.judged = (np.arange(n) < n_ones).astype(float)


def test_of_400_pairs_no_interval_is_wide_for_their_number():
    half = Judged(200, 400).judged
    for metric in (RHO, AUC):
        assert max(metric.half_width(score, half) for score in np.linspace(0, 1, 101)) < 0.1


@pytest.mark.parametrize(
    ("metric", "n_ones", "n", "score", "said"),
    [
        (AUC, 8, 5_000, 0.7, "5,000 pairs AUC x 100 is known to about {} points"),
        (AUC, 400, 500, 0.7, ""),
        (RHO, 8, 50, 0.7, "50 pairs rho x 100 is known to about {} points"),
        (RHO, 8, 5_000, 0.7, ""),
        (RHO, 8, 50, None, ""),
        (RHO, 8, 29, None, "Only 29 pairs: a rho of so few is mostly chance."),
        (RHO, 8, 29, 0.7, "Only 29 pairs: a rho of so few is mostly chance."),
    ],
)
def test_a_wide_interval_is_told(metric, n_ones, n, score, said):
    pairs = Judged(n_ones, n)
    found = doubt_of_score(score, pairs, metric)
    if "{}" in said:
        said = said.format(round(100 * metric.half_width(score, pairs.judged)))
    assert said in found
    assert bool(found) == bool(said)
