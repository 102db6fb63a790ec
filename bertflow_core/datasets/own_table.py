"""A user's own table of pairs or sentences: the good rows, and the others each with a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path, PurePath
from types import NoneType

from bertflow_core.datasets.columns import (
    SENTENCE_NAMES,
    TableColumns,
    choose_column,
    choose_columns,
)
from bertflow_core.datasets.pairs import AUC, PairRow, SentencePairs, check_scale, pairs_of_rows
from bertflow_core.datasets.rows import (
    Refusal,
    Table,
    is_blank,
    name_cell,
    refuse,
    score_cell,
    sentence_cell,
)
from bertflow_core.datasets.source import RawFile
from bertflow_core.datasets.tables import TABLE_ENDINGS, is_table, line_table, open_table
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS
from bertflow_core.wording import quoted

DEFAULT_SCALE = (0.0, 5.0)
_UNIT_SCALE = (0.0, 1.0)
_TOGETHER = frozenset(
    "entailment duplicate paraphrase equivalent match relevant positive related similar same yes "
    "true".split()
)
_NEGATIONS = tuple(word + gap for word in ("not", "non", "no") for gap in "_- ")
_TEXT_ENDING = ".txt"


@dataclass(frozen=True)
class TableReading:
    r"""What a table holds.

    Attributes:
        pairs: The good rows.
        refused: The others, in order.
        columns: The columns that were read, as given or guessed.
        n_rows: All rows, without the header.
        rows: The number of each good row: its line, or in parquet its place from 1.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_table
        >>> table = b"text1,text2,score\nA dog runs.,A dog ran.,5\nRain falls.,,1\n"
        >>> reading = read_table(RawFile("pairs.csv", table))
        >>> reading.n_rows, len(reading.pairs), reading.refused[0].reason
        (2, 1, 'text2 is blank')
    """

    pairs: SentencePairs
    refused: tuple[Refusal, ...]
    columns: TableColumns
    n_rows: int
    rows: tuple[int, ...] = ()


def read_table(
    source: Path | RawFile,
    columns: TableColumns | None = None,
    *,
    scale: tuple[float, float] | None = None,
) -> TableReading:
    r"""Read sentence pairs, or single sentences, from a table: the good rows.

    Scores are numbers; where all are one of two words, such as entailment and not_entailment, they
    are labels, scored by AUC. Numbers stay scores, 0 and 1 as well: `SentencePairs.scored_by`.

    Args:
        source: A path (at most 500 MB), or the bytes of a file with its name.
        columns: The columns to read; by default guessed from well-known names, and refused rather
            than guessed from others.
        scale: Lowest and highest gold score; by default (0, 1) if all scores lie there, else
            (0, 5). A row whose score lies outside is refused.

    Raises:
        InputError: The file is no such table, its columns or its labels are not clear, no row is
            good, or no scale is given and most scores lie off the default.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core.datasets import RawFile, TableColumns, read_table
        >>> table = b"question,answer,rating\nWhy?,Because.,4\nWho?,Rain.,1\n"
        >>> columns = TableColumns("question", "answer", score="rating")
        >>> read_table(RawFile("own.csv", table), columns, scale=(1, 5)).pairs.gold.tolist()
        [4.0, 1.0]
    """
    check_type(columns, (TableColumns, NoneType), "columns", "a TableColumns, or None")
    return reading_of(open_table(source), columns, scale)


def reading_of(
    table: Table,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    *,
    strict: bool = False,
    layout: str = "table",
) -> TableReading:
    """Read an open table as `read_table` does; with `strict` no row may be refused."""
    name, stem = table.name, PurePath(table.name).stem
    columns = choose_columns(name, table.header, columns)
    labels = _labels(table, columns.score)
    rows, refused = table.sift(columns.names, partial(_row, columns, stem, labels))
    low, high = _scale_of(rows) if scale is None else check_scale(scale)
    good, off = [], []
    for row in rows:
        if row.gold is None or low <= row.gold <= high:
            good.append(row)
        else:
            expected = f"expected {low:g} to {high:g} or pass scale"
            off.append(Refusal(row.number, f"score {row.gold:g} is off the scale, {expected}"))
    refused = sorted((*refused, *off), key=lambda refusal: refusal.row)
    if not good or (strict and refused) or (len(off) > len(good) and scale is None):
        raise refuse(name, len(table.rows), refused)
    pairs = pairs_of_rows(
        good,
        [file.source_file() for file in table.files],
        name=stem,
        scale=(low, high),
        source=f"The table {name}.",
        layout=layout,
    ).scored_by(AUC if labels else None)
    numbers = tuple(row.number for row in good)
    return TableReading(pairs, tuple(refused), columns, len(table.rows), numbers)


def other_columns(source: Path | RawFile, reading: TableReading) -> dict[str, tuple[object, ...]]:
    r"""Return the cells of a table's other columns in its good rows, by column name.

    Args:
        source: What `reading` was read from.
        reading: Its good rows.

    Raises:
        InputError: The file is no table.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core.datasets import RawFile, other_columns, read_table
        >>> source = RawFile("pets.csv", b"text,kind\nA dog runs.,dog\nA cat sleeps.,cat\n")
        >>> other_columns(source, read_table(source))
        {'kind': ('dog', 'cat')}
    """
    check_type(reading, TableReading, "reading", "what read_table returned")
    table = open_table(source)
    names = [name for name in table.header if name and name not in reading.columns.names]
    good = frozenset(reading.rows)
    places = [place for place, row in enumerate(table.rows) if row in good]
    columns = {name: table.column(name) for name in names}
    return {name: tuple(cells[place] for place in places) for name, cells in columns.items()}


def read_sentences(source: str | Path | RawFile, column: str | None = None) -> tuple[str, ...]:
    r"""Read sentences in the order of the file, one for each line or row.

    Row i of the vectors made from them belongs to line i of the file; therefore a blank line or
    cell is refused, not skipped. Blank lines at the end are ignored.

    Args:
        source: A UTF-8 text file (.txt), one sentence per line, or a .csv, .tsv, .jsonl or
            .parquet table: its path or its bytes.
        column: The table's column to read; by default the one named "sentence" or "text".

    Raises:
        InputError: No such file, not in the expected format, or with blank sentences.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_sentences
        >>> read_sentences(RawFile("pets.csv", b"id,text\n1,A dog runs.\n2,A cat sleeps.\n"))
        ('A dog runs.', 'A cat sleeps.')
    """
    check_type(source, (*PATHS, RawFile), "the file of sentences", "a path or a RawFile")
    check_type(column, (str, NoneType), "column", "a column's name, or None")
    file = source if isinstance(source, RawFile) else Path(source)
    if PurePath(file.name).suffix.lower() == _TEXT_ENDING:
        raw = file if isinstance(file, RawFile) else RawFile.read(file)
        table = line_table(raw, [*enumerate(raw.lines(), start=1)])
    elif is_table(file.name):
        table = open_table(file)
    else:
        raise InputError(
            f"{quoted(file.name)}: expected a name that ends in "
            f"{listed((_TEXT_ENDING, *TABLE_ENDINGS))}; save it as one of these"
        )
    chosen = choose_column(table.name, table.header, SENTENCE_NAMES, column)
    if chosen is None:
        raise InputError(
            f"{quoted(table.name)} has no column named 'sentence' or 'text', only "
            f"{listed(table.header)}: name the one to read"
        )
    if not table.rows:
        raise InputError(f"{quoted(table.name)} is empty: expected one sentence per line")
    return table.sentences(chosen)


def _row(
    columns: TableColumns,
    only_subset: str,
    labels: Mapping[str, float],
    number: int,
    *found: object,
) -> PairRow:
    cells = dict(zip(columns.names, found, strict=True))
    second, score, subset = columns.sentence2, columns.score, columns.subset
    label = None if score is None else labels.get(str(cells[score]).strip())
    return PairRow(
        number=number,
        first=sentence_cell(cells[columns.sentence1], columns.sentence1),
        second=None if second is None else sentence_cell(cells[second], second),
        gold=label if score is None or label is not None else score_cell(cells[score], score),
        subset=only_subset if subset is None else name_cell(cells[subset], subset),
    )


def _scale_of(rows: Sequence[PairRow]) -> tuple[float, float]:
    """Return the scale that gold scores seem to be on: 0 to 1 where all lie there, else 0 to 5."""
    low, high = _UNIT_SCALE
    scores = [row.gold for row in rows if row.gold is not None]
    fits = bool(scores) and all(low <= score <= high for score in scores)
    return _UNIT_SCALE if fits else DEFAULT_SCALE


def _labels(table: Table, score: str | None) -> dict[str, float]:
    """Return the value of each label, where the scores are two different words; else nothing.

    That is 1 for the one that means that a pair belongs together: the other is its negation, as
    `not_entailment` is, or it alone is a well-known word for it.
    """
    cells = table.column(score) if score is not None else ()
    words = sorted({str(cell).strip() for cell in cells if not is_blank(cell)})
    if len(words) != 2 or any(map(_is_number, words)):
        return {}
    for one, other in permutations(words):
        yes, no = one.casefold(), other.casefold()
        is_negation = no in [f"{negation}{yes}" for negation in _NEGATIONS]
        if is_negation or (yes in _TOGETHER and no not in _TOGETHER):
            return {one: 1.0, other: 0.0}
    raise InputError(
        f"{quoted(table.name)}: column {quoted(score)} holds {listed(words)}, and it is not "
        "clear which of them means that a pair belongs together: write 1 and 0 in their place, and "
        "choose the metric auc"
    )


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
