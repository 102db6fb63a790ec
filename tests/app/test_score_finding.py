"""What a page makes of numbers by itself: a sentence about scores, rows from a selection."""

from types import SimpleNamespace

import numpy as np
import pytest
from bertflow_app.parts.scores import score_finding
from bertflow_app.views.ledger.panels import selected_rows

from bertflow_core.evaluation import RHO


def results(*scores):
    """Return results of the plain vectors and of others, with these scores."""
    specs = ("identity", "whiten", "flow")
    return [
        SimpleNamespace(spec=spec, score=score, metric=RHO, random_cosine=cosine)
        for spec, score, cosine in zip(specs, scores, (0.43, 0.01, 0.02), strict=False)
    ]


BEST = "`flow` agrees best with people: rho x 100 50.00 to 62.00, +12.00"
COSINES = "; two random sentences have a cosine of 0.02 in place of 0.43."


@pytest.mark.parametrize(
    ("scores", "significant", "said"),
    [
        ((0.5, 0.6, 0.62), None, BEST + COSINES),
        ((0.5, 0.6, 0.62), True, BEST + COSINES),
        ((0.5, 0.6, 0.62), False, f"{BEST}, which is not significant{COSINES}"),
        (
            (0.5, 0.45, 0.4),
            False,
            "Nothing here agrees better with people than the plain vectors do: "
            "rho x 100 50.00 to 45.00, -5.00 at best.",
        ),
        ((0.5, None, None), None, ""),
        ((None, 0.6, 0.62), None, ""),
        ((0.5,), None, ""),
    ],
)
def test_the_best_is_named_with_its_gain_and_whether_it_is_proven(scores, significant, said):
    changes = {} if significant is None else {"flow": SimpleNamespace(significant=significant)}
    assert score_finding(results(*scores), changes) == said


def test_points_of_a_figure_that_had_more_rows_are_left_out():
    event = {"selection": {"point_indices": [2, 0, 2, 3, 9]}}
    assert selected_rows(event, np.array([50, 40, 70])).tolist() == [50, 70]
