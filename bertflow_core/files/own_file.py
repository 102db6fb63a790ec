"""A text file for the user, written whole or not at all, and never over a file of another kind."""

from collections.abc import Sequence
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files.atomic import atomic_write, write_errors
from bertflow_core.files.reading import begins_with_mark
from bertflow_core.wording import quoted

__all__ = ["check_own_file", "write_own_file"]


def check_own_file(path: Path, marks: Sequence[str], *, kind: str) -> None:
    """Refuse, before any work, a name under which a file could not be written.

    Args:
        path: The name.
        marks: A file that begins with one of them may be replaced.
        kind: What such a file is called, for example "page".

    Raises:
        InputError: Its folder is missing, or it is a file of another kind.
        ResourceError: The disk refused such a name.
    """
    with write_errors(path):
        if not path.parent.is_dir():
            raise InputError(f"folder {quoted(path.parent)} does not exist: make it first")
        is_free = not path.exists() or begins_with_mark(path, marks)
    if not is_free:
        raise InputError(
            f"{quoted(path)} exists and is no {kind} of this program: choose another name"
        )


def write_own_file(path: Path, text: str) -> None:
    """Write a text in UTF-8, whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    with write_errors(path), atomic_write(path) as scratch:
        scratch.write_bytes(text.encode())
