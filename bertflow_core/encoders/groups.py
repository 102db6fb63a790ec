"""Sentences in groups: of bounded size to be divided into tokens, of equal length to be encoded."""

from collections.abc import Iterator, Sequence

import numpy as np

__all__ = ["equal_lengths", "portions"]

_SENTENCES, _CHARACTERS = 1024, 1_000_000


def portions(sentences: Sequence[str]) -> Iterator[list[str]]:
    """Cut sentences into lists of bounded length and size, since each character takes memory."""
    portion: list[str] = []
    n_characters = 0
    for sentence in sentences:
        n_characters += len(sentence)
        if len(portion) == _SENTENCES or n_characters > _CHARACTERS:
            yield portion
            portion, n_characters = [], len(sentence)
        portion.append(sentence)
    if portion:
        yield portion


def equal_lengths(
    tokens: Sequence[list[int]], rows: np.ndarray, at_most: int
) -> Iterator[tuple[np.ndarray, list[list[int]]]]:
    """Cut rows, sorted by length, into groups of one length and at most `at_most` tokens."""
    lengths = np.array([len(tokens[row]) for row in rows])
    for places in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(lengths)) + 1):
        per_group = max(1, at_most // lengths[places[0]])
        for start in range(0, len(places), per_group):
            chosen = places[start : start + per_group]
            yield chosen, [tokens[row] for row in rows[chosen]]
