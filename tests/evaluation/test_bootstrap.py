"""Resamples against scipy and scikit-learn on the rows themselves, and the coverage of intervals.

For the coverage, pairs are bivariate normal, whose true rho is 6 / pi * asin(r / 2).
"""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from bertflow_core.evaluation import AUC, RHO, pair_scores
from bertflow_core.evaluation.bootstrap import AucResampled, PairedBootstrap, RhoResampled
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.evaluation.metrics import NDCG, strata

N = 90
RNG = np.random.default_rng(0)
SUBSETS = [("a", "b", "b", "c", "c", "c")[i % 6] for i in range(N)]
GOLD = RNG.integers(0, 6, N).astype(float)
LABELS = (GOLD > 2).astype(float)
UNTIED = GOLD + RNG.normal(scale=2, size=N)
TIED = np.round(UNTIED, 0)

METRICS = {
    RHO: (GOLD, lambda x, y: spearmanr(x, y).statistic),
    AUC: (LABELS, lambda x, y: roc_auc_score(y, x)),
    NDCG: (GOLD, lambda x, _: x.mean()),
}
RESAMPLED = {RHO: RhoResampled, AUC: AucResampled}


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_a_draw_is_scored_as_its_rows_are(metric, aggregation):
    judged, reference = METRICS[metric]
    parts, columns = strata(SUBSETS, aggregation), [UNTIED, TIED, -UNTIED]
    values = PairedBootstrap(columns, judged, parts, seed=1, metric=metric).draw(5)
    sources = map(np.random.default_rng, np.random.SeedSequence(1).spawn(len(parts)))
    rows = [
        part.rows[source.integers(len(part.rows), size=(5, len(part.rows)))]
        for part, source in zip(parts, sources, strict=True)
    ]
    for draw in range(5):
        expected = [
            sum(
                part.weight * reference(column[drawn[draw]], judged[drawn[draw]])
                for part, drawn in zip(parts, rows, strict=True)
            )
            for column in columns
        ]
        np.testing.assert_allclose(values[draw], expected, atol=1e-12)
    # Each pair once gives the score itself.
    once = sum(part.weight * reference(TIED[part.rows], judged[part.rows]) for part in parts)
    score = metric.score(TIED, judged, SUBSETS).main
    assert once == pytest.approx(getattr(score, aggregation), abs=1e-14)


@pytest.mark.parametrize("metric", [RHO, AUC], ids=lambda metric: metric.name)
def test_weights_equal_repeated_rows(metric):
    resampled, reference = RESAMPLED[metric], METRICS[metric][1]
    rng = np.random.default_rng(0)
    for n in 4 * [*range(1, 13)]:
        similarity, judged, counts = rng.integers(0, 4, size=(3, n)) * 1.0
        if metric is AUC:
            judged = judged % 2
        rows = np.repeat(np.arange(n), counts.astype(int))
        value = resampled([similarity], judged).values(counts[None])[0, 0]
        varies = [len(rows) > 1 and np.ptp(column[rows]) > 0 for column in (similarity, judged)]
        if varies[1] and (varies[0] or metric is AUC):
            assert value == pytest.approx(reference(similarity[rows], judged[rows]), abs=1e-12)
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("aggregation", ["all", "wmean"])
def test_draws_depend_on_the_seed_and_on_nothing_else(aggregation):
    """About a hundred draws of 90 pairs are computed at once."""
    parts = strata(SUBSETS, aggregation)
    draws = PairedBootstrap([UNTIED, TIED], GOLD, parts, seed=3).draw(400)
    other = PairedBootstrap([UNTIED, TIED], GOLD, parts, seed=4).draw(400)
    assert draws.shape == (400, 2) and not np.array_equal(draws, other)
    source = PairedBootstrap([UNTIED], GOLD, parts, seed=3)
    parted = np.concatenate([source.draw(141), source.draw(259)])
    assert np.array_equal(parted[:, 0], draws[:, 0])


def test_intervals_cover_and_equal_calibrators_do_not_differ():
    n_pairs, repetitions = 120, 400
    correlations = {"poor": 0.6, "good": 0.8, "as good": 0.8}
    rhos = {name: 6 / np.pi * np.arcsin(r / 2) for name, r in correlations.items()}
    rng, counts = np.random.default_rng(0), Counter()
    for repetition in range(repetitions):
        gold, *noise = rng.normal(size=(4, n_pairs))
        similarities = {
            name: r * gold + np.sqrt(1 - r**2) * e
            for (name, r), e in zip(correlations.items(), noise, strict=True)
        }
        options = {"aggregation": "all", "seed": repetition}
        found = pair_scores(similarities, gold, ["x"] * n_pairs, **options)
        for name, rho in rhos.items():
            low, high = found[name].interval(250)
            counts[name] += low <= rho <= high
        for name, each in compare_to("good", found, 250).items():
            counts[name, "less"] += each.low <= rhos[name] - rhos["good"] <= each.high
            counts[name, "apart"] += each.p <= 0.05
    apart = {name: counts.pop((name, "apart")) / repetitions for name in ("poor", "as good")}
    covered = {name: n / repetitions for name, n in counts.items()}
    assert len(covered) == 5 and all(0.93 <= share <= 0.97 for share in covered.values()), covered
    assert apart["as good"] <= 0.065 and apart["poor"] > 0.8, apart
