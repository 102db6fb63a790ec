"""The parquet files that a name stands for, read some rows at a time, and what they say of them."""

import glob
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.datasets.parquet import parquet_damage
from bertflow_core.errors import InputError, listed, nearest
from bertflow_core.files import check_file, disk_errors
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ENDING = ".parquet"

SAID = b"bertflow"
"""Key in a file's metadata, of how it was made."""

_MAX_BYTES = 64 << 30
_BUFFER_BYTES = 1 << 20


def is_many(source: Path | str) -> bool:
    """Tell whether a name stands for many files: it has * or ? or [, or is a folder."""
    if os.path.isdir(source):  # False of a name too long, as is the next
        return True
    return not os.path.isfile(source) and glob.has_magic(str(source))


def pattern_of(source: Path | str) -> str:
    """Return the pattern of the files that a pattern, a folder or a file stands for."""
    pattern = str(source)
    if os.path.isdir(source):
        return str(Path(glob.escape(pattern)) / f"*{ENDING}")
    return glob.escape(pattern) if os.path.isfile(source) else pattern


def find_files(source: Path | str, *, outside: Path | None = None) -> list[Path]:
    """Return the parquet files that a pattern, a folder or a file stands for, sorted by name.

    What has a name, or lies in a folder, that begins with a dot or an underscore is no data unless
    the source names it; such files are passed over, as are those in the folder `outside`.

    Raises:
        InputError: There are none, or two have one name.
    """
    pattern = pattern_of(source)
    named = {*Path(source).absolute().parts}
    files = [
        file
        for each in glob.glob(pattern, recursive=True)
        if (file := Path(os.path.abspath(each))).name.endswith(ENDING)
        and not any(part.startswith((".", "_")) and part not in named for part in file.parts)
    ]
    if not files:
        raise InputError(
            f"{quoted(pattern)} matches no {ENDING} file: check the name, and put a pattern in "
            "quotes"
        )
    if outside is not None:
        files = [file for file in files if file.parent.resolve() != outside.resolve()]
        if not files:
            raise InputError(f"{quoted(outside)} holds the input: choose another folder to write")
    twice = [name for name, n in Counter(file.name for file in files).items() if n > 1]
    if twice:
        raise InputError(
            f"{quoted(pattern)} matches several files of one name ({listed(twice)}): rename them, "
            "since each output has the name of its input"
        )
    return sorted(files, key=lambda file: file.name)


def batches(file: Path, columns: Sequence[str], n: int) -> "Iterator[tuple[int, pa.Table]]":
    """Read some columns of a file, n rows at a time, each table after its first row.

    A file of no rows gives one empty table.

    Raises:
        InputError: As `present`; or no regular file, too large, no parquet, or damaged.
        ResourceError: The disk refused.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_file(file, _MAX_BYTES)
    with disk_errors(file), parquet_damage(file.name):
        with pq.ParquetFile(file, buffer_size=_BUFFER_BYTES, pre_buffer=False) as opened:
            schema = opened.schema_arrow.remove_metadata()
            there = present(columns, schema.names)
            done = 0
            for batch in opened.iter_batches(n, columns=there):
                yield done, pa.Table.from_batches([batch]).select(there).replace_schema_metadata()
                done += batch.num_rows
            if done == 0:
                yield 0, schema.empty_table().select(there)


def present(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return those of some columns that there are.

    Raises:
        InputError: The last, which is what is read, is not.
    """
    if columns[-1] not in names:
        raise InputError(f"there is no column {quoted(columns[-1])}: {nearest(columns[-1], names)}")
    return [name for name in columns if name in names]


def n_rows(file: Path) -> int:
    """Return the number of rows that a file declares; 0 where it cannot be read."""
    return int(getattr(_metadata(file), "num_rows", 0))  # the work on it says what is wrong


def said_in(file: Path) -> dict[str, Any]:
    """Return what a file says of how it was made; nothing where it is missing or says nothing.

    It is trusted as far as whoever can write into the folder.
    """
    metadata = getattr(_metadata(file), "metadata", None) or {}
    try:
        said = json.loads(metadata.get(SAID, b"{}"))
    except ValueError:
        return {}
    return said if isinstance(said, dict) and "request" in said else {}


def mark(file: Path) -> dict[str, int]:
    """Return what tells the content of a file from what it was before."""
    with disk_errors(file):
        status = file.stat()
    return {"bytes": status.st_size, "modified_ns": status.st_mtime_ns}


def _metadata(file: Path) -> Any:  # noqa: ANN401, pyarrow has no hints
    import pyarrow.parquet as pq

    try:
        with disk_errors(file), parquet_damage(file.name):
            return pq.read_metadata(file)
    except (InputError, OSError):
        return None
