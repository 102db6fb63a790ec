"""Read untrusted files of vectors, `.npy` or parquet, and write vectors."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.arrays.npy import MAX_VECTOR_BYTES, open_npy, write_npy
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.own_table import SENTENCE_NAMES, first_of
from bertflow_core.datasets.parquet import (
    check_unpacked,
    chunks,
    is_vectors,
    open_parquet,
    text_column,
    vectors_in,
    write_parquet,
)
from bertflow_core.datasets.source import MAX_FILE_BYTES, RawFile, SourceFile
from bertflow_core.errors import InputError, listed
from bertflow_core.runtime import context
from bertflow_core.runtime.files import (
    MAX_SENTENCE,
    check_file,
    disk_errors,
    file_sha256,
    too_large,
)
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

VECTOR_ENDINGS = (".npy", ".parquet")
_MAX_DIMENSIONS = 16_384
_KEY_NAMES = (*SENTENCE_NAMES, "id", "key")
_ROWS_AT_ONCE, _NUMBERS_AT_ONCE = 65_536, 1 << 22


@dataclass(frozen=True, eq=False)
class VectorFile:
    """The vectors of a file.

    Attributes:
        source: The file, with its checksum.
        x: Shape (N, D), float32 or float64; memory-mapped if the format allows it.
        names: The sentence or id of each row; None if the file has none.

    Example:
        >>> import io
        >>> import pandas as pd
        >>> from bertflow_core.datasets import RawFile, read_vectors
        >>> content = io.BytesIO()
        >>> pd.DataFrame({"id": ["a", "b"], "x": [[0.5, 1], [2, 0]]}).to_parquet(content)
        >>> vectors = read_vectors(RawFile("x.parquet", content.getvalue()))
        >>> vectors.shape, vectors.names
        ('2 x 2', ('a', 'b'))
    """

    source: SourceFile
    x: FloatArray = field(repr=False)
    names: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.source.name

    @property
    def shape(self) -> str:
        """Number of vectors and features, as text."""
        return f"{len(self.x):,} x {self.x.shape[1]:,}"


@checked
def read_vectors(source: str | Path | RawFile) -> VectorFile:
    """Read vectors: finite numbers in at least one row and two features.

    Args:
        source: A path (at most 16 GiB), or the bytes of an upload: `.npy` of shape (N, D), or
            parquet with one column of lists and optionally a column of sentences or ids.

    Raises:
        InputError: A missing file, or unsuitable vectors.
        ResourceError: The disk failed.

    Example:
        >>> import io
        >>> import numpy as np
        >>> from bertflow_core.datasets import RawFile, read_vectors
        >>> content = io.BytesIO()
        >>> np.save(content, np.eye(3))
        >>> read_vectors(RawFile("x.npy", content.getvalue())).x.shape
        (3, 3)
    """
    if isinstance(source, RawFile):
        return _read(source)
    source = Path(source)
    with disk_errors(source):
        status = source.stat()
    return _read_version(source, status.st_size, status.st_mtime_ns)


def check_same_rows(first: VectorFile, second: VectorFile) -> None:
    """Refuse two files whose rows differ in number or, if both have names, in names or order."""
    if len(first.x) != len(second.x):
        raise InputError(
            f"{quoted(second.name)} has {len(second.x):,} rows and {quoted(first.name)} has "
            f"{len(first.x):,}: expected vectors of the same rows, in the same order"
        )
    names = zip(first.names or (), second.names or (), strict=False)
    for row, (one, other) in enumerate(names, start=1):
        if one != other:
            raise InputError(
                f"row {row:,} is {quoted(one)} in {quoted(first.name)} and {quoted(other)} in "
                f"{quoted(second.name)}: expected vectors of the same rows, in the same order"
            )


@lru_cache(maxsize=4)
def _read_version(path: Path, size: int, mtime_ns: int) -> VectorFile:
    """Read a file once per version, which its size and time identify."""
    return _read(path)


def _read(source: Path | RawFile) -> VectorFile:
    name, names = source.name, None
    ending = PurePath(name).suffix.lower()
    if ending not in VECTOR_ENDINGS:
        raise InputError(
            f"{quoted(name)}: expected vectors in a file that ends in {listed(VECTOR_ENDINGS)}"
        )
    if isinstance(source, Path):
        check_file(source, MAX_VECTOR_BYTES)
        sha256 = file_sha256(source)
    else:
        sha256 = hashlib.sha256(source.content).hexdigest()
    if ending == ".npy":
        x = open_npy(source if isinstance(source, Path) else source.content, name)
    else:
        x, names = _read_parquet(source)
    if x.shape[0] < 1 or x.shape[1] < 2:
        raise InputError(
            f"{quoted(name)} must hold at least one vector of at least 2 features, got shape "
            f"({x.shape[0]:,}, {x.shape[1]:,})"
        )
    limits = np.finfo(np.float32)
    for start in range(0, len(x), _ROWS_AT_ONCE):
        context.report(start, len(x), "vectors read")
        rows = x[start : start + _ROWS_AT_ONCE]
        largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
        fits = (largest == 0) | ((largest >= limits.tiny) & (largest <= limits.max))
        for row in np.flatnonzero(~fits):
            raise InputError(
                f"{quoted(name)}, row {start + row + 1:,}: a number is NaN, infinite or too "
                "large for float32, or all are below 1e-38; correct the row or leave it out"
            )
    return VectorFile(SourceFile(name, sha256, None), x, names)


def _read_parquet(source: Path | RawFile) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Decode the only column of lists, batch by batch, and the names of its rows."""
    with open_parquet(source) as file:
        names = file.schema_arrow.names
        lists = [each.name for each in file.schema_arrow if is_vectors(each.type)]
        if len(lists) != 1:
            raise InputError(
                f"{quoted(source.name)} has {len(lists)} columns of lists of numbers: expected "
                "one, with a vector per row; the two sides of pairs are two files"
            )
        n, count = file.metadata.num_rows, sum(c.num_values for c in chunks(file, f"{lists[0]}."))
        width, rest = divmod(count, n or 1)
        if rest or not 0 < width <= _MAX_DIMENSIONS:
            raise InputError(
                f"{quoted(source.name)} has lists of different lengths in {lists[0]}: expected "
                f"the same number of values in every row, at most {_MAX_DIMENSIONS:,}"
            )
        if isinstance(source, RawFile):
            check_unpacked(source, file)
        limit = MAX_FILE_BYTES if isinstance(source, RawFile) else MAX_VECTOR_BYTES
        if 4 * count > limit:
            raise InputError(too_large(f"{source.name} unpacked", 4 * count, limit))
        x, done = np.empty((n, width), np.float32), 0
        for batch in file.iter_batches(max(1, _NUMBERS_AT_ONCE // width), columns=lists):
            context.report(done, n, "vectors read")
            part, reasons = vectors_in(batch.column(0), lists[0], width)
            for row in np.flatnonzero(reasons):
                raise InputError(
                    f"{quoted(source.name)}, row {done + row + 1:,}: {reasons[row]}; correct the "
                    "row or leave it out"
                )
            x[done : done + len(part)] = part
            done += len(part)
        if done != n:
            raise ValueError("its number of rows is not the declared one")
    key = first_of([each for each in names if each not in lists], _KEY_NAMES)
    keys = () if key is None else tuple(map(str, text_column(source, key)))
    if any(len(each) > MAX_SENTENCE for each in keys):
        raise InputError(f"{quoted(source.name)}: {key} has more than {MAX_SENTENCE:,} characters")
    return x, keys or None


def write_vectors(
    path: Path, blocks: Iterable[FloatArray], n_rows: int, sentences: Sequence[str] | None = None
) -> None:
    """Write vectors to `.npy`, or to parquet with the columns id, text and vector.

    `blocks` are one or more arrays of shape (n, K). Without sentences there is no column `text`.
    The file is written completely or not at all.
    """
    if path.suffix == ".parquet":
        write_parquet(path, _tables(blocks, sentences))
    else:
        write_npy(path, blocks, n_rows)


def _tables(blocks: Iterable[FloatArray], sentences: Sequence[str] | None) -> "Iterator[pa.Table]":
    import pyarrow as pa

    done = 0
    for block in blocks:
        rows = slice(done, done + len(block))
        columns = {"id": pa.array(np.arange(rows.start, rows.stop))}
        if sentences is not None:
            columns["text"] = pa.array(sentences[rows], pa.string())
        flat = np.ascontiguousarray(block, np.float32).ravel()
        columns["vector"] = pa.FixedSizeListArray.from_arrays(pa.array(flat), block.shape[1])
        yield pa.table(columns)
        done = rows.stop
