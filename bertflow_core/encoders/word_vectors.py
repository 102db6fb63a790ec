"""Averaged word vectors: the mean of the vectors of a sentence's words (the paper's Avg. GloVe)."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.model_folder import file_sha256
from bertflow_core.encoders.static import StaticModel, check_static_layers, words_file
from bertflow_core.errors import InputError
from bertflow_core.files import MAX_VECTOR_BYTES, check_file, disk_errors
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

_WORDS = re.compile(r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]", re.IGNORECASE)
_TOKENS = "words, clitics ('s, n't) and signs; as written, else in lower case; plain mean"
_MAX_LINE, _MAX_FEATURES = 1 << 20, 16_384
_HEADER = re.compile(rb"\d+ (\d+)\s*")


def words_of(sentence: str) -> list[str]:
    """Divide a sentence into words, clitics and signs, as the texts behind GloVe were."""
    return _WORDS.findall(sentence)


class WordVectors:
    """An encoder that averages the vectors of a sentence's words; unknown words are left out.

    A sentence without a known word gets the zero vector. `name` is such as `glove:vectors.txt`.
    """

    tensors = (DECLARED,)

    def __init__(self, name: str) -> None:
        path = Path(words_file(name))
        check_file(path, MAX_VECTOR_BYTES)
        status = path.stat()
        self._words = _opened(path, status.st_size, status.st_mtime_ns)
        self.model = StaticModel(name, self._words.sha256[:40])
        self.dim = self._words.dim
        self._zero: dict[str, None] = {}

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able, and what had none among the sentences so far."""
        return {
            "model": self.model.name,
            "sha256": self._words.sha256,
            "dim": self.dim,
            "tokens": _TOKENS,
            "n_zero_vectors": len(self._zero),
            "first_zero_vector": next(iter(self._zero), None),
        }

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the file's digest and the division into words."""
        return hashlib.sha256(json.dumps([self._words.sha256, _TOKENS]).encode()).hexdigest()

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the name of the vectors; any other layer set is an `InputError`."""
        check_static_layers(self.model.name, layers)
        return self.tensors

    def encode(self, sentences: Sequence[str]) -> Block:
        """Average the words of each sentence."""
        check_sentences(sentences)
        words = [words_of(sentence) for sentence in sentences]
        distinct = {word for each in words for word in each}
        vectors = self._words.look_up(distinct.union(map(str.lower, distinct)))
        x = np.zeros((len(words), self.dim), np.float32)
        n_tokens = np.zeros(len(words), np.int32)
        for row, each in enumerate(words):
            forms = (word if word in vectors else word.lower() for word in each)
            known = [vectors[form] for form in forms if form in vectors]
            n_tokens[row] = len(known)
            if known:
                x[row] = np.mean(known, axis=0, dtype=np.float64)
            else:
                self._zero[sentences[row]] = None
        context.report(len(words), len(words), "sentences")
        return Block(np.arange(len(words)), x[None], n_tokens, np.zeros(len(words), bool))

    def encode_blocks(
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,  # there is one
    ) -> Iterator[Block]:
        """Yield all sentences' vectors as one block."""
        yield self.encode(sentences)


class _WordFile:
    """A text file with a word and its numbers a line; only vectors that are asked for are kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_errors(path), path.open("rb") as stream:
            self.sha256 = file_sha256(path)
            first, second = stream.readline(_MAX_LINE), stream.readline(_MAX_LINE)
        header = _HEADER.fullmatch(first)
        self.dim = int(header[1]) if header else len(first.split()) - 1
        is_short = header is not None and len(second.split()) <= self.dim
        if b"\0" in first + second or not 2 <= self.dim <= _MAX_FEATURES or is_short:
            raise InputError(
                f"{quoted(path.name)} is no text file of word vectors: expected a word and its "
                "numbers on each line, as GloVe and word2vec (text, not binary) write them"
            )
        self._known: dict[str, FloatArray] = {}
        self._asked: set[str] = set()

    def look_up(self, words: set[str]) -> dict[str, FloatArray]:
        """Return the vectors, float32, shape (D,), of those words that the file has."""
        if missing := words - self._asked:
            with disk_errors(self.path):
                self._known.update(self._read(missing))
            self._asked |= missing
        return {word: self._known[word] for word in words & self._known.keys()}

    def _read(self, missing: set[str]) -> dict[str, FloatArray]:
        """Return what the file says of these words; the first line of a word counts."""
        found: dict[str, FloatArray] = {}
        with self.path.open("rb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(_MAX_LINE), b""), 1):
                name, _, rest = line.partition(b" ")
                word, fields = name.decode("utf-8", "replace"), rest.split()
                is_header = number == 1 and _HEADER.fullmatch(line)
                if word not in missing or word in found or len(fields) > self.dim or is_header:
                    continue  # a word with a space in it has more fields
                try:
                    with np.errstate(over="ignore"):
                        x = np.array(fields, "S").astype(np.float64).astype(np.float32)
                except ValueError:
                    x = np.empty(0, np.float32)
                if len(x) != self.dim or not np.isfinite(x).all():
                    raise InputError(
                        f"{quoted(self.path.name)}, line {number:,}: expected a word and "
                        f"{self.dim:,} finite numbers"
                    )
                found[word] = x
        return found


@lru_cache(maxsize=2)
def _opened(path: Path, size: int, mtime_ns: int) -> _WordFile:
    """Open a file once; size and time are there to be the key."""
    return _WordFile(path)
