"""Folders of what can be made or fetched again: where they lie, how large they may become.

The least recently used entries go first; the time of an entry's last use is its file's time of
modification. Processes may share a folder.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.files import SAVED, SCRATCH, disk_errors, read_saved, write_saved
from bertflow_core.wording import quoted, reason

_KEY = re.compile(rf"[0-9a-f]{{64}}{re.escape(SAVED)}")
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


class BoundedFolder:
    """Configurations and arrays by key, each entry a saved file, checked when it is read.

    Keys are SHA-256 digests in hexadecimal; what else lies in the folder is left alone.

    Args:
        root: The folder that holds the entries.
        form: The `format` in each entry's configuration; "bertflow-", the kind and its version.
        limit_bytes: Bound on the size of all entries; None for none. The newest always stays.
        max_entries: Bound on their number; None for none.
    """

    def __init__(
        self,
        root: Path,
        form: str,
        *,
        limit_bytes: int | None = None,
        max_entries: int | None = None,
    ) -> None:
        self.root = root
        self.form = form
        self.limit_bytes = limit_bytes
        self.max_entries = max_entries

    def get(self, key: str) -> tuple[dict[str, Any], dict[str, np.ndarray]] | None:
        """Return an entry and note that it was used; None where it is missing or damaged."""
        file = self.root / f"{key}{SAVED}"
        try:
            config, arrays = read_saved(file)
        except (InputError, OSError):
            return None
        mark_used([file])
        is_ours = config.pop("format", None) == self.form and config.pop("key", None) == key
        return (config, arrays) if is_ours else None

    def put(self, key: str, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Keep an entry, whole or not at all, and delete old ones above the bounds."""
        from filelock import FileLock

        with disk_errors(self.root, does="write"):
            self.root.mkdir(parents=True, exist_ok=True)
            with FileLock(self.root / ".lock"):
                sweep_scratch(self.root)
                entry = {**config, "format": self.form, "key": key}
                file = write_saved(self.root / key, entry, arrays)
                entries = [path for path in self.root.iterdir() if _KEY.fullmatch(path.name)]
                evict(entries, self.limit_bytes, max_entries=self.max_entries, keep={file})


def sweep_scratch(folder: Path) -> None:
    """Delete what killed processes left in a folder, whose lock is held."""
    for path in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):  # earlier versions made folders
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def mark_used(entries: Iterable[Path]) -> None:
    """Note that files were used now; what may only be read, or is gone, is left."""
    for path in entries:
        with suppress(OSError):
            os.utime(path)


def evict(
    entries: Iterable[Path],
    limit_bytes: int | None,
    *,
    max_entries: int | None = None,
    keep: Collection[Path] = (),
) -> None:
    """Delete the least recently used files until the rest is within the bounds.

    Args:
        entries: All of them; those that another process deletes meanwhile are skipped.
        limit_bytes: Bound on their size together; None for none.
        max_entries: Bound on their number; None for none.
        keep: Those that stay, however large they are.
    """
    stored = []
    for path in entries:
        with suppress(FileNotFoundError):
            status = path.stat()
            stored.append((status.st_mtime, status.st_size, path))
    n_left, n_bytes = len(stored), sum(size for _, size, _ in stored)
    for _, size, path in sorted(stored):
        too_large = limit_bytes is not None and n_bytes > limit_bytes
        too_many = max_entries is not None and n_left > max_entries
        if (too_large or too_many) and path not in keep:
            delete(path)
            n_left, n_bytes = n_left - 1, n_bytes - size


def delete(path: Path) -> int:
    """Delete a file that may be gone already; return how many bytes that freed."""
    try:
        size = path.stat().st_size
        path.unlink()
    except FileNotFoundError:
        return 0
    return size
