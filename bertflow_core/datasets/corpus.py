"""Sentences to fit on, a part of them drawn, and which of them are two sides of a pair."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.source import Provenance, digest
from bertflow_core.errors import InputError, check_list, check_type
from bertflow_core.linalg import Rows, distinct_rows
from bertflow_core.wording import quoted

MAX_SENTENCES = 300_000
"""Most sentences of a large corpus. The paper fits on NLI for 0.15 epoch, which sees 288,521 of its
1,923,470 sentences: the others would be embedded for nothing."""

Partners = Mapping[str, frozenset[str]]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Corpus:
    """Sentences to fit on, duplicates kept.

    Attributes:
        sentences: N strings; of pairs both sides interleaved, split after split.
        description: One sentence that says which they are.
        sources: Where they came from, one per split or file.
        n_pairs: Pairs whose two sides are the first 2 n_pairs sentences.
        share: The share of a larger corpus that these sentences are, drawn at random.

    Example:
        >>> from bertflow_core import load_corpus
        >>> corpus = load_corpus("captions", "target")
        >>> len(corpus), corpus.n_pairs  # both sides of 1,750 pairs, and 4,000 more
        (7500, 1750)
    """

    sentences: tuple[str, ...] = field(repr=False)
    description: str
    sources: tuple[Provenance, ...] = field(repr=False)
    n_pairs: int = 0
    share: float = 1.0

    def __len__(self) -> int:
        return len(self.sentences)

    def n_among(self, sentences: Iterable[str]) -> int:
        """Count how many of some sentences are in the corpus; a repeated one counts each time."""
        own = frozenset(self.sentences)
        return sum(sentence in own for sentence in sentences)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the sentences in their order."""
        return digest(self.sentences)


def corpus_of(parts: list[SentencePairs]) -> Corpus:
    """Return every sentence of some splits of one data set, duplicates kept.

    Raises:
        InputError: No splits.

    Example:
        >>> from bertflow_core import load_pairs
        >>> from bertflow_core.datasets import corpus_of
        >>> len(corpus_of([load_pairs("teaching")]))
        740
    """
    check_list(parts, "splits")
    for pairs in parts:
        check_type(pairs, SentencePairs, "each split", "what load_pairs returned")
    if not parts:
        raise InputError("a corpus needs the pairs of at least one split, got none")
    sentences = tuple(sentence for pairs in parts for sentence in pairs.sentences())
    splits = ", ".join(pairs.split for pairs in parts)
    sources = tuple(pairs.provenance for pairs in parts)
    rows = "sentences" if parts[0].has_words else "vectors"
    every = "both sides of every pair" if parts[0].is_paired else f"every {rows[:-1]}"
    description = (
        f"{len(sentences):,} {rows} of {parts[0].name} ({splits}; {sources[0].layout}): "
        f"{every}, duplicates kept, gold scores not used."
    )
    n_pairs = sum(len(pairs) for pairs in parts if pairs.is_paired)
    return Corpus(sentences, description, sources, n_pairs)


def drawn(items: Iterable[Item], at_most: int) -> tuple[list[Item], int]:
    """Return at most so many items in their order, and how many there were.

    Each item has the same chance, the draw is the same each time, and the memory holds only what is
    returned (Vitter, 1985, algorithm R).
    """
    rng, n = random.Random(0), 0
    kept: list[tuple[int, Item]] = []
    for n, item in enumerate(items, start=1):
        if len(kept) < at_most:
            kept.append((n, item))
            continue
        place = rng.randrange(n)
        if place < at_most:
            kept[place] = (n, item)
    kept.sort(key=lambda each: each[0])
    return [item for _, item in kept], n


def sized(fit_on: str) -> tuple[str, int]:
    """Return a fit corpus and the most sentences of it, which follow its name: `nli:20000`."""
    name, mark, number = fit_on.rpartition(":")
    if not (name and mark and number.isdecimal()):
        return fit_on, MAX_SENTENCES
    if len(number) > len(str(MAX_SENTENCES)) or not 2 <= int(number) <= MAX_SENTENCES:
        raise InputError(
            f"of a fit corpus 2 to {MAX_SENTENCES:,} sentences can be drawn, got {quoted(number)}: "
            "name as many, as in nli:20000"
        )
    return name, int(number)


def partners_of(corpus: Corpus) -> Partners:
    """Return, by sentence, those others that it is paired with, where there are any.

    A sentence's nearest neighbour is often its partner, nearly the same sentence: that says how
    pairs were collected, not how sentences fill their space.
    """
    found: dict[str, set[str]] = {}
    for i in range(corpus.n_pairs):
        first, second = corpus.sentences[2 * i : 2 * i + 2]
        if first != second:
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return {sentence: frozenset(others) for sentence, others in found.items()}


def one_side(corpus: Corpus) -> Rows:
    """Return rows of different sentences of which no two are partners, rising.

    In the order of the corpus each is taken unless a partner of it has been: mostly the first side.
    """
    partners = partners_of(corpus)
    taken: set[str] = set()
    rows = []
    for row in distinct_rows(corpus.sentences):
        sentence = corpus.sentences[row]
        if taken.isdisjoint(partners.get(sentence, ())):
            taken.add(sentence)
            rows.append(row)
    return np.array(rows, np.int64)
