"""Word frequencies from a file of counts, the library `wordfreq`, or a vocabulary's order.

Each source has a note on how it affects ranks. Words must match exactly, including case.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.locations import data_root
from bertflow_core.datasets.source import RawFile, SourceFile
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

VOCABULARY, WORDFREQ = "vocabulary", "wordfreq"
FOLDER = "word_counts"
"""The subfolder of counts in the data folder."""

SPELLED_DIGITS = frozenset("zero one two three four five six seven eight nine".split())
"""The words for digits; lists that spell digits out, such as Wikipedia's, count them too often."""

_COUNT = re.compile(r"\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,2})?", re.ASCII)


class Covered(NamedTuple):
    """The n words of a table that a frequency list covers: arrays (n,), in the list's order."""

    rows: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]  # rank in the list, from 0
    frequencies: FloatArray  # all above 0


@dataclass(frozen=True)
class WordCounts:
    """Distinct words, the most frequent first."""

    source: str  # as named in messages
    words: tuple[str, ...] = field(repr=False)
    frequencies: FloatArray = field(repr=False)  # counts or shares, descending, shape (W,), above 0
    note: str  # sentences on the source's effect on ranks, ties included
    file: SourceFile | None = None
    counted: bool = True  # if false, frequencies are guessed from the order

    @classmethod
    def of(
        cls, source: str, counts: Mapping[str, float], note: str, file: SourceFile | None = None
    ) -> "WordCounts":
        """Sort words by descending count; ties keep their order."""
        words = sorted((word for word in counts if counts[word] > 0), key=lambda w: -counts[w])
        return cls(source, tuple(words), np.array([counts[word] for word in words]), note, file)

    def without(self, words: frozenset[str]) -> "WordCounts":
        """Return the list without some words; later words move up."""
        keep = [i for i, word in enumerate(self.words) if word not in words]
        kept = tuple(self.words[i] for i in keep)
        return replace(self, words=kept, frequencies=self.frequencies[keep])

    def cover(self, words: Sequence[str], rows: Sequence[int] | npt.NDArray[np.int64]) -> Covered:
        """Look up the words at these rows of a table; of equal words, only the first counts."""
        homes: dict[str, int] = {}
        for row in rows:
            homes.setdefault(words[row], int(row))
        ranks = [rank for rank, word in enumerate(self.words) if word in homes]
        if not ranks:
            raise InputError(
                f"{self.source} knows none of the model's {len(homes):,} words: expected words "
                "in its language and case"
            )
        covered = np.array([homes[self.words[rank]] for rank in ranks], np.int64)
        return Covered(covered, np.array(ranks, np.int64), self.frequencies[ranks])

    def to_dict(self) -> dict[str, Any]:
        """Return the provenance, JSON-able."""
        file = None if self.file is None else vars(self.file)
        n_ties = len(self.words) - len(np.unique(self.frequencies))
        facts = {"source": self.source, "n_words": len(self.words), "n_tied": n_ties}
        return facts | {"note": self.note, "file": file}


def load_word_counts(
    name: str, words: Sequence[str] = (), rows: Sequence[int] | npt.NDArray[np.int64] = ()
) -> WordCounts:
    """Open a source of word frequencies: `wordfreq`, a file of counts, or `vocabulary`.

    `vocabulary` uses the words of the given rows of a table. `word_counts/NAME.txt` is a file in
    the folder `BERTFLOW_DATA`.
    """
    if name == WORDFREQ:
        return _wordfreq_counts()
    if name == VOCABULARY:
        return _vocabulary_order([words[row] for row in rows])
    root = data_root(None) if name in counts_files() else None
    return _read_counts((root or Path()) / name)


def counts_files() -> list[str]:
    """Return the files of counts in the data folder by their names for `load_word_counts`."""
    try:
        root = data_root(None)
    except InputError:
        return []
    files = sorted((root / FOLDER).glob("*.txt")) if root else []
    return [f"{FOLDER}/{path.name}" for path in files if path.is_file()]


def _read_counts(path: Path) -> WordCounts:
    """Read a UTF-8 file with one word and its count per line, separated by a space or a tab."""
    raw = RawFile.of(path)
    counts: dict[str, float] = {}
    for number, line in enumerate(raw.lines(), start=1):
        if not line.strip():
            continue
        word, _, text = line.strip().replace("\t", " ").partition(" ")
        count = float(text) if _COUNT.fullmatch(text.strip()) else 0.0
        if word in counts or not 0 < count < math.inf:
            raise InputError(
                f"{quoted(raw.name)}, line {number}: expected a word and its count above 0, for "
                f"example 'the 167485604', each word once; got {quoted(line[:60])}"
            )
        counts[word] = count
    if not counts:
        raise InputError(f"{quoted(raw.name)} is empty: expected one word and its count per line")
    return WordCounts.of(
        f"the counts file {raw.name}",
        counts,
        "Words are ordered by descending count; ties keep the file's order.",
        raw.source_file(),
    )


def _wordfreq_counts() -> WordCounts:
    """Return the frequencies of the largest English list of the library `wordfreq`."""
    try:
        import wordfreq  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise InputError(
            "word frequencies of wordfreq need its package: pip install wordfreq (or give a file "
            "of counts, or the value 'vocabulary')"
        ) from None
    shares: dict[str, float] = wordfreq.get_frequency_dict("en")
    return WordCounts.of(
        "the library wordfreq (en)",
        dict(sorted(shares.items())),
        "A mix of Wikipedia, subtitles, news, books and the web, frozen in about 2021, so ranks "
        "differ from those in Wikipedia. The base-10 logarithms of the frequencies are rounded to "
        "two decimals, so many words are tied; tied words are in alphabetical order.",
    )


def _vocabulary_order(words: Sequence[str]) -> WordCounts:
    """Rank whole words by token id, as if by frequency, with 1 / rank as the frequency."""
    longer = tuple(dict.fromkeys(word for word in words if len(word) > 1))
    return WordCounts(
        "the vocabulary's order",
        longer,
        1.0 / np.arange(1, len(longer) + 1),
        "There are no counts, so words are ranked by their order in the vocabulary. In BERT's "
        "vocabulary that order is close to frequency (Spearman 0.87 with Wikipedia's ranks); other "
        "vocabularies may differ. Frequency is set to 1 / rank (Zipf). Single characters, which "
        "are ordered by code point, are left out; numbers are kept. There are no ties.",
        counted=False,
    )
