"""Choose rows: seeded samples, distinct sentences, and folds of adjacent sentences."""

from collections.abc import Sequence

import numpy as np

from bertflow_core.arrays.types import Rows


def sample_rows(n: int, at_most: int, *, seed: int) -> Rows:
    """Return all n row numbers, or `at_most` of them drawn without replacement, ascending."""
    if n <= at_most:
        return np.arange(n)
    drawn = np.random.default_rng(seed).choice(n, at_most, replace=False)
    return np.sort(drawn).astype(np.int64)


def distinct_rows(sentences: Sequence[str]) -> Rows:
    """Return the row where each distinct sentence first occurs, in ascending order."""
    first: dict[str, int] = {}
    for row, sentence in enumerate(sentences):
        first.setdefault(sentence, row)
    return np.fromiter(first.values(), np.int64, len(first))


_LARGEST, _FEWEST = 10, 20


def blocks_of(n: int) -> Rows:
    """Return the block number of each of n sentences, shape (n,).

    Blocks are runs of ten consecutive sentences, or of fewer if n < 200.
    """
    size = min(_LARGEST, max(1, n // _FEWEST))
    return np.arange(n) // size


def split_blocks(n: int, n_parts: int, *, seed: int) -> Rows:
    """Cut n sentences into blocks, and assign the blocks at random to parts of equal size.

    Return the part of each sentence, shape (n,).
    """
    blocks = blocks_of(n)
    n_blocks = int(blocks[-1]) + 1
    dealt: Rows = np.random.default_rng(seed).permutation(n_blocks) % n_parts
    return dealt[blocks]
