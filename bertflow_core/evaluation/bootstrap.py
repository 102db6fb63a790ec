"""A paired bootstrap: all calibrators are scored on the same resamples of the pairs.

Resampling pairs, within subsets if there are several, is valid for every metric that is a function
of the pairs (Efron and Tibshirani, 1993, chapter 6); for differences of AUC it is the bootstrap of
pROC (Robin et al., 2011, https://doi.org/10.1186/1471-2105-12-77) without strata by label.

A resample of n pairs is stored as the number of times that each pair was drawn. The ranks in a
resample follow from these weights and the order of all pairs, so nothing is sorted again. All sums
are of integers and halves below 2^53 and thus exact: two calibrators with equal ranks have
identical values.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.metrics import RHO, Metric, Stratum
from bertflow_core.runtime import context

# Limits of a block of draws. A block fits the processor's cache, since a larger one is slower. With
# few pairs it has many draws, since every block has the same overhead.
_DRAWS_AT_ONCE, _CELLS_AT_ONCE = 32, 1 << 13
_CELLS = 1 << 18
_THREADS = min(4, os.cpu_count() or 1)

_Array = npt.NDArray[np.float64]


class PairedBootstrap:
    """A seeded stream of resamples of N pairs or texts, each scored for all C calibrators.

    Pairs are drawn with replacement within each stratum, so that every resample has the same subset
    sizes. The stream depends only on the seed and the strata. The first 2,000 draws are the same
    whether 2,000 or 4,000 are made. A further calibrator does not change the values of the others.

    `similarities` has an array for each calibrator and `gold` has scores or labels, all of shape
    (N,). For labelled texts the arrays are hits, (N,), or clusters, (N, S), and `gold` has the
    labels as numbers.
    """

    def __init__(
        self,
        similarities: Iterable[FloatArray],
        gold: FloatArray,
        strata: Iterable[Stratum],
        *,
        seed: int,
        metric: Metric = RHO,
    ) -> None:
        columns, self._strata = tuple(similarities), tuple(strata)
        resampled = _RESAMPLED[metric.name]
        self._resampled = [
            resampled([column[each.rows] for column in columns], gold[each.rows])
            for each in self._strata
        ]
        sources = np.random.SeedSequence(seed).spawn(len(self._strata))
        self._rngs = [np.random.default_rng(source) for source in sources]

    def draw(self, n_draws: int) -> _Array:
        """Return the values of the next draws, shape (n_draws, C); NaN where undefined."""
        largest = max(len(each.rows) for each in self._strata)
        cached = max(_DRAWS_AT_ONCE, _CELLS_AT_ONCE // largest)
        step = min(cached, max(1, _CELLS // largest))
        sizes = [min(step, n_draws - start) for start in range(0, n_draws, step)]
        parts: list[_Array] = []
        # Values are computed in threads, since numpy releases the lock. Draws are made in this one.
        with ThreadPoolExecutor(_THREADS) as pool:
            for start in range(0, len(sizes), 4 * _THREADS):
                drawn = [self._drawn(size) for size in sizes[start : start + 4 * _THREADS]]
                parts += pool.map(self._values, drawn)
                context.report(sum(map(len, parts)), n_draws, "draws")
        return np.concatenate(parts)

    def _drawn(self, n_draws: int) -> list[_Array]:
        """Return how often each pair is drawn, shape (n_draws, n) for each stratum of n pairs."""
        each = zip(self._rngs, self._strata, strict=True)
        return [_counts(rng, len(stratum.rows), n_draws) for rng, stratum in each]

    def _values(self, counts: list[_Array]) -> _Array:
        each = zip(self._strata, self._resampled, counts, strict=True)
        values: list[_Array] = [part.weight * scored.values(drawn) for part, scored, drawn in each]
        return sum(values[1:], start=values[0])


def _counts(rng: np.random.Generator, n: int, n_draws: int) -> _Array:
    """Return how often each of n pairs is drawn, multinomial, shape (n_draws, n)."""
    cells = rng.integers(n, size=(n_draws, n)) + n * np.arange(n_draws)[:, None]
    counts = np.bincount(cells.ravel(), minlength=n * n_draws)
    return counts.reshape(n_draws, n).astype(np.float64)


class RhoResampled:
    """Spearman's rho: the pairs are sorted once by gold and once for each calibrator."""

    def __init__(self, similarities: Iterable[FloatArray], gold: FloatArray) -> None:
        self._gold = _Order(gold)
        self._similarities = [_Order(column) for column in similarities]

    def values(self, counts: _Array) -> _Array:
        """Return rho of each draw and calibrator, shape (b, C), for `counts`, shape (b, n)."""
        weights = self._gold.sums(counts)
        gold_variation = _rank_variation(weights)
        if_untied = _rank_variation(counts)
        products = _centred_ranks(weights).take(self._gold.group, axis=1) * counts
        columns = []
        for order in self._similarities:
            weights = order.sums(counts)
            variation = if_untied if order.untied else _rank_variation(weights)
            covariation = np.einsum("bg,bg->b", _centred_ranks(weights), order.sums(products))
            columns.append(_ratio(covariation, np.sqrt(gold_variation * variation)))
        return np.stack(columns, axis=1)


