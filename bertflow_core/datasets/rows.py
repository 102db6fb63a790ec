"""What a reader takes from files, made into pairs with their provenance."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.provenance import Provenance
from bertflow_core.datasets.raw_file import SourceFile

__all__ = ["Rows", "pairs_from_rows"]


@dataclass(frozen=True)
class Rows:
    """What was read from files: N pairs, their scores or labels if known, subsets, the files."""

    first: Sequence[str]
    second: Sequence[str]
    gold: Sequence[float] | None
    subsets: Sequence[str]
    files: Sequence[SourceFile]


def pairs_from_rows(
    rows: Rows,
    *,
    name: str,
    split: str,
    scale: tuple[float, float],
    source: str,
    licence: str,
    layout: str,
) -> SentencePairs:
    """Return the pairs that were read, with their provenance.

    Raises:
        InputError: As for `SentencePairs`.
    """
    return SentencePairs(
        name=name,
        split=split,
        first=tuple(rows.first),
        second=tuple(rows.second),
        gold=None if rows.gold is None else np.array(rows.gold, dtype=np.float64),
        scale=scale,
        subsets=tuple(rows.subsets),
        provenance=Provenance(
            source=source,
            licence=licence,
            layout=layout,
            files=tuple(rows.files),
            counts=_count_by_subset(rows.subsets),
        ),
    )


def _count_by_subset(subsets: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return (subset, number of pairs) in order of first appearance."""
    return tuple(Counter(subsets).items())
