"""Agreement of similarities with people: rank correlation with gold scores, or AUC for labels.

Labelled texts are scored by accuracy of predictions or v-measure of clusters.

Three aggregations over subsets are in use and can differ by 13 points on the same vectors
(https://github.com/princeton-nlp/SimCSE/issues/4), so all three are always computed. `all` pools
the pairs of all subsets, `mean` averages the subsets' values, and `wmean` weights them by their
numbers of pairs, as Li et al. (2020) do.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, make_dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bertflow_core.arguments import checked
from bertflow_core.arrays.correlation import average_ranks, pearson, spearman
from bertflow_core.arrays.rounding import is_constant
from bertflow_core.arrays.types import as_numbers
from bertflow_core.errors import InputError, check_name
from bertflow_core.evaluation.significance import (
    half_width_of_accuracy,
    half_width_of_auc,
    half_width_of_rho,
)
from bertflow_core.wording import counted

AGGREGATIONS = ("all", "mean", "wmean")


@dataclass(frozen=True)
class Correlations:
    """One measure, a correlation in [-1, 1] or a share, under each of the three aggregations.

    A value is None if all similarities, all gold scores or all labels are equal; all values are if
    the similarities differ only by the error of their map (`similarity.with_ties`). A mean over
    subsets is also None if the value of a subset is.
    """

    all: float | None  # over all pairs at once
    mean: float | None  # mean over subsets
    wmean: float | None  # mean over subsets, weighted by pairs
    subsets: dict[str, float | None]  # by subset, in the order of the data set


@dataclass(frozen=True)
class PairScores:
    """Agreement of N similarities with the gold scores or labels, by all measures of one kind."""

    n_pairs: int

    @property
    def measures(self) -> dict[str, Correlations]:
        """Every measure by its name in exports; the first is the one that rows are compared by."""
        return {field.name: getattr(self, field.name) for field in fields(self)[1:]}

    @property
    def main(self) -> Correlations:
        """The measure that rows are compared by, such as rho or AUC."""
        return next(iter(self.measures.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON-able numbers."""
        return asdict(self)


S = TypeVar("S", bound=PairScores)


@dataclass(frozen=True)
class StsScores(PairScores):
    """Spearman's rho (ties by average rank) and Pearson's r of similarity with gold."""

    spearman: Correlations
    pearson: Correlations


@dataclass(frozen=True)
class LabelScores(PairScores):
    """Area under the ROC curve of similarity for label 1 against label 0; chance is 1/2."""

    auc: Correlations


@dataclass(frozen=True)
class AccuracyScores(PairScores):
    """Share of labelled texts whose label a classifier predicts on held-out folds."""

    accuracy: Correlations


@dataclass(frozen=True)
class ClusterScores(PairScores):
    """V-measure of clusters against labels of texts: mean and standard deviation over starts."""

    v_measure: Correlations
    spread: Correlations


def read_scores(values: Mapping[str, Any]) -> PairScores:
    """Read the result of `to_dict` of any kind of scores."""
    kind = next(each.kind for each in METRICS.values() if fields(each.kind)[1].name in values)
    measures = {field.name: Correlations(**values[field.name]) for field in fields(kind)[1:]}
    return kind(values["n_pairs"], **measures)


def undefined(kind: type[S], n: int, subsets: Sequence[str] = ()) -> S:
    """Return scores of n units of which none is defined."""
    unknown = Correlations(None, None, None, dict.fromkeys(subsets))
    return kind(n, *[unknown] * len(fields(kind)[1:]))


@checked
def score_pairs(
    similarity: npt.ArrayLike, gold: npt.ArrayLike, subsets: Sequence[str]
) -> StsScores:
    """Correlate similarities with gold scores, by subset and aggregated.

    Args:
        similarity: The similarity of each pair, shape (N,).
        gold: Gold scores on any scale, shape (N,).
        subsets: The subset of each pair, length N.

    Raises:
        InputError: Fewer than two pairs, unequal lengths, values that are not finite, or gold
            scores that are all equal.

    Example:
        >>> from bertflow_core import score_pairs
        >>> score_pairs([0.9, 0.1, 0.4], [5, 0, 2], ["all"] * 3).spearman.all
        1.0
    """
    similarity, gold = _columns(similarity, gold, subsets, "gold scores")
    check_gold(gold)
    of_gold = (similarity, gold, subsets)
    return StsScores(len(gold), _aggregate(spearman, *of_gold), _aggregate(pearson, *of_gold))


@checked
def score_labels(
    similarity: npt.ArrayLike, labels: npt.ArrayLike, subsets: Sequence[str]
) -> LabelScores:
    """Measure how well similarities tell labels apart, by subset and aggregated.

    Args:
        similarity: The similarity of each pair, shape (N,).
        labels: 1 for pairs that belong together, otherwise 0, shape (N,).
        subsets: The subset of each pair, length N.

    Raises:
        InputError: Unequal lengths, similarities that are not finite, labels other than 0 and 1, or
            only one of the two labels.

    Example:
        >>> from bertflow_core.evaluation import score_labels
        >>> score_labels([0.9, 0.2, 0.4], [1, 0, 0], ["all"] * 3).auc.all
        1.0
    """
    similarity, labels = _columns(similarity, labels, subsets, "labels")
    check_labels(labels)
    return LabelScores(len(labels), _aggregate(_auc, similarity, labels, subsets))


