"""Similarity of two texts without vectors: how many of their pieces they share."""

from collections.abc import Set

__all__ = ["coverage", "jaccard"]


def jaccard(first: Set[int], second: Set[int]) -> float:
    """Return the pieces that both have as a share of those that either has, in [0, 1].

    0 where neither has any (Jaccard, 1912, https://doi.org/10.1111/j.1469-8137.1912.tb05611.x).
    """
    both = len(first & second)
    return both / max(1, len(first) + len(second) - both)


def coverage(first: Set[int], second: Set[int]) -> float:
    """Return the share of the pieces of `first` that `second` has, in [0, 1]; 0 of none.

    The order counts: of a question and its answer it is the question that is covered.
    """
    return len(first & second) / max(1, len(first))
