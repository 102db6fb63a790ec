"""A user's own table of pairs or sentences: the good rows, and the others each with a reason."""

from dataclasses import dataclass
from itertools import compress, filterfalse, permutations
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
        refused: The others, in order: the number of each row, and why.
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
    source: Path | RawFile | Table,
    columns: TableColumns | None = None,
    *,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
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
        strict: Refuse the table where a row is.

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
    table = source if isinstance(source, Table) else open_table(source)
    stem = PurePath(table.name).stem
    chosen = one, two, judged, part = choose_columns(table.name, table.header, columns).all
    labels = {} if judged is None else _labels(table, judged)

    def pair(number: int, first: object, second: object, score: object, subset: object) -> PairRow:
        label = labels.get(str(score).strip())
        return PairRow(
            sentence_cell(first, one),
            None if two is None else sentence_cell(second, two),
            label if judged is None or label is not None else score_cell(score, judged),
            stem if part is None else name_cell(subset, part),
            number,
        )

    rows, refused = table.sift(chosen, pair)
    scores = [row.gold for row in rows if row.gold is not None]
    is_unit = bool(scores) and 0 <= min(scores) <= max(scores) <= 1
    inferred = _UNIT_SCALE if is_unit else DEFAULT_SCALE
    low, high = check_scale(inferred if scale is None else scale)
    expected = f"expected {low:g} to {high:g} or pass scale"

    def fits(row: PairRow) -> bool:
        return row.gold is None or low <= row.gold <= high

    good, off = [*filter(fits, rows)], [*filterfalse(fits, rows)]
    reasons = (f"score {row.gold:g} is off the scale, {expected}" for row in off)
    refused = sorted([*refused, *map(Refusal, (row.number for row in off), reasons)])
    if not good or (strict and refused) or (len(off) > len(good) and scale is None):
        raise table.refuse(refused)
    pairs = pairs_of_rows(
        good,
        [file.source_file() for file in table.files],
        name=stem,
        scale=(low, high),
        source=f"The table {table.name}.",
        layout="table",
    ).scored_by(AUC if labels else None)
    numbers = tuple(row.number for row in good)
    return TableReading(pairs, tuple(refused), TableColumns(*chosen), len(table.rows), numbers)


def _labels(table: Table, column: str) -> dict[str, float]:
    """Return the value of each label, where the scores are two different words; else nothing.

    That is 1 for the one that means that a pair belongs together: the other is its negation, as
    `not_entailment` is, or it alone is a well-known word for it.
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
        f"{quoted(table.name)}: column {quoted(column)} holds {listed(words)}, and it is not "
        "clear which of them means that a pair belongs together: write 1 and 0 in their place, and "
        "choose the metric auc"
    )


def other_columns(source: Path | RawFile, reading: TableReading) -> dict[str, tuple[object, ...]]:
    """Return the cells of a table's other columns in its good rows, by column name."""
    table = open_table(source)
    names = [name for name in table.header if name and name not in reading.columns.names]
    good = frozenset(reading.rows)
    is_good = [row in good for row in table.rows]
    return {name: tuple(compress(table.column(name), is_good)) for name in names}


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
    if is_table(file.name):
        table = open_table(file)
    elif PurePath(file.name).suffix.lower() == _TEXT_ENDING:
        raw = file if isinstance(file, RawFile) else RawFile.read(file)
        table = line_table(raw, [*enumerate(raw.lines(), start=1)])
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
