"""Averaged word vectors: the mean of the vectors of a sentence's words (the paper's Avg. GloVe)."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.static import StaticModel, check_static_layers, words_file
from bertflow_core.encoders.word_files import open_words
from bertflow_core.errors import check_type
from bertflow_core.linalg import FloatArray

_WORDS = re.compile(r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]", re.IGNORECASE)
_TOKENS = "words, clitics ('s, n't) and signs; as written, else in lower case; plain mean"


def words_of(sentence: str) -> list[str]:
    """Divide a sentence into words, clitics and signs, as the texts behind GloVe were.

    Example:
        >>> from bertflow_core.encoders.word_vectors import words_of
        >>> words_of("It's Tom's: don't!")
        ['It', "'s", 'Tom', "'s", ':', 'do', "n't", '!']
    """
    return _WORDS.findall(sentence)


class WordVectors:
    r"""An encoder that averages the vectors of a sentence's words; unknown words are left out.

    A sentence without a known word gets the zero vector. Its vectors are under the layer set and
    the token pooling named `model`.

    Args:
        name: The model, such as `glove:vectors.txt`.

    Raises:
        InputError: Not a file of word vectors.
        ResourceError: The disk refused.

    Example:
        >>> import tempfile
        >>> from bertflow_core.encoders import WordVectors
        >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        ...     _ = file.write("dog 1 0\ncat 0 1\n")
        ...     file.flush()
        ...     block = WordVectors(f"glove:{file.name}").encode(["Dog, cat", "cat"])
        >>> block.vectors[0].tolist()
        [[0.5, 0.5], [0.0, 1.0]]
    """

    tensors = (DECLARED,)

    def __init__(self, name: str) -> None:
        check_type(name, str, "a model of word vectors", "a text such as 'glove:vectors.txt'")
        self._words = open_words(Path(words_file(name)))
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
        """Return the name of the vectors.

        Raises:
            InputError: Another layer set.
        """
        check_static_layers(self.model.name, layers)
        return self.tensors

    def encode(self, sentences: Sequence[str]) -> Block:
        """Average the words of each sentence.

        Raises:
            InputError: A sentence without text, or a damaged line of the file.
            ResourceError: The disk refused.
        """
        check_sentences(sentences)
        words = [words_of(sentence) for sentence in sentences]
        distinct = {word for each in words for word in each}
        vectors = self._words.look_up({*distinct, *map(str.lower, distinct)})
        x = np.zeros((len(words), self.dim), np.float32)
        n_tokens = np.zeros(len(words), np.int32)
        for row, each in enumerate(words):
            known = list(_known(each, vectors))
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


def _known(words: Sequence[str], vectors: dict[str, FloatArray]) -> Iterator[FloatArray]:
    for word in words:
        vector = vectors.get(word)
        vector = vectors.get(word.lower()) if vector is None else vector
        if vector is not None:
            yield vector
