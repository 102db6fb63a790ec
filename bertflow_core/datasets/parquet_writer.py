"""Tables written as parquet, one after another."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Write", "parquet_writer"]

Write = Callable[["pa.Table"], None]
"""Writes one table after another, of one schema."""


@contextmanager
def parquet_writer(path: Path) -> Iterator[Write]:
    """Yield what writes one table after another, of one schema, as a parquet file."""
    import pyarrow.parquet as pq

    with ExitStack() as stack:
        opened: list[pq.ParquetWriter] = []

        def write(table: "pa.Table") -> None:
            if not opened:
                writer = pq.ParquetWriter(
                    path, table.schema, compression="none", use_dictionary=False
                )
                opened.append(stack.enter_context(writer))
            opened[0].write_table(table)

        yield write
