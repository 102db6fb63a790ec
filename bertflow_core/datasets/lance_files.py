"""Lance datasets, as LanceDB searches them: folders of data files under versions.

A data file counts only once a version names it, so that a reader sees no part of a change.
A dataset that another program made in another format has an empty version for a moment before ours.
Older versions stay until Lance's own `cleanup_old_versions` is asked for.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.datasets.parquet_writer import Write
from bertflow_core.errors import BertFlowError, InputError, ResourceError
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "DATA",
    "LANCE",
    "has_versions",
    "import_lance",
    "lance_damage",
    "lance_writer",
    "open_lance",
    "publish",
]

LANCE, DATA = ".lance", "data"
"""The ending of a dataset's folder and of its data files; where in it these lie."""

_FORMAT = "2.1"


def import_lance() -> Any:  # noqa: ANN401 - it is an extra
    """Return the package lance.

    Raises:
        InputError: It is not installed.
    """
    try:
        import lance
    except ImportError:
        raise InputError(
            'Lance datasets need the package pylance: pip install "bertflow-lab[lance]", or name '
            "parquet files"
        ) from None
    return lance


def has_versions(folder: Path) -> bool:
    """Tell whether a folder is a Lance dataset."""
    return os.path.isdir(folder / "_versions")  # False of a name too long


def open_lance(folder: Path, version: int | None = None) -> Any:  # noqa: ANN401 - an extra's
    """Return the dataset in a folder; None takes its newest version.

    Raises:
        InputError: There is none, it is damaged, or pylance is not installed.
    """
    lance = import_lance()
    if not has_versions(folder):
        raise InputError(
            f"{quoted(folder)} is no Lance dataset, or one that nobody has finished: check the path"
        )
    with lance_damage(folder.name):
        return lance.dataset(str(folder.absolute()), version=version)


@contextmanager
def lance_damage(name: str) -> Iterator[None]:
    """Turn what the reader of Lance raises into an error about the dataset `name`."""
    try:
        yield
    except BertFlowError:
        raise
    except (OSError, ValueError, RuntimeError, LookupError, TypeError) as error:  # and Arrow's own
        raise InputError(
            f"{quoted(name)} is damaged or no Lance dataset ({_said(error)}): write it again"
        ) from None


@contextmanager
def lance_writer(path: Path) -> Iterator[Write]:
    """Yield what writes one table after another, of one schema, as a data file.

    Raises:
        ResourceError: The disk refused.
    """
    import_lance()
    from lance.file import LanceFileWriter

    opened: list[Any] = []

    def write(table: "pa.Table") -> None:
        with _disk(path):
            plain = _plain(table)
            if not opened:
                where = str(path.absolute())
                opened.append(LanceFileWriter(where, plain.schema, version=_FORMAT))
            opened[0].write_batch(plain)

    yield write  # an error of the caller is none of the disk; the file is left unfinished then
    with _disk(path):
        for writer in opened:
            writer.close()


def publish(folder: Path, names: Sequence[str], metadata: Mapping[str, str]) -> None:
    """Make a version of a dataset that holds some of its data files, in this order.

    Nothing is done where the newest version is that already.

    Args:
        folder: Of the dataset.
        names: Of files in its folder of data, each with at least one row.
        metadata: Of the schema.

    Raises:
        InputError: The files have different columns.
        ResourceError: The disk refused.
    """
    lance = import_lance()
    where = str(folder.absolute())
    with _disk(folder):
        schema, fragments = _read(folder, names)
        found = lance.dataset(where) if has_versions(folder) else None
        if found is not None and _files(found) == [*names] and _says(found, metadata):
            return
        if found is not None and found.data_storage_version != _FORMAT:
            options = {"mode": "overwrite", "data_storage_version": _FORMAT}
            lance.write_dataset(schema.empty_table(), where, **options)
        said = schema.with_metadata(dict(metadata))
        lance.LanceDataset.commit(where, lance.LanceOperation.Overwrite(said, fragments))


def _files(dataset: Any) -> list[str]:  # noqa: ANN401 - an extra's
    fragments = dataset.get_fragments()
    return [file.path for each in fragments for file in each.metadata.files]


def _says(dataset: Any, metadata: Mapping[str, str]) -> bool:  # noqa: ANN401 - an extra's
    given = {name.encode(): text.encode() for name, text in metadata.items()}
    return given.items() <= (dataset.schema.metadata or {}).items()


def _read(folder: Path, names: Sequence[str]) -> "tuple[pa.Schema, list[Any]]":
    """Return the columns that all data files have, and what a version says of each file.

    Raises:
        InputError: They differ, one has columns in columns, or there are no files.
    """
    import pyarrow as pa
    from lance.file import LanceFileReader
    from lance.fragment import DataFile, FragmentMetadata
    from pyarrow import types

    schema: pa.Schema | None = None
    fragments = []
    for number, name in enumerate(names):
        path = folder.absolute() / DATA / name
        found = LanceFileReader(str(path)).metadata()
        own = found.schema.remove_metadata()
        if schema is not None and not own.equals(schema):
            raise InputError(
                f"{quoted(names[0])} and {quoted(name)} have different columns ({_short(schema)}; "
                f"{_short(own)}), and a Lance dataset has one kind: make them alike, such as all "
                "ids text"
            )
        if any(types.is_nested(each) and not types.is_fixed_size_list(each) for each in own.types):
            raise InputError(
                f"{quoted(name)} has columns in columns ({_short(own)}), which a Lance "
                "dataset does not take here: give ids that are text or numbers"
            )
        schema, columns = own, [*range(len(own))]
        version = found.major_version, found.minor_version
        file = DataFile(name, columns, columns, *version, path.stat().st_size)
        fragments.append(FragmentMetadata(number, [file], physical_rows=found.num_rows))
    if schema is None:
        raise InputError("no row can be used, so that there is nothing to write")
    return schema, fragments


def _short(schema: "pa.Schema") -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)


def _plain(table: "pa.Table") -> "pa.Table":
    """Return a table with one kind of text, however it was kept."""
    import pyarrow as pa
    from pyarrow import types

    fields = []
    for field in table.schema:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        is_text = types.is_large_string(kind) or types.is_string_view(kind) or types.is_string(kind)
        fields.append(pa.field(field.name, pa.string() if is_text else field.type))
    return table.cast(pa.schema(fields))


@contextmanager
def _disk(path: Path) -> Iterator[None]:
    try:
        yield
    except BertFlowError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise ResourceError(f"cannot write {quoted(path)}: {_said(error)}") from error


def _said(error: BaseException) -> str:
    """Return what Lance says, without the place in its own code."""
    return reason(error).partition(", /")[0]
