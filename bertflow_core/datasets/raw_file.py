"""The bytes of an input file: read whole within a limit, decoded as UTF-8, with a checksum."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import read_file
from bertflow_core.wording import quoted

__all__ = ["MAX_FILE_BYTES", "PARQUET_MAGIC", "RawFile", "SourceFile"]

MAX_FILE_BYTES = 500_000_000
PARQUET_MAGIC = b"PAR1"

# The longer marks first: UTF-32's little-endian mark begins with UTF-16's.
ENCODING_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
SIGNATURES = {
    PARQUET_MAGIC: "a parquet file",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF document",
}


@dataclass(frozen=True)
class SourceFile:
    """A file that numbers were made from.

    Attributes:
        name: Path below the layout's folder, or the bare file name; never a machine's path.
        sha256: Checksum of the bytes, 64 hexadecimal digits.
        lines: Number of lines; None for a parquet file.
    """

    name: str
    sha256: str
    lines: int | None


@dataclass(frozen=True)
class RawFile:
    """The bytes of a file under the name that messages and provenance give it."""

    name: str
    content: bytes = field(repr=False)

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> "RawFile":
        """Read `path` whole; `name` (default: the bare file name) is what results will show.

        Raises:
            InputError: It does not exist, is no regular file, or has more than 500 MB.
            ResourceError: The disk refused.
        """
        return cls(name or path.name, read_file(path, MAX_FILE_BYTES))

    def source_file(self) -> SourceFile:
        """List this file for a provenance."""
        sha256 = hashlib.sha256(self.content).hexdigest()
        if self.content.startswith(PARQUET_MAGIC):
            return SourceFile(self.name, sha256, None)
        unfinished = self.content[-1:] not in (b"", b"\n")
        return SourceFile(self.name, sha256, self.content.count(b"\n") + unfinished)

    def text(self) -> str:
        """Decode as UTF-8; a byte order mark is dropped.

        Raises:
            InputError: Another encoding or another kind of file.
        """
        self._check_kind()
        try:
            text = self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            raise InputError(
                f"{quoted(self.name)} is not UTF-8 (byte 0x{self.content[error.start]:02x} in line "
                f"{line}; perhaps Windows-1252 or Latin-1): save it again as UTF-8"
            ) from None
        return text

    def lines(self) -> list[str]:
        r"""Cut the text at "\n" alone, as the benchmarks do; "\r" before it is dropped too.

        Sentences hold U+2028, U+0085 and their like, at which `str.splitlines` would cut.
        """
        lines = self.text().split("\n")
        if lines[-1] == "":
            lines.pop()
        return [line.removesuffix("\r") for line in lines]

    def _check_kind(self) -> None:
        for mark, encoding in ENCODING_MARKS.items():
            if self.content.startswith(mark):
                raise InputError(
                    f"{quoted(self.name)} is encoded as {encoding}: save it again as UTF-8"
                )
        for signature, kind in SIGNATURES.items():
            if self.content.startswith(signature):
                raise InputError(
                    f"{quoted(self.name)} is {kind} by its content: expected UTF-8 text"
                )
        zero = self.content.find(b"\0")
        if zero >= 0:
            line = self.content.count(b"\n", 0, zero) + 1
            raise InputError(
                f"{quoted(self.name)} holds a NUL byte in line {line}, so it is binary, damaged or "
                "UTF-16: expected UTF-8 text"
            )
