"""Resample pairs and compute the rho of 8 calibrators on each resample.

The data are synthetic. Gold scores are on the scale of the STS Benchmark, 0 to 5 in fifths, which
gives many ties; each calibrator's similarities are noisier than the previous one's. There are 1,379
pairs, as in the benchmark's test split, and without `--quick` also 10,000.

The package makes 2,000 draws. The peer calls `scipy.stats.spearmanr` for each draw and calibrator.
It makes only the first 100 draws, and its time is multiplied by 20. Both draw the same rows;
`rho_difference` is the largest difference of a rho in these 100 draws. Both use one core.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.metrics import strata

from .measure import Comparison, Outcome, Way, outcome_of

_CALIBRATORS, _SEED = 8, 0
_DRAWS, _FEW = 2_000, 100


def run(*, quick: bool) -> Outcome:
    """Measure at both sizes, or only at the smaller one if `quick`."""
    names = {1_379: "bootstrap"} if quick else {1_379: "bootstrap", 10_000: "bootstrap-10000"}
    found = [comparison(name, n) for n, name in names.items()]
    sizes = {"calibrators": _CALIBRATORS, "draws": _DRAWS, "draws_of_peer": _FEW}
    return outcome_of(found, quick=quick, **sizes)


def comparison(name: str, n: int, draws: int = _DRAWS, few: int = _FEW) -> Comparison:
    """Return the comparison on `n` pairs."""
    return Comparison(
        Way("scipy.stats.spearmanr", partial(prepare_scipy, n, few), share=few / draws),
        [Way(name, partial(prepare_ours, n, draws))],
        lambda ours, theirs: {"rho_difference": float(np.abs(ours[:few] - theirs).max())},
    )


def prepare_scipy(n: int, draws: int) -> Callable[[], FloatArray]:
    """Return a plain loop as a function, which returns rhos of shape (draws, 8)."""
    from scipy.stats import spearmanr

    gold, similarities = _scored_pairs(n)

    def work() -> FloatArray:
        # The same rows as in the first stratum of `PairedBootstrap`.
        rng = np.random.default_rng(np.random.SeedSequence(_SEED).spawn(1)[0])
        rhos = []
        for _ in range(draws):
            rows = rng.integers(n, size=n)
            rhos.append([spearmanr(each[rows], gold[rows]).statistic for each in similarities])
        return np.array(rhos)

    return work


def prepare_ours(n: int, draws: int) -> Callable[[], FloatArray]:
    """Return the package's bootstrap as a function, which returns rhos of shape (draws, 8)."""
    gold, similarities = _scored_pairs(n)
    parts = strata(["all"] * n, "all")
    return lambda: PairedBootstrap(similarities, gold, parts, seed=_SEED).draw(draws)


def _scored_pairs(n: int) -> tuple[FloatArray, FloatArray]:
    """Return gold scores, shape (n,), and the similarities of each calibrator, shape (8, n)."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 26, n) / 5
    noise = np.linspace(1, 2, _CALIBRATORS)[:, None] * rng.normal(size=(_CALIBRATORS, n))
    return gold, gold + noise
