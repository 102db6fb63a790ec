"""Sentence pairs with gold scores or labels."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bertflow_core.datasets.source import UNKNOWN, Provenance, SourceFile, digest
from bertflow_core.errors import InputError, check_list, check_type
from bertflow_core.wording import DOCUMENT, QUERY, ROLES, quoted

RHO, AUC, ACCURACY, V_MEASURE = "rho", "auc", "accuracy", "v-measure"
OF_TEXTS, OF_QUERIES = (ACCURACY, V_MEASURE), ("ndcg", "mrr", "recall", "map")
"""Names of the metrics in `bertflow_core.evaluation.METRICS`."""

MAX_LABELS = 1_000
"""Largest number of distinct labels of texts; with more, classification takes hours."""

TABLE = "table"
"""The layout of a user's own file, which has no splits."""

VECTOR_ROWS = "vectors"
"""The layout of pairs known only by their vectors; their sentences are row numbers."""


@dataclass(frozen=True)
class Collection:
    """Documents and queries by id, in ascending order of ids, and relevance judgements."""

    documents: dict[str, str] = field(repr=False)
    queries: dict[str, str] = field(repr=False)  # those with a relevant document
    grades: dict[str, dict[str, int]] = field(repr=False)  # by query and document; relevant if > 0
    n_unjudged: int  # queries without a relevant document, which are left out

    @property
    def n_relevant(self) -> int:
        """The number of relevant pairs of a query and a document."""
        return sum(grade > 0 for of in self.grades.values() for grade in of.values())

    @property
    def size(self) -> str:
        """The numbers of documents, queries and relevant pairs, in words."""
        return (
            f"{len(self.documents):,} documents, {len(self.queries):,} queries, "
            f"{self.n_relevant:,} relevant pairs"
        )


