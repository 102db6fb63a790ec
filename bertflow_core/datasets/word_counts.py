"""How frequent words are: from a file of counts, the library `wordfreq`, or a vocabulary's order.

Each source says what it does to the ranks. Words are compared letter by letter, case included.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.datasets.places import data_root
from bertflow_core.datasets.source import RawFile, SourceFile
from bertflow_core.errors import InputError
from bertflow_core.files import too_large
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

VOCABULARY, WORDFREQ = "vocabulary", "wordfreq"
FOLDER = "word_counts"
"""The folder of counts in the data folder."""

SPELLED_DIGITS = frozenset("zero one two three four five six seven eight nine".split())
"""Lists that spell digits out, as the one of Wikipedia does, count these words far too often."""

_MAX_BYTES, _MAX_LINES, _MAX_WORD = 100_000_000, 5_000_000, 200
_COUNT = re.compile(r"\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Covered:
    """The words of a table that a list knows, in the order of the list.

    Attributes:
        rows: Their rows in the table, shape (n,).
        ranks: Their ranks in the list, from 0, shape (n,).
        frequencies: Their counts or frequencies, shape (n,), all above 0.
    """

    rows: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    frequencies: FloatArray


@dataclass(frozen=True)
class WordCounts:
    """Words, the most frequent first.

    Attributes:
        source: Where they are from, in words.
        words: Each once.
        frequencies: Counts or shares, falling, shape (W,), all above 0.
        note: What this source does to the ranks, ties included, in sentences.
        file: The file they were read from, if they were.
        counted: Whether anything was counted; else frequencies are a guess from the order.
    """

    source: str
    words: tuple[str, ...] = field(repr=False)
    frequencies: FloatArray = field(repr=False)
    note: str
    file: SourceFile | None = None
    counted: bool = True

    def without(self, words: frozenset[str]) -> "WordCounts":
        """Return the list without some words; those after them move up."""
        keep = [i for i, word in enumerate(self.words) if word not in words]
        kept = tuple(self.words[i] for i in keep)
        return replace(self, words=kept, frequencies=self.frequencies[keep])

    def cover(self, words: Sequence[str], rows: Sequence[int] | npt.NDArray[np.int64]) -> Covered:
        """Look up the words of some rows of a table; of rows with the same word only the first.

        Args:
            words: The word of each row of the table.
            rows: The rows to look up.
        """
        homes: dict[str, int] = {}
        for row in rows:
            homes.setdefault(words[row], int(row))
        ranks = [rank for rank, word in enumerate(self.words) if word in homes]
        if not ranks:
            raise InputError(
                f"{self.source} knows none of the model's {len(homes):,} words: expected words of "
                "its language and case"
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
    """Open a source of word frequencies.

    Args:
        name: `wordfreq`, `vocabulary`, the path of a file of counts, or `word_counts/NAME.txt` for
            a file in the folder that `BERTFLOW_DATA` names.
        words: The table's words, of which `vocabulary` takes those of `rows`.
        rows: See above.
    """
    if name == WORDFREQ:
        return wordfreq_counts()
    if name == VOCABULARY:
        return vocabulary_order([words[row] for row in rows])
    return read_counts(_counts_path(name))


def counts_files() -> list[str]:
    """Return the files of counts in the data folder, each by a name that `load_word_counts` takes.

    Empty where there is no data folder.
    """
    try:
        root = data_root(None)
    except InputError:
        return []
    files = sorted((root / FOLDER).glob("*.txt")) if root else []
    return [f"{FOLDER}/{path.name}" for path in files if path.is_file()]


def _counts_path(name: str) -> Path:
    """Return the path of a file of counts: of the data folder where it is there by that name."""
    root = data_root(None) if name in counts_files() else None
    return Path(name) if root is None else root / name


def read_counts(path: str | Path) -> WordCounts:
    """Read a UTF-8 file with one word and its count per line, separated by a space or a tab."""
    raw = RawFile.read(Path(path))
    if len(raw.content) > _MAX_BYTES:
        raise InputError(too_large(raw.name, len(raw.content), _MAX_BYTES))
    lines = raw.lines()
    if len(lines) > _MAX_LINES:
        raise InputError(
            f"{quoted(raw.name)} has {len(lines):,} lines: expected at most {_MAX_LINES:,}"
        )
    counts: dict[str, float] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            word, count = _parsed(raw.name, number, line)
            if word in counts:
                raise InputError(
                    f"{quoted(raw.name)}, line {number}: {quoted(word)} was counted before"
                )
            counts[word] = count
    if not counts:
        raise InputError(f"{quoted(raw.name)} is empty: expected one word and its count per line")
    return _ranked(
        f"the counts file {raw.name}",
        counts,
        "Words stand by falling count; words of equal count keep the file's order.",
        raw.source_file(),
    )


def _parsed(name: str, number: int, line: str) -> tuple[str, float]:
    fields = line.split()
    if len(fields) != 2 or not _COUNT.fullmatch(fields[1]) or len(fields[0]) > _MAX_WORD:
        raise InputError(
            f"{quoted(name)}, line {number}: expected a word and its count, for example 'the "
            f"167485604', got {quoted(line[:60])}"
        )
    count = float(fields[1])
    if not 0 < count < math.inf:
        raise InputError(f"{quoted(name)}, line {number}: a count must be above 0, got {fields[1]}")
    return fields[0], count


def wordfreq_counts(language: str = "en") -> WordCounts:
    """Take the frequencies of the library `wordfreq`, its best list of a language."""
    try:
        import wordfreq  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise InputError(
            "word frequencies of wordfreq need its package: pip install wordfreq (or name a file "
            "of counts, or vocabulary)"
        ) from None
    shares = {str(word): float(f) for word, f in wordfreq.get_frequency_dict(language).items()}
    return _ranked(
        f"the library wordfreq ({language})",
        dict(sorted(shares.items())),
        "A mix of Wikipedia, subtitles, news, books and the web, frozen at about 2021, so no rank "
        "within Wikipedia. Frequencies are rounded to a hundredth of a power of ten, so many words "
        "are tied; tied words stand in alphabetical order.",
    )


def vocabulary_order(words: Sequence[str]) -> WordCounts:
    """Take the order of a vocabulary for the order of frequency, and 1 / rank for the frequency.

    Args:
        words: Whole words in the order of their ids.
    """
    longer = tuple(dict.fromkeys(word for word in words if len(word) > 1))
    return WordCounts(
        "the vocabulary's order",
        longer,
        1.0 / np.arange(1, len(longer) + 1),
        "No counts: the ids of BERT's vocabulary follow frequency closely (Spearman 0.87 with "
        "Wikipedia's ranks), other vocabularies may not. Frequency is taken as 1 / rank (Zipf). "
        "Single characters, which stand by code point there, are left out; numbers are kept. There "
        "are no ties.",
        counted=False,
    )


def _ranked(
    source: str, counts: dict[str, float], note: str, file: SourceFile | None = None
) -> WordCounts:
    """Sort words by falling count, those of equal count as they stand."""
    words = tuple(sorted(counts, key=lambda word: -counts[word]))
    frequencies = np.array([counts[word] for word in words])
    positive = int((frequencies > 0).sum())  # wordfreq may hold a share of 0
    return WordCounts(source, words[:positive], frequencies[:positive], note, file)
