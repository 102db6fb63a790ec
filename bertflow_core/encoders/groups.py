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


def equal_lengths(n_tokens: np.ndarray, rows: np.ndarray, at_most: int) -> Iterator[np.ndarray]:
    """Cut rows, sorted by length, into groups of one length and at most `at_most` tokens.

    Args:
        n_tokens: Tokens of each sentence, shape (N,).
        rows: Some sentences, shape (n,).
        at_most: Most tokens in a group; a longer sentence is a group of its own.
    """
    lengths = n_tokens[rows]
    for equal in np.split(rows, np.flatnonzero(np.diff(lengths)) + 1):
        per_group = max(1, at_most // n_tokens[equal[0]])
        for start in range(0, len(equal), per_group):
            yield equal[start : start + per_group]
