"""The record beside a fetched data set: its repository, its revision, and a digest of each file.

It is written before the files, so that a data set of which a file is missing is never taken for
whole.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.files import atomic_write, cannot_write, disk_errors, make_folder, read_file
from bertflow_core.wording import quoted

__all__ = ["Fetched", "FileRecord", "check_fetched", "is_whole", "read_record", "write_record"]

FOLDER = "fetched"
"""The folder of the records, in the data folder."""

_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class FileRecord:
    """Size in bytes and SHA-256, 64 hexadecimal digits, of one file."""

    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> "FileRecord":
        """Measure a file."""
        status = path.stat()
        return _measured(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _measured(path: Path, size: int, changed: int) -> FileRecord:
    """Measure a file again only where its size or its time of change is another."""
    with path.open("rb") as stream:
        return FileRecord(size, hashlib.file_digest(stream, "sha256").hexdigest())


@dataclass(frozen=True)
class Fetched:
    """What was fetched under a name.

    Attributes:
        name: The data set's name.
        repository: Its id on the hub.
        revision: The commit that it was taken from.
        licence: Terms of use, in words.
        sources: The files of the repository that were read, by their paths there.
        files: The files that were written, by their paths below the data folder.
    """

    name: str
    repository: str
    revision: str
    licence: str
    sources: Mapping[str, FileRecord]
    files: Mapping[str, FileRecord]


def write_record(root: Path, record: Fetched) -> None:
    """Write a record into the data folder `root`.

    Raises:
        ResourceError: The disk refused.
    """
    path = _path(root, record.name)
    try:
        make_folder(path.parent)
        with atomic_write(path) as scratch:
            scratch.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from error


def read_record(root: Path, name: str) -> Fetched | None:
    """Read the record of a data set, or return None where it was not fetched.

    Raises:
        InputError: It is damaged.
        ResourceError: The disk refused.
    """
    path = _path(root, name)
    with disk_errors(path):
        if not path.is_file():
            return None
    try:
        values: dict[str, Any] = json.loads(read_file(path, _MAX_BYTES))
        return Fetched(
            name=name,
            repository=str(values["repository"]),
            revision=str(values["revision"]),
            licence=str(values["licence"]),
            sources=_files(values["sources"]),
            files=_files(values["files"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(
            f"{quoted(path)} is damaged: fetch the data set again, bertflow-lab data get {name} "
            "--force"
        ) from None


def is_whole(root: Path, record: Fetched) -> bool:
    """Tell whether each file of a record is there as it was written."""
    return _odd_one(root, record) is None


def check_fetched(root: Path, name: str) -> None:
    """Refuse a fetched data set of which a file is missing or another.

    Raises:
        InputError: The sentence names the file; or the record is damaged.
        ResourceError: The disk refused.
    """
    record = read_record(root, name)
    odd = None if record is None else _odd_one(root, record)
    if odd is not None:
        raise InputError(
            f"{name} is not what was fetched: {quoted(odd)} is missing or was changed; fetch it "
            f"again, bertflow-lab data get {name}"
        )


def _odd_one(root: Path, record: Fetched) -> str | None:
    """Return the first file that is not as recorded."""
    for below, expected in record.files.items():
        path = root / below
        with disk_errors(path):
            if not path.is_file() or path.stat().st_size != expected.size:
                return below
            if FileRecord.of(path) != expected:
                return below
    return None


def _path(root: Path, name: str) -> Path:
    return root / FOLDER / f"{name}.json"


def _files(values: Mapping[str, Mapping[str, Any]]) -> dict[str, FileRecord]:
    """Read the records of files.

    Raises:
        ValueError: A path that leaves the folder.
    """
    for below in values:
        path = PurePosixPath(below)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(below)
    return {
        below: FileRecord(int(value["size"]), str(value["sha256"]))
        for below, value in values.items()
    }
