"""Locations of data sets' files: a folder, the package, or the hub's cache.

The hub has SentEval's files in one archive, and QNLI, SNLI and MNLI as parquet tables.
"""

import os
import re
import tarfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from bertflow_core.datasets.source import RawFile
from bertflow_core.errors import InputError
from bertflow_core.runtime.files import disk_errors
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import quoted, reason

DATA_VARIABLE = "BERTFLOW_DATA"

_ARCHIVE = ".tar"
_MEMBER = re.compile(r"(?:.*/)?((?:STS|SICK)/[\w.-]+(?:/[\w.-]+)?)")


def data_root(data_dir: str | Path | None) -> Path | None:
    """Return `data_dir`, or the folder in `BERTFLOW_DATA`, or None."""
    named = data_dir or os.environ.get(DATA_VARIABLE)
    if not named:
        return None
    root = Path(named)
    with disk_errors(root), suppress(RuntimeError):  # `~` without a home
        root = root.expanduser()
        if root.is_dir():
            return root
    origin = "--data-dir" if data_dir else DATA_VARIABLE
    raise InputError(f"{origin} is {quoted(root)}, which is not a folder: check the path")


def how_to_get(name: str) -> str:
    """Return the clause on how to get a missing data set."""
    return (
        f"fetch it with `bertflow-lab data get {name}`, or give its folder in --data-dir or "
        f"{DATA_VARIABLE} (the data set 'teaching' is built in)"
    )


@dataclass(frozen=True)
class Location:
    """A folder, or an archive from the hub.

    A file's name is its path below the folder, or the end of its path in the archive.
    """

    path: Path

    def names(self, pattern: str) -> list[str]:
        """Return the files that match a pattern."""
        with disk_errors(self.path):
            if self.path.suffix != _ARCHIVE:
                return sorted(p.relative_to(self.path).as_posix() for p in self.path.glob(pattern))
            members = _members(self.path) if self.path.is_file() else {}
            return sorted(name for name in members if fnmatchcase(name, pattern))

    def read(self, name: str) -> RawFile:
        """Read one whole file; nothing is unpacked to the disk."""
        if self.path.suffix == _ARCHIVE:
            return RawFile(name, _members(self.path)[name])
        return RawFile.of(self.path / name, name)


@lru_cache(maxsize=1)
def _members(path: Path) -> dict[str, bytes]:
    """Return the files of the similarity tasks in SentEval's archive, which take a few MB."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(path, "r:") as archive:  # uncompressed: no small file fills the memory
            for member in archive:
                match = _MEMBER.fullmatch(member.name)
                stream = archive.extractfile(member) if match else None
                if match and stream:
                    found.setdefault(match[1], stream.read())
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{path.name} is damaged ({reason(error)}): fetch it again") from None
    return found


@dataclass(frozen=True)
class HubSource:
    """Files of a data repository on the hub, at a fixed commit."""

    repository: str
    revision: str
    patterns: Sequence[str]
    megabytes: int  # approximate size of the download

    @property
    def folder(self) -> Path:
        """The folder of these files in the hub's cache, which may not exist."""
        from huggingface_hub import constants

        home = f"datasets--{self.repository.replace('/', '--')}"
        return Path(constants.HF_HUB_CACHE, home, "snapshots", self.revision)

    def files(self) -> list[Path]:
        """Return the files that the hub's cache holds."""
        with disk_errors(self.folder):
            return [path for pattern in self.patterns for path in self.folder.glob(pattern)]


def places_of(source: HubSource | None, root: Path | None) -> list[Location]:
    """Return where a data set may be: in the package, or in the data folder or the hub's cache."""
    if source is None:
        return [Location(Path(str(resource("datasets.json"))).parent)]
    here = [] if root is None else [root, root / "senteval", root / "glue"]
    archives = [name for name in source.patterns if name.endswith(_ARCHIVE)]
    return [Location(path) for path in (*here, source.folder.joinpath(*archives))]
