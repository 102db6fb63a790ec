"""Read a user's own table of pairs or sentences, with a reason for each unusable row.

The user names the columns, or well-known names are recognised. These are the names in published
data sets, sentence-transformers and our own tables. Case, spaces, underscores and hyphens are
ignored. Of pairs, the only column that can hold gold scores is read as these, whatever its name.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress, permutations, product
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.datasets.pairs import DEFAULT_SCALE, Pairs, check_scale
from bertflow_core.datasets.source import UNKNOWN, Provenance, RawFile
from bertflow_core.datasets.tables import (
    Refusal,
    Table,
    is_blank,
    line_table,
    name_cell,
    open_table,
    score_cell,
    sentence_cell,
)
from bertflow_core.datasets.texts import AUC, TABLE, LabelledTexts, Texts
from bertflow_core.errors import InputError, check_name, listed
from bertflow_core.wording import DOCUMENT, QUERY, ROLES, SIDES, counted, quoted

_SIDES = ("sentence", "sent", "text", "question")
_SIDE_NAMES = {
    QUERY: ("query", "question"),
    DOCUMENT: ("document", "doc", "passage", "context", "answer"),
}
"""Names of columns by which the sides of a search are recognised."""
PAIR_NAMES = (  # 01 comes before 12, since sentence-transformers counts from 0
    *((f"{side}{a}", f"{side}{b}") for side in _SIDES for a, b in ("01", "12", "ab")),
    ("firstsentence", "secondsentence"),
    ("first", "second"),
    *product(*_SIDE_NAMES.values()),
)
SCORE_NAMES = tuple(
    "score gold goldscore relatednessscore similarityscore humanscore relatedness similarity grade "
    "rating label duplicate isduplicate bewertung".split()
)
TOPIC_NAMES = ("label", "labels", "topic", "category", "class", "intent")
SUBSET_NAMES = ("subset",)
SENTENCE_NAMES = ("sentence", "text")
_UNIT_SCALE = (0.0, 1.0)
_TOGETHER = frozenset(
    "entailment duplicate paraphrase equivalent match relevant positive related similar same yes "
    "true ja oui sí si".split()
)
_NEGATIONS = tuple(word + gap for word in ("not", "non", "no") for gap in "_- ")


@checked
@dataclass(frozen=True)
class TableColumns:
    """The names of a table's columns.

    Attributes:
        sentence1: First sentences; None to recognise both sides by well-known names.
        sentence2: Second sentences; None for a table of single sentences.
        score: Gold scores of pairs, or labels of single sentences; None if there are none.
        subset: Names of subsets; None for one subset with the table's name.
        roles: A name of `ROLES`, for the two columns of sentences; None to recognise queries and
            documents by the names of the columns.

    Raises:
        InputError: A column is named twice, or unknown roles.

    Example:
        >>> from bertflow_core.datasets import TableColumns
        >>> TableColumns("question", "answer", score="rating").names
        ('question', 'answer', 'rating')
    """

    sentence1: str | None
    sentence2: str | None = None
    score: str | None = None
    subset: str | None = None
    roles: str | None = None

    def __post_init__(self) -> None:
        if self.roles is not None:
            check_name(self.roles, ROLES, "roles")
        if len(set(self.names)) < len(self.names):
            raise InputError(f"columns must differ, got {listed(self.names)}")

    @property
    def all(self) -> tuple[str | None, str | None, str | None, str | None]:
        """The four columns."""
        return self.sentence1, self.sentence2, self.score, self.subset

    @property
    def names(self) -> tuple[str, ...]:
        """The columns to read, without None."""
        return tuple(name for name in self.all if name is not None)


@dataclass(frozen=True)
class TableReading:
    r"""The content of a table.

    Attributes:
        data: The usable rows: pairs, labelled texts or texts.
        refused: The other rows in order, each with its number and the reason.
        columns: The columns read, as given or recognised.
        n_rows: All rows, without the header.
        rows: The number of each usable row: its line, or in parquet its position from 1.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_table
        >>> table = b"text1,text2,score\nA dog runs.,A dog ran.,5\nRain falls.,,1\n"
        >>> reading = read_table(RawFile("pairs.csv", table))
        >>> reading.n_rows, len(reading.data), reading.refused[0].reason
        (2, 1, 'text2 is blank')
    """

    data: Texts
    refused: tuple[Refusal, ...]
    columns: TableColumns
    n_rows: int
    rows: tuple[int, ...] = ()


_Row = tuple[int, str, str, Any, str]
"""A row's number, its sentences, its score or label, and its subset."""


