"""Read untrusted files that users name, and write files completely or not at all.

Output goes to a temporary file in the target's folder and is flushed to the disk. The file is then
renamed, and the folder is flushed. Whatever happens, the target holds the old content or the new.
"""

import errno
import hashlib
import json
import os
import stat
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.wording import quoted, reason, size_text

PATHS = (str, os.PathLike)
"""The Python types of a path."""

MAX_SENTENCE = 100_000
"""Largest number of characters in a sentence, a line or a cell; no encoder reads that many."""

SCRATCH = ".bertflow-"
"""Prefix of the names of unfinished files."""

_MARK_WITHIN = 1_024


def cache_folder() -> Path:
    """Return the folder of all caches: `BERTFLOW_CACHE`, or the user's cache folder."""
    named = os.environ.get("BERTFLOW_CACHE")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError as error:
            raise InputError(
                f"BERTFLOW_CACHE is not a folder ({reason(error)}), got {quoted(named)}"
            ) from error
    from platformdirs import user_cache_path

    path = user_cache_path("bertflow-lab")
    if not path.is_absolute():  # `~` stays if the user's home is unknown
        raise InputError("you have no home folder for the cache: set BERTFLOW_CACHE to a folder")
    return path


@contextmanager
def disk_errors(name: str | Path, *, does: str = "read") -> Iterator[None]:
    """Turn an `OSError` about the file `name` into an error for the user.

    A missing file raises `InputError`, any other fault of the disk `ResourceError`.
    """
    try:
        yield
    except ResourceError:
        raise
    except OSError as error:
        if does == "read" and isinstance(error, FileNotFoundError | NotADirectoryError):
            raise InputError(f"{quoted(name)} does not exist: check the path") from None
        raise ResourceError(f"cannot {does} {quoted(name)}: {error.strerror or error}") from error


def check_file(path: Path, limit: int) -> None:
    """Refuse anything but a regular file, and a file of more than `limit` bytes."""
    with disk_errors(path):
        status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{quoted(path)} is a folder: expected a file")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{quoted(path)} is a pipe or a device: expected a regular file")
    if status.st_size > limit:
        raise InputError(too_large(path, status.st_size, limit))


def read_file(path: Path, limit: int) -> bytes:
    """Read a whole file that passes `check_file`."""
    check_file(path, limit)
    with disk_errors(path), path.open("rb") as stream:
        content = stream.read(limit + 1)  # files that the kernel generates report no size
    if len(content) > limit:
        raise InputError(too_large(path, len(content), limit))
    return content


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file's content, hashed once per version of the file."""
    with disk_errors(file):
        status = file.stat()
        return _sha256_of_version(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256_of_version(file: Path, size: int, mtime_ns: int) -> str:
    """Hash a file; `size` and `mtime_ns` serve only to tell its versions apart in the cache."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_of(value: object) -> str:
    """Return the SHA-256 of a JSON value; the order of its keys does not matter."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def too_large(name: str | Path, size: int, limit: int) -> str:
    """Return the error message for a file of `size` bytes if at most `limit` are allowed."""
    return (
        f"{quoted(name)} is too large: expected at most {size_text(limit)}, got {size_text(size)}"
    )


def is_special(path: Path) -> bool:
    """Tell whether a path is a pipe, a socket or a device, which may block on opening."""
    return path.exists() and not path.is_file() and not path.is_dir()


def begins_with_mark(path: Path, marks: Iterable[str]) -> bool:
    """Tell whether a path is a regular file with one of these texts near its beginning."""
    if not path.is_file():  # opening a pipe would wait for ever
        return False
    with path.open("rb") as stream:
        start = stream.read(_MARK_WITHIN)
    return any(mark.encode() in start for mark in marks)


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield the name of a scratch file, which replaces `path` if the block ends without an error.

    After an error the old file is as it was, and the scratch file is gone.
    """
    scratch = path.with_name(f"{SCRATCH}{uuid.uuid4().hex}")
    try:
        yield scratch
        with scratch.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(scratch, path)
        with suppress(OSError):  # Windows and some network disks cannot flush folders
            folder = os.open(path.parent, os.O_RDONLY)  # so that the new name survives a power cut
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    finally:
        with suppress(OSError):
            scratch.unlink()


def write_file(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    with disk_errors(path, does="write"), atomic_write(path) as scratch:
        scratch.write_bytes(content)


def check_target(
    path: Path, *, force: bool, endings: Sequence[str] = (".npy",), marks: Iterable[str] = ()
) -> None:
    """Before any work, refuse a file that cannot be written or would overwrite another.

    `force` permits replacing a file. If marks are given, only a file that begins with one of them
    may be replaced.
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