class AucResampled:
    """Area under the ROC curve: the pairs are sorted once for each calibrator."""

    def __init__(self, similarities: Iterable[FloatArray], labels: FloatArray) -> None:
        self._labels = labels
        self._similarities = [_Order(column) for column in similarities]

    def values(self, counts: _Array) -> _Array:
        """Return AUC of each draw and calibrator, shape (b, C), for `counts`, shape (b, n)."""
        ones = counts * self._labels
        n_ones = ones.sum(axis=1)
        n_zeros = counts.sum(axis=1) - n_ones
        columns = []
        for order in self._similarities:
            above = order.sums(ones)
            zeros = order.sums(counts) - above
            below = np.cumsum(zeros, axis=1) - zeros / 2  # a tie counts half
            columns.append(_ratio(np.einsum("bg,bg->b", above, below), n_ones * n_zeros))
        return np.stack(columns, axis=1)


class MeanResampled:
    """The mean of values such as 1 for a correct prediction and 0 for a wrong one."""

    def __init__(self, values: Iterable[FloatArray], _: FloatArray) -> None:
        self._values = np.stack([*values], axis=1)

    def values(self, counts: _Array) -> _Array:
        """Return the mean of each draw and calibrator, shape (b, C), for `counts`, (b, n)."""
        means: _Array = counts @ self._values / counts.sum(axis=1, keepdims=True)
        return means


class ClustersResampled:
    """V-measure per calibrator, the mean over S starts whose clusters have shape (n, S)."""

    def __init__(self, clusters: Iterable[FloatArray], labels: FloatArray) -> None:
        self._labels = _Order(labels)
        self._starts = [
            [(_Order(each), _Order(each * (labels.max() + 1) + labels)) for each in column.T]
            for column in clusters
        ]

    def values(self, counts: _Array) -> _Array:
        """Return v-measure of each draw and calibrator, shape (b, C), for `counts`, (b, n)."""
        of_labels, columns = _entropy(self._labels.sums(counts)), []
        for starts in self._starts:
            each = []
            for cluster, both in starts:
                apart = of_labels + _entropy(cluster.sums(counts))
                each.append(_ratio(2 * (apart - _entropy(both.sums(counts))), apart))
            columns.append(np.mean(each, axis=0))
        return np.stack(columns, axis=1)


_RESAMPLED: dict[str, type[RhoResampled | AucResampled | MeanResampled | ClustersResampled]] = {
    "rho": RhoResampled,
    "auc": AucResampled,
    "accuracy": MeanResampled,
    "v-measure": ClustersResampled,
    **dict.fromkeys(("ndcg", "mrr", "recall", "map"), MeanResampled),
}


def _entropy(weights: _Array) -> _Array:
    """Return the entropy in nats of each draw, shape (b,), from the `weights` of its groups."""
    n = weights.sum(axis=1)
    logs = np.log(np.maximum(weights, 1))  # weights are whole numbers; an empty group adds 0
    entropy: _Array = np.log(n) - np.einsum("bg,bg->b", weights, logs) / n
    return entropy


class _Order:
    """The ascending order of n values, and their groups of ties."""

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        ordered = values[self._order]
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        self._starts = np.flatnonzero(first)
        self.untied = len(self._starts) == len(values)
        self.group = np.empty(len(values), np.intp)
        self.group[self._order] = np.cumsum(first) - 1

    def sums(self, rows: _Array) -> _Array:
        """Sum `rows`, shape (b, n), over each group in order; return shape (b, groups)."""
        ordered: _Array = rows.take(self._order, axis=1)
        return ordered if self.untied else np.add.reduceat(ordered, self._starts, axis=1)


def _centred_ranks(weights: _Array) -> _Array:
    """Return the average rank of each group minus the mean rank, from its `weights`, (b, groups).

    If S values lie in or below a group of w tied values, the group's ranks S - w + 1 to S average S
    - (w - 1) / 2. The mean of all n ranks is (n + 1) / 2.
    """
    ranks = np.cumsum(weights, axis=1)
    n = ranks[:, -1:].copy()
    ranks -= (weights + n) / 2
    return ranks


def _rank_variation(weights: _Array) -> _Array:
    """Return the sum of squared centred ranks of each draw, shape (b,).

    It is (n^3 - n) / 12 minus (w^3 - w) / 12 for each group of w ties (Kendall, 1945,
    https://doi.org/10.1093/biomet/33.3.239); the linear terms cancel, since the w add up to n.
    """
    n = weights.sum(axis=1)
    variation: _Array = (n**3 - np.einsum("bg,bg,bg->b", *[weights] * 3)) / 12
    return variation


def _ratio(above: _Array, below: _Array) -> _Array:
    """Divide; NaN where the divisor is 0."""
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