@dataclass(frozen=True, eq=False)
class SentencePairs:
    """N sentence pairs of one split of a data set; compare two by `fingerprint`.

    Pairs have gold scores, `gold`, or one of two labels, `labels`, or neither. Single sentences
    have no second sentences and no scores, but may have labels, `topics`.

    Attributes:
        name: The data set's name for `load_pairs`, or a table's file name without its ending.
        split: train, dev or test.
        first: The first sentence of each pair, N strings.
        second: The second sentence of each pair, N strings; none for single sentences.
        gold: Gold scores, shape (N,), float64, read-only; None if unknown.
        scale: Lowest and highest possible gold score.
        subsets: The subset of each pair, N strings; all equal if there is only one.
        provenance: Provenance of the pairs.
        labels: 1 for pairs that belong together, otherwise 0, shape (N,), float64, read-only; None
            without labels.
        topics: The label of each single text, N strings; empty without labels.
        collection: The collection, if any; its documents, then its queries, are the texts.
        text_metric: One of `OF_TEXTS` for labelled texts, of `OF_QUERIES` for a collection.
        roles: The side of the first and of the second sentences, one of the values of `ROLES`.

    Raises:
        InputError: No pairs, unequal lengths, gold scores that are not finite or off the scale,
            labels other than 0 and 1, or unsuitable topics.

    Example:
        >>> from bertflow_core import load_pairs
        >>> pairs = load_pairs("captions")
        >>> len(pairs), pairs.scale, pairs.metric
        (375, (0.0, 5.0), 'rho')
        >>> pairs.sentences()[:2] == (pairs.first[0], pairs.second[0])
        True
    """

    name: str
    split: str
    first: tuple[str, ...] = field(repr=False)
    second: tuple[str, ...] = field(repr=False)
    gold: NDArray[np.float64] | None = field(repr=False)
    scale: tuple[float, float]
    subsets: tuple[str, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)
    labels: NDArray[np.float64] | None = field(default=None, repr=False)
    topics: tuple[str, ...] = field(default=(), repr=False)
    collection: Collection | None = field(default=None, repr=False)
    text_metric: str = ACCURACY
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("gold", "labels"):
            if getattr(self, name) is not None:
                values = np.array(getattr(self, name), dtype=np.float64)
                values.setflags(write=False)
                object.__setattr__(self, name, values)
        for side in ("first", "second", "subsets", "topics", "roles"):
            object.__setattr__(self, side, tuple(getattr(self, side)))
        object.__setattr__(self, "scale", check_scale(self.scale))
        if fault := self._fault():
            raise InputError(f"{quoted(self.name)} {fault}")

    def _fault(self) -> str:
        """Return a clause on what is inconsistent; empty if nothing is."""
        n, people, (low, high) = len(self), self.gold_or_labels, self.scale
        if n == 0:
            return "holds no pairs: expected at least one"
        shapes = {(n,), (len(self.subsets),)}
        if self.is_paired or people is not None:
            shapes |= {(len(self.second),), (n,) if people is None else people.shape}
        if self.topics:
            shapes |= {(len(self.topics),)}
        if len(shapes) > 1:
            return (
                f"has {n:,} first sentences: expected as many second sentences, subsets and scores"
            )
        if self.roles not in ROLES.values() or (self.roles and not self.is_paired):
            named = " or ".join(name for name, roles in ROLES.items() if roles)
            return f"has the roles {quoted(self.roles)}: expected none, or {named} of pairs"
        if people is None:
            return self._fault_of_topics() if self.topics else ""
        if self.labels is not None and self.gold is not None:
            return "has gold scores and labels: choose one"
        if self.labels is not None:
            return "" if np.isin(people, (0, 1)).all() else "has labels other than 0 and 1"
        off = np.flatnonzero(~((people >= low) & (people <= high)))  # NaN is on no scale
        where = f"{people[off[0]]:g} for pair {off[0] + 1}" if len(off) else ""
        return where and f"has a gold score off the scale of {low:g} to {high:g}: {where}"

    def _fault_of_topics(self) -> str:
        """Return why these labels of texts cannot be learned; empty if they can."""
        n, texts = len(self.topic_names), len(set(self.first))
        own = self._texts_by_topic
        alone = next((name for name in self.topic_names if own[name] < 3), None)
        if n < 2:
            return f"has only the label {quoted(self.topics[0])}: expected at least two"
        if n > max(2, texts / 2):
            return (
                f"has {n:,} labels for its {texts:,} texts, as in a column of ids or of numbers: "
                "choose the column of labels, or only the column of texts"
            )
        if n > MAX_LABELS:
            return f"has {n:,} labels: expected at most {MAX_LABELS:,}, so merge rare ones"
        if alone is not None:
            return (
                f"has fewer than three texts with the label {quoted(alone)}: add another text or "
                "leave the label out, or choose only the column of texts"
            )
        return ""

    @property
    def _texts_by_topic(self) -> Counter[str]:
        """Return the number of distinct texts of each label; a text counts for its first label."""
        firsts = dict(zip(reversed(self.first), reversed(self.topics), strict=True))
        return Counter(firsts.values())

    def __len__(self) -> int:
        return len(self.first)

    @property
    def is_paired(self) -> bool:
        """Whether these are pairs, not single sentences."""
        return bool(self.second)

    @property
    def sides(self) -> tuple[str, ...]:
        """The side of each sentence of `first`, then of `second`; empty for symmetric data."""
        if self.collection is not None:
            queries = (QUERY,) * len(self.collection.queries)
            return (DOCUMENT,) * (len(self) - len(queries)) + queries
        return tuple(role for role in self.roles for _ in self.first)

    @property
    def gold_or_labels(self) -> NDArray[np.float64] | None:
        """The gold score or the label of each pair, shape (N,)."""
        return self.gold if self.labels is None else self.labels

    @property
    def targets(self) -> NDArray[np.float64] | None:
        """The values to score against: gold scores, labels, or topics as numbers, (N,).

        A collection has none, but one zero per query, since its metrics are means over queries.
        """
        if self.collection is not None:
            return np.zeros(len(self.collection.queries))
        if not self.topics:
            return self.gold_or_labels
        return np.unique(self.topics, return_inverse=True)[1].astype(np.float64)

    @property
    def metric(self) -> str | None:
        """The metric of agreement: `rho` for gold scores, `auc` for labels.

        It is `text_metric` for labelled texts and collections, and None for data without scores.
        """
        if self.topics or self.collection:
            return self.text_metric
        if self.labels is not None:
            return AUC
        return None if self.gold is None else RHO

    @property
    def ungraded(self) -> str:
        """Why there are no gold scores, as a clause that follows the name of the data."""
        if self.collection is not None:
            return "is a collection to search"
        if self.topics:
            return "has labels of single texts"
        return "has no gold scores" if self.labels is None else "has labels and no gold scores"

    def scored_by(self, metric: str | None) -> "SentencePairs":
        """Return the same pairs with their values as gold scores for rho, or as labels for AUC.

        Args:
            metric: `rho`, `auc`, or one of `OF_TEXTS` or `OF_QUERIES`; None keeps the data's own.

        Raises:
            InputError: The metric does not suit the data, or AUC is asked for and there are not
                exactly two different scores.
        """
        if metric in (None, self.metric):
            return self
        own = OF_QUERIES if self.collection else OF_TEXTS if self.topics else ()
        if metric in own:
            return replace(self, text_metric=str(metric))
        if own:
            raise InputError(
                f"{quoted(self.name)} {self.ungraded}, which {metric} cannot score: choose one of "
                f"the metrics {', '.join(own)}"
            )
        if metric in OF_TEXTS:
            raise InputError(
                f"{quoted(self.name)} has no labels of single texts, which {metric} needs: name "
                "their column with --label (in Python, score)"
            )
        if metric in OF_QUERIES:
            raise InputError(
                f"{quoted(self.name)} is not a collection to search, which {metric} needs: choose "
                "questions or a folder or .zip in BEIR's layout"
            )
        if self.gold_or_labels is None:
            return self
        if metric == RHO:
            return replace(self, gold=self.labels, labels=None, scale=(0.0, 1.0))
        kinds = np.unique(self.gold_or_labels)
        if len(kinds) != 2:
            raise InputError(
                f"{quoted(self.name)} has {len(kinds):,} different scores, but AUC needs two, "
                "such as 0 and 1: choose the metric rho"
            )
        labels = (self.gold_or_labels == kinds[1]).astype(np.float64)
        return replace(self, gold=None, labels=labels, scale=(0.0, 1.0))

    @property
    def has_words(self) -> bool:
        """Whether the sentences are texts, not row numbers of vectors."""
        return self.provenance.layout != VECTOR_ROWS

    @property
    def title(self) -> str:
        """The data set and its split; for a user's own file only the name."""
        has_splits = self.provenance.layout not in (TABLE, VECTOR_ROWS)
        return f"{self.name} {self.split}" if has_splits else self.name

    @property
    def size(self) -> str:
        """The number of pairs, sentences, texts, or queries and documents, as text."""
        if self.collection is not None:
            return self.collection.size
        if not self.topics:
            return f"{len(self):,} {'pairs' if self.is_paired else 'sentences'}"
        least = min(Counter(self.topics).values())
        return f"{len(self):,} texts, {len(self.topic_names)} labels, the smallest with {least:,}"

    @property
    def topic_names(self) -> tuple[str, ...]:
        """The distinct labels of texts, in order of first appearance."""
        return tuple(dict.fromkeys(self.topics))

    @property
    def subset_names(self) -> tuple[str, ...]:
        """The distinct subsets, in order of first appearance."""
        return tuple(dict.fromkeys(self.subsets))

    @property
    def subsets_of_units(self) -> tuple[str, ...]:
        """The subset of each scored unit: a pair, a text or a query."""
        return self.subsets if self.collection is None else ("",) * len(self.collection.queries)

    @property
    def n_units(self) -> int:
        """The number of scored pairs, texts or queries."""
        return len(self.subsets_of_units)

    def sentences(self) -> tuple[str, ...]:
        """Return both sides interleaved, 2 N strings: pair i is at 2 i and 2 i + 1.

        For single sentences, return the N sentences.

        If `x`, shape (2 N, D), holds their embeddings, the sides are `x[0::2]` and `x[1::2]`. Any
        2 k successive rows from an even row on are k whole pairs.
        """
        if not self.is_paired:
            return self.first
        return tuple(side for pair in zip(self.first, self.second, strict=True) for side in pair)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content: sentences, gold, labels, roles and subsets, not the source."""
        gold = self.gold_or_labels
        known = "" if gold is None else gold.astype("<f8").tobytes().hex()
        kind = () if self.labels is None else (AUC,)
        grades = () if self.collection is None else (repr(self.collection.grades),)
        topics = (*self.topics, *grades, *self.roles)
        return digest((*self.sentences(), known, repr(self.scale), *self.subsets, *kind, *topics))


class PairRow(NamedTuple):
    """The content of one row of a file; `number` is 0 if the row's number is not needed."""

    first: str
    second: str | None
    gold: float | None
    subset: str
    number: int = 0
    topic: str | None = None


