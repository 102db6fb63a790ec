"""SentEval's similarity tasks from an archive: its files as they are, nothing else of it."""

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import too_large
from bertflow_core.wording import quoted, reason

__all__ = ["ARCHIVE", "senteval_files"]

ARCHIVE = "senteval.tar"
_HOME = "senteval"
_MAX_FILE, _MAX_MEMBERS = 50_000_000, 100_000


def senteval_files(folder: Path, *, pattern: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the archive's files whose paths end as `pattern` says.

    Nothing is unpacked by the names that the archive gives: only what the pattern matched is one.

    Raises:
        InputError: No archive, none of these files in it, or one that is too large.
    """
    wanted = re.compile(rf"(?:.*/)?({pattern})")
    found: set[str] = set()
    if not (folder / ARCHIVE).is_file():
        raise InputError(f"the repository holds no {ARCHIVE}: choose another revision")
    try:
        with tarfile.open(folder / ARCHIVE) as archive:
            for n_members, member in enumerate(archive):
                match = wanted.fullmatch(member.name)
                if n_members >= _MAX_MEMBERS:
                    raise InputError(f"{ARCHIVE} holds more than {_MAX_MEMBERS:,} files")
                if match and member.isfile() and match[1] not in found:
                    found.add(match[1])
                    yield f"{_HOME}/{match[1]}", [_content(archive, member)]
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{ARCHIVE} is damaged ({reason(error)}): fetch it again") from None
    if not found:
        raise InputError(f"{ARCHIVE} holds no file like {quoted(pattern)}: choose another revision")


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if member.size > _MAX_FILE:
        raise InputError(too_large(member.name, member.size, _MAX_FILE))
    stream = archive.extractfile(member)
    assert stream is not None  # it is a regular file
    with stream:
        return stream.read()
