"""Files: what users name is read without trust; what is written is whole or not there.

What is being written lies beside its target under a name of its own, and is renamed once it is
flushed to the disk, then its folder is: whatever happens, the old content is there or the new.
"""

import errno
import hashlib
import io
import json
import os
import stat
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted, reason, size_text

PATHS = (str, os.PathLike)
"""What a path may be."""

MAX_SENTENCE = 100_000
"""Characters of a sentence, on a line or in a cell: far more than any encoder looks at."""

MAX_VECTOR_BYTES = 16 << 30

SCRATCH = ".bertflow-"
"""How the names of unfinished files begin."""

SAVED = ".safetensors"
_CONFIG_KEY = "bertflow"
_MAX_CONFIG_BYTES = 1 << 20
_MAX_SAVED_BYTES = 2 << 30
_MARK_WITHIN = 1_024


@contextmanager
def disk_errors(name: str | Path, *, does: str = "read") -> Iterator[None]:
    """Turn an `OSError` about `name` into the user's error: it is missing, or the disk refused."""
    try:
        yield
    except ResourceError:
        raise
    except OSError as error:
        if does == "read" and isinstance(error, FileNotFoundError | NotADirectoryError):
            raise InputError(f"{quoted(name)} does not exist: check the path") from None
        raise ResourceError(f"cannot {does} {quoted(name)}: {error.strerror or error}") from error


def check_file(path: Path, limit: int) -> None:
    """Refuse what is no regular file, such as a pipe, or has more than `limit` bytes."""
    with disk_errors(path):
        status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{quoted(path)} is a folder: expected a file")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{quoted(path)} is a pipe or a device: expected a regular file")
    if status.st_size > limit:
        raise InputError(too_large(path, status.st_size, limit))


