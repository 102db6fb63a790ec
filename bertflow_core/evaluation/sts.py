"""Agreement of similarities with people: rank correlation with gold scores, or AUC of labels.

Three aggregations over subsets are in use, and they differ by up to 13 points on the same vectors
(https://github.com/princeton-nlp/SimCSE/issues/4), so all three are always computed:
`all` pools the pairs of all subsets, `mean` averages the subsets' values, `wmean` averages them
weighted by their numbers of pairs (what Li et al., 2020, report).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError, check_list, check_type, nearest
from bertflow_core.linalg import as_numbers
from bertflow_core.wording import counted, quoted

AGGREGATIONS = ("all", "mean", "wmean")


@dataclass(frozen=True)
class Correlations:
    """One measure of agreement under the three aggregations: a correlation, in [-1, 1], or an AUC.

    A value is None where it is undefined: the similarities or the gold scores of its pairs (of an
    AUC the labels) are all equal, or it would average such a subset.

    Attributes:
        all: Over all pairs at once.
        mean: Mean over subsets.
        wmean: Mean over subsets, weighted by pairs.
        subsets: By subset, in the order of the data set.

    Example:
        >>> from bertflow_core import score_pairs
        >>> scores = score_pairs([1, 2, 3, 3, 2, 1], [1, 2, 3, 1, 2, 3], [*"aaabbb"])
        >>> scores.spearman.subsets, scores.spearman.mean
        ({'a': 1.0, 'b': -1.0}, 0.0)
    """

    all: float | None
    mean: float | None
    wmean: float | None
    subsets: dict[str, float | None]


@dataclass(frozen=True)
class StsScores:
    """Spearman's rho (ties by average rank) and Pearson's r of similarity with gold.

    Example:
        >>> from bertflow_core import score_pairs
        >>> scores = score_pairs([0.9, 0.1, 0.5], [5, 0, 1], ["all"] * 3)
        >>> scores.n_pairs, round(scores.pearson.all, 3)
        (3, 0.945)
    """

    n_pairs: int
    spearman: Correlations
    pearson: Correlations

    @property
    def main(self) -> Correlations:
        """What rows are compared by: rho."""
        return self.spearman

    @property
    def measures(self) -> dict[str, Correlations]:
        """Every measure by its name in exports."""
        return {"spearman": self.spearman, "pearson": self.pearson}

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, JSON-able."""
        return asdict(self)


