"""Single sentences: the lines of a text file, or one column of a table."""

from collections.abc import Sequence
from pathlib import Path, PurePath
from types import NoneType

from bertflow_core.datasets.column_names import choose_sentence_column
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.rows import Record, refuse, sentence_cell, sift
from bertflow_core.datasets.tables import TABLE_ENDINGS, open_table
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS
from bertflow_core.wording import quoted

TEXT_ENDING = ".txt"
LINE = "the line"


def is_table(name: str) -> bool:
    """Say whether a file of this name is a table, by its ending."""
    return PurePath(name).suffix.lower() in TABLE_ENDINGS


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
        column = choose_sentence_column(table.raw.name, table.header, column)
        return strict_sentences(table.raw.name, list(table.records([column])), column)
    if PurePath(file.name).suffix.lower() != TEXT_ENDING:
        raise InputError(
            f"{quoted(file.name)}: expected a name that ends in "
            f"{listed((TEXT_ENDING, *TABLE_ENDINGS))}; save it as one of these"
        )
    if column is not None:
        raise InputError(
            f"{quoted(file.name)} is plain text and has no columns: leave out the column"
        )
    raw = file if isinstance(file, RawFile) else RawFile.read(file)
    return strict_sentences(raw.name, _lines(raw))


def _lines(raw: RawFile) -> list[Record]:
    records = [Record(row, (line,)) for row, line in enumerate(raw.lines(), start=1)]
    while records and not str(records[-1].cells[0]).strip():
        records.pop()
    if not records:
        raise InputError(f"{quoted(raw.name)} is empty: expected one sentence per line")
    return records


def strict_sentences(name: str, records: Sequence[Record], column: str = LINE) -> tuple[str, ...]:
    """Return the sentence of each record, which has one cell."""
    sentences, refused = sift(records, lambda record: sentence_cell(record.cells[0], column))
    if refused:
        raise refuse(name, len(records), refused)
    return tuple(sentences)
