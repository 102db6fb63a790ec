"""Which column of a table is what: named by the user, or guessed from well-known names only."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType

from bertflow_core.errors import InputError, check_list, check_name, check_type, listed
from bertflow_core.wording import quoted

__all__ = ["TableColumns", "choose_columns", "choose_sentence_column", "first_of", "has_pairs"]

PAIR_NAMES = (
    ("sentence1", "sentence2"),
    ("sentence_1", "sentence_2"),
    ("sentence_a", "sentence_b"),
    ("text1", "text2"),
    ("text_1", "text_2"),
    ("text_a", "text_b"),
    ("question1", "question2"),
)
SCORE_NAMES = (
    "score",
    "gold",
    "relatedness_score",
    "similarity_score",
    "similarity",
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
    """Check that the table `name` has `column`, or guess the one that holds sentences.

    Raises:
        InputError: The named column is missing, or none can be guessed.
    """
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


def _guess(name: str, header: Sequence[str]) -> TableColumns:
    for first, second in PAIR_NAMES:
        pair = first_of(header, (first,)), first_of(header, (second,))
        if pair[0] is not None and pair[1] is not None:
            return TableColumns(
                pair[0], pair[1], first_of(header, SCORE_NAMES), first_of(header, SUBSET_NAMES)
            )
    single = first_of(header, SENTENCE_NAMES)
    if single is not None:
        return TableColumns(single)
    count = "one column" if len(header) == 1 else f"{len(header)} columns"
    raise InputError(
        f"{quoted(name)} has {count}, {listed(header)}, and none are known to hold sentences: "
        "name the two sentence columns (and the score's), or call them sentence1 and sentence2; "
        "of single sentences name the one, or call it sentence"
    )


def has_pairs(header: Sequence[str]) -> bool:
    """Whether two of these columns have the well-known names of pairs of sentences."""
    names = {cell.lower() for cell in header}
    return any(names.issuperset(pair) for pair in PAIR_NAMES)


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the header's own spelling of the first of `known`, whatever its case."""
    spelling = {cell.lower(): cell for cell in reversed(header)}
    return next((spelling[name] for name in known if name in spelling), None)
