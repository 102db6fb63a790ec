"""Resample pairs and score 8 calibrators on each resample: weighted ranks against ranking anew.

Synthetic gold scores on the scale of the STS Benchmark (0 to 5 in fifths, so with many ties) and
similarities of growing noise, at the 1,379 pairs of its test split; beyond `--quick` at 10,000 as
well. The package does 2,000 draws; the peer, `scipy.stats.spearmanr` of the resampled rows, one
call a draw and calibrator, does the first 100 of them, and its time is taken times 20. Both see the
same rows: `rho_difference` is the largest difference of a rho in these 100 draws. On one core both.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.sts import strata

from .measure import Comparison, Outcome, Way, outcome_of

_CALIBRATORS, _SEED = 8, 0
_DRAWS, _FEW = 2_000, 100


def run(*, quick: bool) -> Outcome:
    """Measure at both sizes, or at the first."""
    names = {1_379: "bootstrap"} if quick else {1_379: "bootstrap", 10_000: "bootstrap-10000"}
    found = [comparison(name, n) for n, name in names.items()]
    sizes = {"calibrators": _CALIBRATORS, "draws": _DRAWS, "draws_of_peer": _FEW}
    return outcome_of(found, quick=quick, **sizes)


def comparison(name: str, n: int, draws: int = _DRAWS, few: int = _FEW) -> Comparison:
    """Return `n` pairs resampled by both."""
    return Comparison(
        Way("scipy.stats.spearmanr", partial(prepare_scipy, n, few), share=few / draws),
        [Way(name, partial(prepare_ours, n, draws))],
        lambda ours, theirs: {"rho_difference": float(np.abs(ours[:few] - theirs).max())},
    )


def prepare_scipy(n: int, draws: int) -> Callable[[], FloatArray]:
    """Return the plain loop, which gives rhos of shape (draws, 8)."""
    from scipy.stats import spearmanr

    gold, similarities = _scored_pairs(n)

    def work() -> FloatArray:
        # The first stratum's rows of `PairedBootstrap`.
        rng = np.random.default_rng(np.random.SeedSequence(_SEED).spawn(1)[0])
        rhos = []
        for _ in range(draws):
            rows = rng.integers(n, size=n)
            rhos.append([spearmanr(each[rows], gold[rows]).statistic for each in similarities])
        return np.array(rhos)

    return work


def prepare_ours(n: int, draws: int) -> Callable[[], FloatArray]:
    """Return the package's draws with the sorting before them, rhos of shape (draws, 8)."""
    gold, similarities = _scored_pairs(n)
    parts = strata(["all"] * n, "all")
    return lambda: PairedBootstrap(similarities, gold, parts, seed=_SEED).draw(draws)


def _scored_pairs(n: int) -> tuple[FloatArray, FloatArray]:
    """Return gold scores, shape (n,), and the similarities of each calibrator, shape (8, n)."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 26, n) / 5
    noise = np.linspace(1, 2, _CALIBRATORS)[:, None] * rng.normal(size=(_CALIBRATORS, n))
    return gold, gold + noise
