"""Neighbours and layouts on disk, named by their input, so that none is computed twice."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
from filelock import FileLock

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import read_folder, write_folder
from bertflow_core.linalg import FloatArray
from bertflow_core.store import default_root

__all__ = ["ProjectionCache", "content_key"]

FORMAT = "bertflow-projection-1"
_KEY = re.compile(r"[0-9a-f]{64}")


def content_key(x: FloatArray, kind: str, **choices: object) -> str:
    """Return the name of what is computed from rows: SHA-256 of their bytes and of the choices.

    Args:
        x: Rows, shape (N, D).
        kind: What is computed.
        choices: Whatever else decides the result, versions of software included; JSON-able.
    """
    described = json.dumps([FORMAT, kind, choices, x.shape, str(x.dtype)], sort_keys=True)
    total = hashlib.sha256(described.encode())
    total.update(np.ascontiguousarray(x).data)
    return total.hexdigest()


class ProjectionCache:
    """One folder per entry, checked when it is read; processes may share it.

    Args:
        root: Where entries lie; None is `projections` in the store's folder.
        limit_bytes: Size bound; least recently used entries go first, never the newest.
        max_entries: Bound on their number.
    """

    def __init__(
        self, root: Path | None = None, *, limit_bytes: int = 1 << 30, max_entries: int = 256
    ) -> None:
        self.root = default_root() / "projections" if root is None else root
        self.limit_bytes = limit_bytes
        self.max_entries = max_entries

    def get(self, key: str, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray] | None:
        """Return the arrays of an entry, or None where it is missing or damaged.

        Args:
            key: From `content_key`.
            shapes: Shape of each array by name; other names, shapes and values that are not finite
                count as damage.
        """
        folder = self.root / key
        try:
            config, arrays = read_folder(folder)
            os.utime(folder)  # used now
        except (InputError, ResourceError, OSError):
            return None  # missing, torn, or evicted by another process: it is computed again
        if config != {"format": FORMAT, "key": key} or arrays.keys() != shapes.keys():
            return None
        fits = all(arrays[name].shape == shape for name, shape in shapes.items())
        return arrays if fits and all(np.isfinite(a).all() for a in arrays.values()) else None

    def put(self, key: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Keep an entry, whole or not at all, and drop old ones above the bounds.

        Raises:
            ResourceError: The disk refused.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with FileLock(self.root / ".lock"):
                self._sweep()
                shutil.rmtree(self.root / key, ignore_errors=True)  # there only if damaged
                write_folder(self.root / key, {"format": FORMAT, "key": key}, arrays)
                self._evict(key)
        except ResourceError:
            raise
        except OSError as error:
            raise ResourceError(
                f"cannot keep a projection in {str(self.root)!r}: {error.strerror or error}"
            ) from error

    def _sweep(self) -> None:
        """Delete what a killed process left half written; nobody else writes under the lock."""
        for folder in self.root.glob(".*-*"):
            shutil.rmtree(folder, ignore_errors=True)

    def _evict(self, newest: str) -> None:
        entries = []
        for folder in self.root.iterdir():
            if _KEY.fullmatch(folder.name) and folder.name != newest:
                with suppress(FileNotFoundError):
                    entries.append((folder.stat().st_mtime, _size(folder), folder))
        n_left, n_bytes = len(entries) + 1, sum(size for _, size, _ in entries)
        n_bytes += _size(self.root / newest)
        for _, size, folder in sorted(entries):
            if n_bytes <= self.limit_bytes and n_left <= self.max_entries:
                break
            shutil.rmtree(folder, ignore_errors=True)
            n_left, n_bytes = n_left - 1, n_bytes - size


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())
