"""Where the files of a data set lie: a folder, or the Hugging Face hub's cache, read in place.

The hub holds SentEval's files in one archive, and QNLI, SNLI and MNLI as parquet tables. QNLI is
handed out in the form of GLUE's table, so that one reader serves both.
"""

import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.raw_file import MAX_FILE_BYTES, RawFile
from bertflow_core.errors import InputError
from bertflow_core.files import disk_errors, resource, too_large
from bertflow_core.wording import quoted, reason

_MAX_MEMBER, _MAX_MEMBERS = 50_000_000, 100_000
_MEMBER = re.compile(r"(?:.*/)?((?:STS|SICK)/[\w.-]+(?:/[\w.-]+)?)")
_BREAKS = re.compile(r"[\t\r\n]+")
_QNLI_LABELS = {0: "entailment", 1: "not_entailment"}


@dataclass(frozen=True)
class HubSource:
    """Files of a repository of data on the hub, at the commit that is read.

    Attributes:
        repository: Its id.
        revision: The commit.
        patterns: Of the files' paths.
        megabytes: About what is fetched.
    """

    repository: str
    revision: str
    patterns: tuple[str, ...]
    megabytes: int

    def files(self, pattern: str = "*") -> list[Path]:
        """Return those of its files that the hub's cache holds, in order."""
        from huggingface_hub import constants

        home = f"datasets--{self.repository.replace('/', '--')}"
        folder = Path(constants.HF_HUB_CACHE, home, "snapshots", self.revision)
        with disk_errors(folder):
            found = [path for each in self.patterns for path in folder.glob(each)]
            return sorted(path for path in found if fnmatchcase(path.name, pattern))


_SENTEVAL = HubSource(
    "princeton-nlp/datasets-for-simcse",
    "e145e8bb659b2aa2669f32ef79cb4cdef6c58fef",
    ("senteval.tar",),
    90,
)
_GLUE = "nyu-mll/glue", "bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c"
HUB = {
    **dict.fromkeys(("stsb", "sickr", *(f"sts{year}" for year in range(12, 17))), _SENTEVAL),
    "qnli": HubSource(*_GLUE, ("qnli/*.parquet",), 19),
    "snli": HubSource(
        "stanfordnlp/snli",
        "cdb5c3d5eed6ead6e5a341c8e56e669bb666725b",
        ("plain_text/*.parquet",),
        20,
    ),
    "mnli": HubSource(*_GLUE, ("mnli/train-*.parquet",), 53),
}
"""What the hub has, by the names of the data sets; one archive serves SentEval's seven."""


class Place(Protocol):
    """Files by their paths below a layout's folder."""

    def names(self, pattern: str) -> list[str]:
        """Return the files that a pattern names."""

    def read(self, name: str) -> RawFile:
        """Read one of them whole."""


@dataclass(frozen=True)
class Folder:
    """A folder on the disk."""

    path: Path

    def names(self, pattern: str) -> list[str]:
        """Return the files that a pattern names."""
        return [path.relative_to(self.path).as_posix() for path in self.path.glob(pattern)]

    def read(self, name: str) -> RawFile:
        """Read one of them whole."""
        return RawFile.read(self.path / name, name)


class Package:
    """The files that ship with the package."""

    def names(self, pattern: str) -> list[str]:
        """Return the file of that name, which is there."""
        return [pattern]

    def read(self, name: str) -> RawFile:
        """Read one of them whole."""
        return RawFile(name, resource(name).read_bytes())


@dataclass(frozen=True)
class Archive:
    """SentEval's similarity tasks in the hub's archive."""

    def names(self, pattern: str) -> list[str]:
        """Return the files that a pattern names."""
        return [name for name in self._content() if fnmatchcase(name, pattern)]

    def read(self, name: str) -> RawFile:
        """Return one of them."""
        if name not in self._content():
            raise InputError(f"senteval.tar holds no {quoted(name)}: fetch it again")
        return RawFile(name, self._content()[name])

    def _content(self) -> Mapping[str, bytes]:
        files = _SENTEVAL.files()
        return _members(files[0], files[0].stat().st_mtime_ns) if files else {}


@lru_cache(maxsize=1)
def _members(path: Path, mtime_ns: int) -> dict[str, bytes]:
    """Return the files of an archive by the ends of their paths; nothing is unpacked."""
    found: dict[str, bytes] = {}
    size = 0
    try:
        with tarfile.open(path) as archive:
            for n_members, member in enumerate(archive):
                match = _MEMBER.fullmatch(member.name)
                if n_members >= _MAX_MEMBERS:
                    raise InputError(f"{path.name} holds more than {_MAX_MEMBERS:,} files")
                if match is None or not member.isfile() or match[1] in found:
                    continue
                if member.size > _MAX_MEMBER:
                    raise InputError(too_large(match[1], member.size, _MAX_MEMBER))
                stream = archive.extractfile(member)
                assert stream is not None  # it is a regular file
                found[match[1]] = stream.read()
                size += member.size
                if size > MAX_FILE_BYTES:
                    raise InputError(too_large(path.name, size, MAX_FILE_BYTES))
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{path.name} is damaged ({reason(error)}): fetch it again") from None
    return found


@dataclass(frozen=True)
class GlueTables:
    """QNLI in the hub's parquet tables, as GLUE's `QNLI/{train,dev,test}.tsv`."""

    def names(self, pattern: str) -> list[str]:
        """Return the file of that name if its table is there."""
        return [pattern] if self._tables(pattern) else []

    def read(self, name: str) -> RawFile:
        """Return one of them; the test split has no labels."""
        is_hidden = "test" in name
        columns = ("question", "sentence", "label")
        lines = ["\t".join(("index", *columns[: 3 - is_hidden]))]
        rows = hub_rows(self._tables(name), columns[:2], {-1: ""} if is_hidden else _QNLI_LABELS)
        for number, (_, *cells) in enumerate(rows):
            lines.append("\t".join((str(number), *cells[: 3 - is_hidden])))
        return RawFile(name, "\n".join((*lines, "")).encode())

    @staticmethod
    def _tables(name: str) -> list[Path]:
        split = Path(name).stem.replace("dev", "validation")
        return HUB["qnli"].files(f"{split}-*.parquet")


def hub_rows(
    files: Iterable[Path], columns: tuple[str, ...], labels: Mapping[int, str]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield row, two sentences and the label of tables; a tab or a line's end becomes a space."""
    for path in files:
        name = f"{path.parent.name}/{path.name}"
        table = read_parquet(RawFile.read(path, name))
        wanted = (*columns, "label")
        absent = [column for column in wanted if column not in table.header]
        if absent:
            raise InputError(f"{quoted(name)} has no column {quoted(absent[0])}")
        for record in table.records(wanted):
            first, second, label = _cells(name, record.row, record.cells, labels)
            yield record.row, first, second, label


def _cells(
    name: str, row: int, cells: Sequence[object], labels: Mapping[int, str]
) -> tuple[str, str, str]:
    first, second, label = cells
    if not (isinstance(first, str) and isinstance(second, str)):
        raise InputError(f"{quoted(name)}, row {row}: expected two texts, got {quoted(cells)}")
    if not isinstance(label, int) or label not in labels:
        raise InputError(
            f"{quoted(name)}, row {row}: expected a label of {sorted(labels)}, got {quoted(label)}"
        )
    return _BREAKS.sub(" ", first), _BREAKS.sub(" ", second), labels[label]
