"""Sentence pairs with gold scores, and the provenance that every number made from them carries."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertflow_core.datasets.raw_file import SourceFile
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

__all__ = ["Provenance", "Rows", "SentencePairs", "check_scale", "digest", "pairs_from_rows"]


@dataclass(frozen=True)
class Provenance:
    """Where sentences came from, in a form that may be printed under a result.

    Attributes:
        source: One sentence that names the origin.
        licence: Terms of use, in words.
        layout: The arrangement the files were found in: senteval, glue, package, table or text.
        files: Each file with checksum and number of lines.
        counts: (subset, number of pairs), in order; for plain text ("sentences", number).
    """

    source: str
    licence: str
    layout: str
    files: tuple[SourceFile, ...]
    counts: tuple[tuple[str, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `json.dumps` takes; `counts` becomes a mapping."""
        return {
            "source": self.source,
            "licence": self.licence,
            "layout": str(self.layout),
            "files": [asdict(file) for file in self.files],
            "counts": dict(self.counts),
        }


@dataclass(frozen=True, eq=False)
class SentencePairs:
    """N sentence pairs of one split of a data set; compare two by `fingerprint`.

    A table of single sentences has no second sentences and no scores.

    Attributes:
        name: The data set, as `load_pairs` takes it; a table's file name without its ending.
        split: train, dev or test.
        first: The first sentence of each pair, N strings.
        second: The second sentence of each pair, N strings; none for single sentences.
        gold: Similarity judged by people, shape (N,), float64, read-only; None where unknown.
        scale: Lowest and highest score that a judge could give.
        subsets: The subset of each pair, N strings; all the same where there is only one.
        provenance: Where the pairs came from.

    Raises:
        InputError: No pairs, unequal lengths, or gold scores that are not finite or off the scale.
    """

    name: str
    split: str
    first: tuple[str, ...] = field(repr=False)
    second: tuple[str, ...] = field(repr=False)
    gold: NDArray[np.float64] | None = field(repr=False)
    scale: tuple[float, float]
    subsets: tuple[str, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)

    def __post_init__(self) -> None:
        if self.gold is not None:
            gold = np.array(self.gold, dtype=np.float64)
            gold.setflags(write=False)
            object.__setattr__(self, "gold", gold)
        for side in ("first", "second", "subsets"):
            object.__setattr__(self, side, tuple(getattr(self, side)))
        object.__setattr__(self, "scale", check_scale(self.scale))
        self._check_lengths()
        self._check_gold()

    def __len__(self) -> int:
        return len(self.first)

    @property
    def is_paired(self) -> bool:
        """Whether these are pairs, not single sentences."""
        return bool(self.second)

    @property
    def size(self) -> str:
        """How many pairs or sentences, in words."""
        return f"{len(self):,} {'pairs' if self.is_paired else 'sentences'}"

    @property
    def subset_names(self) -> tuple[str, ...]:
        """The different subsets, in order of first appearance."""
        return tuple(dict.fromkeys(self.subsets))

    def sentences(self) -> tuple[str, ...]:
        """Return both sides interleaved, 2 N strings: pair i is at 2 i and 2 i + 1.

        Of single sentences they are the N themselves.

        So with their embeddings `x`, shape (2 N, D), the sides are `x[0::2]` and `x[1::2]`, and any
        run of 2 k rows that starts at a pair holds both sides of k pairs.
        """
        if not self.is_paired:
            return self.first
        return tuple(
            sentence for pair in zip(self.first, self.second, strict=True) for sentence in pair
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content: sentences, gold, scale and subsets, whatever their source."""
        gold = "" if self.gold is None else self.gold.astype("<f8").tobytes().hex()
        return digest((*self.sentences(), gold, repr(self.scale), *self.subsets))

    def _check_lengths(self) -> None:
        lengths = {"first": len(self.first), "second": len(self.second)}
        lengths["subsets"] = len(self.subsets)
        if self.gold is None and not self.is_paired:
            del lengths["second"]
        if self.gold is not None:
            if self.gold.ndim != 1:
                raise InputError(
                    f"gold of {quoted(self.name)}: expected one dimension, got {self.gold.ndim}"
                )
            lengths["gold"] = len(self.gold)
        if len(set(lengths.values())) != 1:
            counts = ", ".join(f"{length} {part}" for part, length in lengths.items())
            raise InputError(
                f"{quoted(self.name)}: expected one of each for every pair, got {counts}"
            )
        if not self.first:
            raise InputError(f"{quoted(self.name)} holds no pairs: expected at least one")

    def _check_gold(self) -> None:
        if self.gold is None:
            return
        low, high = self.scale
        # The comparison is false for NaN, so that one test finds all three faults.
        bad = np.flatnonzero(~((self.gold >= low) & (self.gold <= high)))
        if len(bad):
            raise InputError(
                f"{quoted(self.name)}: {len(bad)} gold scores are off the scale: expected {low:g} "
                f"to {high:g}, got {self.gold[bad[0]]:g} for pair {bad[0] + 1}"
            )


@dataclass(frozen=True)
class Rows:
    """What was read from files: N pairs, their gold scores if known, subsets, and the files."""

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


def check_scale(scale: Sequence[float]) -> tuple[float, float]:
    """Return `scale` as two floats.

    Raises:
        InputError: Not two finite numbers in rising order.
    """
    if len(scale) != 2 or not all(map(math.isfinite, scale)) or scale[0] >= scale[1]:
        raise InputError(f"scale: expected a lowest and a higher highest score, got {tuple(scale)}")
    return float(scale[0]), float(scale[1])


def _count_by_subset(subsets: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return (subset, number of pairs) in order of first appearance."""
    return tuple(Counter(subsets).items())


def digest(texts: Iterable[str]) -> str:
    """Return the SHA-256 of `texts`, each led by its length so that different lists differ."""
    total = hashlib.sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        total.update(len(raw).to_bytes(8, "little"))
        total.update(raw)
    return total.hexdigest()
