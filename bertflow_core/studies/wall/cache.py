"""Neighbours and layouts on disk, named by their input, so that none is computed twice."""

import hashlib
import json
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bertflow_core.cache import BoundedFolder, cache_folder
from bertflow_core.errors import ResourceError
from bertflow_core.linalg import FloatArray

__all__ = ["ProjectionCache", "content_key"]

FORMAT = "bertflow-projection-1"


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
    """Arrays by content, on disk; processes may share them.

    Args:
        root: The folder; None is `projections` in the store's folder.
        limit_bytes: Size bound; least recently used entries go first, never the newest.
        max_entries: Bound on their number.
    """

    def __init__(
        self, root: Path | None = None, *, limit_bytes: int = 1 << 30, max_entries: int = 256
    ) -> None:
        root = cache_folder() / "projections" if root is None else root
        self.folder = BoundedFolder(root, FORMAT, limit_bytes=limit_bytes, max_entries=max_entries)

    def get(self, key: str, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray] | None:
        """Return the arrays of an entry, or None where it is missing or damaged.

        Args:
            key: From `content_key`.
            shapes: Shape of each array by name; other names, shapes and values that are not finite
                count as damage.
        """
        entry = self.folder.get(key)
        if entry is None or entry[1].keys() != shapes.keys():
            return None
        arrays = entry[1]
        fits = all(arrays[name].shape == shape for name, shape in shapes.items())
        return arrays if fits and all(np.isfinite(a).all() for a in arrays.values()) else None

    def put(self, key: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Keep an entry, whole or not at all, and drop old ones above the bounds.

        A disk that refuses costs no result: a warning says that the next one computes it again.
        """
        try:
            self.folder.put(key, {}, arrays)
        except ResourceError as error:
            warnings.warn(f"{error}; the picture is not kept", stacklevel=2)
