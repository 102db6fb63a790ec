"""The answers of the check: which way one goes on known scores, and those of the example."""

from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.evaluation import mean_scores
from bertflow_core.evaluation.metrics import NDCG
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.advice import answers
from bertflow_core.studies.advice.answers import WORD_OVERLAP, how_good
from bertflow_core.studies.advice.study import advice, answers_of, stored_advice

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


def test_the_stored_check_draws_every_picture_and_has_its_tables():
    stored = stored_advice()
    assert {*stored.figures()} == {"models", "places", "gains", "threshold"}
    assert [table.title for table in stored.tables] == ["How good?", "Every layer"]
    for table in stored.tables:
        score = table.column("score")
        assert all(
            low < row["score"] < high for row in table.rows for low, high in [score.interval(row)]
        )


@pytest.mark.gate
def test_the_stored_check_is_made_again(captions_lab, monkeypatch):
    monkeypatch.setattr(answers, "REFERENCES", ("minilm",))  # others may be on this machine
    stored = stored_advice()
    found = advice(stored.params, captions_lab)
    assert found.facts["verdict"] == stored.facts["verdict"]
    for now, then in zip(answers_of(found), answers_of(stored), strict=True):
        assert now["question"] == then["question"]
        numbers = [name for name, value in then.items() if isinstance(value, float)]
        assert {name: now[name] for name in numbers} == pytest.approx(
            {name: then[name] for name in numbers}, abs=5e-3
        )
    for now, then in zip(found.tables, stored.tables, strict=True):
        scores = [[row["score"] for row in each.rows] for each in (now, then)]
        assert scores[0] == pytest.approx(scores[1], abs=3e-3)
