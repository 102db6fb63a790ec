"""Pairs with labels in place of scores: how well similarity tells the two kinds apart."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.evaluation.ranks import average_ranks
from bertflow_core.evaluation.sts import Correlations, aggregate, check_columns
from bertflow_core.wording import counted

__all__ = ["LabelScores", "check_labels", "score_labels"]


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
    similarity, labels = check_columns(similarity, labels, subsets, "labels")
    check_labels(labels)
    return LabelScores(len(labels), aggregate(_auc, similarity, labels, subsets))


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
