"""The measures of the advice: cone, enough sentences, shift, and a linear classifier's loss."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.analysis.isotropy import effective_rank, top_share
from bertflow_core.calibrators.base import Calibrator, rank_lost
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import random_pair_cosine
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    blocks_of,
    principal_directions,
    split_blocks,
)
from bertflow_core.moments import covariance

__all__ = [
    *("FEWEST", "Cone", "HeldOut", "LinearLoss", "Shift"),
    *("measure_cone", "measure_held_out", "measure_linear_loss", "measure_shift"),
]

FEWEST = 20
"""Sentences that holding some out needs, and comparing two sets of each."""

_PARTS, _PARTS_HELD_OUT = 10, 3
_FOLDS, _PERMUTATIONS = 5, 99
_LARGEST = 2_000  # sentences per side: the AUC rises with their number
_RIDGE = 0.01  # a share of the mean variance of a feature
_ROWS = 4_000


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


def measure_cone(x: FloatArray, *, seed: int = 0) -> Cone:
    """Measure a cloud of embeddings, shape (N, D), N >= 2.

    Args:
        x: Uncalibrated embeddings.
        seed: Random seed.

    Raises:
        InputError: No variance.

    References:
        Mean cosine: How Contextual are Contextualized Word Representations? (Ethayarajh, 2019),
        https://aclanthology.org/D19-1006.
    """
    cosine = random_pair_cosine(x, seed=seed)
    variances = _variances(x)
    return Cone(cosine, top_share(variances, 1), effective_rank(variances), x.shape[1])


def _variances(x: FloatArray) -> FloatArray:
    """Return the eigenvalues of the covariance of embeddings, falling, shape (D,).

    Raises:
        InputError: No variance.
    """
    variances, _ = principal_directions(covariance(np.asarray(x))[1])
    if variances[0] <= 0:
        raise InputError("all sentences have one embedding: there is nothing to calibrate")
    return variances


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
    """
    variances = _variances(x)
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


@dataclass(frozen=True)
class Shift:
    """How well a classifier separates two sets of sentences.

    Attributes:
        auc: Mean over five folds of the area under the curve of a linear classifier, in [0, 1];
            0.5 where they are alike.
        floor: The 95 % quantile under permuted labels.
        n_first: Sentences of the first set that were used.
        n_second: Of the second.
    """

    auc: float
    floor: float
    n_first: int
    n_second: int


def measure_shift(first: FloatArray, second: FloatArray, *, seed: int = 0) -> Shift:
    """Cross-validate a linear classifier of the two sets; its floor comes from permuted labels.

    The classifier is ridge regression on +1 and -1, which is Fisher's discriminant with a shrunk
    covariance. Sentences that both sets hold must be left out before. Neighbours stay in one fold
    and are permuted together, so that a pair cannot reveal its set. At most 2,000 sentences per
    side are drawn, because the AUC rises with their number.

    Args:
        first: Embeddings of one set, each sentence once, shape (N, D), N >= 20.
        second: Of the other, shape (M, D), M >= 20.
        seed: Random seed.
    """
    sides = [_sample(side, seed) for side in (first, second)]
    x = np.concatenate(sides)
    folds = np.concatenate(
        [split_blocks(len(s), _FOLDS, seed=seed + i) for i, s in enumerate(sides)]
    )
    labels = _labels([len(s) for s in sides], seed)
    aucs = []
    for fold in range(_FOLDS):
        context.report(fold, _FOLDS, "folds")
        test = folds == fold
        scores = _ridge_scores(x[~test], labels[~test], x[test])
        aucs.append(_aucs(scores, labels[test]))
    context.report(_FOLDS, _FOLDS, "folds")
    mean = np.mean(aucs, axis=0)
    floor = float(np.quantile(mean[1:], 0.95))
    return Shift(float(mean[0]), floor, len(sides[0]), len(sides[1]))


def _sample(x: FloatArray, seed: int) -> npt.NDArray[np.float64]:
    """Return at most 2,000 rows, whole blocks of neighbours, in their order."""
    if len(x) > _LARGEST:
        blocks = blocks_of(len(x))
        order = np.random.default_rng(seed).permutation(int(blocks[-1]) + 1)
        x = x[np.flatnonzero(np.argsort(order)[blocks] < _LARGEST // 10)]
    return np.asarray(x, np.float64)


def _labels(sizes: list[int], seed: int) -> npt.NDArray[np.float64]:
    """Return +1 and -1 of each row, then 99 columns with the blocks' labels permuted."""
    signs = (1.0, -1.0)
    first, second = (blocks_of(n) for n in sizes)
    blocks = np.concatenate([first, second + first[-1] + 1])
    of_block = np.repeat(signs, [first[-1] + 1, second[-1] + 1])
    rng = np.random.default_rng(seed)
    columns = [of_block, *(rng.permutation(of_block) for _ in range(_PERMUTATIONS))]
    labels: npt.NDArray[np.float64] = np.stack(columns, axis=1)[blocks]
    return labels


def _ridge_scores(
    x: npt.NDArray[np.float64], labels: npt.NDArray[np.float64], x_test: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Fit every column of labels, shape (N, P), at once; return scores of the test rows, (M, P)."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    z, z_test = (x - mean) / scale, (x_test - mean) / scale
    gram = z.T @ z
    gram[np.diag_indices_from(gram)] += _RIDGE * len(z)
    weights = np.linalg.solve(gram, z.T @ (labels - labels.mean(axis=0)))
    scores: npt.NDArray[np.float64] = z_test @ weights
    return scores


def _aucs(
    scores: npt.NDArray[np.float64], labels: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the AUC of each column, shape (P,), by Mann and Whitney's sum of ranks."""
    from scipy.stats import rankdata

    positive = labels > 0
    n = positive.sum(axis=0)
    ranks = np.where(positive, rankdata(scores, axis=0), 0.0).sum(axis=0)
    both = n * (len(labels) - n)
    aucs: npt.NDArray[np.float64] = np.full(len(n), 0.5)
    np.divide(ranks - n * (n + 1) / 2, both, out=aucs, where=both > 0)
    return aucs


@dataclass(frozen=True)
class LinearLoss:
    """What a linear classifier of calibrated embeddings can no longer use.

    An invertible linear map loses nothing: w z + b = (w A) x + b' is linear in x as well.

    Attributes:
        rank_lost: Directions in which the embeddings vary and the calibrated ones do not.
        variance_lost: Share of the embeddings' variance that no linear map of the calibrated ones
            restores, in [0, 1].
    """

    rank_lost: int
    variance_lost: float


def measure_linear_loss(calibrator: Calibrator, x: FloatArray) -> LinearLoss:
    """Regress embeddings, shape (N, D), N >= 2, on their calibrated versions.

    At most 4,000 evenly spaced rows are used. With no more rows than directions kept, every
    map seems to lose nothing.

    Args:
        calibrator: Fitted.
        x: Embeddings.
    """
    x = x[np.linspace(0, len(x) - 1, min(len(x), _ROWS)).astype(int)]
    z = np.asarray(calibrator.transform(x), np.float64)
    centred = np.asarray(x, np.float64) - x.mean(axis=0, dtype=np.float64)
    z -= z.mean(axis=0)
    z /= max(float(np.abs(z).max()), np.finfo(np.float64).tiny)
    weights = np.linalg.lstsq(z, centred, rcond=1e-9)[0]
    total = float(np.square(centred).sum())
    left = float(np.square(centred - z @ weights).sum())
    return LinearLoss(rank_lost(calibrator, x), left / total if total > 0 else 0.0)
