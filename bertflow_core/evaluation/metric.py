"""The metrics of agreement: rho for graded scores, AUC for labels; a data set declares its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, check_name, check_type
from bertflow_core.evaluation.labels import LabelScores, check_labels, score_labels
from bertflow_core.evaluation.precision import half_width_of_auc, half_width_of_rho
from bertflow_core.evaluation.resampled import AucResampled, Resampled, RhoResampled
from bertflow_core.evaluation.sts import Correlations, StsScores, check_gold, score_pairs

__all__ = ["AUC", "METRICS", "RHO", "Metric", "PairScores", "metric_of", "read_scores"]

PairScores = StsScores | LabelScores


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
        resampled: Its values on resamples of the pairs.
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
    resampled: type[Resampled]
    half_width: Callable[[float, np.ndarray], float]

    @property
    def one(self) -> str:
        """A value of it, with its article."""
        return f"{'a' if self.word.islower() else 'an'} {self.word}"

    @property
    def header(self) -> str:
        """The name of a column of its values, times 100."""
        return f"{self.word} x 100"


RHO = Metric(
    name="rho",
    word="rho",
    title="Spearman's rho",
    meaning="of cosine with gold",
    judged="gold scores",
    score=score_pairs,
    check=check_gold,
    resampled=RhoResampled,
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
    resampled=AucResampled,
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
