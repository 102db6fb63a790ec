"""The ledger: how far each pair moves towards its gold rank, and its share of the gain in rho."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.correlation import average_ranks
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.evaluation.metrics import score_pairs, strata


@dataclass(frozen=True, eq=False)
class Ledger:
    """The ledger of N pairs; each column has shape (N,).

    Rank 1 is the least similar pair; ties have their average rank. Pairs are ranked among all pairs
    or, under `mean` and `wmean`, among those of their subset.
    """

    aggregation: str  # `all`, `mean` or `wmean`
    rho_before: float  # Spearman's, in [-1, 1]
    rho_after: float
    subsets: tuple[str, ...] = field(repr=False)  # the subset of each pair, length N
    gold: FloatArray = field(repr=False)
    before: FloatArray = field(repr=False)  # similarities before and after
    after: FloatArray = field(repr=False)
    gold_rank: FloatArray = field(repr=False)  # ranks by gold score, by similarity before and after
    rank_before: FloatArray = field(repr=False)
    rank_after: FloatArray = field(repr=False)
    error_before: FloatArray = field(repr=False)  # distance of `rank_before` from `gold_rank`
    error_after: FloatArray = field(repr=False)  # distance of `rank_after` from `gold_rank`
    improved: FloatArray = field(repr=False)  # ranks by which the pair moved closer to gold
    share: FloatArray = field(repr=False)  # share of the gain; the shares add up to the gain

    def __len__(self) -> int:
        return len(self.gold)

    def most_improved(self, n: int) -> npt.NDArray[np.intp]:
        """Return the rows of at most n pairs whose error fell, the largest drop first."""
        return _largest(self.improved, n)

    def most_worsened(self, n: int) -> npt.NDArray[np.intp]:
        """Return the rows of at most n pairs whose error rose, the largest rise first."""
        return _largest(-self.improved, n)


def _largest(values: FloatArray, n: int) -> npt.NDArray[np.intp]:
    """Return the rows of at most n values above 0, the largest first, ties in order of rows."""
    order = np.argsort(-values, kind="stable")[:n]
    return order[values[order] > 0]


def build_ledger(
    before: FloatArray,
    after: FloatArray,
    gold: FloatArray,
    subsets: Sequence[str],
    *,
    aggregation: str,
) -> Ledger:
    """Attribute the change in rho, from one set of similarities to another, to the single pairs.

    Rho is the mean product of standardized ranks z. So in a stratum of n pairs and weight w (1 for
    `all`, 1 / S of S subsets for `mean`, n / N for `wmean`) pair i gives share_i = w / n * z_gold,i
    * (z_after,i - z_before,i).

    Args:
        before: Similarities before, shape (N,).
        after: Similarities after, shape (N,).
        gold: Gold scores on any scale, shape (N,).
        subsets: The subset of each pair, length N.
        aggregation: `all`, `mean` or `wmean`.

    Raises:
        InputError: Scores that `score_pairs` refuses, an unknown aggregation or an undefined rho.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import build_ledger
        >>> before, after, gold = np.array([[2, 1, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], float)
        >>> ledger = build_ledger(before, after, gold, ["all"] * 4, aggregation="all")
        >>> round(ledger.rho_after - ledger.rho_before, 6), round(float(ledger.share.sum()), 6)
        (0.2, 0.2)
    """
    gold, before, after = (np.array(x, np.float64) for x in (gold, before, after))
    rhos = [_rho(x, gold, subsets, aggregation) for x in (before, after)]
    ranks, share = np.empty((3, len(gold))), np.empty(len(gold))
    for part in strata(subsets, aggregation):
        of_part = np.array([average_ranks(x[part.rows]) for x in (gold, before, after)])
        ranks[:, part.rows] = of_part
        of_part -= of_part.mean(axis=1, keepdims=True)
        z_gold, z_before, z_after = of_part / of_part.std(axis=1, keepdims=True)
        share[part.rows] = part.weight / len(part.rows) * z_gold * (z_after - z_before)
    error_before, error_after = np.abs(ranks[1:] - ranks[0])
    return Ledger(
        aggregation=aggregation,
        rho_before=rhos[0],
        rho_after=rhos[1],
        subsets=tuple(subsets),
        gold=gold,
        before=before,
        after=after,
        gold_rank=ranks[0],
        rank_before=ranks[1],
        rank_after=ranks[2],
        error_before=error_before,
        error_after=error_after,
        improved=error_before - error_after,
        share=share,
    )


def _rho(similarity: FloatArray, gold: FloatArray, subsets: Sequence[str], how: str) -> float:
    rho: float | None = getattr(score_pairs(similarity, gold, subsets).spearman, how)
    if rho is None:
        raise InputError(
            f"rho ({how}) is undefined: all similarities, or all gold scores of a subset, "
            "are equal; choose another aggregation or other similarities"
        )
    return rho
