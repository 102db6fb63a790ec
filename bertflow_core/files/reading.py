"""Files that a user names: regular ones of a bounded size, and nothing that could wait for ever."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.wording import quoted, size_text

__all__ = [
    "MAX_SENTENCE",
    "PATHS",
    "begins_with_mark",
    "check_file",
    "disk_errors",
    "is_special",
    "read_file",
    "too_large",
]

MAX_SENTENCE = 100_000
"""Characters of a sentence, on a line or in a cell: far more than any encoder looks at."""

PATHS = (str, os.PathLike)
"""What a path may be."""

_BEGINNING = 1_024
"""Bytes of a file in which its mark stands."""


def check_file(path: Path, limit: int) -> None:
    """Refuse what is no regular file, such as a pipe or a device, or has more than `limit` bytes.

    Raises:
        InputError: It does not exist, is no regular file, or is too large.
        ResourceError: The disk refused.
    """
    with disk_errors(path):
        status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{quoted(path)} is a folder: expected a file")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{quoted(path)} is a pipe or a device: expected a regular file")
    if status.st_size > limit:
        raise InputError(too_large(path, status.st_size, limit))


def read_file(path: Path, limit: int) -> bytes:
    """Read a file whole.

    Raises:
        InputError: As `check_file`.
        ResourceError: The disk refused.
    """
    check_file(path, limit)
    with disk_errors(path), path.open("rb") as stream:
        content = stream.read(limit + 1)  # what the kernel makes up has no size beforehand
    if len(content) > limit:
        raise InputError(too_large(path, len(content), limit))
    return content


def begins_with_mark(path: Path, marks: Iterable[str]) -> bool:
    """Tell whether a regular file has one of these texts near its beginning; nothing else has.

    Raises:
        OSError: It cannot be read.
    """
    if not path.is_file():  # to open a pipe would wait for ever
        return False
    with path.open("rb") as stream:
        start = stream.read(_BEGINNING)
    return any(mark.encode() in start for mark in marks)


def is_special(path: Path) -> bool:
    """Tell whether a path is a pipe, a socket or a device, which may block who opens it."""
    return path.exists() and not path.is_file() and not path.is_dir()


def too_large(name: str | Path, size: int, limit: int) -> str:
    """Return the sentence that `name` has `size` bytes where `limit` are allowed."""
    return (
        f"{quoted(name)} is too large: expected at most {size_text(limit)}, got {size_text(size)}"
    )


@contextmanager
def disk_errors(name: str | Path) -> Iterator[None]:
    """Turn an `OSError` about `name` into the user's error (no such file) or the disk's."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{quoted(name)} does not exist: check the path") from None
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(name)}: {error.strerror or error}") from error
