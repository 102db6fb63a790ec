"""Shards: the parquet files of a corpus, found by a pattern and read a batch at a time."""

import glob
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bertflow_core.datasets.parquet import parquet_damage
from bertflow_core.errors import InputError, listed, nearest
from bertflow_core.files import check_file, disk_errors
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ENDING", "Shard", "find_shards", "is_pattern", "pattern_of"]

ENDING = ".parquet"
MAX_SHARD_BYTES = 64 << 30
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True)
class Shard:
    """One parquet file of a corpus.

    Attributes:
        path: Where it lies, for every machine that may read it.
    """

    path: Path

    @property
    def name(self) -> str:
        """Its name without the ending, which its output and its rows take."""
        return self.path.name.removesuffix(ENDING)

    def count(self) -> int:
        """Return the number of rows that it declares; 0 where it cannot be read."""
        import pyarrow.parquet as pq

        try:
            with disk_errors(self.path), parquet_damage(self.path.name):
                return int(pq.read_metadata(self.path).num_rows)
        except (InputError, OSError):
            return 0  # its own work says what is wrong

    def batches(self, columns: Sequence[str], n_rows: int) -> "Iterator[tuple[int, pa.Table]]":
        """Read some columns, at most `n_rows` rows at a time, each table after its first row.

        A column that is not there is left out.

        Raises:
            InputError: No regular file, too large, no parquet, or damaged.
            ResourceError: The disk refused.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        check_file(self.path, MAX_SHARD_BYTES)
        with disk_errors(self.path), parquet_damage(self.path.name):
            with pq.ParquetFile(self.path, buffer_size=_BUFFER_BYTES, pre_buffer=False) as file:
                there = [name for name in columns if name in file.schema_arrow.names]
                if columns[-1] not in there:
                    near = nearest(columns[-1], file.schema_arrow.names)
                    raise InputError(
                        f"{quoted(self.path.name)} has no column {quoted(columns[-1])}: {near}"
                    )
                done = 0
                for batch in file.iter_batches(n_rows, columns=there):
                    yield done, pa.Table.from_batches([batch]).select(there)
                    done += batch.num_rows
                if done == 0:
                    yield 0, file.schema_arrow.empty_table().select(there)


def is_pattern(source: Path | str) -> bool:
    """Tell whether a name stands for many files: it has * or ? or [, or is a folder."""
    if os.path.isdir(source):  # False of a name too long, as is the next
        return True
    return not os.path.isfile(source) and glob.has_magic(str(source))


def pattern_of(source: Path | str) -> str:
    """Return the pattern of the files that a name stands for."""
    pattern = str(source)
    if os.path.isdir(source):
        return str(Path(glob.escape(pattern)) / f"*{ENDING}")
    return glob.escape(pattern) if os.path.isfile(source) else pattern


def find_shards(source: Path | str, *, outside: Path | None = None) -> list[Shard]:
    """Return the shards that a pattern, a folder or a file stands for, sorted by name.

    What has a name, or lies below the named folder in one, that begins with a dot or an underscore
    is no data and is passed over.

    Args:
        source: What the user named.
        outside: A folder whose files are passed over too, unless there are no others.

    Raises:
        InputError: There are none, or two have one name.
    """
    pattern = pattern_of(source)
    found = [Path(each) for each in glob.glob(pattern, recursive=True)]
    paths = [each.absolute() for each in found if each.name.endswith(ENDING)]
    named = _named_folder(pattern)
    paths = [each for each in paths if _is_data(each, named)]
    if outside is not None:
        own = outside.resolve()
        paths = [each for each in paths if each.parent.resolve() != own] or paths
    if not paths and Path(source).is_dir():
        raise InputError(
            f"{quoted(source)} is a folder that holds no {ENDING} file: name a file, or a folder "
            "of such files"
        )
    if not paths:
        raise InputError(
            f"{quoted(pattern)} matches no {ENDING} file: check the pattern, and put it in quotes"
        )
    names = Counter(path.name for path in paths)
    twice = sorted(name for name, times in names.items() if times > 1)
    if twice:
        raise InputError(
            f"{quoted(pattern)} matches several files of one name ({listed(twice)}): rename them, "
            "since each output has the name of its input"
        )
    return [Shard(path) for path in sorted(paths, key=lambda path: path.name)]


def _named_folder(pattern: str) -> Path:
    """Return the folder that a pattern names before its first wildcard."""
    folder = Path(pattern).absolute().parent
    while glob.has_magic(str(folder).replace("[[]", "").replace("[*]", "").replace("[?]", "")):
        folder = folder.parent
    return folder


def _is_data(path: Path, named: Path) -> bool:
    """Tell whether neither a file nor a folder that it lies in, below the named, is hidden."""
    parts = path.parts[len(named.parts) :]
    return not any(part.startswith((".", "_")) for part in parts)
