"""Plain sentences without pairs: a text file with a sentence a line, or one column of a table."""

from pathlib import Path

from bertflow_core.datasets.column_names import choose_sentence_column
from bertflow_core.datasets.csv_tsv import Record
from bertflow_core.datasets.files import RawFile
from bertflow_core.datasets.row_checks import refuse, sentence_cell, sift
from bertflow_core.datasets.user_table import TABLE_ENDINGS, open_table
from bertflow_core.errors import InputError, listed

__all__ = ["is_table", "read_sentences"]

TEXT_ENDING = ".txt"
LINE = "the line"


def is_table(path: Path) -> bool:
    """Say whether `path` has the ending of a table."""
    return path.suffix.lower() in TABLE_ENDINGS


def read_sentences(path: str | Path, column: str | None = None) -> tuple[str, ...]:
    """Read sentences in the order of the file, one for each line or row.

    What is made from them, such as vectors, can so be laid beside the file; therefore a blank line
    or cell is refused, not skipped. Blank lines at the end are none.

    Args:
        path: A UTF-8 text file (.txt) with a sentence a line, or a .csv, .tsv or .parquet table.
        column: The table's column to read; by default the one named "sentence" or "text".

    Raises:
        InputError: No such file, not in the expected format, or with blank sentences.
        ResourceError: The disk refused.
    """
    path = Path(path)
    if is_table(path):
        raw, grid = open_table(path)
        column = choose_sentence_column(raw.name, grid.header, column)
        return _strict(raw.name, list(grid.records([column])), column)
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
        raise InputError(f"{raw.name!r} is empty: expected a sentence a line")
    return records


def _strict(name: str, records: list[Record], column: str) -> tuple[str, ...]:
    sentences, refused = sift(records, lambda record: sentence_cell(record.cells[0], column))
    if refused:
        raise refuse(name, len(records), refused)
    return tuple(sentences)
