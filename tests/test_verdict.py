"""The best of several rows beside a reference, from made-up values of queries."""

import re

import numpy as np
import pytest

from bertflow_core.calibrators.spec import Spec
from bertflow_core.evaluation import METRICS, compare, mean_scores
from bertflow_core.lab.verdict import Outcome, verdict

N = 80
NOISE = np.random.default_rng(0).uniform(-0.1, 0.1, (6, N))
RAW = np.linspace(0.2, 0.6, N)
NDCG = METRICS["ndcg"]
NAMES = {"raw": "the plain output"}
NAMES |= {row: Spec(spec).plain_name for row, spec in (("a", "null-top-k:k=6"), ("b", "flow"))}
FEW = "80 queries are too few."
RELATIONS = {
    Outcome.GAIN: "scores significantly higher than",
    Outcome.NONE: "does not differ significantly from",
    Outcome.LOSS: "scores significantly lower than",
}


def scores_of(**gains):
    """Return the scores of rows that differ from `raw` by a mean gain and noise."""
    rows = {"raw": RAW}
    rows |= {name: RAW + gain + NOISE[i] for i, (name, gain) in enumerate(gains.items())}
    return mean_scores(rows)


BEATS = "{} beats the plain output: {} against {}."
CASES = [
    # Gains, scores on dev, the best row, the outcome, the headline.
    ({"a": 0.1, "b": 0.2}, None, "b", Outcome.GAIN, BEATS),
    ({"b": 0.2}, None, "b", Outcome.GAIN, BEATS),
    ({"a": 0.1, "b": 0.2}, {"a": 0.9, "b": 0.8, "raw": 0.95}, "a", Outcome.GAIN, BEATS),
    (
        *({"a": 0.001, "b": -0.2}, None, "a", Outcome.NONE),
        "No significant gain over the plain output: {1} against {2}.",
    ),
    (
        *({"a": 0.001}, None, "a", Outcome.NONE),
        "{} and the plain output do not differ significantly: {} and {}.",
    ),
    (
        *({"a": -0.1, "b": -0.2}, None, "a", Outcome.LOSS),
        "Keep the plain output: {2} against {1} (mean and 6 directions removed).",
    ),
    (
        *({"b": -0.2}, None, "b", Outcome.LOSS),
        "{} scores lower than the plain output: {} against {}.",
    ),
    ({"a": 0.1}, None, "a", Outcome.TOO_FEW, "Too few queries for an answer."),
]


@pytest.mark.parametrize(("gains", "dev", "best", "outcome", "headline"), CASES)
def test_the_best_row_and_its_test_make_the_answer(gains, dev, best, outcome, headline):
    scores = scores_of(**gains)
    too_few = FEW if outcome is Outcome.TOO_FEW else ""
    found = verdict(scores, "raw", dev=dev, too_few=too_few)
    tested = [best] if dev else [*gains]  # what dev chose is tested alone
    assert (found.best, found.outcome) == (best, outcome)
    assert (found.n_rows, found.n_tested) == (len(gains), len(tested))
    assert found.change == compare({row: (scores["raw"], scores[row]) for row in tested})[best]

    after, before = (f"{100 * scores[row].value:.2f}" for row in (best, "raw"))
    name = NAMES[best][0].upper() + NAMES[best][1:]
    short = found.headline(NDCG, NAMES.__getitem__)
    assert short == headline.format(name, after, before)
    assert len(short.split()) <= 16

    said = found.sentence("captions", NDCG, NAMES.__getitem__)
    if too_few:
        assert said == FEW
        return
    numbers = f"nDCG@10 x 100 {after} against {before} "
    relation = re.escape(f"{RELATIONS[outcome]} the plain output: {numbers}")
    assert re.match(rf"On captions, .*\b{NAMES[best]},? {relation}\(", said)
    chosen = "best on dev" if dev else "best"
    assert (f"the {chosen} of {len(gains)} other rows" in said) == (len(gains) > 1)
    holm = f"Holm-adjusted over {len(tested)} differences"
    assert (holm in said) == ("Holm" in said) == (len(tested) > 1)


def test_the_best_of_many_is_tested_among_all_of_them():
    scores = scores_of(**{name: 0.016 for name in "abcde"})
    best = max("abcde", key=lambda name: scores[name].value)
    alone = compare({"": (scores["raw"], scores[best])})[""]
    found = verdict(scores, "raw")
    assert alone.significant
    assert found.change.p == alone.p
    assert found.change.p_adjusted > alone.p_adjusted
    assert (found.best, found.n_tested) == (best, 5)


def test_rows_with_the_score_of_the_reference_or_without_one_are_not_chosen():
    same = mean_scores({"raw": RAW, "again": RAW})
    undefined = mean_scores({"raw": RAW, "none": np.full(N, np.nan)})
    assert verdict(same, "raw") is verdict(undefined, "raw") is verdict(undefined, "none") is None
