"""Whether a corpus is large enough for whitening: the variance of sentences held out of it."""

from dataclasses import dataclass

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray, split_blocks
from bertflow_core.studies.advice.cone import variances_of

__all__ = ["FEWEST_ROWS", "HeldOut", "measure_held_out"]

FEWEST_ROWS = 20
"""Sentences that `measure_held_out` needs."""

_PARTS, _PARTS_HELD_OUT = 10, 3


@dataclass(frozen=True)
class HeldOut:
    """Whether a corpus is large enough for whitening.

    Attributes:
        variance: Mean variance a direction of held-out sentences under the whitening of the others;
            1 where the corpus determines it. Gaussian embeddings give about N / (N - D) for N > D:
            it grows without bound as N falls to D, where the weakest directions are all noise.
        rank: Directions that a whitening of the whole corpus keeps, K <= D.
        n_rows: N, sentences.
    """

    variance: float
    rank: int
    n_rows: int


def measure_held_out(x: FloatArray, *, seed: int = 0) -> HeldOut:
    """Fit whitening on nine tenths of a corpus and measure the variance of the rest, three times.

    Neighbours in the corpus, both sides of a pair among them, are held out together.

    Args:
        x: Embeddings of the corpus, each sentence once, shape (N, D), N >= 20.
        seed: Random seed.

    Raises:
        InputError: Fewer than 20 rows, or no variance.
    """
    if len(x) < FEWEST_ROWS:
        raise InputError(
            f"holding some out needs at least {FEWEST_ROWS} distinct sentences, got {len(x)}"
        )
    variances = variances_of(x)
    parts = split_blocks(len(x), _PARTS, seed=seed)
    held_out = []
    for part in range(_PARTS_HELD_OUT):
        context.report(part, _PARTS_HELD_OUT, "parts")
        whiten = build_calibrator("whiten").fit(x[parts != part])
        z = np.asarray(whiten.transform(x[parts == part]), np.float64)
        held_out.append(np.square(z).mean())
    context.report(_PARTS_HELD_OUT, _PARTS_HELD_OUT, "parts")
    rank = int((variances > VARIANCE_FLOOR * variances[0]).sum())
    return HeldOut(float(np.mean(held_out)), rank, len(x))
