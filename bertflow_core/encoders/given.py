"""Vectors that come from files instead of a network, and the encoder that averages word vectors.

The encoder for vectors of whole sentences is `bertflow_core.encoders.rows.RowVectors`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from bertflow_core.arrays.npy import MAX_VECTOR_BYTES
from bertflow_core.arrays.types import FloatArray
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.running import Block, check_sentences
from bertflow_core.errors import InputError
from bertflow_core.runtime import context
from bertflow_core.runtime.files import check_file, digest_of, disk_errors, file_sha256
from bertflow_core.wording import quoted

OWN = "vectors"
"""The model name that stands for vectors in the data set's own file."""

OWN_FILES = "vectors:"
"""Prefix of a model name that lists one file of vectors, or two separated by a comma."""

_WORD_FILES = ("glove:", "word2vec:")
"""Prefixes of a model name that stands for a text file of word vectors."""

_DIGITS = 40
_WORDS = re.compile(r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]", re.IGNORECASE)
_TOKENS = (
    "words, clitics ('s, n't) and punctuation; looked up as written, then in lower case; plain mean"
)
_MAX_LINE, _MAX_FEATURES = 1 << 20, 16_384
_HEADER = re.compile(rb"\d+ (\d+)\s*")


@dataclass(frozen=True)
class Source:
    """The source of a model's vectors: whether it has layers and accepts any sentence."""

    has_layers: bool
    has_words: bool
    pooling: str

    def offers(self, needed: "Source") -> bool:
        """Tell whether the vectors have all that those of another source have."""
        return self.has_layers >= needed.has_layers and self.has_words >= needed.has_words


NETWORK = Source(has_layers=True, has_words=True, pooling="")
WORDS = Source(has_layers=False, has_words=True, pooling="mean of word vectors")
ROW_VECTORS = Source(has_layers=False, has_words=False, pooling="vectors as given")


def source_of(model: str) -> Source:
    """Return the source of a model's vectors, by the model's name."""
    if model == OWN or model.startswith(OWN_FILES):
        return ROW_VECTORS
    return WORDS if model.startswith(_WORD_FILES) else NETWORK


def short_names(models: Iterable[str]) -> dict[str, str]:
    """Return short names of models, the last parts of folders or hub ids, if these differ."""
    short = {each: PurePath(each).name if source_of(each).has_layers else each for each in models}
    return short if len({*short.values()}) == len(short) else {each: each for each in short}


def check_network(model: str) -> None:
    """Refuse a model name that stands for vectors without a network."""
    if source_of(model) is not NETWORK:
        raise InputError(
            f"{quoted(model)} names vectors without a network, so there are no layers, tokenizer "
            "or word embeddings to analyse: choose a model"
        )


def own_files(model: str) -> tuple[str, ...]:
    """Return the files that a model's name lists; none if the data set's file has the vectors."""
    if model == OWN:
        return ()
    names = tuple(name.strip() for name in model.removeprefix(OWN_FILES).split(","))
    if len(names) > 2 or not all(names):
        raise InputError(
            f"{quoted(model)}: expected one file of vectors, or two separated by a comma; rename "
            "a file whose name contains a comma"
        )
    return names


@dataclass(frozen=True)
class GivenModel:
    """A stand-in for a model's folder; its revision is the digest of the vector files."""

    name: str
    revision: str
    n_layers: int = 0


