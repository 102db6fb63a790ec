import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from bertflow_core import context
from bertflow_core.errors import Cancelled
from bertflow_core.evaluation import bootstrap, score_pairs
from bertflow_core.evaluation.bootstrap import PairedBootstrap, RhoResampled
from bertflow_core.evaluation.sts import strata

N = 90
RNG = np.random.default_rng(0)
SUBSETS = [("a", "b", "b", "c", "c", "c")[i % 6] for i in range(N)]
GOLD = RNG.integers(0, 6, N).astype(float)
UNTIED = GOLD + RNG.normal(scale=2, size=N)
TIED = np.round(UNTIED, 0)


def counts_of(monkeypatch):
    """Keep the counts of every draw of every stratum, in turn."""
    kept, draw = [], bootstrap._counts

    def keep(*args):
        kept.append(draw(*args))
        return kept[-1]

    monkeypatch.setattr(bootstrap, "_counts", keep)
    return kept


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_a_draw_s_rho_is_scipy_s_on_the_rows_themselves(monkeypatch, aggregation):
    counts, parts = counts_of(monkeypatch), strata(SUBSETS, aggregation)
    rhos = PairedBootstrap([UNTIED, TIED, -UNTIED], GOLD, parts, seed=1).draw(20)
    for draw in range(20):
        for column, similarity in enumerate([UNTIED, TIED, -UNTIED]):
            expected = 0.0
            for part, drawn in zip(parts, counts, strict=True):
                assert drawn[draw].sum() == len(part.rows)  # the sizes of subsets stay
                rows = np.repeat(part.rows, drawn[draw].astype(int))
                expected += part.weight * spearmanr(similarity[rows], GOLD[rows]).statistic
            assert rhos[draw, column] == pytest.approx(expected, abs=1e-12)


@given(
    values=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12
    )
)
def test_weights_equal_repeated_rows(values):
    similarity, gold, counts = np.array(values, float).T
    rows = np.repeat(np.arange(len(gold)), counts.astype(int))
    resampled = RhoResampled([similarity], gold, strata(["x"] * len(gold), "all")[0])
    rho = resampled.values(counts[None])[0, 0]
    defined = len(rows) > 1 and np.ptp(similarity[rows]) > 0 and np.ptp(gold[rows]) > 0
    assert np.isnan(rho) == (not defined)
    if defined:
        assert rho == pytest.approx(spearmanr(similarity[rows], gold[rows]).statistic, abs=1e-12)


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_drawing_every_pair_once_gives_the_score(monkeypatch, aggregation):
    monkeypatch.setattr(bootstrap, "_counts", lambda rng, n, n_draws: np.ones((n_draws, n)))
    rho = PairedBootstrap([TIED], GOLD, strata(SUBSETS, aggregation), seed=0).draw(1)[0, 0]
    score = getattr(score_pairs(TIED, GOLD, SUBSETS).spearman, aggregation)
    assert rho == pytest.approx(score, abs=1e-14)


def test_every_pair_is_as_likely_as_any_other():
    counts = bootstrap._counts(np.random.default_rng(0), 10, 20_000)
    assert counts.shape == (20_000, 10)
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.03)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.05)  # n p (1 - p)


@pytest.mark.parametrize("aggregation", ["all", "wmean"])
def test_draws_depend_on_the_seed_and_on_nothing_else(monkeypatch, aggregation):
    parts = strata(SUBSETS, aggregation)
    draws = PairedBootstrap([UNTIED, TIED], GOLD, parts, seed=3).draw(100)
    other = PairedBootstrap([UNTIED, TIED], GOLD, parts, seed=4).draw(100)
    assert not np.array_equal(draws, other)
    monkeypatch.setattr(bootstrap, "_DRAWS_AT_ONCE", 7)
    source = PairedBootstrap([UNTIED], GOLD, parts, seed=3)
    parted = np.concatenate([source.draw(41), source.draw(59)])
    assert np.array_equal(parted[:, 0], draws[:, 0])


def test_what_ranks_alike_has_one_rho_bit_for_bit():
    draws = PairedBootstrap([UNTIED, np.exp(UNTIED)], GOLD, strata(SUBSETS, "mean"), seed=0)
    assert np.ptp(draws.draw(200), axis=1).max() == 0


def test_work_reports_progress_and_can_be_cancelled():
    calls = []

    def stop(done, total, unit):
        calls.append((done, total, unit))
        if done >= 64:
            raise Cancelled("enough")

    source = PairedBootstrap([UNTIED], GOLD, strata(SUBSETS, "all"), seed=0)
    with pytest.raises(Cancelled), context.reporting(stop):
        source.draw(1_000)
    assert len(calls) == 1 and calls[0][0] < calls[0][1] == 1_000


def test_memory_is_bounded_however_many_pairs_there_are(monkeypatch):
    shapes = []
    draw = bootstrap._counts
    monkeypatch.setattr(bootstrap, "_counts", lambda *a: shapes.append(a[1:]) or draw(*a))
    rng = np.random.default_rng(0)
    for n in (200, 10_000, 300_000):
        source = PairedBootstrap(
            [rng.normal(size=n)], rng.normal(size=n), strata(["x"] * n, "all"), seed=0
        )
        source.draw(40 if n < 300_000 else 2)
    assert max(n * n_draws for n, n_draws in shapes if n < 300_000) <= 1 << 18
    assert shapes[-1] == (300_000, 1)