def _mean_of(kind: type[S]) -> Callable[[np.ndarray, np.ndarray, Sequence[str]], S]:
    """Return a function that averages the values of N units, such as 1 for a hit and 0 for none."""

    def score(values: np.ndarray, targets: np.ndarray, subsets: Sequence[str]) -> S:
        mean = _aggregate(lambda x, _: float(x.mean()), values, targets, subsets)
        return kind(len(values), mean)  # type: ignore[call-arg]

    return score


def score_clusters(
    clusters: np.ndarray, targets: np.ndarray, subsets: Sequence[str]
) -> ClusterScores:
    """Compare clusters of texts from S starts, shape (N, S), with integer labels, shape (N,)."""
    from sklearn.metrics import v_measure_score  # late: slow to import

    def over_starts(average: Callable[..., Any]) -> Correlations:
        def of(x: np.ndarray, labels: np.ndarray) -> float:
            return float(average([v_measure_score(labels, each) for each in x.T]))

        return _aggregate(of, clusters, targets, subsets)

    spread = partial(np.std, ddof=1)
    return ClusterScores(len(clusters), over_starts(np.mean), over_starts(spread))


def check_gold(gold: np.ndarray) -> None:
    """Refuse gold scores, shape (N,), with which no correlation is defined."""
    if not np.isfinite(gold).all():
        raise InputError("gold scores must be finite numbers")
    if len(gold) < 2 or is_constant(gold):
        raise InputError(
            f"the gold scores of {counted(len(gold), 'pair')} are all equal: a correlation needs "
            "at least two different gold scores"
        )


def check_labels(labels: np.ndarray) -> None:
    """Refuse labels, shape (N,), for which AUC is undefined."""
    kinds = np.unique(labels)
    if set(kinds) != {0.0, 1.0}:
        raise InputError(
            "AUC needs labels of two kinds, 0 and 1: got "
            f"{counted(len(kinds), 'kind')} in {counted(len(labels), 'pair')}"
        )


