"""Which way an answer of the check goes, on scores whose order is known."""

from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.evaluation import mean_scores
from bertflow_core.evaluation.metrics import NDCG
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.advice.answers import WORD_OVERLAP, how_good

OWN = Recipe(layers="model")
VALUES = np.linspace(0.2, 0.6, 200)
NOISE = np.random.default_rng(0).normal(size=200)


@pytest.mark.parametrize(
    ("gap", "spread", "relation"),
    [
        (0.2, 0.1, "significantly more than"),
        (-0.2, 0.1, "significantly less than"),
        (0.001, 0.1, "not significantly different from"),
    ],
)
def test_a_score_is_more_less_or_like_that_of_word_overlap(gap, spread, relation):
    known = VALUES - gap + spread * (NOISE - NOISE.mean())
    scores = mean_scores({OWN: VALUES, WORD_OVERLAP: known})
    board = SimpleNamespace(
        datasets=("toy",),
        rows=SimpleNamespace(every=(OWN,), models=(OWN.model,)),
        scores={"toy": scores},
        metric=lambda name: NDCG,
        data=lambda name: SimpleNamespace(targets=VALUES, title="toy"),
        too_few=lambda name: "",
    )
    text = how_good(board).text
    assert text == f"It scores 40.00, {relation} word overlap with {100 * (0.4 - gap):.2f}."
