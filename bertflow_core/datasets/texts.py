"""The texts of one split of a data set, and what they are scored against.

Each subclass of `Texts` is scored in its own way, by `evaluation.units.unit_values`.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.source import Provenance, digest
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

RHO, AUC, ACCURACY, V_MEASURE = "rho", "auc", "accuracy", "v-measure"
OF_TEXTS, OF_QUERIES = (ACCURACY, V_MEASURE), ("ndcg", "mrr", "recall", "map")
"""Names of the metrics in `bertflow_core.evaluation.METRICS`."""

_TARGETS = {
    RHO: "gold scores of pairs",
    AUC: "labels of pairs",
    **dict.fromkeys(OF_TEXTS, "labels of single texts"),
    **dict.fromkeys(OF_QUERIES, "documents and queries"),
}
"""What each metric scores against, as a noun phrase."""

MAX_LABELS = 1_000
"""Largest number of distinct labels of texts; with more, classification takes hours."""

TABLE = "table"
"""The layout of a user's own file, which has no splits."""

VECTOR_ROWS = "vectors"
"""The layout of texts known only by their vectors; the texts are row numbers."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Texts:
    r"""Single texts without labels, and the base class of all data; compare two by `fingerprint`.

    A unit is what has a value under given vectors: a pair, a text or a query.

    Attributes:
        name: The data set's name for `load_dataset`, or a table's file name without its ending.
        split: train, dev or test.
        texts: All texts, in the order in which they are embedded.
        subsets: The subset of each unit; all equal if there is only one.
        provenance: Provenance of the texts.
        targets: What each unit is scored against, float64, read-only; None if it is unknown.
        metric: The metric that scores the units.

    Raises:
        InputError: No texts, or targets that cannot be scored.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_table
        >>> read_table(RawFile("own.csv", b"text\nA dog runs.\nRain falls.\n")).data.texts
        ('A dog runs.', 'Rain falls.')
    """

    name: str
    split: str = "test"
    texts: tuple[str, ...] = field(repr=False)
    subsets: tuple[str, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)
    targets: FloatArray | None = field(default=None, repr=False)
    metric: str = RHO

    metrics: ClassVar[tuple[str, ...]] = (RHO, AUC)
    """The metrics that can score such data."""

    def __post_init__(self) -> None:
        if self.targets is not None:
            values = np.array(self.targets, dtype=np.float64)
            values.setflags(write=False)
            object.__setattr__(self, "targets", values)
        if not self.texts:
            raise InputError(f"{quoted(self.name)} holds no texts: expected at least one")
        if fault := self._fault():
            raise InputError(f"{quoted(self.name)} {fault}")

    def _fault(self) -> str:
        """Return a clause on why the data cannot be used; empty if they can."""
        return ""

    def __len__(self) -> int:
        """Return the number of texts, or of pairs."""
        return len(self.texts)

    @property
    def content(self) -> str:
        """What the data have, as a noun phrase."""
        return "no gold scores" if self.targets is None else _TARGETS[self.metric]

    @property
    def size(self) -> str:
        """The number of texts, pairs, or queries and documents, in words."""
        return f"{len(self):,} sentences"

    @property
    def sides(self) -> tuple[str, ...]:
        """The side of each text, query or document; empty if all texts are alike."""
        return ()

    @property
    def gold(self) -> FloatArray | None:
        """The gold score of each pair; None for other data and for labels."""
        return self.targets if self.metric == RHO else None

    @property
    def n_units(self) -> int:
        """The number of scored pairs, texts or queries."""
        return len(self.subsets)

    @property
    def has_words(self) -> bool:
        """Whether the texts are texts, not row numbers of vectors."""
        return self.provenance.layout != VECTOR_ROWS

    @property
    def title(self) -> str:
        """The data set and its split; for a user's own file only the name."""
        has_splits = self.provenance.layout not in (TABLE, VECTOR_ROWS)
        return f"{self.name} {self.split}" if has_splits else self.name

    def sentences(self) -> tuple[str, ...]:
        """Return all texts, the two sides of a pair next to each other."""
        return self.texts

    def compared(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the rows of `x`, the vectors of `texts`, that are scored against each other.

        These are first and second sentences, queries and documents, or single texts twice.
        """
        return x, x

    def scored_by(self, metric: str | None) -> Self:
        """Return the same data, to be scored by another metric; None keeps the data's own.

        Pairs have their values as gold scores for rho, or as labels for AUC.

        Raises:
            InputError: The metric does not suit the data, or AUC is asked for and there are not
                exactly two different scores.
        """
        if metric is None or metric == self.metric:
            return self
        if metric not in self.metrics:
            raise InputError(
                f"{quoted(self.name)} has {self.content}, and {metric} needs {_TARGETS[metric]}: "
                f"choose other data or columns, or one of the metrics {', '.join(self.metrics)}"
            )
        return self if self.targets is None else replace(self, metric=metric)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what decides scores: texts, sides, subsets, targets and metric."""
        known = "" if self.targets is None else self.targets.astype("<f8").tobytes().hex()
        return digest((*self.sentences(), *self.sides, *self.subsets, known, self.metric))


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledTexts(Texts):
    r"""Single texts with a label each; labels that cannot be learned are refused.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_table
        >>> table = b"text,topic\na,x\nb,y\nc,x\nd,y\ne,x\nf,y\n"
        >>> read_table(RawFile("own.csv", table)).data.labels[:3]
        ('x', 'y', 'x')
    """

    labels: tuple[str, ...] = field(repr=False)
    targets: FloatArray = field(repr=False, init=False)  # the labels as numbers
    metric: str = ACCURACY
    metrics = OF_TEXTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", np.unique(self.labels, return_inverse=True)[1])
        super().__post_init__()

    def _fault(self) -> str:
        n, texts = len({*self.labels}), len({*self.texts})
        first = dict(zip(reversed(self.texts), reversed(self.labels), strict=True))
        counts = Counter(first.values())  # a repeated text counts for its first label
        rare = next((name for name in self.labels if counts[name] < 3), None)
        if n < 2:
            return f"has only the label {quoted(self.labels[0])}: expected at least two"
        if n > max(2, texts / 2):
            return (
                f"has {n:,} labels for its {texts:,} texts, as in a column of ids or of numbers: "
                "choose the column of labels, or only the column of texts"
            )
        if n > MAX_LABELS:
            return f"has {n:,} labels: expected at most {MAX_LABELS:,}, so merge rare ones"
        if rare is not None:
            return (
                f"has fewer than three texts with the label {quoted(rare)}: add another text or "
                "leave the label out, or choose only the column of texts"
            )
        return ""

    @property
    def size(self) -> str:
        """The numbers of texts and labels, in words."""
        sizes = Counter(self.labels).values()
        return f"{len(self):,} texts, {len(sizes)} labels, the smallest with {min(sizes):,}"


def need_targets(data: Texts) -> FloatArray:
    """Return what data are scored against, or refuse data without it."""
    if data.targets is None:
        raise InputError(
            f"{quoted(data.name)} has {data.content}, so there is nothing to score against: choose "
            "data with gold scores or labels, for example captions"
        )
    return data.targets
