"""Single sentences: the lines of a text file, or one column of a table."""

from pathlib import Path

from bertflow_core.datasets.column_names import choose_sentence_column
from bertflow_core.datasets.delimited import Record
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.table_rows import TABLE_ENDINGS, read_rows, refuse, sentence_cell, sift
from bertflow_core.errors import InputError, listed

__all__ = ["is_table", "read_sentences"]

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
        path: A UTF-8 text file (.txt), one sentence per line, or a .csv, .tsv or .parquet table.
        column: The table's column to read; by default the one named "sentence" or "text".

    Raises:
        InputError: No such file, not in the expected format, or with blank sentences.
        ResourceError: The disk refused.
    """
    path = Path(path)
    if is_table(path):
        table = read_rows(path)
        column = choose_sentence_column(table.raw.name, table.header, column)
        return _strict(table.raw.name, list(table.records([column])), column)
    if path.suffix.lower() != TEXT_ENDING:
        raise InputError(
            f"{path.name!r}: expected a name that ends in {listed((TEXT_ENDING, *TABLE_ENDINGS))}; "
            "save it as one of these"
        )
    if column is not None:
        raise InputError(f"{path.name!r} is plain text and has no columns: leave out the column")
    return _strict(path.name, _lines(RawFile.read(path)), LINE)


def _lines(raw: RawFile) -> list[Record]:
    records = [Record(row, (line,)) for row, line in enumerate(raw.lines(), start=1)]
    while records and not str(records[-1].cells[0]).strip():
        records.pop()
    if not records:
        raise InputError(f"{raw.name!r} is empty: expected one sentence per line")
    return records


def _strict(name: str, records: list[Record], column: str) -> tuple[str, ...]:
    sentences, refused = sift(records, lambda record: sentence_cell(record.cells[0], column))
    if refused:
        raise refuse(name, len(records), refused)
    return tuple(sentences)
