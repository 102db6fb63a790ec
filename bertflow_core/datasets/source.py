"""One data set in one layout: which files hold which split, and the function that reads them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from bertflow_core.datasets.pairs import RHO, SentencePairs
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.rows import Rows, pairs_from_rows

__all__ = ["Layout", "Source", "Split"]


class Split(StrEnum):
    """A part of a data set; "trial", SICK's own word, means `DEV`.

    Example:
        >>> from bertflow_core.datasets import Split
        >>> [str(Split(name)) for name in ("test", "trial")]
        ['test', 'dev']
    """

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"

    @classmethod
    def _missing_(cls, value: object) -> "Split | None":
        return cls.DEV if isinstance(value, str) and value == "trial" else None


class Layout(StrEnum):
    """The arrangement of a folder of benchmarks, in order of preference.

    Example:
        >>> from bertflow_core.datasets import Layout
        >>> [*map(str, Layout)]
        ['senteval', 'glue']
    """

    SENTEVAL = "senteval"
    GLUE = "glue"


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
        files: For each split a pattern below the layout's folder; the split exists if one
            file matches.
        read: Reads a split: (the layout's folder, split) -> rows.
        more: Reads further sentences to fit on, beside those of the pairs; None where there are
            none.
        hidden: For each split whose gold scores are not published, the sentence that says so.
        metric: What agreement is measured by: `rho` for graded scores, `auc` for labels, which
            `read` gives as 1 and 0.
    """

    name: str
    title: str
    origin: str
    licence: str
    layout: str
    scale: tuple[float, float]
    files: Mapping[Split, str]
    read: Callable[[Path, Split], Rows]
    more: Callable[[], RawFile] | None = None
    hidden: Mapping[Split, str] = field(default_factory=dict)
    metric: str = RHO

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
        return pairs_from_rows(
            rows,
            name=self.name,
            split=str(split),
            scale=self.scale,
            source=self.origin,
            licence=self.licence,
            layout=self.layout,
        ).scored_by(self.metric)
