"""The bytes of an input file: read whole within a limit, decoded as UTF-8, with a checksum."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import check_file, disk_errors, read_file, too_large
from bertflow_core.wording import quoted

MAX_FILE_BYTES = 500_000_000
MAX_STREAM_BYTES = 4_000_000_000
MAX_LINE_BYTES = 1_000_000
UTF8_MARK = b"\xef\xbb\xbf"
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
    r"""A file that numbers were made from.

    Attributes:
        name: Path below the layout's folder, or the bare file name; never a machine's path.
        sha256: Checksum of the bytes, 64 hexadecimal digits.
        lines: Number of lines; None for a parquet file.

    Example:
        >>> from bertflow_core.datasets import RawFile
        >>> RawFile("texts.txt", b"A dog runs.\nRain falls.\n").source_file().lines
        2
    """

    name: str
    sha256: str
    lines: int | None


@dataclass(frozen=True)
class RawFile:
    r"""The bytes of a file under the name that messages and provenance give it.

    Example:
        >>> from bertflow_core.datasets import RawFile
        >>> RawFile("texts.txt", b"A dog runs.\nRain falls.\n").lines()
        ['A dog runs.', 'Rain falls.']
    """

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
            raise _not_utf8(self.name, self.content[error.start], line) from None
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
            raise _binary(self.name, self.content.count(b"\n", 0, zero) + 1)


def line_stream(path: Path) -> Iterator[str]:
    r"""Read UTF-8 text line by line, cut as `RawFile.lines` does; the memory holds one line."""
    check_file(path, MAX_STREAM_BYTES)
    return _stream(path)


def _stream(path: Path) -> Iterator[str]:
    with disk_errors(path), path.open("rb") as stream:
        head = RawFile(path.name, stream.read(len(UTF8_MARK)))
        head._check_kind()
        stream.seek(len(UTF8_MARK) if head.content == UTF8_MARK else 0)
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                raise InputError(
                    too_large(f"{path.name}, line {number}", len(line), MAX_LINE_BYTES)
                )
            yield _decoded(path.name, number, line)


def _decoded(name: str, number: int, line: bytes) -> str:
    if b"\0" in line:
        raise _binary(name, number)
    try:
        return line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise _not_utf8(name, line[error.start], number) from None


def _not_utf8(name: str, byte: int, line: int) -> InputError:
    return InputError(
        f"{quoted(name)} is not UTF-8 (byte 0x{byte:02x} in line {line}; perhaps Windows-1252 or "
        "Latin-1): save it again as UTF-8"
    )


def _binary(name: str, line: int) -> InputError:
    return InputError(
        f"{quoted(name)} holds a NUL byte in line {line}, so it is binary, damaged or UTF-16: "
        "expected UTF-8 text"
    )
