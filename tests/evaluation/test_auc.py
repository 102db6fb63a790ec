import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, compare_rhos, score_labels
from bertflow_core.evaluation.bootstrap import AucResampled
from bertflow_core.evaluation.metric import read_scores
from bertflow_core.evaluation.sts import strata

N = 400
RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 2, N).astype(float)
GOOD = LABELS + RNG.normal(scale=1.0, size=N)
POOR = np.round(LABELS + RNG.normal(scale=3.0, size=N))  # with ties
SUBSETS = [("a", "b", "b")[i % 3] for i in range(N)]


@pytest.mark.parametrize("similarity", [GOOD, POOR, -POOR, np.zeros(N)])
def test_it_is_the_area_under_the_curve_of_scikit_learn(similarity):
    scores = score_labels(similarity, LABELS, SUBSETS)
    each = {}
    for name in ("a", "b"):
        rows = np.array([subset == name for subset in SUBSETS])
        each[name] = roc_auc_score(LABELS[rows], similarity[rows])
    assert scores.auc.all == pytest.approx(roc_auc_score(LABELS, similarity), abs=1e-12)
    assert scores.auc.subsets == pytest.approx(each, abs=1e-12)
    assert scores.auc.mean == pytest.approx(np.mean([*each.values()]), abs=1e-12)
    sizes = [SUBSETS.count(name) for name in each]
    weighted = np.average([*each.values()], weights=sizes)
    assert scores.auc.wmean == pytest.approx(weighted, abs=1e-12)
    assert read_scores(scores.to_dict()) == scores


def test_a_subset_of_one_label_leaves_the_averages_undefined():
    scores = score_labels(np.arange(4.0), np.array([0, 1, 1, 1.0]), ["a", "a", "b", "b"])
    assert (scores.auc.all, scores.auc.mean, scores.auc.wmean) == (1.0, None, None)
    assert scores.auc.subsets == {"a": 1.0, "b": None}


@pytest.mark.parametrize("labels", [[1, 1, 1], [0, 1, 2], [0.0, 0.5, 1.0], [np.nan, 0, 1]])
def test_labels_are_zeros_and_ones(labels):
    with pytest.raises(InputError, match="two kinds, 0 and 1"):
        score_labels(np.arange(3.0), np.array(labels), ["a"] * 3)


@given(
    values=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=12
    )
)
def test_weights_equal_repeated_rows(values):
    similarity, labels, counts = np.array(values, float).T
    rows = np.repeat(np.arange(len(labels)), counts.astype(int))
    stratum = strata(["x"] * len(labels), "all")[0]
    found = AucResampled([similarity], labels, stratum).values(counts[None])[0, 0]
    if len(set(labels[rows])) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(roc_auc_score(labels[rows], similarity[rows]), abs=1e-12)


def delong(first, second):
    """Return the difference of two AUCs and its standard error (DeLong et al., 1988)."""
    ones, zeros = LABELS == 1, LABELS == 0
    m, n = ones.sum(), zeros.sum()
    of_ones, of_zeros = [], []
    for x in (first, second):
        ranks = rankdata(x)
        of_ones.append((ranks[ones] - rankdata(x[ones])) / n)
        of_zeros.append(1 - (ranks[zeros] - rankdata(x[zeros])) / m)
    less = [of_ones[0] - of_ones[1], of_zeros[0] - of_zeros[1]]
    return less[0].mean(), np.sqrt(less[0].var(ddof=1) / m + less[1].var(ddof=1) / n)


def test_the_bootstrap_of_a_difference_agrees_with_delong():
    difference, error = delong(GOOD, POOR)
    tests = compare_rhos(
        {"good": GOOD, "poor": POOR, "mirror": -POOR},
        LABELS,
        SUBSETS,
        baseline="poor",
        aggregation="all",
        metric=AUC,
        n_draws=4_000,
    )
    found = tests.to_baseline[0]
    assert found.rho == pytest.approx(difference, abs=1e-12)
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(1.96 * error, rel=0.05)
    assert found.interval.low < difference < found.interval.high
    assert tests.draws.metric is AUC
    assert tests.letters["good"] == "a"
    assert found.significant == (abs(difference) > 1.96 * error)
