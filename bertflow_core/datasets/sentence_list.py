"""Single sentences: the lines of a text file, or one column of a table."""

from collections.abc import Sequence
from pathlib import Path

from bertflow_core.datasets.column_names import choose_sentence_column
from bertflow_core.datasets.delimited import Record
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.table_rows import TABLE_ENDINGS, read_rows, refuse, sentence_cell, sift
from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

__all__ = ["is_table", "read_sentences", "strict_sentences"]

TEXT_ENDING = ".txt"
LINE = "the line"


def is_table(path: Path) -> bool:
    """Say whether `path` has the ending of a table."""
    return path.suffix.lower() in TABLE_ENDINGS


def read_sentences(path: str | Path, column: str | None = None) -> tuple[str, ...]:
    """Read sentences in the order of the file, one for each line or row.

    Row i of the vectors made from them belongs to line i of the file; therefore a blank line or
    cell is refused, not skipped. Blank lines at the end are ignored.

    Args:
        path: A UTF-8 text file (.txt), one sentence per line, or a .csv, .tsv, .jsonl or
            .parquet table.
        column: The table's column to read; by default the one named "sentence" or "text".

    Raises:
        InputError: No such file, not in the expected format, or with blank sentences.
        ResourceError: The disk refused.
    """
    path = Path(path)
    if is_table(path):
        table = read_rows(path)
        column = choose_sentence_column(table.raw.name, table.header, column)
        return strict_sentences(table.raw.name, list(table.records([column])), column)
    if path.suffix.lower() != TEXT_ENDING:
        raise InputError(
            f"{quoted(path.name)}: expected a name that ends in "
            f"{listed((TEXT_ENDING, *TABLE_ENDINGS))}; save it as one of these"
        )
    if column is not None:
        raise InputError(
            f"{quoted(path.name)} is plain text and has no columns: leave out the column"
        )
    return strict_sentences(path.name, _lines(RawFile.read(path)))


def _lines(raw: RawFile) -> list[Record]:
    records = [Record(row, (line,)) for row, line in enumerate(raw.lines(), start=1)]
    while records and not str(records[-1].cells[0]).strip():
        records.pop()
    if not records:
        raise InputError(f"{quoted(raw.name)} is empty: expected one sentence per line")
    return records


def strict_sentences(name: str, records: Sequence[Record], column: str = LINE) -> tuple[str, ...]:
    """Return the sentence of each record, which has one cell.

    Raises:
        InputError: One is blank, no text, or far too long.
    """
    sentences, refused = sift(records, lambda record: sentence_cell(record.cells[0], column))
    if refused:
        raise refuse(name, len(records), refused)
    return tuple(sentences)
