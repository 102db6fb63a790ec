"""The shards that a name stands for: parquet files by a pattern."""

import glob
import os
from collections import Counter
from pathlib import Path

from bertflow_core.errors import InputError, listed
from bertflow_core.scale.shard import ENDING, Shard
from bertflow_core.wording import quoted

__all__ = ["find_shards", "is_pattern", "pattern_of"]


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
    return _once_each(pattern, [Shard(path) for path in sorted(paths, key=lambda path: path.name)])


def _once_each(source: str, shards: "list[Shard]") -> "list[Shard]":
    names = Counter(each.name for each in shards)
    twice = sorted(name for name, times in names.items() if times > 1)
    if twice:
        raise InputError(
            f"{quoted(source)} matches several files of one name ({listed(twice)}): rename them, "
            "since each output has the name of its input"
        )
    return shards


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
