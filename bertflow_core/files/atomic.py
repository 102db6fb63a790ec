"""Files written whole or not at all, also when the disk is full, the program killed or power lost.

What is being written lies beside its target under a name of its own until it is whole.
"""

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bertflow_core.errors import ResourceError
from bertflow_core.wording import quoted

__all__ = ["SCRATCH", "atomic_write", "flush", "make_folder", "sweep_scratch", "write_errors"]

SCRATCH = ".bertflow-"
_NO_FOLDER_FLUSH = {errno.EINVAL, errno.ENOTSUP}


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give the name of a scratch file, which replaces `path` when the block ends without an error.

    File and folder are flushed to the disk, so that a crash leaves the old or the new content.

    Raises:
        OSError: The disk refused; the old file is as it was, and no scratch file stays.
    """
    scratch = path.with_name(f"{SCRATCH}{uuid.uuid4().hex}")
    try:
        yield scratch
        flush(scratch)
        os.replace(scratch, path)
        flush(path.parent)
    finally:
        with suppress(OSError):
            scratch.unlink()


def sweep_scratch(folder: Path) -> None:
    """Delete what killed processes left in a cache's folder, whose lock is held."""
    for path in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, and flush their names to the disk."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        flush(each.parent)


def flush(path: Path) -> None:
    """Make the disk keep a file, or the list of names of a folder, before the program goes on."""
    is_folder = path.is_dir()
    if is_folder and os.name != "posix":
        return  # Windows flushes no folders
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (is_folder and error.errno in _NO_FOLDER_FLUSH):  # as some network disks say
            raise
    finally:
        os.close(handle)


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` into the user's error that the disk refused to write `path`."""
    try:
        yield
    except ResourceError:
        raise
    except OSError as error:
        raise ResourceError(f"cannot write {quoted(path)}: {error.strerror or error}") from error
