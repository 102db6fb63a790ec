"""The words of some sentences, by frequency, and sentences as rows of their numbers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["MASK", "N_SPECIAL", "PAD", "UNKNOWN", "Ids", "Vocabulary", "divide", "learn_words"]

Ids = npt.NDArray[np.int64]

PAD, UNKNOWN, MASK = range(3)
N_SPECIAL = 3
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The rows of a model's table: three special ones, the words by rank, those never used.

    Attributes:
        words: The most frequent first; of equal counts in alphabetical order.
        counts: How often each occurs in the sentences, shape (W,).
        n_unused: Rows after the words that no sentence has.
    """

    words: tuple[str, ...] = field(repr=False)
    counts: Ids = field(repr=False)
    n_unused: int = 0

    def __len__(self) -> int:
        return N_SPECIAL + len(self.words) + self.n_unused

    @cached_property
    def log_frequency(self) -> FloatArray:
        """log10 of each word's share of all words, shape (W,)."""
        shares: FloatArray = np.log10(self.counts / self.counts.sum())
        return shares

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: N_SPECIAL + rank for rank, word in enumerate(self.words)}

    def encode(self, sentences: Sequence[str], max_words: int) -> Ids:
        """Return sentences as rows of numbers, shape (N, T), filled up with `PAD`.

        Args:
            sentences: N texts; of more than `max_words` words the first ones are kept.
            max_words: Bound of T.
        """
        rows = [
            [self._ids.get(word, UNKNOWN) for word in divide(text)[:max_words]] or [UNKNOWN]
            for text in sentences
        ]
        ids = np.full((len(rows), max(map(len, rows), default=1)), PAD, np.int64)
        for row, found in zip(ids, rows, strict=True):
            row[: len(found)] = found
        return ids


def divide(sentence: str) -> list[str]:
    """Divide a sentence into lower-case words and single punctuation marks."""
    return _WORD.findall(sentence.lower())


def learn_words(sentences: Sequence[str], n_words: int, n_unused: int = 0) -> Vocabulary:
    """Return the most frequent words of sentences.

    Raises:
        InputError: Fewer than three different words.
    """
    counts = Counter(word for sentence in sentences for word in divide(sentence))
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n_words]
    if len(kept) < 3:
        raise InputError(f"a language model needs three different words, got {len(kept)}")
    words, numbers = zip(*kept, strict=True)
    return Vocabulary(words, np.array(numbers, np.int64), n_unused)
