"""Files written whole or not at all, also when the disk is full, the program killed or power lost.

What is being written lies beside its target under a name that begins with `SCRATCH`. Only a killed
process leaves one behind: readers ignore it, and `sweep_scratch` deletes it.
"""

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bertflow_core.errors import ResourceError

__all__ = ["SCRATCH", "atomic_write", "cannot_write", "flush", "scratch_beside", "sweep_scratch"]

SCRATCH = ".bertflow-"

_NO_FOLDER_FLUSH = {errno.EINVAL, errno.ENOTSUP}


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give the name of a scratch file, which replaces `path` when the block ends without an error.

    File and folder are flushed to the disk, so that a crash leaves the old or the new content.

    Raises:
        OSError: The disk refused; the old file is as it was, and no scratch file stays.
    """
    scratch = scratch_beside(path)
    try:
        yield scratch
        flush(scratch)
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)
    flush(path.parent)


def scratch_beside(path: Path) -> Path:
    """Return a new name in the folder of `path`; without an ending, so that no pattern finds it."""
    return path.with_name(f"{SCRATCH}{uuid.uuid4().hex[:8]}")


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


def sweep_scratch(folder: Path) -> None:
    """Delete what killed processes left half written; call it under the folder's lock."""
    for path in folder.glob(f"{SCRATCH}*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def cannot_write(path: Path, error: OSError) -> ResourceError:
    """Return the error that tells the user that the disk refused to write `path`."""
    return ResourceError(f"cannot write {str(path)!r}: {error.strerror or error}")
