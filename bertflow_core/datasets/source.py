"""One data set in one layout, as data: which files hold which split, and who reads them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np

from bertflow_core.datasets.files import SourceFile
from bertflow_core.datasets.pairs import Provenance, SentencePairs, count_by_subset

__all__ = ["STSB_LICENCE", "STS_TERMS", "Layout", "Rows", "Source", "Split"]

STS_TERMS = "sentences under the terms of their own sources, some of them restricted"
STSB_LICENCE = f"scores CC BY-SA 4.0; {STS_TERMS}"


class Split(StrEnum):
    """A part of a data set; "trial", SICK's own word, means `DEV`."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"

    @classmethod
    def _missing_(cls, value: object) -> "Split | None":
        return cls.DEV if value == "trial" else None


class Layout(StrEnum):
    """The arrangement of a folder of benchmarks, in order of preference."""

    SENTEVAL = "senteval"
    GLUE = "glue"


@dataclass(frozen=True)
class Rows:
    """What was read from files: N pairs, their gold scores if known, subsets, and the files."""

    first: Sequence[str]
    second: Sequence[str]
    gold: Sequence[float] | None
    subsets: Sequence[str]
    files: Sequence[SourceFile]


@dataclass(frozen=True)
class Source:
    """A data set in one layout.

    Attributes:
        name: The data set's name.
        title: What a listing calls it.
        origin: One sentence for the provenance.
        licence: Terms of use, in words.
        layout: A `Layout`, or "package" for what ships with this package.
        scale: Lowest and highest gold score.
        files: For each split a pattern below the layout's folder; the split is there if one
            file fits.
        read: Reads a split: (the layout's folder, split) -> rows.
        hidden: For each split whose gold scores are not published, the sentence that says so.
    """

    name: str
    title: str
    origin: str
    licence: str
    layout: str
    scale: tuple[float, float]
    files: Mapping[Split, str]
    read: Callable[[Path, Split], Rows]
    hidden: Mapping[Split, str] = field(default_factory=dict)

    def present(self, folder: Path) -> tuple[Split, ...]:
        """Return the splits whose files lie below `folder`."""
        return tuple(split for split, pattern in self.files.items() if any(folder.glob(pattern)))

    def load(self, folder: Path, split: Split) -> SentencePairs:
        """Read `split` from the layout's `folder`.

        Raises:
            InputError: A file is missing or not in the expected format.
            ResourceError: The disk refused.
        """
        rows = self.read(folder, split)
        return SentencePairs(
            name=self.name,
            split=str(split),
            first=tuple(rows.first),
            second=tuple(rows.second),
            gold=None if rows.gold is None else np.array(rows.gold, dtype=np.float64),
            scale=self.scale,
            subsets=tuple(rows.subsets),
            provenance=Provenance(
                source=self.origin,
                licence=self.licence,
                layout=self.layout,
                files=tuple(rows.files),
                counts=count_by_subset(rows.subsets),
            ),
        )
