"""Shards of a Lance dataset: its fragments, read a batch of rows at a time, without trust."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.datasets.lance_files import DATA, LANCE, lance_damage, open_lance
from bertflow_core.errors import InputError
from bertflow_core.files import check_file, disk_errors
from bertflow_core.scale.manifest import FileMark
from bertflow_core.scale.shard import MAX_SHARD_BYTES, Shard, present
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SAID", "LanceShard", "fragments_of", "said_of"]

SAID = "bertflow"
"""In the metadata of a Lance dataset: what its shards are and how they were made."""

_LANCE_BYTES, _READAHEAD = 64 << 20, 2
_OWN_STEM = re.compile(r"(.+)\.[0-9a-f]{16}")


@dataclass(frozen=True)
class LanceShard(Shard):
    """A fragment of a Lance dataset.

    Attributes:
        path: The dataset's folder.
        version: Of the dataset.
        number: The fragment's id.
        files: Its files, below the folder.
        rows: How many it has.
        content: What the version says of it, JSON.
    """

    version: int
    number: int
    files: tuple[str, ...]
    rows: int
    content: str

    @property
    def name(self) -> str:
        """The name of its first data file without the ending, and without our own digest."""
        stem = Path(self.files[0]).name.removesuffix(LANCE)
        own = _OWN_STEM.fullmatch(stem)
        return own[1] if own else stem

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.path.name}/{self.name}"

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.path

    def mark(self) -> FileMark:
        """Return what tells its content from any other."""
        digest = hashlib.sha256(self.content.encode())
        for name in self.files:
            digest.update(FileMark.of(self.path / name).sha256.encode())
        return FileMark(self.label, *self._sizes(), digest.hexdigest())

    def is_still(self, mark: FileMark) -> bool:
        """Tell whether its content is that of a mark."""
        known = (mark.name, mark.n_bytes, mark.modified_ns)
        try:
            return known == (self.label, *self._sizes()) or mark.sha256 == self.mark().sha256
        except InputError:  # a file is gone, as its own work will say
            return False

    def count(self) -> int:
        """Return the number of rows."""
        return self.rows

    def batches(self, columns: Sequence[str], n_rows: int) -> "Iterator[tuple[int, pa.Table]]":
        """Read some columns as of a parquet file.

        Raises:
            InputError: A file is missing, too large or damaged.
            ResourceError: The disk refused.
        """
        import pyarrow as pa

        for name in self.files:
            check_file(self.path / name, MAX_SHARD_BYTES)
        with lance_damage(self.label):
            dataset = open_lance(self.path, self.version)
            there = present(self.label, columns, dataset.schema.names)
            scanner = dataset.scanner(
                columns=there,
                batch_size=n_rows,
                fragments=[dataset.get_fragment(self.number)],
                batch_readahead=_READAHEAD,
                io_buffer_size=_LANCE_BYTES,
            )
            done = 0
            for batch in scanner.to_batches():
                yield done, pa.Table.from_batches([batch]).select(there)
                done += batch.num_rows
            if done == 0:
                yield 0, dataset.schema.empty_table().select(there)

    def _sizes(self) -> tuple[int, int]:
        """Return the bytes of its files, and when the newest was written."""
        with disk_errors(self.path):
            found = [(self.path / name).stat() for name in self.files]
        return sum(each.st_size for each in found), max(each.st_mtime_ns for each in found)


def said_of(shard: LanceShard) -> dict[str, Any]:
    """Return what the metadata of a shard's dataset say of its shards; nothing where they do not.

    Raises:
        InputError: The dataset is damaged.
    """
    dataset = open_lance(shard.path, shard.version)
    try:
        content = json.loads((dataset.schema.metadata or {}).get(SAID.encode(), b""))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def fragments_of(folder: Path) -> list[Shard]:
    """Return the fragments of a dataset's newest version.

    Raises:
        InputError: It is damaged, holds no rows, or names files outside its folder.
    """
    dataset = open_lance(folder)
    found: list[Shard] = []
    with lance_damage(folder.name):
        for each in dataset.get_fragments():
            said = each.metadata.to_json()
            files = [f"{DATA}/{file['path']}" for file in said["files"]]
            if not files:
                raise InputError(
                    f"{quoted(folder)} has a fragment without data files: write it again"
                )
            if said["deletion_file"] is not None:
                files.append(str(each.deletion_file()))
            if any(file.get("base_id") is not None for file in said["files"]) or any(
                ".." in Path(name).parts or Path(name).is_absolute() for name in files
            ):
                raise InputError(f"{quoted(folder)} names files outside it: copy them into one")
            content = json.dumps([said["files"], said["deletion_file"]], sort_keys=True)
            rows = int(each.count_rows())
            found.append(
                LanceShard(folder, dataset.version, each.fragment_id, tuple(files), rows, content)
            )
    if not found:
        raise InputError(f"{quoted(folder)} holds no rows: expected vectors or texts")
    return found
