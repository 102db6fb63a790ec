"""Where the shards of a stage lie, each with its manifest and its refused rows.

In a folder each is a parquet file; in a folder that ends in .lance each is a data file of one Lance
dataset, whose next version names all that are finished. What begins with an underscore is no data:
readers pass over it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertflow_core.datasets.lance_files import (
    DATA,
    LANCE,
    has_versions,
    import_lance,
    lance_writer,
    publish,
)
from bertflow_core.datasets.parquet_writer import Write, parquet_writer
from bertflow_core.files import cannot_write, make_folder
from bertflow_core.scale.lance_shards import SAID
from bertflow_core.scale.manifest import FileMark, Request, ShardRecord
from bertflow_core.scale.shard import ENDING, Shard
from bertflow_core.scale.shards import find_shards

__all__ = ["MANIFESTS", "REFUSED_ROWS", "OutputFolder", "output_folder"]

MANIFESTS, REFUSED_ROWS = "_manifest", "_refused"
_DIGITS = 16


@dataclass(frozen=True)
class OutputFolder:
    """A folder of parquet files."""

    path: Path

    @property
    def whole(self) -> Path:
        """The manifest of all shards."""
        return self.path / "_manifest.json"

    def data(self, shard: Shard, source: FileMark, request: Request) -> Path:
        """The rows that were made of a shard."""
        return self.path / (shard.name + ENDING)

    def manifest(self, shard: Shard) -> Path:
        """What they are and how they were made."""
        return self.path / MANIFESTS / f"{shard.name}.json"

    def refused(self, shard: Shard) -> Path:
        """The rows of the shard that could not be used, with the reasons."""
        return self.path / REFUSED_ROWS / (shard.name + ENDING)

    def make(self, *names: str) -> None:
        """Make the folder, or these inside it.

        Raises:
            ResourceError: The disk refused.
        """
        try:
            for name in names or ("",):
                make_folder(self.path / name)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def make_all(self) -> None:
        """Make all folders that a shard needs.

        Raises:
            ResourceError: The disk refused.
        """
        self.make(MANIFESTS, REFUSED_ROWS)

    def writer(self, path: Path) -> AbstractContextManager[Write]:
        """Return what writes the rows of a shard."""
        return parquet_writer(path)

    def names(self) -> list[str]:
        """Return the names of the shards that are there."""
        return [each.name.removesuffix(ENDING) for each in self.path.glob(f"*{ENDING}")]

    def publish(self, records: Sequence[ShardRecord], content: Mapping[str, Any]) -> None:
        """Show readers the shards that are finished, with what is said of all; here they do.

        Raises:
            InputError: The shards have different columns.
            ResourceError: The disk refused.
        """


@dataclass(frozen=True)
class LanceFolder(OutputFolder):
    """A Lance dataset, of which a shard is a fragment.

    A data file is named by its shard, its input and its request, so that no file of a version is
    ever replaced by another.
    """

    def data(self, shard: Shard, source: FileMark, request: Request) -> Path:
        """The rows that were made of a shard."""
        content = f"{request.digest}{source.sha256}"
        digest = hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]
        return self.path / DATA / f"{shard.name}.{digest}{LANCE}"

    def make_all(self) -> None:
        """Make all folders that a shard needs."""
        super().make_all()
        self.make(DATA)

    def writer(self, path: Path) -> AbstractContextManager[Write]:
        """Return what writes the rows of a shard."""
        return lance_writer(path)

    def names(self) -> list[str]:
        """Return the names of the shards that the newest version holds."""
        return [each.name for each in find_shards(self.path)] if has_versions(self.path) else []

    def publish(self, records: Sequence[ShardRecord], content: Mapping[str, Any]) -> None:
        """Make a version of the shards that are finished."""
        names = [each.output.name for each in records if each.rows]
        if names:
            publish(self.path, names, {SAID: json.dumps(content)})


def output_folder(path: Path) -> OutputFolder:
    """Return a folder by the ending of its name.

    Raises:
        InputError: It ends in .lance, and pylance is not installed.
    """
    if path.suffix != LANCE:
        return OutputFolder(path)
    import_lance()
    return LanceFolder(path)
