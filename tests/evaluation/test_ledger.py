import numpy as np
import pytest
from scipy.stats import rankdata

from bertflow_core.evaluation import build_ledger, score_pairs

# Five pairs; after calibration the first two change places and are right, the last two wrong.
GOLD = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
BEFORE = np.array([0.2, 0.1, 0.3, 0.4, 0.5])
AFTER = np.array([0.1, 0.2, 0.3, 0.9, 0.8])
SUBSETS = ["a", "a", "a", "b", "b"]


def ledger(aggregation="all"):
    return build_ledger(BEFORE, AFTER, GOLD, SUBSETS, aggregation=aggregation)


def test_a_ledger_by_hand():
    account = ledger()
    assert account.gold_rank.tolist() == [1, 2, 3, 4, 5]
    assert account.rank_before.tolist() == [2, 1, 3, 4, 5]
    assert account.rank_after.tolist() == [1, 2, 3, 5, 4]
    assert account.error_before.tolist() == [1, 1, 0, 0, 0]
    assert account.error_after.tolist() == [0, 0, 0, 1, 1]
    assert account.improved.tolist() == [1, 1, 0, -1, -1]
    # Products of centred ranks over 5 times the variance 2: (-2)(-1), (-1)(1), 0, (1)(1), (2)(-1).
    assert account.share == pytest.approx(np.array([2, -1, 0, 1, -2]) / 10)
    assert (account.rho_before, account.rho_after) == pytest.approx((0.9, 0.9))
    assert len(account) == 5


def test_ranks_within_subsets_by_hand():
    account = ledger("wmean")
    assert account.gold_rank.tolist() == [1, 2, 3, 1, 2]
    assert account.rank_after.tolist() == [1, 2, 3, 2, 1]
    # In a: (-1)(-1) and 0 (+1) over 3 times 2 / 3, times 3 / 5; in b each product is -2, over 2,
    # times 2 / 5.
    assert account.share == pytest.approx([0.3, 0, 0, -0.4, -0.4])
    assert account.rho_after - account.rho_before == pytest.approx(0.2 - (0.6 * 0.5 + 0.4))
    mean = ledger("mean").share
    assert mean == pytest.approx([0.25, 0, 0, -0.5, -0.5])


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_shares_add_up_to_the_gain(aggregation):
    rng = np.random.default_rng(0)
    for n in range(9, 41):
        before, after, gold = rng.integers(0, 6, size=(3, n)) * 1.0
        subsets = ["abc"[i] for i in rng.permutation(np.arange(n) % 3)]
        scores = (score_pairs(x, gold, subsets).spearman for x in (before, after))
        rhos = [getattr(each, aggregation) for each in scores]
        if None in rhos:
            continue
        account = build_ledger(before, after, gold, subsets, aggregation=aggregation)
        assert account.share.sum() == pytest.approx(rhos[1] - rhos[0], abs=1e-9)
        assert (account.rho_before, account.rho_after) == tuple(rhos)
        for subset in set(subsets) if aggregation != "all" else ():
            rows = [i for i, name in enumerate(subsets) if name == subset]
            assert np.array_equal(account.rank_after[rows], rankdata(after[rows]))
        assert np.array_equal(account.improved, account.error_before - account.error_after)


def test_the_ends_hold_what_moved_the_way_they_say_the_largest_change_first():
    before = np.array([1.0, 4.0, 3.0, 2.0, 5.0, 6.0])
    after = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 5.0])
    account = build_ledger(before, after, np.arange(6.0), ["x"] * 6, aggregation="all")
    assert account.most_improved(10).tolist() == [1, 3]
    assert account.most_worsened(10).tolist() == [4, 5]
    assert account.most_worsened(1).tolist() == [4]
    assert account.most_improved(0).tolist() == []
    mixed = np.array([5.0, 2.0, 3.0, 4.0, 1.0, 0.0])
    account = build_ledger(mixed, np.arange(6.0), np.arange(6.0), ["x"] * 6, aggregation="all")
    assert account.most_improved(2).tolist() == [0, 5]
