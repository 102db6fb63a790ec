"""How narrow a cloud of embeddings is, and whether it is large enough for whitening."""

from dataclasses import dataclass

import numpy as np

from bertflow_core.analysis.spectrum import effective_rank, top_share
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import random_pair_cosine
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    covariance,
    principal_directions,
    split_blocks,
)
from bertflow_core.progress import Progress, silent

__all__ = ["FEWEST_ROWS", "Cone", "HeldOut", "measure_cone", "measure_held_out"]

FEWEST_ROWS = 20
"""Sentences that `measure_held_out` needs."""

_PARTS, _PARTS_HELD_OUT = 10, 3


@dataclass(frozen=True)
class Cone:
    """How narrow and how uneven a cloud is.

    Attributes:
        random_cosine: Mean cosine of 10,000 random pairs of rows, in [-1, 1]; near 1 in a cone.
        top_share: Share of the variance along the leading principal direction, in [0, 1].
        effective_rank: exp of the entropy of the shares of variance, from 1 to D.
        n_features: D.
    """

    random_cosine: float
    top_share: float
    effective_rank: float
    n_features: int


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


def measure_cone(x: FloatArray, *, seed: int = 0) -> Cone:
    """Measure a cloud of embeddings, shape (N, D), N >= 2.

    Args:
        x: Uncalibrated embeddings.
        seed: Random seed.

    Raises:
        InputError: Fewer than two rows, or no variance.

    References:
        Mean cosine: How Contextual are Contextualized Word Representations? (Ethayarajh, 2019),
        https://aclanthology.org/D19-1006.
    """
    cosine = random_pair_cosine(x, seed=seed)
    variances = _variances(x)
    return Cone(cosine, top_share(variances, 1), effective_rank(variances), x.shape[1])


def measure_held_out(x: FloatArray, *, seed: int = 0, progress: Progress = silent) -> HeldOut:
    """Fit whitening on nine tenths of a corpus and measure the variance of the rest, three times.

    Neighbours in the corpus, both sides of a pair among them, are held out together.

    Args:
        x: Embeddings of the corpus, each sentence once, shape (N, D), N >= 20.
        seed: Random seed.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Fewer than 20 rows, or no variance.
    """
    if len(x) < FEWEST_ROWS:
        raise InputError(
            f"holding some out needs at least {FEWEST_ROWS} distinct sentences, got {len(x)}"
        )
    variances = _variances(x)
    parts = split_blocks(len(x), _PARTS, seed=seed)
    held_out = []
    for part in range(_PARTS_HELD_OUT):
        progress(part, _PARTS_HELD_OUT, "parts")
        whiten = build_calibrator("whiten").fit(x[parts != part])
        z = np.asarray(whiten.transform(x[parts == part]), np.float64)
        held_out.append(np.square(z).mean())
    progress(_PARTS_HELD_OUT, _PARTS_HELD_OUT, "parts")
    rank = int((variances > VARIANCE_FLOOR * variances[0]).sum())
    return HeldOut(float(np.mean(held_out)), rank, len(x))


def _variances(x: FloatArray) -> FloatArray:
    """Return the covariance's eigenvalues, falling, shape (D,)."""
    variances, _ = principal_directions(covariance(np.asarray(x))[1])
    if variances[0] <= 0:
        raise InputError("all sentences have one embedding: there is nothing to calibrate")
    return variances
