"""The metrics of agreement: rho for graded scores, AUC for labels; a data set declares its own."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, check_name, check_type
from bertflow_core.evaluation.sts import (
    Correlations,
    LabelScores,
    StsScores,
    check_gold,
    check_labels,
    score_labels,
    score_pairs,
)
from bertflow_core.wording import counted

PairScores = StsScores | LabelScores

_Z = 1.959964
"""Of a 95 % interval of a normal variable."""

_FEWEST = 4
"""Pairs from which rho has an interval: its variance is divided by N - 3."""


@dataclass(frozen=True)
class Metric:
    """How similarities are held against what people said of the pairs.

    Attributes:
        name: In recipes, addresses and exports.
        word: In sentences and headers of tables.
        title: On axes and in captions.
        meaning: What its number is, after `title` in a caption.
        judged: What people gave to each pair, in words.
        score: Scores N similarities: (similarity, gold, subsets), see `score_pairs`.
        check: Refuses what no similarity could be scored against.
        half_width: Half the width of the 95 % interval of a value, in its units: (value, what
            people gave).

    Example:
        >>> from bertflow_core.evaluation import AUC
        >>> AUC.title, AUC.judged
        ('AUC', 'labels')
    """

    name: str
    word: str
    title: str
    meaning: str
    judged: str
    score: Callable[[np.ndarray, np.ndarray, Sequence[str]], PairScores]
    check: Callable[[np.ndarray], None]
    half_width: Callable[[float, np.ndarray], float]

    @property
    def one(self) -> str:
        """A value of it, with its article."""
        return f"{'a' if self.word.islower() else 'an'} {self.word}"

    @property
    def header(self) -> str:
        """The name of a column of its values, times 100."""
        return f"{self.word} x 100"


def half_width_of_rho(rho: float, gold: np.ndarray) -> float:
    """Return half the width of the 95 % interval of Spearman's rho, from N >= 4 pairs.

    By Fisher's z = atanh(rho), whose variance is (1 + rho^2 / 2) / (N - 3) (Bonett and Wright,
    2000, https://doi.org/10.1007/BF02294183); nothing is resampled. On simulated normal pairs the
    widths were 4 to 15 % above those of the samples.

    Raises:
        InputError: Fewer than four pairs.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.metric import half_width_of_rho
        >>> [round(half_width_of_rho(0.7, np.zeros(n)), 2) for n in (30, 100, 375)]
        [0.22, 0.11, 0.06]
    """
    if len(gold) < _FEWEST:
        raise InputError(
            f"an interval of rho needs at least {_FEWEST} pairs, got {counted(len(gold), 'pair')}: "
            "score more of them"
        )
    if abs(rho) >= 1:
        return 0.0
    z, reach = math.atanh(rho), _Z * math.sqrt((1 + rho**2 / 2) / (len(gold) - 3))
    return (math.tanh(z + reach) - math.tanh(z - reach)) / 2


def half_width_of_auc(auc: float, labels: np.ndarray) -> float:
    """Return half the width of the 95 % interval of AUC, from its standard error.

    Hanley and McNeil (1982, https://doi.org/10.1148/radiology.143.1.7063747).

    Raises:
        InputError: Labels that `check_labels` refuses.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.metric import half_width_of_auc
        >>> [round(half_width_of_auc(0.8, np.arange(5_000) < n), 2) for n in (8, 200, 2_500)]
        [0.18, 0.04, 0.01]
    """
    check_labels(labels)
    n_ones = int(np.sum(labels))
    n_zeros = len(labels) - n_ones
    by_one, by_zero = auc / (2 - auc) - auc**2, 2 * auc**2 / (1 + auc) - auc**2
    variance = auc * (1 - auc) + (n_ones - 1) * by_one + (n_zeros - 1) * by_zero
    return _Z * math.sqrt(variance / (n_ones * n_zeros))


RHO = Metric(
    name="rho",
    word="rho",
    title="Spearman's rho",
    meaning="of cosine with gold",
    judged="gold scores",
    score=score_pairs,
    check=check_gold,
    half_width=half_width_of_rho,
)
AUC = Metric(
    name="auc",
    word="AUC",
    title="AUC",
    meaning="of cosine for label 1 against 0 (chance: 50)",
    judged="labels",
    score=score_labels,
    check=check_labels,
    half_width=half_width_of_auc,
)
METRICS = {metric.name: metric for metric in (RHO, AUC)}


def metric_of(name: str | None) -> Metric:
    """Return the metric that pairs declare; of pairs that nobody judged, rho.

    Args:
        name: As `SentencePairs.metric`.

    Raises:
        InputError: There is no such metric.

    Example:
        >>> from bertflow_core.evaluation import metric_of
        >>> metric_of("auc").header, metric_of(None).header
        ('AUC x 100', 'rho x 100')
    """
    if name is not None:
        check_type(name, str, "a metric", f"one of {', '.join(METRICS)}")
        check_name(name, METRICS, "metric")
    return METRICS[name or RHO.name]


def read_scores(values: Mapping[str, Any]) -> PairScores:
    """Read what `to_dict` of either kind of scores returned.

    Raises:
        InputError: It is neither.
    """
    try:
        if "auc" in values:
            return LabelScores(values["n_pairs"], Correlations(**values["auc"]))
        named = {name: Correlations(**values[name]) for name in ("spearman", "pearson")}
        return StsScores(values["n_pairs"], **named)
    except (KeyError, TypeError) as error:
        raise InputError("these are no scores of pairs") from error
