"""Which column of a table is what: named by the user, or guessed from well-known names only.

Well-known names are those of published data sets, of sentence-transformers and of our own tables,
here as `plain` writes them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType

from bertflow_core.errors import InputError, check_list, check_name, check_type, listed
from bertflow_core.wording import quoted

PAIR_NAMES = (
    ("sentence0", "sentence1"),  # before the next: sentence-transformers counts from 0
    ("sentence1", "sentence2"),
    ("sentencea", "sentenceb"),
    ("sent1", "sent2"),
    ("text1", "text2"),
    ("texta", "textb"),
    ("question1", "question2"),
    ("firstsentence", "secondsentence"),
    ("first", "second"),
)
SCORE_NAMES = (
    "score",
    "gold",
    "goldscore",
    "relatednessscore",
    "similarityscore",
    "humanscore",
    "relatedness",
    "similarity",
    "grade",
    "rating",
    "label",
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
    def names(self) -> tuple[str, ...]:
        """The columns to read, without those that are None."""
        named = (self.sentence1, self.sentence2, self.score, self.subset)
        return tuple(name for name in named if name is not None)


def choose_columns(
    name: str, header: Sequence[str], columns: TableColumns | None = None
) -> TableColumns:
    """Check that the table `name` has `columns`, or guess them from its `header`.

    Raises:
        InputError: A named column is missing, or the sentences cannot be guessed.

    Example:
        >>> from bertflow_core.datasets import choose_columns
        >>> choose_columns("pairs.csv", ["id", "sentence1", "sentence2", "score"])
        TableColumns(sentence1='sentence1', sentence2='sentence2', score='score', subset=None)
    """
    check_type(name, str, "name", "the table's name")
    check_list(header, "columns")
    for column in header:
        check_type(column, str, "a column", "a name")
    check_type(columns, (TableColumns, NoneType), "columns", "a TableColumns, or None")
    if columns is None:
        return _guess(name, header)
    for column in columns.names:
        check_name(column, header, f"column of {quoted(name)}")
    return columns


def choose_sentence_column(name: str, header: Sequence[str], column: str | None = None) -> str:
    """Check that the table `name` has `column`, or guess the one that holds sentences."""
    if column is not None:
        check_name(column, header, f"column of {quoted(name)}")
        return column
    known = first_of(header, SENTENCE_NAMES)
    if known is None:
        raise InputError(
            f"{quoted(name)} has no column named 'sentence' or 'text', only {listed(header)}: "
            "name the one to read"
        )
    return known


def propose_columns(header: Sequence[str]) -> TableColumns:
    """Return the columns that `choose_columns` guesses, or the first ones where it knows no names.

    For a form that shows them: who looks at it can choose others.

    Args:
        header: The table's columns, at least one.
    """
    known = _known(header)
    if known is not None:
        return known
    judged = first_of(header, SCORE_NAMES), first_of(header, SUBSET_NAMES)
    others = [column for column in header if column not in judged]
    if len(others) > 1:
        return TableColumns(others[0], others[1], *judged)
    return TableColumns((others or header)[0])


def _guess(name: str, header: Sequence[str]) -> TableColumns:
    known = _known(header)
    if known is not None:
        return known
    count = "one column" if len(header) == 1 else f"{len(header)} columns"
    raise InputError(
        f"{quoted(name)} has {count}, {listed(header)}, and none are known to hold sentences: "
        "name the two sentence columns (and the score's), or call them sentence1 and sentence2; "
        "of single sentences name the one, or call it sentence"
    )


def _known(header: Sequence[str]) -> TableColumns | None:
    """Return the columns of well-known names; None where none are of sentences."""
    for first, second in PAIR_NAMES:
        pair = first_of(header, (first,)), first_of(header, (second,))
        if pair[0] is not None and pair[1] is not None:
            return TableColumns(
                pair[0], pair[1], first_of(header, SCORE_NAMES), first_of(header, SUBSET_NAMES)
            )
    single = first_of(header, SENTENCE_NAMES)
    return None if single is None else TableColumns(single)


def has_pairs(header: Sequence[str]) -> bool:
    """Whether two of these columns have the well-known names of pairs of sentences."""
    names = set(map(plain, header))
    return any(names.issuperset(pair) for pair in PAIR_NAMES)


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the header's own spelling of the first of `known`, names as `plain` writes them."""
    spelling = {plain(cell): cell for cell in reversed(header)}
    return next((spelling[name] for name in known if name in spelling), None)


def plain(name: str) -> str:
    """Return a column's name without case, spaces, underscores and hyphens.

    Example:
        >>> from bertflow_core.datasets.column_names import plain
        >>> plain("Sentence_1"), plain("gold score")
        ('sentence1', 'goldscore')
    """
    return re.sub("[ _-]", "", name.lower())