@dataclass(frozen=True)
class LabelScores:
    """Area under the ROC curve of similarity for label 1 against label 0, in [0, 1].

    Attributes:
        n_pairs: Number of pairs.
        auc: 1/2 is chance; None where all labels are equal.

    Example:
        >>> from bertflow_core.evaluation import score_labels
        >>> score_labels([0.9, 0.2, 0.4, 0.3], [1, 0, 1, 1], ["all"] * 4).main.all
        1.0
    """

    n_pairs: int
    auc: Correlations

    @property
    def main(self) -> Correlations:
        """What rows are compared by: AUC."""
        return self.auc

    @property
    def measures(self) -> dict[str, Correlations]:
        """Every measure by its name in exports."""
        return {"auc": self.auc}

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, JSON-able."""
        return asdict(self)


def score_pairs(
    similarity: npt.ArrayLike, gold: npt.ArrayLike, subsets: Sequence[str]
) -> StsScores:
    """Correlate similarities with gold scores, by subset and aggregated.

    Args:
        similarity: The similarity of each pair, shape (N,).
        gold: Gold scores on any scale, shape (N,).
        subsets: The subset of each pair, length N.

    Raises:
        InputError: Fewer than two pairs, lengths that differ, values that are not finite, or gold
            scores that are all equal.

    Example:
        >>> from bertflow_core import score_pairs
        >>> score_pairs([0.9, 0.1, 0.4], [5, 0, 2], ["all"] * 3).spearman.all
        1.0
    """
    similarity, gold = _columns(similarity, gold, subsets, "gold scores")
    check_gold(gold)
    return StsScores(
        n_pairs=len(gold),
        spearman=_aggregate(spearman, similarity, gold, subsets),
        pearson=_aggregate(_pearson, similarity, gold, subsets),
    )


def score_labels(
    similarity: npt.ArrayLike, labels: npt.ArrayLike, subsets: Sequence[str]
) -> LabelScores:
    """Measure how well similarities tell labels apart, by subset and aggregated.

    Args:
        similarity: The similarity of each pair, shape (N,).
        labels: 1 for the pairs that belong together and 0 for the others, shape (N,).
        subsets: The subset of each pair, length N.

    Raises:
        InputError: Lengths that differ, similarities that are not finite, or labels that are not
            zeros and ones with at least one of each.

    Example:
        >>> from bertflow_core.evaluation import score_labels
        >>> score_labels([0.9, 0.2, 0.4], [1, 0, 0], ["all"] * 3).auc.all
        1.0
    """
    similarity, labels = _columns(similarity, labels, subsets, "labels")
    check_labels(labels)
    return LabelScores(len(labels), _aggregate(_auc, similarity, labels, subsets))


def check_gold(gold: npt.ArrayLike) -> None:
    """Refuse gold scores, shape (N,), that nothing can correlate with.

    Raises:
        InputError: Fewer than two, values that are not finite, or all of them equal.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import check_gold
        >>> check_gold(np.array([0.0, 2.5, 5.0]))
    """
    gold = as_numbers(gold, "gold scores")
    if gold.ndim != 1:
        raise InputError(f"gold scores must have shape (N,), got {gold.shape}")
    if not np.isfinite(gold).all():
        raise InputError("gold scores must be finite numbers")
    if len(gold) < 2 or np.ptp(gold) == 0:
        raise InputError(
            f"the gold scores of {counted(len(gold), 'pair')} are all equal: a correlation needs "
            "at least two different gold scores"
        )


def check_labels(labels: np.ndarray) -> None:
    """Refuse labels, shape (N,), that nothing can tell apart.

    Raises:
        InputError: Something other than 0 and 1, or one of them is missing.
    """
    if set(np.unique(labels)) != {0.0, 1.0}:
        raise InputError(
            "AUC needs labels of two kinds, 0 and 1: got "
            f"{counted(len(np.unique(labels)), 'kind')} in {counted(len(labels), 'pair')}"
        )


@dataclass(frozen=True, eq=False)
class Stratum:
    """Pairs that are ranked among themselves, and their part in the aggregated correlation.

    Attributes:
        rows: Their rows in the data set, rising, shape (n,).
        weight: The aggregated correlation is the sum of the strata's correlations times this.
    """

    rows: np.ndarray
    weight: float


def strata(subsets: Sequence[str], aggregation: str) -> tuple[Stratum, ...]:
    """Divide pairs as an aggregation does: one stratum for `all`, else one for each subset.

    Args:
        subsets: The subset of each pair, length N >= 1.
        aggregation: One of `AGGREGATIONS`.

    Raises:
        InputError: Unknown aggregation.
    """
    check_list(subsets, "subsets")
    check_type(aggregation, str, "aggregation", f"one of {', '.join(AGGREGATIONS)}")
    if aggregation not in AGGREGATIONS:
        raise InputError(
            f"unknown aggregation {quoted(aggregation)}: {nearest(aggregation, AGGREGATIONS)}"
        )
    if aggregation == "all":
        return (Stratum(np.arange(len(subsets)), 1.0),)
    members = _members(subsets)
    share = {
        name: 1 / len(members) if aggregation == "mean" else len(rows) / len(subsets)
        for name, rows in members.items()
    }
    return tuple(Stratum(rows, share[name]) for name, rows in members.items())


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of finite numbers, from 1, ties by average rank; float64, shape (N,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.sts import average_ranks
        >>> average_ranks(np.array([0.3, 0.1, 0.3])).tolist()
        [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: np.ndarray = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def spearman(a: np.ndarray, b: np.ndarray) -> float | None:
    """Return Spearman's rho of two columns, shape (N,) each; None where one is constant."""
    return _pearson(average_ranks(a), average_ranks(b))


def _pearson(a: np.ndarray, b: np.ndarray) -> float | None:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _auc(similarity: np.ndarray, labels: np.ndarray) -> float | None:
    """Return the share of (1, 0) pairs of rows in order, a tie counting half.

    From the ranks of the ones, as U of Mann and Whitney (Hanley and McNeil, 1982,
    https://doi.org/10.1148/radiology.143.1.7063747).
    """
    is_one = labels == 1
    n_ones = int(is_one.sum())
    n_zeros = len(labels) - n_ones
    if not n_ones or not n_zeros:
        return None
    above: float = average_ranks(similarity)[is_one].sum() - n_ones * (n_ones + 1) / 2
    return float(above / (n_ones * n_zeros))


def _columns(
    similarity: npt.ArrayLike, gold: npt.ArrayLike, subsets: Sequence[str], called: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return similarities and what people said as float64, each of shape (N,); errors name it."""
    check_list(subsets, "subsets")
    similarity = as_numbers(similarity, "similarities").astype(np.float64)
    gold = as_numbers(gold, called).astype(np.float64)
    if not similarity.shape == gold.shape == (len(subsets),):
        raise InputError(
            f"similarities, {called} and subsets need one length, got "
            f"{similarity.shape}, {gold.shape} and {len(subsets)}"
        )
    if not np.isfinite(similarity).all():
        raise InputError("similarities must be finite numbers")
    return similarity, gold


def _members(subsets: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the rows of each subset, in order of first appearance."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(subsets):
        rows.setdefault(name, []).append(row)
    return {name: np.array(members) for name, members in rows.items()}


def _aggregate(
    measure: Callable[[np.ndarray, np.ndarray], float | None],
    similarity: np.ndarray,
    gold: np.ndarray,
    subsets: Sequence[str],
) -> Correlations:
    """Return a measure over all pairs, of each subset, and averaged over the subsets."""
    members = _members(subsets)
    each = {name: measure(similarity[m], gold[m]) for name, m in members.items()}
    known = [value for value in each.values() if value is not None]
    sizes = [len(m) for m in members.values()]
    complete = len(known) == len(each)
    return Correlations(
        all=measure(similarity, gold),
        mean=float(np.mean(known)) if complete else None,
        wmean=float(np.average(known, weights=sizes)) if complete else None,
        subsets=each,
    )
