"""Folders of what can be made or fetched again: where they lie, how large they may become.

The least recently used entries go first; the time of an entry's last use is its file's time of
modification. Processes may share a folder.
"""

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import SCRATCH
from bertflow_core.wording import quoted, reason

_DEFAULT_GIGABYTES, _MOST_GIGABYTES = 20.0, 1e6


def cache_folder() -> Path:
    """Return the folder of all caches: `BERTFLOW_CACHE`, or the user's."""
    named = os.environ.get("BERTFLOW_CACHE")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError as error:
            raise InputError(
                f"BERTFLOW_CACHE is no folder ({reason(error)}), got {quoted(named)}"
            ) from error
    from platformdirs import user_cache_path

    path = user_cache_path("bertflow-lab")
    if not path.is_absolute():  # `~` stays what it is where nobody knows the user's home
        raise InputError("you have no home folder for the cache: name a folder in BERTFLOW_CACHE")
    return path


def cache_limit() -> int:
    """Return the bound on stored embeddings in bytes: `BERTFLOW_CACHE_GB`, or 20 GiB."""
    named = os.environ.get("BERTFLOW_CACHE_GB") or str(_DEFAULT_GIGABYTES)
    try:
        value = float(named)
    except ValueError:
        value = -1.0
    if not 0 < value < _MOST_GIGABYTES:
        raise InputError(
            f"BERTFLOW_CACHE_GB must be a number of gigabytes above 0, got {quoted(named)}"
        )
    return int(value * (1 << 30))


def sweep_scratch(folder: Path) -> None:
    """Delete what killed processes left in a folder, whose lock is held."""
    for path in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):  # what another user may not delete stays
            path.unlink()


def mark_used(entries: Iterable[Path]) -> None:
    """Note that files were used now; what may only be read, or is gone, is left."""
    for path in entries:
        with suppress(OSError):
            os.utime(path)


def evict(entries: Iterable[Path], limit_bytes: int, *, keep: Collection[Path] = ()) -> None:
    """Delete the least recently used files, but for those to keep, until the rest fits a bound."""
    stored = []
    for path in entries:
        with suppress(FileNotFoundError):  # another process may delete it meanwhile
            status = path.stat()
            stored.append((status.st_mtime, status.st_size, path))
    n_bytes = sum(size for _, size, _ in stored)
    for _, size, path in sorted(stored):
        if n_bytes > limit_bytes and path not in keep:
            delete(path)
            n_bytes -= size


def delete(path: Path) -> int:
    """Delete a file that may be gone already; return how many bytes that freed."""
    try:
        size = path.stat().st_size
        path.unlink()
    except FileNotFoundError:
        return 0
    return size
