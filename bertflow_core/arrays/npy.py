"""Matrices in `.npy` files: memory-mapped where possible, written whole or not at all."""

import io
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.runtime.files import atomic_write, check_file, disk_errors
from bertflow_core.wording import quoted, reason

MAX_VECTOR_BYTES = 16 << 30


def open_npy(source: Path | bytes, name: str = "") -> FloatArray:
    """Return the matrix of a `.npy` file as float32 or float64, shape (N, D).

    The matrix is memory-mapped read-only if it needs no conversion. Errors call the file `name`.
    """
    name = name or str(source)
    if isinstance(source, Path):
        check_file(source, MAX_VECTOR_BYTES)
    try:
        x = _matrix_in(source)
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(name)}: {error.strerror or error}") from error
    except Exception as error:  # numpy's readers raise errors of every kind
        raise InputError(
            f"{quoted(name)} is not a plain .npy file of numbers ({reason(error)}): save it again"
        ) from error
    if x.ndim != 2 or x.dtype.kind not in "fiu":
        raise InputError(f"{quoted(name)} must hold real numbers of shape (N, D)")
    is_double = x.dtype.newbyteorder("=") == np.float64
    return x.astype(np.float64 if is_double else np.float32, copy=False)


def _matrix_in(source: Path | bytes) -> npt.NDArray[Any]:
    """Return the array of a `.npy` file, read-only and without a copy."""
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        shape, is_fortran, dtype = readers[npy.read_magic(stream)](stream)
        start = stream.tell()
        n_bytes = stream.seek(0, io.SEEK_END) - start
    if dtype.hasobject:
        raise ValueError("it holds Python objects")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != n_bytes:
        raise ValueError("its size is not the one that it declares")
    if isinstance(source, bytes):
        x = np.frombuffer(source, dtype, offset=start)
    else:
        x = np.memmap(source, dtype, "r", start)
    return x.reshape(shape, order="F" if is_fortran else "C")


def write_npy(path: Path, blocks: Iterable[FloatArray], n_rows: int) -> None:
    """Write one or more blocks, (N_i, ...), `n_rows` rows in total, completely or not at all."""
    with (
        disk_errors(path, does="write"),
        atomic_write(path) as scratch,
        scratch.open("wb") as stream,
    ):
        for number, block in enumerate(blocks):
            rows = np.ascontiguousarray(block)
            if number == 0:
                shape = (n_rows, *rows.shape[1:])
                header = {"descr": npy.dtype_to_descr(rows.dtype), "fortran_order": False}
                npy.write_array_header_1_0(stream, {**header, "shape": shape})
            stream.write(rows.data)
