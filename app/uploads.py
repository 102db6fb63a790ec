"""Uploaded tables: named by their bytes, kept in memory, gone with the server."""

import hashlib
import re

from bertflow_app.kept import Kept

from bertflow_core.datasets import RawFile

PREFIX = "upload:"
"""What a recipe's data set starts with where it is an uploaded table."""


def is_upload(dataset: object) -> bool:
    """Whether this is a name that `Uploads.add` may have given; addresses hold anything."""
    return isinstance(dataset, str) and re.fullmatch(f"{PREFIX}[0-9a-f]{{32}}", dataset) is not None


class Uploads:
    """The uploaded files among what is kept."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def add(self, name: str, content: bytes) -> str:
        """Keep a file and return the name under which a recipe finds it again."""
        name = name.replace("\\", "/").rpartition("/")[2]
        name = "".join(c for c in name if c.isprintable())[-100:] or "table"
        dataset = PREFIX + hashlib.sha256(name.encode() + b"\0" + content).hexdigest()[:32]
        if self._kept.get(dataset) is None:
            self._kept.put(dataset, RawFile(name, content))
        return dataset

    def get(self, dataset: str) -> RawFile | None:
        """Return the file a recipe names, or None where it is gone."""
        file: RawFile | None = self._kept.get(dataset) if is_upload(dataset) else None
        return file
