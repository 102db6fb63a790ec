"""Resample pairs and compute the rho of 8 calibrators on each resample.

The data are synthetic. Gold scores are on the scale of the STS Benchmark, 0 to 5 in fifths, which
gives many ties; each calibrator's similarities are noisier than the previous one's. There are 1,379
pairs, as in the benchmark's test split, and without `--quick` also 10,000.

The package makes 2,000 draws. The peer calls `scipy.stats.spearmanr` for each draw and calibrator.
It makes only the first 100 draws, and its time is multiplied by 20. Both draw the same rows;
`rho_difference` is the largest difference of a rho in these 100 draws. Both use one core.
"""

from functools import cache, partial

import numpy as np
from scipy.stats import spearmanr

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.metrics import strata

from .measure import Run

_CALIBRATORS, _SEED = 8, 0
_DRAWS, _FEW = 2_000, 100


def main() -> None:
    """Measure at both sizes, or only at the smaller one with `--quick`."""
    run, rows = Run.asked("bootstrap", __doc__), []
    for name, n in {"bootstrap": 1_379, "bootstrap-10000": 10_000}.items():
        if n == 1_379 or not run.quick:
            peer = "scipy.stats.spearmanr", partial(scipy_rhos, n, _FEW)
            ours = {name: partial(our_rhos, n, _DRAWS)}
            rows += run.compare(ours, peer, rho_difference, share=_FEW / _DRAWS)
    sizes = {"calibrators": _CALIBRATORS, "draws": _DRAWS, "draws_of_peer": _FEW}
    run.finish(rows, **sizes, repeats=run.repeats)


def our_rhos(n: int, draws: int) -> FloatArray:
    """Resample by the package; return rhos, shape (draws, 8)."""
    gold, similarities = _scored_pairs(n)
    return PairedBootstrap(similarities, gold, strata(["all"] * n, "all"), seed=_SEED).draw(draws)


def scipy_rhos(n: int, draws: int) -> FloatArray:
    """Resample by a plain loop; return rhos, shape (draws, 8)."""
    gold, similarities = _scored_pairs(n)
    # The same rows as in the first stratum of `PairedBootstrap`.
    rng = np.random.default_rng(np.random.SeedSequence(_SEED).spawn(1)[0])
    rhos = []
    for _ in range(draws):
        rows = rng.integers(n, size=n)
        rhos.append([spearmanr(each[rows], gold[rows]).statistic for each in similarities])
    return np.array(rhos)


def rho_difference(ours: FloatArray, theirs: FloatArray) -> dict[str, float]:
    """Compare the first draws."""
    return {"rho_difference": float(np.abs(ours[: len(theirs)] - theirs).max())}


@cache
def _scored_pairs(n: int) -> tuple[FloatArray, FloatArray]:
    """Return gold scores, shape (n,), and the similarities of each calibrator, shape (8, n)."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 26, n) / 5
    noise = np.linspace(1, 2, _CALIBRATORS)[:, None] * rng.normal(size=(_CALIBRATORS, n))
    return gold, gold + noise


if __name__ == "__main__":
    main()
