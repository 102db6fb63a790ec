"""Vectors as `.npy` files: written atomically, read without pickle and within bounds."""

import os
import uuid
from pathlib import Path

import numpy as np

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.numerics import FloatArray

__all__ = ["check_target", "read_npy", "write_npy"]

_MAX_BYTES = 16 << 30


def check_target(path: Path, *, force: bool) -> None:
    """Refuse, before any work, a file name that cannot be written or would overwrite something.

    Raises:
        InputError: The name does not end in `.npy`, its folder is missing, or it exists and
            `force` is off.
    """
    if path.suffix != ".npy":
        raise InputError(f"{str(path)!r} must end in .npy")
    if not path.parent.is_dir():
        raise InputError(f"folder {str(path.parent)!r} does not exist: make it first")
    if path.exists() and not (force and path.is_file()):
        raise InputError(f"{str(path)!r} exists: choose another name or give --force")


def write_npy(path: Path, x: FloatArray) -> None:
    """Write an array as `path`, whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    scratch = path.with_name(f".{path.name}-{uuid.uuid4().hex[:8]}")
    try:
        with scratch.open("wb") as stream:
            np.save(stream, x, allow_pickle=False)
        os.replace(scratch, path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise ResourceError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def read_npy(path: Path) -> FloatArray:
    """Read embeddings, shape (N, D), as float32 or float64.

    Raises:
        InputError: Missing, too large, not a `.npy` file, or not a matrix of numbers.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{str(path)!r} is larger than {_MAX_BYTES:,} bytes")
        x = np.load(path, allow_pickle=False, mmap_mode="r")
    except FileNotFoundError:
        raise InputError(f"{str(path)!r} does not exist") from None
    except OSError as error:
        raise ResourceError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, EOFError) as error:
        raise InputError(f"{str(path)!r} is not a plain .npy file of numbers") from error
    if not isinstance(x, np.ndarray) or x.ndim != 2 or x.dtype.kind not in "fiu":
        raise InputError(f"{str(path)!r} must hold numbers of shape (N, D)")
    return np.array(x, np.float64 if x.dtype == np.float64 else np.float32)