class GivenEncoder:
    """An encoder without a network, whose only layer set and token pooling are called `model`.

    Its revision is the beginning of `digest`, the SHA-256 of its files. `key` holds everything that
    determines the vectors.
    """

    dim: int

    def __init__(self, name: str, digest: str, revision: str | None, key: Sequence[str]) -> None:
        self.model = GivenModel(name, digest[:_DIGITS])
        if revision not in (None, self.model.revision):
            raise InputError(
                f"{quoted(name)} has digest {self.model.revision}, but the recipe names "
                f"{quoted(revision)}: give the same files, or leave the revision out"
            )
        self.fingerprint = digest_of(list(key))

    @property
    def description(self) -> dict[str, Any]:
        """What determines the vectors, JSON-able."""
        return {"model": self.model.name, "dim": self.dim}

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the name of the only kind of vectors that this encoder has."""
        return (PLAIN_LAYERS,)

    def encode(self, sentences: Sequence[str]) -> Block:
        """Return the vectors of sentences, in the order of the sentences."""
        raise NotImplementedError


def words_of(sentence: str) -> list[str]:
    """Split a sentence into words, clitics and punctuation, as in the texts behind GloVe."""
    return _WORDS.findall(sentence)


class WordVectors(GivenEncoder):
    """An encoder that averages the vectors of a sentence's words (Avg. GloVe of the paper).

    Unknown words are left out; a sentence without a known word gets the zero vector. Each line of
    the file holds a word and its numbers. Only the vectors of requested words are kept in memory.
    """

    def __init__(self, name: str, *, revision: str | None = None) -> None:
        file = name.partition(":")[2]
        if not file:
            raise InputError(f"{quoted(name)}: expected a file after the colon, as in glove:FILE")
        self._path = Path(file)
        check_file(self._path, MAX_VECTOR_BYTES)
        self._sha256 = file_sha256(self._path)
        with disk_errors(self._path), self._path.open("rb") as stream:
            first, second = stream.readline(_MAX_LINE), stream.readline(_MAX_LINE)
        header = _HEADER.fullmatch(first)
        self.dim = int(header[1]) if header else len(first.split()) - 1
        is_short = header is not None and len(second.split()) <= self.dim
        if b"\0" in first + second or not 2 <= self.dim <= _MAX_FEATURES or is_short:
            raise InputError(
                f"{quoted(file)} is not a text file of word vectors: expected a word and its "
                "numbers on each line, as GloVe and word2vec (text, not binary) write them"
            )
        super().__init__(name, self._sha256, revision, [self._sha256, _TOKENS])
        self._known: dict[str, FloatArray] = {}
        self._asked: set[str] = set()
        self._zero: dict[str, None] = {}

    @property
    def description(self) -> dict[str, Any]:
        """What determines the vectors, and counts of sentences without known words, JSON-able."""
        return {
            **super().description,
            "sha256": self._sha256,
            "tokens": _TOKENS,
            "n_zero_vectors": len(self._zero),
            "first_zero_vector": next(iter(self._zero), None),
        }

    def encode(self, sentences: Sequence[str]) -> Block:
        """Average the word vectors of each sentence."""
        check_sentences(sentences)
        words = [words_of(sentence) for sentence in sentences]
        distinct = {word for each in words for word in each}
        self._look_up(distinct.union(map(str.lower, distinct)) - self._asked)
        x = np.zeros((len(words), self.dim), np.float32)
        n_tokens = np.zeros(len(words), np.int32)
        for row, each in enumerate(words):
            forms = (word if word in self._known else word.lower() for word in each)
            known = [self._known[form] for form in forms if form in self._known]
            n_tokens[row] = len(known)
            if known:
                x[row] = np.mean(known, axis=0, dtype=np.float64)
            else:
                self._zero[sentences[row]] = None
        context.report(len(words), len(words), "sentences")
        return Block(np.arange(len(words)), x[None], n_tokens, np.zeros(len(words), bool))

    def _look_up(self, missing: set[str]) -> None:
        with disk_errors(self._path), self._path.open("rb") as stream:
            lines = iter(lambda: stream.readline(_MAX_LINE), b"") if missing else ()
            for number, line in enumerate(lines, 1):
                name, _, rest = line.partition(b" ")
                word, fields = name.decode("utf-8", "replace"), rest.split()
                is_header = number == 1 and _HEADER.fullmatch(line)
                is_new = word in missing and word not in self._known
                if not is_new or len(fields) > self.dim or is_header:
                    continue  # a word with a space in it has more fields
                try:
                    with np.errstate(over="ignore"):
                        x = np.array(fields, "S").astype(np.float64).astype(np.float32)
                except ValueError:
                    x = np.empty(0, np.float32)
                if len(x) != self.dim or not np.isfinite(x).all():
                    raise InputError(
                        f"{quoted(self._path.name)}, line {number:,}: expected a word and "
                        f"{self.dim:,} finite numbers"
                    )
                self._known[word] = x
        self._asked |= missing
