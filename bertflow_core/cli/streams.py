"""`-` in a command: standard input in place of a file that is read, standard output of one written.

What comes in has no name, so that its kind is told by its content.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bertflow_core.errors import InputError, ResourceError

if TYPE_CHECKING:
    from bertflow_core.datasets import RawFile
    from bertflow_core.linalg import FloatArray

STANDARD = "-"
_NAME = "stdin"
_TABLE = ".parquet"
_NPY, _PARQUET = b"\x93NUMPY", b"PAR1"


class StandardFiles(Mapping[str, "RawFile"]):
    """The one file that is called `-`: standard input, read when it is first asked for.

    Args:
        sentences: Whether text is one sentence a line; else it is a table, with tabs between its
            columns where its first line has one, and commas or semicolons where not.
    """

    def __init__(self, *, sentences: bool = False) -> None:
        self._sentences = sentences

    def __getitem__(self, name: str) -> "RawFile":
        if name != STANDARD:
            raise KeyError(name)
        from bertflow_core.datasets.raw_file import StandardInput

        content = _content(sys.stdin)
        return StandardInput(_NAME + _ending(content, sentences=self._sentences), content)

    def __iter__(self) -> Iterator[str]:
        return iter((STANDARD,))

    def __len__(self) -> int:
        return 1


def check_inputs(*names: object) -> None:
    """Refuse a command that would read standard input twice.

    Raises:
        InputError: More than one of its files is `-`.
    """
    if sum(str(name) == STANDARD for name in names) > 1:
        raise InputError(
            f"{STANDARD} is given more than once: standard input can be read for one of them, name "
            "a file for the others"
        )


def check_output(out: Path, *, force: bool) -> None:
    """Refuse, before any work, a file that cannot be written, or a terminal for vectors.

    Raises:
        InputError: As `check_target`, or standard output is a terminal.
        ResourceError: The disk refused.
    """
    from bertflow_core.files import check_target

    if str(out) != STANDARD:
        check_target(out, force=force, endings=(".npy", _TABLE))
    elif sys.stdout.isatty():
        raise InputError(
            "standard output is a terminal, and vectors are no text: send it to a file or a program"
        )


def called(out: Path) -> str:
    """Return what to call the place of a result."""
    return "standard output" if str(out) == STANDARD else str(out)


def write_vectors(out: Path, x: "FloatArray", sentences: "Sequence[str] | None" = None) -> None:
    """Write vectors as `.npy` to a file or standard output, or with their sentences as a table.

    Raises:
        ResourceError: As `write_blocks`.
    """
    write_blocks(out, [x], len(x), sentences)


def write_blocks(
    out: Path,
    blocks: "Iterable[FloatArray]",
    n_rows: int,
    sentences: "Sequence[str] | None" = None,
) -> None:
    """Write vectors that come block by block, `n_rows` in all, as `write_vectors` does.

    Raises:
        ResourceError: The disk refused, or who reads has left.
    """
    if out.suffix == _TABLE:
        from bertflow_core.datasets.vector_output import write_vector_table

        write_vector_table(out, blocks, sentences)
        return
    if str(out) != STANDARD:
        from bertflow_core.files import write_npy_blocks

        write_npy_blocks(out, blocks, n_rows)
        return
    from bertflow_core.files import send_npy_blocks

    try:
        send_npy_blocks(sys.stdout.buffer, blocks, n_rows)
        sys.stdout.flush()
    except OSError as error:
        raise ResourceError(
            f"cannot write to standard output: {error.strerror or error}"
        ) from error


@lru_cache(maxsize=1)
def _content(stdin: TextIO | None) -> bytes:
    """Read standard input once, however many stages of a command ask.

    Raises:
        InputError: It is a terminal, empty, or too large.
    """
    from bertflow_core.datasets.raw_file import MAX_FILE_BYTES
    from bertflow_core.files import MAX_VECTOR_BYTES, too_large

    if stdin is None or stdin.isatty():
        raise InputError("standard input is a terminal: send a file or a program's output to it")
    stream = stdin.buffer
    content, limit = stream.read(MAX_FILE_BYTES + 1), MAX_FILE_BYTES
    if content.startswith(_NPY):
        limit = MAX_VECTOR_BYTES
        content += stream.read(limit + 1 - len(content))
    if len(content) > limit:
        raise InputError(too_large("standard input", len(content), limit))
    if not content:
        raise InputError("standard input is empty: send a file or a program's output to it")
    return content


def _ending(content: bytes, *, sentences: bool) -> str:
    for mark, ending in ((_NPY, ".npy"), (_PARQUET, ".parquet")):
        if content.startswith(mark):
            return ending
    head = content.partition(b"\n")[0]
    if _is_object(head):
        return ".jsonl"
    if sentences:
        return ".txt"
    return ".tsv" if b"\t" in head else ".csv"


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