def pairs_of_rows(
    rows: Sequence[PairRow],
    files: Sequence[SourceFile],
    *,
    name: str,
    scale: Sequence[float],
    source: str,
    layout: str,
    licence: str = UNKNOWN,
    split: str = "test",
    assumed: tuple[str, ...] = (),
    roles: Sequence[str] = (),
) -> SentencePairs:
    """Return the pairs at the given rows, with their provenance."""
    gold = [row.gold for row in rows if row.gold is not None]
    subsets = tuple(row.subset for row in rows)
    counts = tuple(Counter(subsets).items())
    return SentencePairs(
        name=name,
        split=split,
        first=tuple(row.first for row in rows),
        second=tuple(row.second for row in rows if row.second is not None),
        gold=np.array(gold, dtype=np.float64) if gold else None,
        scale=check_scale(scale),
        subsets=subsets,
        provenance=Provenance(source, licence, layout, tuple(files), counts, assumed),
        topics=tuple(row.topic for row in rows if row.topic is not None),
        roles=tuple(roles),
    )


def check_scale(scale: Sequence[float]) -> tuple[float, float]:
    """Return `scale` as two floats."""
    check_list(scale, "scores")
    for end in scale:
        check_type(end, Real, "each end of the scale", "a number")
    if len(scale) != 2 or not all(map(math.isfinite, scale)) or scale[0] >= scale[1]:
        raise InputError(f"scale: expected the lowest and the highest score, got {tuple(scale)}")
    return float(scale[0]), float(scale[1])
