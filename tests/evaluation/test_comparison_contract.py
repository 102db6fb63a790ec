"""Numbers of comparisons as they were before one function made them all."""

import json
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.datasets.catalog import load_pairs
from bertflow_core.evaluation import AUC, RHO, compare, mean_scores, pair_scores
from bertflow_core.evaluation.comparison import compare_to

PINNED = Path(__file__).parent / "pinned_comparisons.json"
RNG = np.random.default_rng(20)
N = 120
SUBSETS = ["ab"[i % 3 == 0] for i in range(N)]
GOLD = RNG.integers(0, 11, N) / 2
SIMILARITIES = {
    "raw": GOLD + RNG.normal(scale=3, size=N),
    "better": GOLD + RNG.normal(scale=2, size=N),
    "coarse": np.round(GOLD + RNG.normal(scale=3, size=N)),
    "close": GOLD + RNG.normal(scale=2.1, size=N),
}
QUERIES = 40
NDCG = np.clip(0.6 + RNG.normal(scale=0.3, size=(4, QUERIES)), 0, 1)
NDCG[1] = NDCG[0]
NDCG[1, :3] += 0.01


def of_pairs(similarities, gold, subsets, aggregation, metric):
    how = {"aggregation": aggregation, "metric": metric, "seed": 5}
    scores = pair_scores(similarities, gold, subsets, **how)
    changes = compare_to(next(iter(similarities)), scores, 2_000)
    return {
        "scores": {name: [each.value, *each.interval(2_000)] for name, each in scores.items()},
        "changes": {
            name: [each.difference, each.low, each.high, each.p, each.p_adjusted]
            for name, each in changes.items()
        },
    }


def words_shared(one, other):
    one, other = (set(text.lower().split()) for text in (one, other))
    return len(one & other) / len(one | other)


def captions(aggregation):
    pairs = load_pairs("captions", split="test")
    both = [*zip(pairs.first, pairs.second, strict=True)]
    similarities = {
        "words": np.array([words_shared(*each) for each in both]),
        "length": np.array([-float(abs(len(one) - len(other))) for one, other in both]),
    }
    return of_pairs(similarities, pairs.gold, pairs.subsets, aggregation, RHO)


def ndcg():
    scores = mean_scores(dict(enumerate(NDCG)), seed=5)
    changes = {"change": compare({i: (scores[1], scores[i]) for i in (2, 3)})}
    changes["to_plain"] = compare_to(0, scores)
    rows = []
    for i, score in scores.items():
        low, high = score.interval()
        row = {"ndcg": score.value, "ndcg_low": low, "ndcg_high": high}
        for name, each in changes.items():
            row |= each[i].exact_columns(name) if i in each else {}
        rows.append(
            {key: value for key, value in row.items() if value is not True and value is not False}
        )
    return rows


CASES = {
    **{
        f"rho {how}": lambda how=how: of_pairs(SIMILARITIES, GOLD, SUBSETS, how, RHO)
        for how in ("all", "mean", "wmean")
    },
    "auc": lambda: of_pairs(SIMILARITIES, (GOLD > 2).astype(float), SUBSETS, "mean", AUC),
    "captions": lambda: captions("all"),
    "ndcg": ndcg,
}


@pytest.mark.parametrize("case", CASES)
def test_a_comparison_has_the_numbers_it_had(case):
    expected, found = json.loads(PINNED.read_text())[case], CASES[case]()
    if case == "ndcg":
        expected, found = (
            {str(i): row for i, row in enumerate(each)} for each in (expected, found)
        )
        parts = found.keys()
    else:
        parts = ("scores", "changes")
    for part in parts:
        assert found[part].keys() == expected[part].keys()
        for name, numbers in expected[part].items():
            assert found[part][name] == pytest.approx(numbers, abs=1e-12), (part, name)
