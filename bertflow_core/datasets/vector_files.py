"""Vectors that somebody else computed: `.npy`, parquet, CSV or TSV, read without trust."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePath

import numpy as np

from bertflow_core.datasets.raw_file import RawFile, SourceFile
from bertflow_core.datasets.vector_csv import read_csv_vectors
from bertflow_core.datasets.vector_parquet import read_parquet_vectors
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import MAX_VECTOR_BYTES, PATHS, check_file, disk_errors, npy_matrix
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = ["VECTOR_ENDINGS", "VectorFile", "read_vectors"]

VECTOR_ENDINGS = (".npy", ".parquet", ".csv", ".tsv")
_ROWS_AT_ONCE = 65_536


@dataclass(frozen=True, eq=False)
class VectorFile:
    r"""Vectors of a file.

    Attributes:
        source: The file, with its checksum.
        sides: One array of vectors, or the two sides of pairs, each of shape (N, D), float32 or
            float64; mapped from the disk where the format allows it.
        names: The sentence or id of each row; None where the file names none.

    Example:
        >>> from bertflow_core.datasets import RawFile, read_vectors
        >>> vectors = read_vectors(RawFile("x.csv", b"id,d0,d1\na,0.5,1\nb,2,0\n"))
        >>> vectors.shape, vectors.names
        ('2 x 2', ('a', 'b'))
    """

    source: SourceFile
    sides: tuple[FloatArray, ...] = field(repr=False)
    names: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Of the file."""
        return self.source.name

    @property
    def shape(self) -> str:
        """How many vectors of how many features, in words."""
        return f"{len(self.sides[0]):,} x {self.sides[0].shape[1]:,}"


def read_vectors(source: str | Path | RawFile, key: str | None = None) -> VectorFile:
    """Read vectors: numbers that are finite, at least one row and two features.

    Args:
        source: A path (at most 16 GiB; CSV and TSV 500 MB), or the bytes of an upload. `.npy`
            holds shape (N, D). A table holds a column of lists, or one column of numbers for each
            dimension, beside a column of sentences or ids if there is one; or, of pairs, the
            columns vector1 and vector2.
        key: The column of a table that names its rows; None takes the sentences or ids it finds.

    Raises:
        InputError: No such file, not such vectors, or a table without the key.
        ResourceError: The disk refused.

    Example:
        >>> import io
        >>> import numpy as np
        >>> from bertflow_core.datasets import RawFile, read_vectors
        >>> content = io.BytesIO()
        >>> np.save(content, np.eye(3))
        >>> read_vectors(RawFile("x.npy", content.getvalue())).sides[0].shape
        (3, 3)
    """
    check_type(source, (*PATHS, RawFile), "the file of vectors", "a path or a RawFile")
    if isinstance(source, RawFile):
        return _read(source, key)
    source = Path(source)
    with disk_errors(source):
        status = source.stat()
    return _read_version(source, key, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _read_version(path: Path, key: str | None, size: int, mtime_ns: int) -> VectorFile:
    """Read a file once per version of it; size and time are there to tell versions apart."""
    return _read(path, key)


def _read(source: Path | RawFile, key: str | None) -> VectorFile:
    ending = PurePath(source.name).suffix.lower()
    if ending not in VECTOR_ENDINGS:
        raise InputError(
            f"{quoted(source.name)} holds no vectors by its name: expected one that ends in "
            f"{listed(VECTOR_ENDINGS)}"
        )
    if isinstance(source, Path):
        check_file(source, MAX_VECTOR_BYTES)
    names: tuple[str, ...] | None = None
    sides: Sequence[FloatArray]
    if ending == ".npy":
        sides = (npy_matrix(source if isinstance(source, Path) else source.content, source.name),)
    elif ending == ".parquet":
        sides, names = read_parquet_vectors(source, key)
    else:
        sides, names = read_csv_vectors(source, "\t" if ending == ".tsv" else None, key)
    for x in sides:
        _check(source.name, x)
    lines = None if ending in (".npy", ".parquet") else len(sides[0]) + 1
    return VectorFile(SourceFile(source.name, _sha256(source), lines), tuple(sides), names)


def _check(name: str, x: FloatArray) -> None:
    """Refuse arrays without rows or features, and numbers that are not finite in float32."""
    if x.shape[0] < 1 or x.shape[1] < 2:
        raise InputError(
            f"{quoted(name)} must hold at least one vector of at least 2 features, got shape "
            f"({x.shape[0]:,}, {x.shape[1]:,})"
        )
    for start in range(0, len(x), _ROWS_AT_ONCE):
        with np.errstate(over="ignore"):
            portion = np.asarray(x[start : start + _ROWS_AT_ONCE], np.float32)
        bad = np.flatnonzero(~np.isfinite(portion).all(axis=1))
        if len(bad):
            raise InputError(
                f"{quoted(name)} holds a number in row {start + bad[0] + 1:,} that is not finite, "
                "or too large for float32: expected finite numbers; correct it or leave the row out"
            )


def _sha256(source: Path | RawFile) -> str:
    if isinstance(source, RawFile):
        return hashlib.sha256(source.content).hexdigest()
    with disk_errors(source), source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
