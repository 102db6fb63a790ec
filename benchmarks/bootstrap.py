"""Resample pairs and score 8 calibrators on each resample: weighted ranks against ranking anew.

Synthetic gold scores on the scale of the STS Benchmark (0 to 5 in fifths, so with many ties) and
similarities of growing noise, at the 1,379 pairs of its test split and at 10,000. The package does
2,000 draws; the reference, `scipy.stats.spearmanr` of the resampled rows, one call a draw and
calibrator, does the first 100 of them, and the ratio is of seconds a draw. Both see the same rows:
the last column is the largest difference of a rho of these 100 draws. On one core both ways.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Measured, Way, compare_ways
from benchmarks.record import Outcome
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.sts import strata

__all__ = ["prepare_ours", "prepare_scipy", "run"]

FloatArray = npt.NDArray[np.float64]

_CALIBRATORS, _SEED = 8, 0


def run(*, quick: bool) -> Outcome:
    """Measure at both sizes, or at a small one."""
    sizes, draws, few, repeats = ((200,), 100, 10, 1) if quick else ((1_379, 10_000), 2_000, 100, 3)
    rows = []
    for n in sizes:
        ways = [
            Way(f"scipy, spearmanr of rows, N = {n:,}", prepare_scipy, {"n": n, "draws": few}),
            Way(f"bertflow-lab, N = {n:,}", prepare_ours, {"n": n, "draws": draws}),
        ]
        measured = compare_ways(ways, repeats=repeats)
        reference = measured[0].result
        rows += [_row(way, reference) for way in measured]
    return Outcome(
        {"calibrators": _CALIBRATORS, "repeats": repeats, "scipy": version("scipy")}, rows
    )


def prepare_scipy(n: int, draws: int) -> Callable[[], FloatArray]:
    """Return the plain loop, which gives rhos of shape (draws, 8)."""
    from scipy.stats import spearmanr

    gold, similarities = _scored_pairs(n)

    def work() -> FloatArray:
        # The first stratum's rows of `PairedBootstrap`.
        rng = np.random.default_rng(np.random.SeedSequence(_SEED).spawn(1)[0])
        rhos = np.empty((draws, _CALIBRATORS))
        for draw in range(draws):
            rows = rng.integers(n, size=n)
            for column, similarity in enumerate(similarities):
                rhos[draw, column] = spearmanr(similarity[rows], gold[rows]).statistic
        return rhos

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


def _row(measured: Measured, reference: FloatArray) -> dict[str, Any]:
    draws, few = len(measured.result), len(reference)
    difference = float(np.abs(measured.result[:few] - reference).max())
    a_draw = replace(measured, ratio=measured.ratio * draws / few)
    return a_draw.row(
        draws=draws,
        draws_per_second=round(draws / measured.seconds),
        rho_difference=float(f"{difference:.1e}"),
    )