def read_file(path: Path, limit: int) -> bytes:
    """Read a file whole; refuses what `check_file` refuses."""
    check_file(path, limit)
    with disk_errors(path), path.open("rb") as stream:
        content = stream.read(limit + 1)  # what the kernel makes up has no size beforehand
    if len(content) > limit:
        raise InputError(too_large(path, len(content), limit))
    return content


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file's content, hashed once per version of it."""
    with disk_errors(file):
        status = file.stat()
        return _sha256_of_version(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256_of_version(file: Path, size: int, mtime_ns: int) -> str:
    """Hash a file; size and time are there to be the key."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package, None where it is absent, as an extra may be.

    Its record is read once, as each reading takes a millisecond and each fingerprint asks.
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def digest_of(value: object) -> str:
    """Return the SHA-256 of what JSON can say, whatever the order of names."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def too_large(name: str | Path, size: int, limit: int) -> str:
    """Return the sentence that `name` has `size` bytes where `limit` are allowed."""
    return (
        f"{quoted(name)} is too large: expected at most {size_text(limit)}, got {size_text(size)}"
    )


def is_special(path: Path) -> bool:
    """Tell whether a path is a pipe, a socket or a device, which may block who opens it."""
    return path.exists() and not path.is_file() and not path.is_dir()


def begins_with_mark(path: Path, marks: Iterable[str]) -> bool:
    """Tell whether a regular file has one of these texts near its beginning; nothing else has."""
    if not path.is_file():  # to open a pipe would wait for ever
        return False
    with path.open("rb") as stream:
        start = stream.read(_MARK_WITHIN)
    return any(mark.encode() in start for mark in marks)


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give the name of a scratch file, which replaces `path` when the block ends without an error.

    An `OSError` leaves the old file as it was, and no scratch file.
    """
    scratch = path.with_name(f"{SCRATCH}{uuid.uuid4().hex}")
    try:
        yield scratch
        with scratch.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(scratch, path)
        with suppress(OSError):  # Windows and some network disks flush no folders
            folder = os.open(path.parent, os.O_RDONLY)  # so that the new name survives a power cut
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    finally:
        with suppress(OSError):
            scratch.unlink()


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    with disk_errors(path, does="write"), atomic_write(path) as scratch:
        scratch.write_bytes(content)


def check_target(
    path: Path, *, force: bool, endings: Sequence[str] = (".npy",), marks: Iterable[str] = ()
) -> None:
    """Refuse, before any work, a file name that cannot be written or would overwrite something.

    With `force` a file may be replaced; where there are marks, only one that begins with one.
    """
    if path.suffix not in endings:
        raise InputError(f"{quoted(path)} must end in {' or '.join(endings)}")
    with disk_errors(path, does="write"):
        if not path.parent.is_dir():
            raise InputError(f"folder {quoted(path.parent)} does not exist: make it first")
        if path.is_dir():
            raise InputError(f"{quoted(path)} is a folder: choose another name")
        if path.exists() and marks and not begins_with_mark(path, marks):
            raise InputError(f"{quoted(path)} was not written by this program: choose another name")
        if path.exists() and not force:
            raise InputError(f"{quoted(path)} exists: choose another name or give --force")
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def open_npy(source: Path | bytes, name: str = "") -> FloatArray:
    """Return the matrix of a `.npy` file as float32 or float64, shape (N, D).

    It is mapped from the disk, read-only, where it needs no conversion; messages call it `name`.
    """
    name = name or str(source)
    if isinstance(source, Path):
        check_file(source, MAX_VECTOR_BYTES)
    try:
        if isinstance(source, bytes):
            x = npy.read_array(io.BytesIO(source), allow_pickle=False)
        else:
            x = npy.open_memmap(source, mode="r")  # which takes no pickle either
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(name)}: {error.strerror or error}") from error
    except Exception as error:  # numpy's readers let every kind through
        raise InputError(f"{quoted(name)} is not a plain .npy file of numbers") from error
    if x.ndim != 2 or x.dtype.kind not in "fiu":
        raise InputError(f"{quoted(name)} must hold real numbers of shape (N, D)")
    is_double = x.dtype.newbyteorder("=") == np.float64
    return x.astype(np.float64 if is_double else np.float32, copy=False)


def write_npy(path: Path, blocks: Iterable[FloatArray], n_rows: int) -> None:
    """Write `n_rows` rows that come in blocks of shape (N_i, ...), at least one, whole or not."""
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


def write_saved(path: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Path:
    """Write a configuration, as JSON in the metadata, and arrays as one `.safetensors` file.

    Returns its path: the ending is added where the name lacks it, and missing folders are made.
    """
    from safetensors.numpy import save

    path = _saved_path(path)
    text = json.dumps(dict(config), sort_keys=True, allow_nan=False)
    ordered = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    with disk_errors(path, does="write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, save(ordered, {_CONFIG_KEY: text}))
    return path


def read_saved(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the configuration and arrays of a saved thing; no code is run, no pickle is read.

    A folder of `config.json` and `model.safetensors`, as earlier versions wrote it, is read too.
    """
    from safetensors import SafetensorError, safe_open

    with disk_errors(path):
        found = path if path.is_file() else _saved_path(path)
        is_folder = not found.exists() and path.is_dir()
    weights = path / f"model{SAVED}" if is_folder else found
    check_file(weights, _MAX_SAVED_BYTES)
    try:
        with disk_errors(weights), safe_open(weights, "numpy") as file:
            text = (file.metadata() or {}).get(_CONFIG_KEY, "")
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        if is_folder:
            text = read_file(path / "config.json", _MAX_CONFIG_BYTES).decode()
        config = json.loads(text) if len(text) <= _MAX_CONFIG_BYTES else None
        if not isinstance(config, dict):
            raise TypeError("it has no configuration")
    except (ValueError, RecursionError, SafetensorError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted(weights)} is damaged or was not saved by this program ({reason(error)}): "
            "save it again"
        ) from error
    return config, arrays


def check_saved(path: Path, *, force: bool) -> None:
    """Refuse, before any work, a name under which `write_saved` would overwrite something.

    What this program saved under it may be replaced with `force`.
    """
    file = _saved_path(path)
    with disk_errors(file, does="write"):
        is_there = file.exists() or file.is_symlink()
    if is_there and not _is_ours(file):
        raise InputError(f"{quoted(file)} exists and was not saved here: choose another name")
    if is_there and not force:
        raise InputError(f"{quoted(file)} exists: choose another name or give --force")


def _saved_path(path: Path) -> Path:
    return path if path.suffix == SAVED else path.with_name(path.name + SAVED)


def _is_ours(file: Path) -> bool:
    try:
        config, _ = read_saved(file)
    except (InputError, ResourceError):
        return False
    return str(config.get("format")).startswith("bertflow-")


def resource(name: str) -> Traversable:
    """Return the data file `name` that ships with the package, such as `teaching.tsv`."""
    return files("bertflow_data") / name


def bundle(name: str) -> str:
    """Return a bundled script or style sheet of the app by its file's name, such as `wall.css`.

    Data to this package: what runs in a browser lies with the app, which it never imports.
    """
    return (files("bertflow_app") / "browser" / "bundles" / name).read_text(encoding="utf-8")
