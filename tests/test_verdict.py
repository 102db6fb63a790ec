"""The best of several rows beside a reference, from made-up values of queries."""

import re

import numpy as np
import pytest

from bertflow_core.calibrators.spec import Spec
from bertflow_core.evaluation import METRICS, compare, mean_scores
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.lab.verdict import Outcome, verdict

N = 80
NOISE = np.random.default_rng(0).uniform(-0.1, 0.1, (6, N))
RAW = np.linspace(0.2, 0.6, N)


def scores_of(**gains):
    """Return the scores of rows that differ from `raw` by a mean gain and noise."""
    rows = {"raw": RAW}
    rows |= {name: RAW + gain + NOISE[i] for i, (name, gain) in enumerate(gains.items())}
    return mean_scores(rows)


@pytest.mark.parametrize(
    ("gains", "best", "outcome"),
    [
        ({"a": 0.1, "b": 0.2}, "b", Outcome.GAIN),
        ({"a": 0.001, "b": -0.2}, "a", Outcome.NONE),
        ({"a": -0.1, "b": -0.2}, "a", Outcome.LOSS),
    ],
)
def test_the_best_row_is_above_like_or_below_the_reference(gains, best, outcome):
    scores = scores_of(**gains)
    found = verdict(scores, "raw")
    assert (found.best, found.outcome, found.n_rows, found.n_tested) == (best, outcome, 2, 2)
    assert found.change == compare_to("raw", scores)[best]
    said = found.sentence("captions", METRICS["ndcg"], str)
    after, before = (f"{100 * scores[name].value:.2f}" for name in (best, "raw"))
    assert f"{after} against {before}" in said
    assert "best of 2 other rows" in said
    assert "Holm-adjusted over 2 differences" in said


def test_the_best_of_many_is_tested_among_all_of_them():
    scores = scores_of(**{name: 0.016 for name in "abcde"})
    best = max("abcde", key=lambda name: scores[name].value)
    alone = compare({"": (scores["raw"], scores[best])})[""]
    found = verdict(scores, "raw")
    assert alone.significant
    assert found.change.p == alone.p
    assert found.change.p_adjusted > alone.p_adjusted
    assert (found.best, found.n_tested) == (best, 5)


def test_dev_chooses_and_its_choice_alone_is_tested():
    scores = scores_of(a=0.1, b=0.2)
    found = verdict(scores, "raw", dev={"a": 0.9, "b": 0.8, "raw": 0.95})
    assert (found.best, found.n_rows, found.n_tested) == ("a", 2, 1)
    assert found.change == compare({"": (scores["raw"], scores["a"])})[""]
    said = found.sentence("captions", METRICS["ndcg"], str)
    assert "best on dev of 2 other rows" in said
    assert "Holm" not in said


def test_one_row_that_was_asked_for_is_one_test():
    found = verdict(scores_of(a=0.1), "raw")
    said = found.sentence("captions", METRICS["ndcg"], {"a": "A", "raw": "B"}.get)
    assert said.startswith("On captions, A scores significantly higher than B: nDCG@10 x 100 ")
    assert "Holm" not in said


def test_too_few_units_give_their_own_sentence():
    found = verdict(scores_of(a=0.1), "raw", too_few="80 queries are too few.")
    assert found.outcome is Outcome.TOO_FEW
    assert found.sentence("captions", METRICS["ndcg"], str) == "80 queries are too few."


def test_rows_with_the_score_of_the_reference_or_without_one_are_not_chosen():
    same = mean_scores({"raw": RAW, "again": RAW})
    undefined = mean_scores({"raw": RAW, "none": np.full(N, np.nan)})
    assert verdict(same, "raw") is verdict(undefined, "raw") is verdict(undefined, "none") is None


@pytest.mark.parametrize(
    ("gains", "dev", "few", "expected"),
    [
        ({"a": 0.1, "b": 0.2}, None, "", "BERT-flow beats the plain output: {b} against {raw}."),
        ({"b": 0.2}, None, "", "BERT-flow beats the plain output: {b} against {raw}."),
        (
            {"a": 0.001, "b": -0.2},
            None,
            "",
            "No significant gain over the plain output: {a} against {raw}.",
        ),
        (
            {"a": 0.001},
            None,
            "",
            "Mean and 6 directions removed and the plain output do not differ significantly: "
            "{a} and {raw}.",
        ),
        (
            {"a": -0.1, "b": -0.2},
            None,
            "",
            "Keep the plain output: {raw}, mean and 6 directions removed has {a}.",
        ),
        (
            {"b": -0.2},
            None,
            "",
            "BERT-flow scores lower than the plain output: {b} against {raw}.",
        ),
        (
            {"a": 0.1, "b": 0.2},
            {"a": 0.9, "b": 0.8},
            "",
            "Mean and 6 directions removed beats the plain output: {a} against {raw}.",
        ),
        ({"a": 0.1}, None, "too few queries", "Too few queries for an answer."),
    ],
)
def test_a_headline_has_two_numbers_and_few_words(gains, dev, few, expected):
    scores = scores_of(**gains)
    names = {"raw": "the plain output", "a": Spec("null-top-k:k=6").plain_name}
    names["b"] = Spec("flow:lr=0.01").plain_name
    found = verdict(scores, "raw", dev=dev, too_few=few)
    said = found.headline(METRICS["ndcg"], names.__getitem__)
    assert said == expected.format_map(
        {name: f"{100 * each.value:.2f}" for name, each in scores.items()}
    )
    assert len(re.findall(r"\d+\.\d+", said)) <= 2
    assert len(said.split()) <= 16
