"""How different two sets of sentences are: how well a linear classifier separates them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, blocks_of, split_blocks

__all__ = ["FEWEST", "LARGEST", "Shift", "measure_shift"]

FEWEST, LARGEST = 20, 2_000
"""Fewest sentences per side, and the most that are used."""

_FOLDS, _PERMUTATIONS = 5, 99
_RIDGE = 0.01  # a share of the mean variance of a feature


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

    Raises:
        InputError: Fewer than 20 sentences on a side.
    """
    if min(len(first), len(second)) < FEWEST:
        raise InputError(
            f"comparing two sets needs at least {FEWEST} sentences of each, got "
            f"{len(first)} and {len(second)}"
        )
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
    """Return at most `LARGEST` rows, whole blocks of neighbours, in their order."""
    if len(x) > LARGEST:
        blocks = blocks_of(len(x))
        order = np.random.default_rng(seed).permutation(int(blocks[-1]) + 1)
        x = x[np.flatnonzero(np.argsort(order)[blocks] < LARGEST // 10)]
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
