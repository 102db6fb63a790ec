"""Pairs, or single rows, that are known by their vectors alone: their sentences are row numbers."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from bertflow_core.datasets.benchmarks import Split
from bertflow_core.datasets.column_names import (
    SCORE_NAMES,
    SUBSET_NAMES,
    TableColumns,
    first_of,
    has_pairs,
)
from bertflow_core.datasets.delimited import Record, Table
from bertflow_core.datasets.pairs import ROWS, PairRow, SentencePairs, pairs_of_rows
from bertflow_core.datasets.raw_file import RawFile, SourceFile
from bertflow_core.datasets.table_pairs import DEFAULT_SCALE, read_table, scale_of
from bertflow_core.datasets.table_rows import name_cell, read_rows, refuse, score_cell, sift
from bertflow_core.errors import InputError, check_name, listed
from bertflow_core.wording import quoted


def row_names(side: str, n: int) -> tuple[str, ...]:
    """Return what stands for the sentences of `n` vectors, such as `first 17`; rows count from 1.

    Args:
        side: `first` or `second` of pairs, `row` of single vectors, `fit` of a fit corpus.
        n: How many.
    """
    return tuple(f"{side} {row}" for row in range(1, n + 1))


def single_rows(file: SourceFile, n: int, names: Sequence[str] | None = None) -> SentencePairs:
    """Return `n` single rows, by the names that their file gives them, or by their numbers."""
    stem = PurePath(file.name).stem
    rows = [PairRow(name, None, None, stem) for name in names or row_names("row", n)]
    return _pairs(rows, file, DEFAULT_SCALE, has_words=names is not None)


def pairs_by_row(
    source: Path | RawFile,
    n: int,
    *,
    columns: TableColumns | None = None,
    score: str | None = None,
    subset: str | None = None,
    scale: tuple[float, float] | None = None,
) -> SentencePairs:
    """Return the pairs of a table whose rows are those of the vectors: no row may be left out.

    Args:
        source: The table: a score for each pair; its sentences and its subset where it has them.
        n: How many pairs there are vectors of.
        columns: Columns of sentences and the others; None recognises the usual names.
        score: Column of scores, where there are no sentences; None takes the one of a well-known
            name, or the only column.
        subset: Column of subsets, likewise; None takes the one named so.
        scale: Lowest and highest score; None takes what they seem to be on.
    """
    table = read_rows(source)
    if columns is not None or has_pairs(table.header):
        reading = read_table(source, columns, scale=scale)
        if reading.refused:
            raise refuse(source.name, reading.n_rows, reading.refused)
        check_rows(source.name, len(reading.pairs), n)
        return reading.pairs
    check_rows(source.name, table.n_rows, n)
    score = _score_column(table, score)
    if score is None:
        raise InputError(
            f"{quoted(source.name)} has no column known to hold gold scores: name it, or call it "
            f"score; its columns are {listed(table.header)}"
        )
    subset = subset or first_of(table.header, SUBSET_NAMES)
    gold, subsets = _cells(table, score, subset)
    sides = row_names("first", n), row_names("second", n)
    rows = [PairRow(*row) for row in zip(*sides, gold, subsets, strict=True)]
    return _pairs(rows, table.raw.source_file(), scale or scale_of(gold), has_words=False)


def _score_column(table: Table, score: str | None) -> str | None:
    header = table.header
    if score is not None:
        check_name(score, header, f"column of {quoted(table.raw.name)}")
    return score or first_of(header, SCORE_NAMES) or (header[0] if len(header) == 1 else None)


def _cells(table: Table, score: str, subset: str | None) -> tuple[list[float], list[str]]:
    """Return the score and the subset of each row."""
    name = table.raw.name
    if subset is not None:
        check_name(subset, table.header, f"column of {quoted(name)}")

    def convert(record: Record) -> tuple[float, str]:
        cells = iter(record.cells)
        value = score_cell(next(cells), score)
        return value, PurePath(name).stem if subset is None else name_cell(next(cells), subset)

    columns = [score] if subset is None else [score, subset]
    rows, refused = sift(table.records(columns), convert)
    if refused:
        raise refuse(name, table.n_rows, refused)
    return [value for value, _ in rows], [of for _, of in rows]


def check_rows(name: str, n_rows: int, n: int) -> None:
    """Refuse a table whose rows are not those of the vectors."""
    if n_rows != n:
        raise InputError(
            f"{quoted(name)} has {n_rows:,} rows for {n:,} pairs of vectors: expected one a pair, "
            "in the same order"
        )


def _pairs(
    rows: Sequence[PairRow], file: SourceFile, scale: tuple[float, float], *, has_words: bool
) -> SentencePairs:
    name = file.name
    return pairs_of_rows(
        rows,
        [file],
        name=PurePath(name).stem,
        split=str(Split.TEST),
        scale=scale,
        source=f"The file {name}.",
        licence="not stated",
        layout="table" if has_words else ROWS,
    )
