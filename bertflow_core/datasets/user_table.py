"""A user's own table of pairs or sentences: the good rows, and the others each with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

import numpy as np

from bertflow_core.datasets.column_names import TableColumns, choose_columns
from bertflow_core.datasets.csv_tsv import Grid, Record, read_csv, read_tsv
from bertflow_core.datasets.files import RawFile, too_large
from bertflow_core.datasets.pairs import Provenance, SentencePairs, check_scale, count_by_subset
from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.row_checks import (
    Refusal,
    name_cell,
    refuse,
    score_cell,
    sentence_cell,
    sift,
)
from bertflow_core.datasets.source import Split
from bertflow_core.errors import InputError, listed

__all__ = [
    "MAX_TABLE_BYTES",
    "TABLE_ENDINGS",
    "TableReading",
    "load_table",
    "open_table",
    "other_columns",
    "read_table",
    "table_header",
]

MAX_TABLE_BYTES = 20_000_000
FORMATS = {".csv": read_csv, ".tsv": read_tsv, ".parquet": read_parquet}
TABLE_ENDINGS = tuple(FORMATS)
DEFAULT_SCALE = (0.0, 5.0)
UNIT_SCALE = (0.0, 1.0)


@dataclass(frozen=True)
class TableReading:
    """What a table holds.

    Attributes:
        pairs: The good rows.
        refused: The others, in order.
        columns: The columns that were read, as given or guessed.
        n_rows: All rows, without the header.
        rows: The number of each good row, as in `Record`.
    """

    pairs: SentencePairs
    refused: tuple[Refusal, ...]
    columns: TableColumns
    n_rows: int
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Row:
    row: int
    first: str
    second: str | None
    gold: float | None
    subset: str

    def fits(self, scale: tuple[float, float]) -> bool:
        return self.gold is None or scale[0] <= self.gold <= scale[1]


def open_table(source: Path | RawFile) -> tuple[RawFile, Grid]:
    """Read the bytes of a table and find its columns, by the ending of its name.

    Raises:
        InputError: No such file, too large, another ending, or content that is not what it says.
        ResourceError: The disk refused.
    """
    name = source.name
    ending = PurePath(name).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{name!r} is not a table: expected a name that ends in {listed(TABLE_ENDINGS)}; "
            "save it as one of these"
        )
    if isinstance(source, RawFile) and len(source.content) > MAX_TABLE_BYTES:
        raise InputError(too_large(name, len(source.content), MAX_TABLE_BYTES))
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    if not raw.content:
        raise InputError(f"{name!r} is empty: expected a header and rows")
    grid = FORMATS[ending](raw)
    if not grid.n_rows:
        raise InputError(f"{name!r} has a header and no rows: add the pairs")
    return raw, grid


def table_header(source: Path | RawFile) -> tuple[str, ...]:
    """Return a table's column names, for people who choose among them.

    Raises:
        InputError: The file is no table.
        ResourceError: The disk refused.
    """
    return tuple(open_table(source)[1].header)


def read_table(
    source: Path | RawFile,
    columns: TableColumns | None = None,
    *,
    scale: tuple[float, float] | None = None,
) -> TableReading:
    """Read sentence pairs, or single sentences, from a CSV, TSV or parquet table: the good rows.

    Args:
        source: A path (at most 500 MB), or the bytes of an upload with its name (at most 20 MB).
        columns: The columns to read; by default guessed from well-known names, and refused rather
            than guessed from others.
        scale: Lowest and highest gold score; by default (0, 1) if all scores lie there, else
            (0, 5). A row whose score lies outside is refused.

    Raises:
        InputError: The file is no such table, its columns are not clear, or no row is good.
        ResourceError: The disk refused.
    """
    raw, grid = open_table(source)
    columns = choose_columns(raw.name, grid.header, columns)
    convert = partial(_row, columns, PurePath(raw.name).stem)
    rows, refused = sift(grid.records(columns.names), convert)
    scale = _scale_of(rows) if scale is None else check_scale(scale)
    refused += [_off_scale(row, scale) for row in rows if not row.fits(scale)]
    refused.sort(key=lambda refusal: refusal.row)
    good = [row for row in rows if row.fits(scale)]
    if not good:
        raise refuse(raw.name, grid.n_rows, refused)
    pairs = _pairs(raw, good, scale, scored=columns.score is not None)
    numbers = tuple(row.row for row in good)
    return TableReading(pairs, tuple(refused), columns, grid.n_rows, numbers)


def other_columns(source: Path | RawFile, reading: TableReading) -> dict[str, tuple[object, ...]]:
    """Read what else a table says of its good rows: the cells of its other columns, by name.

    Args:
        source: What `reading` was read from.
        reading: Its good rows.

    Raises:
        InputError: The file is no table.
        ResourceError: The disk refused.
    """
    _, grid = open_table(source)
    names = [name for name in grid.header if name and name not in reading.columns.names]
    good = frozenset(reading.rows)
    cells = [record.cells for record in grid.records(names) if record.row in good]
    return {name: tuple(row[i] for row in cells) for i, name in enumerate(names)}


def load_table(
    path: Path, columns: TableColumns | None = None, *, scale: tuple[float, float] | None = None
) -> SentencePairs:
    """Read a table of which each row must be good.

    Raises:
        InputError: As for `read_table`, or a row was refused.
        ResourceError: The disk refused.
    """
    reading = read_table(path, columns, scale=scale)
    if reading.refused:
        raise refuse(path.name, reading.n_rows, reading.refused)
    return reading.pairs


def _row(columns: TableColumns, only_subset: str, record: Record) -> _Row:
    cells = dict(zip(columns.names, record.cells, strict=True))
    second, score, subset = columns.sentence2, columns.score, columns.subset
    return _Row(
        row=record.row,
        first=sentence_cell(cells[columns.sentence1], columns.sentence1),
        second=None if second is None else sentence_cell(cells[second], second),
        gold=None if score is None else score_cell(cells[score], score),
        subset=only_subset if subset is None else name_cell(cells[subset], subset),
    )


def _scale_of(rows: Sequence[_Row]) -> tuple[float, float]:
    scored = any(row.gold is not None for row in rows)
    unit = scored and all(row.fits(UNIT_SCALE) for row in rows)
    return UNIT_SCALE if unit else DEFAULT_SCALE


def _off_scale(row: _Row, scale: tuple[float, float]) -> Refusal:
    low, high = scale
    reason = f"score {row.gold:g} is off the scale, expected {low:g} to {high:g} or pass scale"
    return Refusal(row.row, reason)


def _pairs(
    raw: RawFile, rows: Sequence[_Row], scale: tuple[float, float], *, scored: bool
) -> SentencePairs:
    subsets = tuple(row.subset for row in rows)
    return SentencePairs(
        name=PurePath(raw.name).stem,
        split=str(Split.TEST),
        first=tuple(row.first for row in rows),
        second=tuple(row.second for row in rows if row.second is not None),
        gold=np.array([row.gold for row in rows], dtype=np.float64) if scored else None,
        scale=scale,
        subsets=subsets,
        provenance=Provenance(
            source=f"The table {raw.name}.",
            licence="not stated",
            layout="table",
            files=(raw.source_file(),),
            counts=count_by_subset(subsets),
        ),
    )
