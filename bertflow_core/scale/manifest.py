"""What stands beside every output: how it was made, from what, and what it holds.

A shard counts as finished only if its manifest agrees with the request, with the input and with
the output. The manifest is written last.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.files import atomic_write, disk_errors, read_file

__all__ = [
    "WHOLE_FORMAT",
    "FileMark",
    "Request",
    "ShardRecord",
    "read_json",
    "versions",
    "write_json",
]

WHOLE_FORMAT = "bertflow-shards-1"
"""Of the manifest of a folder."""

MAX_JSON_BYTES = 64 << 20
_FORMAT = "bertflow-shard-1"
_PACKAGES = ("bertflow-lab", "numpy", "pyarrow", "torch", "transformers")


@dataclass(frozen=True)
class Request:
    """A stage with every choice that decides its numbers.

    Attributes:
        stage: Its name.
        choices: JSON-able.
    """

    stage: str
    choices: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """SHA-256 of the stage and its choices."""
        text = json.dumps([self.stage, self.choices], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class FileMark:
    """What tells a file from another.

    Attributes:
        name: Without its folder.
        n_bytes: Size.
        modified_ns: Nanoseconds since 1970.
        sha256: Digest of its bytes.
    """

    name: str
    n_bytes: int
    modified_ns: int
    sha256: str

    @classmethod
    def of(cls, path: Path, name: str | None = None) -> "FileMark":
        """Read a file for its mark.

        Raises:
            InputError: There is none.
            ResourceError: The disk refused.
        """
        with disk_errors(path), path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            status = path.stat()
        return cls(name or path.name, status.st_size, status.st_mtime_ns, digest)

    def fits(self, path: Path) -> bool:
        """Tell whether a file is still the same; its bytes are read only if it was touched."""
        try:
            status = path.stat()
        except OSError:
            return False
        if (path.name, status.st_size) != (self.name, self.n_bytes):
            return False
        return status.st_mtime_ns == self.modified_ns or FileMark.of(path).sha256 == self.sha256


@dataclass(frozen=True)
class ShardRecord:
    """A finished shard.

    Attributes:
        source: The file it was made from.
        output: The file it is.
        rows: Rows of the output.
        refused: Rows of the input that are not in it.
        reason: Of the first of these; empty where there is none.
        cut: Sentences that were longer than the longest input.
        width: Numbers of a vector.
        seconds: What it took.
        source_path: Where the file lay that it was made from; empty where that is not known.
    """

    source: FileMark
    output: FileMark
    rows: int
    refused: int
    reason: str
    cut: int
    width: int
    seconds: float
    source_path: str = ""

    def write(self, path: Path, request: Request) -> None:
        """Write the manifest of the shard.

        Raises:
            OSError: The disk refused.
        """
        content = {
            "format": _FORMAT,
            "stage": request.stage,
            "choices": request.choices,
            "request": request.digest,
            "versions": versions(),
            **asdict(self),
        }
        write_json(path, content)

    @classmethod
    def read(cls, path: Path, request: Request) -> "ShardRecord | None":
        """Return what a manifest says, or None where there is none of this request."""
        content = read_json(path)
        if (content.get("format"), content.get("request")) != (_FORMAT, request.digest):
            return None
        try:
            source, output = (FileMark(**content[name]) for name in ("source", "output"))
            counts = {name: int(content[name]) for name in ("rows", "refused", "cut", "width")}
            reason, seconds = str(content["reason"]), float(content["seconds"])
            lay = str(content.get("source_path", ""))
            return cls(source, output, **counts, reason=reason, seconds=seconds, source_path=lay)
        except (KeyError, TypeError, ValueError):
            return None


def versions() -> dict[str, str]:
    """Return the versions of what computes."""
    return {name: version(name) for name in _PACKAGES}


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a manifest, whole or not at all.

    Raises:
        OSError: The disk refused.
    """
    with atomic_write(path) as scratch:
        scratch.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Return what a manifest holds; nothing where it is missing or damaged."""
    try:
        content = json.loads(read_file(path, MAX_JSON_BYTES))
    except (InputError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
