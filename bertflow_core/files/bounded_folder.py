"""Folders of bounded size: the least recently used entries go first; processes may share them.

The time of an entry's last use is the modification time of its file or folder.
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
from bertflow_core.files.atomic import make_folder, sweep_scratch, write_errors
from bertflow_core.files.saved import ENDING, read_saved, write_saved

__all__ = ["BoundedFolder", "delete", "evict", "mark_used"]

_KEY = re.compile(r"[0-9a-f]{64}(\.safetensors)?")  # earlier versions kept folders


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
        """Return the configuration and arrays of an entry, and note that it was used.

        None where it is missing, damaged, or was deleted by another process.
        """
        file = self.root / f"{key}{ENDING}"
        try:
            config, arrays = read_saved(file)
        except (InputError, OSError):
            return None
        mark_used([file])
        is_ours = config.pop("format", None) == self.form and config.pop("key", None) == key
        return (config, arrays) if is_ours else None

    def put(self, key: str, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Keep an entry, whole or not at all, and delete old ones above the bounds.

        Raises:
            ResourceError: The disk refused.
        """
        from filelock import FileLock

        with write_errors(self.root):
            make_folder(self.root)
            with FileLock(self.root / ".lock"):
                sweep_scratch(self.root)
                entry = {**config, "format": self.form, "key": key}
                file = write_saved(self.root / key, entry, arrays)
                entries = [path for path in self.root.iterdir() if _KEY.fullmatch(path.name)]
                evict(entries, self.limit_bytes, max_entries=self.max_entries, keep={file})


def mark_used(entries: Iterable[Path]) -> None:
    """Note that files or folders were used now; what may only be read, or is gone, is left."""
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
    """Delete the least recently used files or folders until the rest is within the bounds.

    Args:
        entries: All of them; those that another process deletes meanwhile are skipped.
        limit_bytes: Bound on their size together; None for none.
        max_entries: Bound on their number; None for none.
        keep: Those that stay, however large they are.
    """
    stored = []
    for path in entries:
        with suppress(FileNotFoundError):
            stored.append((path.stat().st_mtime, _size(path), path))
    n_left, n_bytes = len(stored), sum(size for _, size, _ in stored)
    for _, size, path in sorted(stored):
        too_large = limit_bytes is not None and n_bytes > limit_bytes
        too_many = max_entries is not None and n_left > max_entries
        if (too_large or too_many) and path not in keep:
            delete(path)
            n_left, n_bytes = n_left - 1, n_bytes - size


def delete(path: Path) -> int:
    """Delete a file or folder that may be gone already; return how many bytes that freed."""
    try:
        size = _size(path)
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    except FileNotFoundError:
        return 0
    return size


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.iterdir())
    return path.stat().st_size