def _columns(
    similarity: npt.ArrayLike, gold: npt.ArrayLike, subsets: Sequence[str], called: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return similarities and gold values as float64, shape (N,) each, or refuse them."""
    similarity = as_numbers(similarity, "similarities").astype(np.float64)
    gold = as_numbers(gold, called).astype(np.float64)
    if not similarity.shape == gold.shape == (len(subsets),):
        raise InputError(
            f"similarities, {called} and subsets need the same length, got {similarity.shape}, "
            f"{gold.shape} and {len(subsets)}"
        )
    if not np.isfinite(similarity).all():
        raise InputError("similarities must be finite numbers")
    return similarity, gold


def _auc(similarity: np.ndarray, labels: np.ndarray) -> float | None:
    """Return how often a row labelled 1 is more similar than one labelled 0; ties count half.

    It follows from the ranks of the ones, as Mann and Whitney's U (Hanley and McNeil, 1982,
    https://doi.org/10.1148/radiology.143.1.7063747).
    """
    is_one = labels == 1
    n_ones = int(is_one.sum())
    n_zeros = len(labels) - n_ones
    if not n_ones or not n_zeros or is_constant(similarity):
        return None
    above: float = average_ranks(similarity)[is_one].sum() - n_ones * (n_ones + 1) / 2
    return float(above / (n_ones * n_zeros))


def _aggregate(
    measure: Callable[[np.ndarray, np.ndarray], float | None],
    similarity: np.ndarray,
    gold: np.ndarray,
    subsets: Sequence[str],
) -> Correlations:
    """Return a measure over all pairs, for each subset, and averaged over the subsets."""
    members = _members(subsets)
    each = {name: measure(similarity[rows], gold[rows]) for name, rows in members.items()}
    known = [value for value in each.values() if value is not None]
    sizes = [len(rows) for rows in members.values()]
    complete = len(known) == len(each)
    return Correlations(
        all=measure(similarity, gold),
        mean=float(np.mean(known)) if complete else None,
        wmean=float(np.average(known, weights=sizes)) if complete else None,
        subsets=each,
    )


def _members(subsets: Sequence[str]) -> dict[str, np.ndarray]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(subsets):
        rows.setdefault(name, []).append(row)
    return {name: np.array(members) for name, members in rows.items()}


@dataclass(frozen=True, eq=False)
class Stratum:
    """Pairs that are ranked together, and their weight in the aggregated correlation."""

    rows: np.ndarray  # their rows in the data set, ascending, shape (n,)
    weight: float  # the aggregated correlation is the weighted sum of the strata's correlations


def strata(subsets: Sequence[str], aggregation: str) -> tuple[Stratum, ...]:
    """Divide N >= 1 pairs by aggregation: one stratum for `all`, otherwise one per subset."""
    check_name(aggregation, AGGREGATIONS, "aggregation")
    if aggregation == "all":
        return (Stratum(np.arange(len(subsets)), 1.0),)
    members = _members(subsets)
    share = {
        name: 1 / len(members) if aggregation == "mean" else len(rows) / len(subsets)
        for name, rows in members.items()
    }
    return tuple(Stratum(rows, share[name]) for name, rows in members.items())


def _accept(_targets: np.ndarray) -> None:
    """Accept any labels of texts and grades of documents: reading them has checked them."""


def _unknown(_value: float, _targets: np.ndarray) -> float:
    """Return NaN: the metric has no formula for its interval."""
    return math.nan


@dataclass(frozen=True)
class Metric:
    """A score of similarities or of labels; each data set declares one.

    Example:
        >>> from bertflow_core.evaluation import AUC
        >>> AUC.title, AUC.gold
        ('AUC', 'labels')
    """

    name: str  # in recipes, addresses and exports
    word: str  # in sentences and headers of tables
    title: str  # on axes and in captions
    meaning: str  # what it measures, after `title` in a caption
    gold: str  # `gold scores`, `labels` or `relevance judgements`
    score: Callable[[np.ndarray, np.ndarray, Sequence[str]], PairScores]  # of N similarities
    kind: type[PairScores]  # type of the result of `score`
    unit: str = "pairs"  # the unit that is scored and resampled
    check: Callable[[np.ndarray], None] = _accept  # refuses gold values that cannot be scored
    half_width: Callable[[float, np.ndarray], float] = _unknown  # of a value's 95 % interval

    @property
    def one(self) -> str:
        """The metric's word with its article, such as `an AUC`."""
        article = "an" if self.word.startswith(("a", "A", "n", "MRR")) else "a"
        return f"{article} {self.word}"

    @property
    def header(self) -> str:
        """The header of a column of its values times 100."""
        return f"{self.word} x 100"


RHO = Metric(
    name="rho",
    word="rho",
    title="Spearman's rho",
    meaning="of similarity with gold",
    gold="gold scores",
    score=score_pairs,
    check=check_gold,
    half_width=half_width_of_rho,
    kind=StsScores,
)
AUC = Metric(
    name="auc",
    word="AUC",
    title="AUC",
    meaning="of similarity for label 1 against label 0 (chance: 50)",
    gold="labels",
    score=score_labels,
    check=check_labels,
    half_width=half_width_of_auc,
    kind=LabelScores,
)
ACCURACY = Metric(
    name="accuracy",
    word="accuracy",
    title="Accuracy",
    meaning=(
        "of logistic regression (scikit-learn), held out in 5 folds; C from 0.001 to 1, chosen "
        "on 3 inner folds; vectors are centred and divided by one number, not standardised"
    ),
    gold="labels",
    score=_mean_of(AccuracyScores),
    half_width=half_width_of_accuracy,
    kind=AccuracyScores,
    unit="texts",
)
V_MEASURE = Metric(
    name="v-measure",
    word="v-measure",
    title="V-measure",
    meaning=(
        "of k-means with as many clusters as labels, the mean of ten starts; intervals resample "
        "the texts and keep the clusters"
    ),
    gold="labels",
    score=score_clusters,
    kind=ClusterScores,
    unit="texts",
)


def _of_queries(name: str, title: str, meaning: str) -> Metric:
    """Return a metric that averages the scores of a collection's queries."""
    measures = [(name, Correlations)]
    kind = make_dataclass(f"{name}_scores", measures, bases=(PairScores,), frozen=True)

    return Metric(
        name=name,
        word=title,
        title=title,
        meaning=f"from {meaning}, as in trec_eval; documents are ranked by similarity to the query",
        gold="relevance judgements",
        score=_mean_of(kind),
        kind=kind,
        unit="queries",
    )


NDCG = _of_queries("ndcg", "nDCG@10", "grades and ranks of the first ten documents")
MRR = _of_queries("mrr", "MRR@10", "the rank of the first relevant document among ten")
RECALL = _of_queries(
    "recall", "recall@10", "the share of relevant documents that are among the first ten"
)
MAP = _of_queries("map", "MAP", "the precision at each relevant document among the first hundred")
METRICS = {
    metric.name: metric for metric in (RHO, AUC, ACCURACY, V_MEASURE, NDCG, MRR, RECALL, MAP)
}


def metric_of(name: str) -> Metric:
    """Return the metric by its name, such as that of data, `Texts.metric`.

    Example:
        >>> from bertflow_core.evaluation import metric_of
        >>> metric_of("auc").header
        'AUC x 100'
    """
    check_name(name, METRICS, "metric")
    return METRICS[name]
