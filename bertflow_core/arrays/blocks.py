"""Process rows in blocks that fit the CPU cache, and release pages of memory-mapped files."""

import mmap
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray

_ROWS_IN_CACHE = 256


def row_blocks(X: FloatArray, n_rows: int) -> Iterator[FloatArray]:
    """Yield the rows of `X`, shape (N, D), up to `n_rows` at a time.

    No more than one block of a memory-mapped file stays in this process's memory.
    """
    for start in range(0, len(X), n_rows):
        yield X[start : start + n_rows]
        release_pages(X)


def is_mapped(X: object) -> bool:
    """Tell whether an array is backed by a memory-mapped file, which can be read again."""
    return _mapping(X) is not None


def release_pages(X: object) -> None:
    """Release the pages of a memory-mapped file, where the system can; the array stays usable."""
    file = _mapping(X)
    if file is not None and hasattr(mmap, "MADV_DONTNEED"):
        file.madvise(mmap.MADV_DONTNEED)


def _mapping(X: object) -> mmap.mmap | None:
    """Return the memory map behind an array; None if there is none or it is copy-on-write."""
    is_safe = False
    while X is not None and not isinstance(X, mmap.mmap):
        if isinstance(X, np.memmap):
            is_safe = X.mode != "c"  # changes to a copy-on-write map are in no file
        X = getattr(X, "base", None)
    return X if is_safe else None


def in_blocks(
    function: Callable[[FloatArray], FloatArray],
    X: FloatArray,
    *,
    n_rows: int = _ROWS_IN_CACHE,
    dtype: npt.DTypeLike | None = None,
) -> FloatArray:
    """Apply a function to blocks of the rows `X`, (N, D), and return its results, (N, ...).

    Each block fits in the CPU cache, and only the result needs as much memory as `X`.
    """
    result, start = np.empty(0, dtype or X.dtype), 0
    for rows in row_blocks(X, n_rows):
        part = function(rows)
        if start == 0:
            result = np.empty((len(X), *part.shape[1:]), result.dtype)
        result[start : start + len(rows)] = part
        start += len(rows)
    return result
