"""Uploaded tables and vectors: named by their bytes, kept in memory, gone with the server."""

import hashlib
import re
from collections.abc import Sequence

from bertflow_app.kept import Kept

from bertflow_core.datasets import RawFile
from bertflow_core.errors import InputError

PREFIX = "upload:"
"""What a recipe's data set starts with where it is an uploaded table."""


_VECTORS = b"vectors"


def is_upload(dataset: object) -> bool:
    """Whether this is a name that `Uploads.add` may have given; addresses hold anything."""
    return isinstance(dataset, str) and re.fullmatch(f"{PREFIX}[0-9a-f]{{32}}", dataset) is not None


class Uploads:
    """The uploaded files among what is kept."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def add(self, name: str, content: bytes) -> str:
        """Keep a file and return the name under which a recipe finds it again."""
        file = _named(name, content)
        dataset = _dataset([file])
        if self._kept.get(dataset) is None:
            self._kept.put(dataset, file)
        return dataset

    def add_vectors(self, files: Sequence[tuple[str, bytes]]) -> str:
        """Keep vectors and return the name under which a recipe finds them again.

        Args:
            files: Names and contents: one file, or a table of scores, then the two sides of pairs.

        Raises:
            InputError: Two files of one name.
        """
        # A comma stands between two files in a model's name.
        kept = tuple(_named(name.replace(",", "_"), content) for name, content in files)
        if len({file.name for file in kept}) < len(kept):
            raise InputError("the files need different names: rename one and upload it again")
        dataset = _dataset(kept, _VECTORS)
        if self._kept.get(dataset) is None:
            self._kept.put(dataset, kept)
        return dataset

    def get(self, dataset: str) -> RawFile | None:
        """Return the file a recipe names, of vectors the first; None where it is gone."""
        kept: RawFile | tuple[RawFile, ...] | None = None
        if is_upload(dataset):
            kept = self._kept.get(dataset)
        return kept[0] if isinstance(kept, tuple) else kept

    def vectors(self, dataset: str) -> tuple[RawFile, ...]:
        """Return the files of vectors a recipe names; none where it names a table."""
        kept = self._kept.get(dataset) if is_upload(dataset) else None
        return kept if isinstance(kept, tuple) else ()


def _named(name: str, content: bytes) -> RawFile:
    name = name.replace("\\", "/").rpartition("/")[2]
    name = "".join(c for c in name if c.isprintable())[-100:] or "table"
    return RawFile(name, content)


def _dataset(files: Sequence[RawFile], kind: bytes = b"") -> str:
    parts = [file.name.encode() + b"\0" + file.content for file in files]
    return PREFIX + hashlib.sha256(kind + b"\0".join(parts)).hexdigest()[:32]
