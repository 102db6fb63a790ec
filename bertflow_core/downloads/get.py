"""A data set fetched by name: from the hub's cache into the data folder, recorded and checked."""

import errno
import os
from collections.abc import Iterable
from contextlib import ExitStack
from fnmatch import fnmatch
from pathlib import Path

from bertflow_core.datasets.fetched import (
    Fetched,
    FileRecord,
    is_whole,
    read_record,
    write_record,
)
from bertflow_core.datasets.folders import data_root, own_data_folder
from bertflow_core.downloads.catalog import DOWNLOADS, Download
from bertflow_core.errors import BertFlowError, InputError, check_name
from bertflow_core.files import atomic_write, cannot_write, disk_errors, make_folder
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

__all__ = ["data_target", "get_data", "missing_downloads"]

_MOST_BYTES = 2 << 30
_OTHERWISE = "or choose the data set captions, which is built in"


def get_data(
    name: str,
    *,
    revision: str | None = None,
    data_dir: str | Path | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> tuple[Fetched, bool]:
    """Fetch a data set into the data folder, unless it is there and whole.

    Args:
        name: A name of `DOWNLOADS`.
        revision: Branch, tag or commit of its repository; by default the one it was fetched from
            before, or the catalogue's.
        data_dir: Where to; by default what `BERTFLOW_DATA` names, or the cache's own folder of
            data, which is then found by name.
        force: Replace files that are there and were not fetched, or were changed.
        progress: Called with megabytes that came and with files written; may raise `Cancelled`.

    Returns:
        Its record, and whether anything was fetched.

    Raises:
        InputError: An unknown name or revision, a repository without such files, or files in the
            way.
        ResourceError: The disk or the network failed; what arrived is kept and the next call goes
            on with it.
    """
    check_name(name, DOWNLOADS, "data set to fetch")
    entry, root = DOWNLOADS[name], data_target(data_dir)
    record = None if force else read_record(root, name)
    if record and revision in (None, record.revision) and is_whole(root, record):
        return record, False
    _check_writable(root)
    from bertflow_core.hub import Repository, fetch  # late: the hub's client is slow to import

    repository = Repository(
        entry.repository,
        revision or (record.revision if record else entry.revision),
        noun="data set",
        most_bytes=_MOST_BYTES,
        known=DOWNLOADS,
        otherwise=_OTHERWISE,
        name=name,
    )
    snapshot = fetch(repository, entry.patterns, progress=progress)
    mine = frozenset(record.files) if record else frozenset()
    written = _write(entry, snapshot, root, mine=mine, force=force, progress=progress)
    for below in mine - written.files.keys():  # what another revision no longer has
        (root / below).unlink(missing_ok=True)
    return written, True


def data_target(data_dir: str | Path | None = None) -> Path:
    """Return the folder that data sets are fetched into.

    Raises:
        InputError: What is named is no folder.
    """
    return data_root(data_dir) or own_data_folder()


def missing_downloads(data_dir: str | Path | None = None) -> list[Download]:
    """Return what can be fetched and has not been."""
    root = data_target(data_dir)
    return [each for each in DOWNLOADS.values() if read_record(root, each.name) is None]


def _check_writable(root: Path) -> None:
    """Refuse, before anything is fetched, a data folder that cannot be written.

    Raises:
        ResourceError: The disk refused.
    """
    try:
        make_folder(root)
        if not os.access(root, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise cannot_write(root, error) from error


def _write(
    entry: Download,
    snapshot: Path,
    root: Path,
    *,
    mine: frozenset[str],
    force: bool,
    progress: Progress,
) -> Fetched:
    """Write all files beside their places, then the record, and only then put them in place."""
    files: dict[str, FileRecord] = {}
    try:
        with ExitStack() as stack:
            for below, parts in entry.files(snapshot):
                target = root / below
                _check_free(target, is_ours=force or below in mine)
                make_folder(target.parent)
                scratch = stack.enter_context(atomic_write(target))
                _fill(scratch, parts)
                files[below] = FileRecord.of(scratch)
                progress(len(files), len(files) + 1, f"files of {entry.name}")
            record = Fetched(
                name=entry.name,
                repository=entry.repository,
                revision=snapshot.name,
                licence=entry.licence,
                sources=_sources(entry, snapshot),
                files=files,
            )
            write_record(root, record)
    except BertFlowError:
        raise
    except OSError as error:
        raise cannot_write(root, error) from error
    return record


def _fill(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as stream:
        stream.writelines(parts)


def _check_free(target: Path, *, is_ours: bool) -> None:
    """Refuse to replace what the user put there.

    Raises:
        InputError: A file has this name.
    """
    with disk_errors(target):
        exists = target.exists()
    if exists and not is_ours:
        raise InputError(
            f"{quoted(target)} is there and was not fetched: name another folder with --data-dir, "
            "or give --force to replace it"
        )


def _sources(entry: Download, snapshot: Path) -> dict[str, FileRecord]:
    paths = sorted(path for path in snapshot.rglob("*") if path.is_file())
    below = {path.relative_to(snapshot).as_posix(): path for path in paths}
    return {
        name: FileRecord.of(path)
        for name, path in below.items()
        if any(fnmatch(name, pattern) for pattern in entry.patterns)
    }
