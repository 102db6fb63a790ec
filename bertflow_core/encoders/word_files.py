"""Text files of word vectors, as GloVe and word2vec write them: a word and its numbers a line."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from bertflow_core.encoders.model_folder import file_sha256
from bertflow_core.errors import InputError
from bertflow_core.files import MAX_VECTOR_BYTES, check_file, disk_errors
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

_MAX_LINE, _MAX_FEATURES = 1 << 20, 16_384
_HEADER = re.compile(rb"\d+ (\d+)\s*")


class WordFile:
    """A file that is streamed; only the vectors of words that are asked for stay in memory."""

    def __init__(self, path: Path) -> None:
        check_file(path, MAX_VECTOR_BYTES)
        self.path = path
        with disk_errors(path):
            self.sha256 = file_sha256(path)
            with path.open("rb") as stream:
                first, second = stream.readline(_MAX_LINE), stream.readline(_MAX_LINE)
        header = _HEADER.fullmatch(first)
        self.dim = int(header[1]) if header else len(first.split()) - 1
        is_short = header is not None and len(second.split()) <= self.dim
        if b"\0" in first + second or not 2 <= self.dim <= _MAX_FEATURES or is_short:
            raise InputError(
                f"{quoted(path.name)} is no text file of word vectors: expected a word and its "
                "numbers on each line, as GloVe and word2vec (text, not binary) write them"
            )
        self._known: dict[str, FloatArray | None] = {}

    def look_up(self, words: Iterable[str]) -> dict[str, FloatArray]:
        """Return the vectors, float32, shape (D,), of those words that the file has."""
        wanted = set(words)
        if missing := wanted.difference(self._known):
            self._known = {**self._known, **dict.fromkeys(missing), **self._read(missing)}
        return {w: x for w in wanted if (x := self._known[w]) is not None}

    def _read(self, missing: set[str]) -> dict[str, FloatArray]:
        """Return what the file says of these words; the first line of a word counts."""
        found: dict[str, FloatArray] = {}
        with disk_errors(self.path), self.path.open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(_MAX_LINE), b""), 1):
                name, _, rest = line.partition(b" ")
                word, fields = name.decode("utf-8", "replace"), rest.split()
                if word not in missing or word in found or len(fields) > self.dim:
                    continue  # a word with a space in it has more fields
                if number == 1 and _HEADER.fullmatch(line):
                    continue
                try:
                    with np.errstate(over="ignore"):
                        found[word] = np.array(fields, "S").astype(np.float64).astype(np.float32)
                except ValueError:
                    found[word] = np.empty(0, np.float32)
                if len(found[word]) != self.dim or not np.isfinite(found[word]).all():
                    raise InputError(
                        f"{quoted(self.path.name)}, line {number:,}: expected a word and "
                        f"{self.dim:,} finite numbers"
                    )
        return found


def open_words(path: Path) -> WordFile:
    """Open a file, once per version of it."""
    with disk_errors(path):
        status = path.stat()
    return _version(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=2)
def _version(path: Path, size: int, mtime_ns: int) -> WordFile:
    return WordFile(path)
