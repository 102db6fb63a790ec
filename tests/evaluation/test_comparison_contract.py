"""Numbers of comparisons as they were before one function made them all."""

import json
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.datasets.catalog import load_pairs
from bertflow_core.evaluation import AUC, RHO, compare_rhos
from bertflow_core.studies.retrieval import _compare

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
NDCG = np.round(np.clip(0.6 + RNG.normal(scale=0.3, size=(4, QUERIES)), 0, 1), 2)
NDCG[1] = NDCG[0]
NDCG[1, :3] += 0.01


def of_pairs(similarities, gold, subsets, aggregation, metric):
    found = compare_rhos(
        similarities,
        gold,
        subsets,
        baseline=next(iter(similarities)),
        aggregation=aggregation,
        metric=metric,
        n_draws=2_000,
        seed=5,
    )
    return {
        "scores": {name: [found.score(name), *found.interval(name)] for name in similarities},
        "changes": {
            each.name: [
                each.change.difference,
                each.change.low,
                each.change.high,
                each.p,
                each.p_adjusted,
            ]
            for each in found.to_baseline
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
    rows = [
        {"vectors": name, "layers": "last", "calibrator": spec}
        for name, spec in (
            ("plain output", "identity"),
            ("last", "identity"),
            ("last", "whiten"),
            ("last", "flow"),
        )
    ]
    for row in rows[1:]:
        row["layers"] = "last"
    rows[0]["layers"] = "model"
    _compare(rows, [*NDCG], 5)
    return [
        {key: value for key, value in row.items() if not isinstance(value, str)} for row in rows
    ]


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
    expected, found = json.loads(PINNED.read_text())[case], json.loads(json.dumps(CASES[case]()))
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