@checked
def read_table(
    source: Path | RawFile | Table,
    columns: TableColumns | None = None,
    *,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> TableReading:
    r"""Read the usable rows of a table of sentence pairs or single sentences.

    For single sentences the score column holds labels, which may be any text. For pairs it holds
    numbers, or two words such as entailment and not_entailment. Two words are labels, scored by
    AUC. Numbers remain scores, even 0 and 1 (see `Pairs.scored_by`).

    Args:
        source: A path (at most 500 MB), or the bytes of a file with its name.
        columns: The columns to read; by default well-known names are recognised, and for pairs the
            only column that can hold gold scores or labels.
        scale: Lowest and highest gold score; by default (0, 1) if all scores are in that range,
            else (0, 5). Rows with scores outside the scale are refused.
        strict: Whether to refuse the table if any row is refused.

    Raises:
        InputError: The file is not such a table, its columns or labels are unclear, no row is
            usable, or no scale is given and most scores are outside the default scale.
        ResourceError: The disk failed.

    Example:
        >>> from bertflow_core.datasets import RawFile, TableColumns, read_table
        >>> table = b"question,answer,rating\nWhy?,Because.,4\nWho?,Rain.,1\n"
        >>> columns = TableColumns("question", "answer", score="rating")
        >>> read_table(RawFile("own.csv", table), columns, scale=(1, 5)).data.gold.tolist()
        [4.0, 1.0]
    """
    table = source if isinstance(source, Table) else open_table(source)
    stem = PurePath(table.name).stem
    chosen = _choose_columns(table, columns)
    one, two, scored, part = chosen.all
    roles, assumed = _roles(chosen)
    is_named = scored is None or (columns is not None and columns.score is not None)
    if two is not None and not is_named and first_of([str(scored)], SCORE_NAMES) is None:
        assumed += (f"column {quoted(scored)} holds the gold scores, since no other column can",)
    words = {} if scored is None or two is None else _labels(table, scored)

    def read(number: int, first: object, second: object, score: object, subset: object) -> _Row:
        text = sentence_cell(first, str(one))
        of = stem if part is None else name_cell(subset, part)
        if two is None:
            label = None if scored is None else name_cell(score, scored).strip()
            return number, text, "", label, of
        target = words.get(str(score).strip())
        if scored is not None and target is None:
            target = score_cell(score, scored)
        return number, text, sentence_cell(second, two), target, of

    rows, refused = table.sift(chosen.all, read)
    has_scores = two is not None and scored is not None
    scores = [score for *_, score, _ in rows] if has_scores else []
    is_unit = bool(scores) and 0 <= min(scores) <= max(scores) <= 1
    inferred = _UNIT_SCALE if is_unit else DEFAULT_SCALE
    low, high = check_scale(inferred if scale is None else scale)
    good: list[_Row] = []
    for row in rows:
        if not has_scores or low <= row[3] <= high:
            good.append(row)
            continue
        why = f"score {row[3]:g} is off the scale: expected {low:g} to {high:g}, or set the scale"
        refused.append(Refusal(row[0], why))
    refused.sort()
    are_most_off = 2 * len(good) < len(rows)
    if not good or (strict and refused) or (are_most_off and scale is None):
        raise table.refuse(refused)
    numbers, first, second, values, subsets = zip(*good, strict=True)
    files = tuple(file.source_file() for file in table.files)
    repeated = len(first) - len({*zip(first, second, strict=True)})
    assumed += (f"{counted(repeated, 'pair')} of {len(first):,} repeated",) * (
        two is not None and repeated > 0
    )
    remarks = (
        *table.remarks,
        *_unread(table, chosen),
        *(f"{quoted(table.name)}: {each}." for each in assumed),
    )
    provenance = Provenance(f"The table {table.name}.", UNKNOWN, TABLE, files, assumed=remarks)
    shared: Any = {"name": stem, "subsets": subsets, "provenance": provenance.counting(subsets)}
    data: Texts
    if two is not None:
        targets = np.array(values) if has_scores else None
        shared |= {"scale": (low, high), "roles": roles}
        pairs = Pairs(first=first, second=second, targets=targets, **shared)
        data = pairs.scored_by(AUC if words else None)
    elif scored is not None:
        data = LabelledTexts(texts=first, labels=values, **shared)
    else:
        data = Texts(texts=first, **shared)
    return TableReading(data, tuple(refused), chosen, len(table.rows), numbers)


def _roles(columns: TableColumns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sides of the two columns of sentences, and what was assumed about them."""
    sides = columns.sentence1, columns.sentence2
    if columns.roles is not None:
        if None in sides:
            raise InputError("roles apply to two columns of sentences, and only one is read")
        return ROLES[columns.roles], ()
    for roles in filter(None, ROLES.values()):
        if all(
            side is not None and first_of([side], _SIDE_NAMES[role])
            for side, role in zip(sides, roles, strict=True)
        ):
            first, second = (SIDES[role] for role in roles)
            return roles, (
                f"by the names of the columns, first sentences are {first} and second sentences "
                f"{second}; choose other roles if they are not",
            )
    return (), ()


def _labels(table: Table, column: str) -> dict[str, float]:
    """Return the value of each label if the scores are two different words; otherwise {}.

    The positive label has value 1. A label is positive if the other one is its negation, such as
    `not_entailment`, or if it is a well-known word for a match and the other one is not.
    """
    words = sorted({str(cell).strip() for cell in table.column(column) if not is_blank(cell)})
    if len(words) != 2 or any(word.lstrip("+-.")[:1].isdigit() for word in words):
        return {}
    for one, other in permutations(words):
        yes, no = one.casefold(), other.casefold()
        is_negation = no in [f"{negation}{yes}" for negation in _NEGATIONS]
        if is_negation or (yes in _TOGETHER and no not in _TOGETHER):
            return {one: 1.0, other: 0.0}
    raise InputError(
        f"{quoted(table.name)}: column {quoted(column)} holds {listed(words)}, and the positive "
        "label is unclear: write 1 for matching pairs and 0 for all other pairs, and choose the "
        "metric auc"
    )


def other_columns(source: Path | RawFile, reading: TableReading) -> dict[str, tuple[object, ...]]:
    """Return the usable rows' cells in all columns that were not read, and the texts' labels."""
    table, read = open_table(source), {*reading.columns.names}
    if isinstance(reading.data, LabelledTexts):
        read.discard(str(reading.columns.score))
    names = [name for name in table.header if name and name not in read]
    good = frozenset(reading.rows)
    is_good = [row in good for row in table.rows]
    return {name: tuple(compress(table.column(name), is_good)) for name in names}


@checked
def read_sentences(source: str | Path | RawFile, column: str | None = None) -> tuple[str, ...]:
    r"""Read sentences in the order of the file, one for each line or row.

    Row i of their vectors belongs to line i of the file, so a blank line or cell is refused, not
    skipped. Blank lines at the end are ignored.

    Args:
        source: A UTF-8 text file (.txt), one sentence per line, or a table, .csv, .tsv, .jsonl,
            .parquet or .xlsx: its path or its bytes.
        column: The table's column to read; by default "sentence" or "text".

    Raises:
        InputError: A missing file, an unexpected format, or blank sentences.
        ResourceError: The disk failed.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_sentences
        >>> read_sentences(RawFile("pets.csv", b"id,text\n1,A dog runs.\n2,A cat sleeps.\n"))
        ('A dog runs.', 'A cat sleeps.')
    """
    raw = RawFile.of(source)
    has_lines = PurePath(raw.name).suffix.lower() == ".txt"
    table = line_table(raw, [*enumerate(raw.lines(), start=1)]) if has_lines else open_table(raw)
    for remark in table.remarks:
        warnings.warn(remark, stacklevel=2)
    if not table.rows:
        raise InputError(f"{quoted(table.name)} is empty: expected one sentence per line")
    return table.sentences(need_column(table, SENTENCE_NAMES, column))


def _choose_columns(table: Table, columns: TableColumns | None) -> TableColumns:
    if columns is None or columns.sentence1 is None:
        known = known_columns(table.header)
        named = {} if columns is None else {k: v for k, v in vars(columns).items() if v is not None}
        columns = known and _with_scores(table, replace(known, **named))
    if columns is None:
        raise InputError(
            f"{quoted(table.name)} has no known sentence column among {listed(table.header)}: "
            "choose the columns of sentences (and of the score), or rename them to sentence1 and "
            "sentence2, or to sentence for single sentences"
        )
    for column in columns.names:
        choose_column(table, (), column)
    return columns


def _with_scores(table: Table, columns: TableColumns) -> TableColumns:
    """Add the only other column that can hold gold scores to those of pairs without any."""
    if columns.sentence2 is None or columns.score is not None:
        return columns
    others = (name for name in table.header if name and name not in columns.names)
    able = [name for name in others if _can_score(table, name)]
    return replace(columns, score=able[0]) if len(able) == 1 else columns


def _can_score(table: Table, column: str) -> bool:
    """Tell whether a column holds two known labels, or numbers on a default scale.

    Whole numbers that all differ count the rows.
    """
    with suppress(InputError):
        if _labels(table, column):
            return True
    cells = _cells(table, column)
    numbers = [number for number in map(_number, cells) if number is not None]
    are_counted = len({*numbers}) == len(numbers) and all(map(float.is_integer, numbers))
    low, high = DEFAULT_SCALE
    return 2 * sum(low <= each <= high for each in numbers) > len(cells) and not are_counted


def _cells(table: Table, column: str) -> list[object]:
    """Return the cells that are not blank; none if the column holds neither text nor numbers."""
    with suppress(InputError):
        return [cell for cell in table.column(column) if not is_blank(cell)]
    return []


def _number(cell: object) -> float | None:
    with suppress(ValueError):
        return score_cell(cell, "")
    return None


def _unread(table: Table, columns: TableColumns) -> Iterator[str]:
    """Say which column looks like scores or labels, if none was chosen."""
    known = TOPIC_NAMES if columns.sentence2 is None else SCORE_NAMES
    column = first_of(table.header, known)
    if columns.score is None and column not in (None, *columns.names):
        yield (
            f"{quoted(table.name)}: column {quoted(str(column))} is not read, since only other "
            "columns were named; to score the sentences by it, name it with --label (in Python, "
            "score)."
        )


def choose_column(table: Table, known: Sequence[str], column: str | None) -> str | None:
    """Return the given column, which must exist, else the first well-known one, if any."""
    if column is None:
        return first_of(table.header, known)
    check_name(column, table.header, f"column of {quoted(table.name)}")
    return column


def need_column(table: Table, known: Sequence[str], column: str | None = None) -> str:
    """Return the given column or the first well-known one; refuse a table with neither."""
    name = choose_column(table, known, column)
    if name is None:
        raise InputError(
            f"{quoted(table.name)} has the columns {listed(table.header)} and no "
            f"{' or '.join(map(repr, known[:2]))}: choose the column to read, or rename it"
        )
    return name


def propose_columns(table: Table) -> TableColumns:
    """Return the recognised columns, or else the first ones of text, as defaults for a form."""
    header = [name for name in table.header if name]
    known = known_columns(header)
    if known is None:
        scored = _scored(header)
        others = [name for name in header if name not in scored]
        texts = [name for name in others if any(_number(c) is None for c in _cells(table, name))]
        first, second, *_ = [*(texts or others), None, None]
        if second is None:
            return TableColumns(first or header[0])
        known = TableColumns(first, second, *scored)
    return _with_scores(table, known)


def known_columns(header: Sequence[str]) -> TableColumns | None:
    """Return the columns with well-known names; None without a sentence column."""
    for names in PAIR_NAMES:
        first, second = (first_of(header, (name,)) for name in names)
        if first is not None and second is not None:
            return TableColumns(first, second, *_scored(header))
    single = first_of(header, SENTENCE_NAMES)
    return None if single is None else TableColumns(single, score=first_of(header, TOPIC_NAMES))


def _scored(header: Sequence[str]) -> tuple[str | None, str | None]:
    return first_of(header, SCORE_NAMES), first_of(header, SUBSET_NAMES)


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the first of the names `known` that the header has, in the header's spelling."""
    spelling = {re.sub("[ _-]", "", cell.lower()): cell for cell in reversed(header)}
    return next((spelling[name] for name in known if name in spelling), None)
