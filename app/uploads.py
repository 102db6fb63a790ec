"""Uploaded tables, in memory: named by their bytes, bounded, gone with the server."""

import hashlib
import re
import threading
from collections import OrderedDict

from bertflow_core.datasets import RawFile

PREFIX = "upload:"
"""What a recipe's data set starts with where it is an uploaded table."""


def is_upload(dataset: object) -> bool:
    """Whether this is a name that `Uploads.add` may have given; addresses hold anything."""
    return isinstance(dataset, str) and re.fullmatch(f"{PREFIX}[0-9a-f]{{32}}", dataset) is not None


class Uploads:
    """The latest uploaded files; the least recently used go first.

    Args:
        limit_bytes: Most bytes that are kept.
    """

    def __init__(self, *, limit_bytes: int = 200_000_000) -> None:
        self._limit = limit_bytes
        self._files: OrderedDict[str, RawFile] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, name: str, content: bytes) -> str:
        """Keep a file and return the name under which a recipe finds it again."""
        name = name.replace("\\", "/").rpartition("/")[2]
        name = "".join(c for c in name if c.isprintable())[-100:] or "table"
        dataset = PREFIX + hashlib.sha256(name.encode() + b"\0" + content).hexdigest()[:32]
        with self._lock:
            self._files[dataset] = RawFile(name, content)
            self._files.move_to_end(dataset)
            while sum(len(file.content) for file in self._files.values()) > self._limit:
                self._files.popitem(last=False)
        return dataset

    def get(self, dataset: str) -> RawFile | None:
        """Return the file a recipe names, or None where it is gone."""
        with self._lock:
            file = self._files.get(dataset)
            if file is not None:
                self._files.move_to_end(dataset)
            return file
