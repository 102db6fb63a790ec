"""Uploaded tables and vectors: named by file and bytes, kept in memory, gone with the server."""

import base64
import hashlib
import re
from collections.abc import Sequence

from bertflow_app.kept import Kept

from bertflow_core.datasets import RawFile
from bertflow_core.errors import InputError

TAG_LETTERS = 12
"""Length of what tells files of one name apart, five bits a letter; nobody guesses it."""

_VECTORS = b"vectors"
_KEPT = "upload "


def is_upload(dataset: object) -> bool:
    """Whether this is a name that `Uploads.add` may have given; addresses hold anything."""
    return (
        isinstance(dataset, str)
        and dataset.isprintable()
        and re.fullmatch(rf".+ \([a-z2-7]{{{TAG_LETTERS}}}\)", dataset) is not None
    )


class Uploads:
    """The uploaded files among what is kept.

    A recipe finds a file by its name and a tag made from its bytes. People see both: the address
    of a page holds a choice as it is shown.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def add(self, name: str, content: bytes) -> str:
        """Keep a file and return the name under which a recipe finds it again."""
        file = _named(name, content)
        return self._put(_dataset([file]), file)

    def add_vectors(self, files: Sequence[tuple[str, bytes]]) -> str:
        """Keep vectors and return the name under which a recipe finds them again."""
        # A comma stands between two files in a model's name.
        kept = tuple(_named(name.replace(",", "_"), content) for name, content in files)
        if len({file.name for file in kept}) < len(kept):
            raise InputError("the files need different names: rename one and upload it again")
        return self._put(_dataset(kept, _VECTORS), kept)

    def _put(self, dataset: str, kept: RawFile | tuple[RawFile, ...]) -> str:
        if self._kept.get(_KEPT + dataset) is None:
            self._kept.put(_KEPT + dataset, kept)
        return dataset

    def get(self, dataset: str) -> RawFile | None:
        """Return the file a recipe names, of vectors the first; None where it is gone."""
        kept: RawFile | tuple[RawFile, ...] | None = None
        if is_upload(dataset):
            kept = self._kept.get(_KEPT + dataset)
        return kept[0] if isinstance(kept, tuple) else kept

    def vectors(self, dataset: str) -> tuple[RawFile, ...]:
        """Return the files of vectors a recipe names; none where it names a table."""
        kept = self._kept.get(_KEPT + dataset) if is_upload(dataset) else None
        return kept if isinstance(kept, tuple) else ()


def _named(name: str, content: bytes) -> RawFile:
    name = name.replace("\\", "/").rpartition("/")[2]
    name = "".join(c for c in name if c.isprintable())[-100:] or "table"
    return RawFile(name, content)


def _dataset(files: Sequence[RawFile], kind: bytes = b"") -> str:
    parts = [file.name.encode() + b"\0" + file.content for file in files]
    digest = hashlib.sha256(kind + b"\0".join(parts)).digest()
    return f"{files[0].name} ({base64.b32encode(digest).decode()[:TAG_LETTERS].lower()})"
