"""The measurements that the advice judges: cone, corpus size, shift and loss for classifiers.

`UNITS` in `rules` gives the unit of each number by its name.
"""

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.isotropy import effective_rank, top_share
from bertflow_core.arrays.correlation import average_ranks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.sampling import blocks_of, split_blocks
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator, rank_lost
from bertflow_core.calibrators.spec import Spec
from bertflow_core.errors import InputError
from bertflow_core.evaluation import random_pair_cosine
from bertflow_core.runtime import context

FEWEST = 20
"""Smallest corpus of which some sentences are held out, and smallest sample to compare."""

_PARTS, _PARTS_HELD_OUT, _FOLDS = 10, 3, 5
_LARGEST = 2_000  # sentences per set: the AUC rises with their number
_RIDGE = 0.01  # penalty, as a share of the mean variance of a feature
_ROWS = 4_000


def measure_cone(x: FloatArray, *, seed: int = 0) -> dict[str, float]:
    """Measure how narrow and how uneven a cloud of embeddings is, shape (N, D), N >= 2.

    `random_cosine` is the mean cosine of 10,000 random pairs of rows, near 1 in a cone (Ethayarajh,
    2019, https://aclanthology.org/D19-1006); `top_share` is the share of the variance along the
    leading principal direction. `effective_rank` is exp of the entropy of the shares of all
    directions, from 1 to D.
    """
    variances = Moments.of(x).principal[0]
    if variances[0] <= 0:
        raise InputError("all sentences have the same embedding: there is nothing to calibrate")
    return {
        "random_cosine": random_pair_cosine(x, seed=seed),
        "top_share": top_share(variances),
        "effective_rank": effective_rank(variances),
        "n_features": x.shape[1],
    }


def measure_held_out(x: FloatArray, *, seed: int = 0) -> float:
    """Return the variance of held-out embeddings under whitening; near 1 for a large corpus.

    Whitening is fitted on nine tenths of the corpus and applied to the rest, three times. The
    result is the mean variance per direction. For Gaussian embeddings it is about N / (N - D). It
    grows without bound as N falls to D, where the weakest directions are all noise. Neighbouring
    sentences of the corpus, such as the sides of a pair, are held out together.

    `x` has one row for each distinct sentence, shape (N, D), N >= 20.
    """
    parts = split_blocks(len(x), _PARTS, seed=seed)
    held_out = []
    for part in range(_PARTS_HELD_OUT):
        context.report(part, _PARTS_HELD_OUT, "parts")
        whiten = Spec("whiten").build().fit(x[parts != part])
        held_out.append(np.square(whiten.transform(x[parts == part]).astype(np.float64)).mean())
    context.report(_PARTS_HELD_OUT, _PARTS_HELD_OUT, "parts")
    return float(np.mean(held_out))


def measure_shift(first: FloatArray, second: FloatArray, *, seed: int = 0) -> float:
    """Return the AUC of a linear classifier that tells two sets apart; 0.5 if they are alike.

    The AUC is the mean over five folds. The classifier is ridge regression on +1 and -1, which is
    Fisher's discriminant with a shrunk covariance. Neighbouring rows stay in one fold, so that one
    side of a pair cannot reveal the set of the other. At most 2,000 sentences per set are drawn,
    because the AUC rises with their number.

    Each set has one row for each distinct sentence, shape (N, D), N >= 20. Sentences that are in
    both sets must be removed beforehand.
    """
    sides = [_sample(side, seed) for side in (first, second)]
    x, is_first = np.concatenate(sides), np.repeat([True, False], [len(side) for side in sides])
    folds = np.concatenate(
        [split_blocks(len(s), _FOLDS, seed=seed + i) for i, s in enumerate(sides)]
    )
    aucs = []
    for fold in range(_FOLDS):
        context.report(fold, _FOLDS, "folds")
        test = folds == fold
        aucs.append(_auc(_ridge_scores(x[~test], is_first[~test], x[test]), is_first[test]))
    context.report(_FOLDS, _FOLDS, "folds")
    return float(np.mean(aucs))


def _sample(x: FloatArray, seed: int) -> npt.NDArray[np.float64]:
    """Draw at most 2,000 rows in whole blocks of adjacent rows, in their original order."""
    if len(x) > _LARGEST:
        blocks = blocks_of(len(x))
        order = np.random.default_rng(seed).permutation(int(blocks[-1]) + 1)
        x = x[np.flatnonzero(np.argsort(order)[blocks] < _LARGEST // 10)]
    return np.asarray(x, np.float64)


def _ridge_scores(x: FloatArray, is_first: npt.NDArray[np.bool_], x_test: FloatArray) -> FloatArray:
    """Fit the classifier to rows, shape (N, D), and return the scores of the test rows, (M,)."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    z, labels = (x - mean) / scale, np.where(is_first, 1.0, -1.0)
    gram = z.T @ z
    gram[np.diag_indices_from(gram)] += _RIDGE * len(z)
    weights = np.linalg.solve(gram, z.T @ (labels - labels.mean()))
    scores: FloatArray = ((x_test - mean) / scale) @ weights
    return scores


def _auc(scores: FloatArray, is_first: npt.NDArray[np.bool_]) -> float:
    """Return the AUC (Mann-Whitney); 0.5 if one of the two sets is empty."""
    n = int(is_first.sum())
    both = n * (len(is_first) - n)
    return float((average_ranks(scores)[is_first].sum() - n * (n + 1) / 2) / both) if both else 0.5


def measure_linear_loss(calibrator: Calibrator, x: FloatArray) -> dict[str, float]:
    """Measure what a linear classifier of calibrated embeddings can no longer use.

    An invertible linear map loses nothing: w z + b = (w A) x + b' is linear in x as well.
    `rank_lost` counts the directions in which embeddings vary before but not after calibration.
    `variance_lost` is the share of their variance that no linear map restores afterwards. At most
    4,000 evenly spaced rows are used. With no more rows than kept directions, every map seems to
    lose nothing.
    """
    x = x[np.linspace(0, len(x) - 1, min(len(x), _ROWS)).astype(int)]
    z = np.asarray(calibrator.transform(x), np.float64)
    centred = np.asarray(x, np.float64) - x.mean(axis=0, dtype=np.float64)
    z -= z.mean(axis=0)
    z /= max(float(np.abs(z).max()), np.finfo(np.float64).tiny)
    weights = np.linalg.lstsq(z, centred, rcond=1e-9)[0]
    total = float(np.square(centred).sum())
    left = float(np.square(centred - z @ weights).sum())
    return {
        "rank_lost": rank_lost(calibrator, x),
        "variance_lost": left / total if total > 0 else 0.0,
    }
