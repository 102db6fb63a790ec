"""What is said of scores whose intervals are wide."""

import numpy as np
import pytest

from bertflow_core.evaluation import AUC, RHO
from bertflow_core.remarks import MANY_PAIRS, WIDE, few_pairs


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
