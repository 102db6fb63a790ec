"""Which column of a table is what: named by the user, or guessed from well-known names only.

Well-known names are those of published data sets, of sentence-transformers and of our own tables,
here without case, spaces, underscores and hyphens.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType

from bertflow_core.errors import InputError, check_name, check_type, listed
from bertflow_core.wording import quoted

PAIR_NAMES = tuple(
    tuple(names.split())
    for names in (
        "sentence0 sentence1",  # before the next: sentence-transformers counts from 0
        "sentence1 sentence2",
        "sentencea sentenceb",
        "sent1 sent2",
        "text1 text2",
        "texta textb",
        "question1 question2",
        "firstsentence secondsentence",
        "first second",
    )
)
SCORE_NAMES = tuple(
    "score gold goldscore relatednessscore similarityscore humanscore relatedness similarity grade "
    "rating label".split()
)
SUBSET_NAMES = ("subset",)
SENTENCE_NAMES = ("sentence", "text")


@dataclass(frozen=True)
class TableColumns:
    """The names of a table's columns.

    Attributes:
        sentence1: First sentences.
        sentence2: Second sentences; None for a table of single sentences.
        score: Gold scores; None for pairs without.
        subset: Names of subsets; None for a single one, named as the table.

    Raises:
        InputError: One column was named twice, or scores without second sentences.

    Example:
        >>> from bertflow_core.datasets import TableColumns
        >>> TableColumns("question", "answer", score="rating").names
        ('question', 'answer', 'rating')
    """

    sentence1: str
    sentence2: str | None = None
    score: str | None = None
    subset: str | None = None

    def __post_init__(self) -> None:
        check_type(self.sentence1, str, "sentence1", "a column's name")
        for name in ("sentence2", "score", "subset"):
            check_type(getattr(self, name), (str, NoneType), name, "a column's name, or None")
        if self.sentence2 is None and self.score is not None:
            raise InputError("scores belong to pairs: name the second sentences too, --sentence2")
        if len(set(self.names)) < len(self.names):
            raise InputError(
                f"one column is chosen twice: choose different ones, got {listed(self.names)}"
            )

    @property
    def all(self) -> tuple[str, str | None, str | None, str | None]:
        """The four columns."""
        return self.sentence1, self.sentence2, self.score, self.subset

    @property
    def names(self) -> tuple[str, ...]:
        """The columns to read, without those that are None."""
        return tuple(name for name in self.all if name is not None)


def choose_columns(
    name: str, header: Sequence[str], columns: TableColumns | None = None
) -> TableColumns:
    """Check that the table `name` has `columns`, or recognise them in its `header`."""
    columns = columns or known_columns(header)
    if columns is None:
        raise InputError(
            f"{quoted(name)} has the columns {listed(header)}, and none are known to hold "
            "sentences: name the two sentence columns (and the score's), or call them sentence1 "
            "and sentence2; of single sentences name the one, or call it sentence"
        )
    for column in columns.names:
        check_name(column, header, f"column of {quoted(name)}")
    return columns


def choose_column(
    name: str, header: Sequence[str], known: Sequence[str], column: str | None = None
) -> str | None:
    """Check that the table `name` has `column`, or return the first of those well known, if any."""
    if column is None:
        return first_of(header, known)
    check_name(column, header, f"column of {quoted(name)}")
    return column


def propose_columns(header: Sequence[str]) -> TableColumns:
    """Return the columns that are recognised, or the first ones where no names are known.

    For a form that shows them: who looks at it can choose others.
    """
    judged = _judged(header)
    others = [column for column in header if column not in judged]
    two = TableColumns(others[0], others[1], *judged) if len(others) > 1 else None
    return known_columns(header) or two or TableColumns((others or header)[0])


def known_columns(header: Sequence[str]) -> TableColumns | None:
    """Return the columns of well-known names; None where none are of sentences."""
    for names in PAIR_NAMES:
        first, second = (first_of(header, (name,)) for name in names)
        if first is not None and second is not None:
            return TableColumns(first, second, *_judged(header))
    single = first_of(header, SENTENCE_NAMES)
    return None if single is None else TableColumns(single)


def _judged(header: Sequence[str]) -> tuple[str | None, str | None]:
    return first_of(header, SCORE_NAMES), first_of(header, SUBSET_NAMES)


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the header's own spelling of the first of the well-known names `known`."""
    spelling = {re.sub("[ _-]", "", cell.lower()): cell for cell in reversed(header)}
    return next((spelling[name] for name in known if name in spelling), None)
