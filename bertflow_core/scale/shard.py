"""A shard: a part of a corpus, read a batch of rows at a time; here a parquet file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bertflow_core.datasets.parquet import parquet_damage
from bertflow_core.errors import InputError, nearest
from bertflow_core.files import check_file, disk_errors
from bertflow_core.scale.manifest import FileMark
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ENDING", "MAX_SHARD_BYTES", "Shard", "present"]

ENDING = ".parquet"
MAX_SHARD_BYTES = 64 << 30
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True)
class Shard:
    """A part of a corpus, here a parquet file.

    Attributes:
        path: Where it lies, for every machine that may read it.
    """

    path: Path

    @property
    def name(self) -> str:
        """Its name without the ending, which its output and its rows take."""
        return self.path.name.removesuffix(ENDING)

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.path.name

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.path.parent

    def mark(self) -> FileMark:
        """Return what tells its content from any other.

        Raises:
            InputError: It is gone.
            ResourceError: The disk refused.
        """
        return FileMark.of(self.path)

    def is_still(self, mark: FileMark) -> bool:
        """Tell whether its content is that of a mark."""
        return mark.fits(self.path)

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
                there = present(self.label, columns, file.schema_arrow.names)
                done = 0
                for batch in file.iter_batches(n_rows, columns=there):
                    yield done, pa.Table.from_batches([batch]).select(there)
                    done += batch.num_rows
                if done == 0:
                    yield 0, file.schema_arrow.empty_table().select(there)


def present(label: str, columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return those columns that there are.

    Raises:
        InputError: The last is not.
    """
    if columns[-1] not in names:
        near = nearest(columns[-1], list(names))
        raise InputError(f"{quoted(label)} has no column {quoted(columns[-1])}: {near}")
    return [name for name in columns if name in names]
