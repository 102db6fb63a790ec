"""Pairs of sentences with gold scores or labels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.texts import AUC, RHO, Texts
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

DEFAULT_SCALE = (0.0, 5.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs(Texts):
    """N pairs of sentences.

    Targets are gold scores if the metric is `rho`. If it is `auc` they are labels: 1 for pairs that
    belong together, otherwise 0.

    Attributes:
        first: The first sentence of each pair, N strings.
        second: The second sentence of each pair, N strings.
        scale: Lowest and highest possible target.
        roles: The side of the first and of the second sentences, one of the values of `ROLES`.

    Raises:
        InputError: No pairs, unequal lengths, or targets that are not finite or off the scale.

    Example:
        >>> from bertflow_core import load_dataset
        >>> pairs = load_dataset("captions")
        >>> len(pairs), pairs.scale, pairs.metric
        (375, (0.0, 5.0), 'rho')
        >>> pairs.sentences()[:2] == (pairs.first[0], pairs.second[0])
        True
    """

    first: tuple[str, ...] = field(repr=False)
    second: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False, init=False)  # the first sides, then the second
    scale: tuple[float, float] = DEFAULT_SCALE
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", self.first + self.second)
        super().__post_init__()

    def _fault(self) -> str:
        n, values, (low, high) = len(self), self.targets, self.scale
        shapes = {(len(self.second),), (len(self.subsets),)}
        if {(n,)} != shapes | ({(n,)} if values is None else {values.shape}):
            return (
                f"has {n:,} first sentences: expected as many second sentences, subsets and scores"
            )
        if values is None:
            return ""
        off = np.flatnonzero(~((values >= low) & (values <= high)))  # NaN is on no scale
        where = f"{values[off[0]]:g} for pair {off[0] + 1}" if len(off) else ""
        return where and f"has a gold score off the scale of {low:g} to {high:g}: {where}"

    def __len__(self) -> int:
        return len(self.first)

    @property
    def size(self) -> str:
        """The number of pairs, in words."""
        return f"{len(self):,} pairs"

    @property
    def sides(self) -> tuple[str, ...]:
        """The side of each text, query or document; empty for symmetric data."""
        return tuple(role for role in self.roles for _ in self.first)

    def sentences(self) -> tuple[str, ...]:
        """Return both sides interleaved, 2 N strings: pair i is at 2 i and 2 i + 1.

        Any 2 k successive sentences from an even place on are k whole pairs.
        """
        return tuple(side for pair in zip(self.first, self.second, strict=True) for side in pair)

    def compared(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the vectors of the first sentences and of the second, of `x`, shape (2 N, D)."""
        return x[: len(self)], x[len(self) :]

    def scored_by(self, metric: str | None) -> Self:
        """Return the same pairs with their values as gold scores for rho, or as labels for AUC."""
        if metric == self.metric or metric not in self.metrics or self.targets is None:
            return super().scored_by(metric)
        if metric == RHO:
            return replace(self, metric=RHO)  # labels are on the scale of 0 to 1
        kinds = np.unique(self.targets)
        if len(kinds) != 2:
            raise InputError(
                f"{quoted(self.name)} has {len(kinds):,} different scores, but AUC needs two, "
                "such as 0 and 1: choose the metric rho"
            )
        labels = (self.targets == kinds[1]).astype(np.float64)
        return replace(self, metric=AUC, targets=labels, scale=(0.0, 1.0))


def need_pairs(data: Texts, what: str, *, gold: bool = False) -> Pairs:
    """Return data as pairs for `what`, a subject in the plural; refuse other data.

    With `gold`, pairs without gold scores are refused, too.
    """
    if isinstance(data, Pairs) and not (gold and data.gold is None):
        return data
    kind = "pairs with gold scores" if gold else "pairs of sentences"
    raise InputError(
        f"{what} need {kind}, and {quoted(data.name)} has {data.content}: choose other data, for "
        "example captions"
    )


def check_scale(scale: Sequence[float]) -> tuple[float, float]:
    """Return `scale` as two floats."""
    if len(scale) != 2 or not all(map(math.isfinite, scale)) or scale[0] >= scale[1]:
        raise InputError(f"scale: expected the lowest and the highest score, got {tuple(scale)}")
    return float(scale[0]), float(scale[1])
