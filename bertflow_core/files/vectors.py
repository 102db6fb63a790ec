"""Vectors as `.npy` files: written whole or not at all, read without trust."""

import errno
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.lib import format as npy
from numpy.lib.format import open_memmap

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files.atomic import atomic_write, write_errors
from bertflow_core.files.reading import check_file
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = [
    "MAX_VECTOR_BYTES",
    "check_target",
    "map_npy",
    "npy_matrix",
    "read_npy",
    "write_npy",
    "write_npy_blocks",
]

MAX_VECTOR_BYTES = 16 << 30


def check_target(path: Path, *, force: bool, endings: Sequence[str] = (".npy",)) -> None:
    """Refuse, before any work, a file name that cannot be written or would overwrite something.

    Raises:
        InputError: The name has none of these endings, its folder is missing, or it exists and
            `force` is off.
        ResourceError: The disk refused such a name.
    """
    if path.suffix not in endings:
        raise InputError(f"{quoted(path)} must end in {' or '.join(endings)}")
    with write_errors(path):
        if not path.parent.is_dir():
            raise InputError(f"folder {quoted(path.parent)} does not exist: make it first")
        if path.is_dir():
            raise InputError(f"{quoted(path)} is a folder: choose another name")
        if path.exists() and not force:
            raise InputError(f"{quoted(path)} exists: choose another name or give --force")
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write_npy(path: Path, x: FloatArray) -> None:
    """Write an array as `path`, whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    write_npy_blocks(path, [x], len(x))


def write_npy_blocks(path: Path, blocks: Iterable[FloatArray], n_rows: int) -> None:
    """Write rows that come block by block as `path`, whole or not at all.

    Args:
        path: File to write.
        blocks: At least one, of one dtype and of shapes (N_i, ...), which are alike but for N_i.
        n_rows: The sum of all N_i, which the file says first.

    Raises:
        ResourceError: The disk refused.
    """
    with write_errors(path), atomic_write(path) as scratch, scratch.open("wb") as stream:
        for number, block in enumerate(blocks):
            rows = np.ascontiguousarray(block)
            if number == 0:
                shape = (n_rows, *rows.shape[1:])
                header = {"descr": npy.dtype_to_descr(rows.dtype), "fortran_order": False}
                npy.write_array_header_1_0(stream, {**header, "shape": shape})
            stream.write(rows.data)


def read_npy(source: Path | bytes, name: str | Path | None = None) -> FloatArray:
    """Read embeddings, shape (N, D), as float32 or float64.

    Args:
        source: A path, or a file's bytes.
        name: Of the file, for messages; None is its path.

    Raises:
        InputError: Missing, no regular file, too large, not `.npy`, or not a matrix of numbers.
    """
    x = map_npy(source, name)
    return x if x.flags.writeable else np.array(x)


def map_npy(source: Path | bytes, name: str | Path | None = None) -> FloatArray:
    """Return embeddings as `read_npy` does; map them, read-only, where they need no conversion.

    Args:
        source: A path, or a file's bytes.
        name: Of the file, for messages; None is its path.

    Raises:
        InputError: As `read_npy`.
    """
    if isinstance(source, Path):
        check_file(source, MAX_VECTOR_BYTES)
    x = npy_matrix(source, name or str(source))
    is_double = x.dtype.newbyteorder("=") == np.float64
    return x.astype(np.float64 if is_double else np.float32, copy=False)


def npy_matrix(source: Path | bytes, name: str | Path) -> FloatArray:
    """Map a `.npy` file or its bytes, read-only, shape (N, D), any real numbers.

    Args:
        source: A checked path, or the file's bytes.
        name: Of the file, for messages.

    Raises:
        InputError: Not `.npy`, or not a matrix of numbers.
        ResourceError: The disk refused.
    """
    try:
        # Both refuse objects, which would have to be unpickled.
        x = _of_bytes(source) if isinstance(source, bytes) else open_memmap(source, mode="r")
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(name)}: {error.strerror or error}") from error
    except Exception as error:  # numpy's reader of headers lets every kind through
        raise InputError(f"{quoted(name)} is not a plain .npy file of numbers") from error
    if x.ndim != 2 or x.dtype.kind not in "fiu":
        raise InputError(f"{quoted(name)} must hold real numbers of shape (N, D)")
    return x


def _of_bytes(content: bytes) -> FloatArray:
    """Return the array of a file's bytes without copying it, whatever size its header declares."""
    stream = io.BytesIO(content)
    major, _ = npy.read_magic(stream)
    read_header = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
    shape, is_fortran, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError("objects are not read")
    x = np.frombuffer(content, dtype, offset=stream.tell())
    return x.reshape(shape, order="F" if is_fortran else "C")
