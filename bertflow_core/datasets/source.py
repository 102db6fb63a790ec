"""Files from outside: bytes within a limit, text, checksums, provenance."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from bertflow_core.errors import InputError, check_type
from bertflow_core.runtime.files import read_file
from bertflow_core.wording import quoted, reason

MAX_FILE_BYTES = 500_000_000
PARQUET_MAGIC, ZIP_MAGIC = b"PAR1", b"PK\x03\x04"
_MAX_LINES = 10_000_000
_MAX_ENTRIES = 10_000  # of a .zip: a list of more takes seconds and gigabytes to build
UNKNOWN = "not stated"
"""The licence of users' own data."""


@dataclass(frozen=True)
class SourceFile:
    """An input file, as results list it."""

    name: str  # relative to the layout's folder, or the bare file name; never absolute
    sha256: str
    lines: int | None  # None for a parquet file or a workbook


@dataclass(frozen=True)
class RawFile:
    r"""The bytes of a file, with its name in messages and provenance.

    Example:
        >>> from bertflow_core.datasets import RawFile
        >>> RawFile("texts.txt", b"A dog runs.\nRain falls.\n").lines()
        ['A dog runs.', 'Rain falls.']
    """

    name: str
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, source: "str | Path | RawFile", name: str = "") -> "RawFile":
        """Read a file of at most 500 MB; messages call it `name`, by default its file name."""
        if isinstance(source, RawFile):
            return source
        path = Path(source)
        return cls(name or path.name, read_file(path, MAX_FILE_BYTES))

    @classmethod
    def of_frame(cls, frame: Any, name: str) -> "RawFile":  # noqa: ANN401 - checked here
        """Write a DataFrame as a parquet table, without its index."""
        import pandas as pd

        check_type(frame, pd.DataFrame, quoted(name), "a RawFile or a DataFrame")
        try:
            return cls(f"{Path(str(name)).stem}.parquet", frame.to_parquet(index=False))
        except (NotImplementedError, OverflowError, TypeError, ValueError) as error:
            raise InputError(
                f"{quoted(name)}: expected a DataFrame with columns of text, numbers or lists of "
                f"numbers ({reason(error)}): convert the column, or leave it out"
            ) from None

    def source_file(self) -> SourceFile:
        """Return the entry of this file in a provenance."""
        sha256 = hashlib.sha256(self.content).hexdigest()
        if self.content.startswith((PARQUET_MAGIC, ZIP_MAGIC)):
            return SourceFile(self.name, sha256, None)
        unfinished = self.content[-1:] not in (b"", b"\n")
        return SourceFile(self.name, sha256, self.content.count(b"\n") + unfinished)

    def in_utf8(self) -> tuple["RawFile", tuple[str, ...]]:
        """Return a text as UTF-8, and a note if another encoding was assumed."""
        is_utf16 = self.content.startswith((b"\xff\xfe", b"\xfe\xff"))
        for encoding in ("UTF-8", "UTF-16" if is_utf16 else "Windows-1252"):
            with suppress(UnicodeError):
                read = RawFile(self.name, self.content.decode(encoding).encode())
                return read, (f"read as {encoding}, since it is not UTF-8",) * (encoding != "UTF-8")
        return self, ()  # `text` raises the error

    def text(self) -> str:
        """Decode as UTF-8, without a byte order mark; refuse other encodings and binary files."""
        try:
            text = self.content.decode("utf-8-sig")
            if "\0" in text:
                raise ValueError("it holds a NUL byte")
        except ValueError as error:
            before = getattr(error, "start", self.content.find(b"\0"))
            line = self.content.count(b"\n", 0, before) + 1
            raise InputError(
                f"{quoted(self.name)} is not UTF-8 text (line {line}: {reason(error)}); it may be "
                "binary or in another encoding: save it as text in UTF-8 (a table as CSV in UTF-8)"
            ) from None
        return text

    def lines(self) -> list[str]:
        r"""Split the text only at "\n" or "\r\n", as the benchmarks do.

        `str.splitlines` would also split at U+2028, U+0085 and others within sentences. A text of
        too many lines is refused.
        """
        if self.content.count(b"\n") > _MAX_LINES:
            raise InputError(f"{quoted(self.name)} has more than {_MAX_LINES:,} lines: split it")
        lines = self.text().split("\n")
        if lines[-1] == "":
            lines.pop()
        return [line.removesuffix("\r") for line in lines]


def open_zip(raw: RawFile) -> ZipFile:
    """Open a .zip in memory; its entries are counted before they are listed."""
    if raw.content.count(b"PK\1\2") > _MAX_ENTRIES:
        raise BadZipFile(f"it has more than {_MAX_ENTRIES:,} entries")
    return ZipFile(BytesIO(raw.content))


@dataclass(frozen=True)
class Provenance:
    """The provenance of sentences, as it is stored with results.

    Attributes:
        source: One sentence on the origin.
        licence: Terms of use.
        layout: Layout of the files: senteval, glue, package, table, text or vectors.
        files: Each file with checksum and number of lines.
        counts: (subset, number of units) in order; for plain text ("sentences", number).
        assumed: Assumptions made in reading a table, such as its encoding, one sentence each.

    Example:
        >>> from bertflow_core.datasets import load_dataset
        >>> provenance = load_dataset("teaching").provenance
        >>> provenance.layout, provenance.files[0].name
        ('package', 'teaching.tsv')
    """

    source: str
    licence: str
    layout: str
    files: tuple[SourceFile, ...]
    counts: tuple[tuple[str, int], ...] = ()
    assumed: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: str, files: Iterable[SourceFile], n: int, *, layout: str) -> "Provenance":
        """Return the provenance of a user's own single sentences."""
        return cls(source, UNKNOWN, layout, tuple(files), (("sentences", n),))

    def counting(self, subsets: Iterable[str]) -> "Provenance":
        """Return the same with the number of units of each subset."""
        return replace(self, counts=tuple(Counter(subsets).items()))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`; `counts` becomes a mapping."""
        return asdict(self) | {"counts": dict(self.counts)}


def digest(texts: Iterable[str]) -> str:
    """Return the SHA-256 of `texts` and their lengths; different lists have different digests."""
    total = hashlib.sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        total.update(len(raw).to_bytes(8, "little"))
        total.update(raw)
    return total.hexdigest()
