"""Parts of a list of sentences that keep neighbours together, since neighbours are alike.

Both sides of a pair lie side by side, and often a passage does. Drawn apart, they would let one
part know the other.
"""

import numpy as np
import numpy.typing as npt

__all__ = ["blocks_of", "split_blocks"]

_LARGEST, _FEWEST = 10, 20


def blocks_of(n: int) -> npt.NDArray[np.int64]:
    """Return the block of each of n sentences, shape (n,): runs of ten, or of fewer if n < 200."""
    size = min(_LARGEST, max(1, n // _FEWEST))
    return np.arange(n) // size


def split_blocks(n: int, n_parts: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Deal the blocks of n sentences into parts at random; return the part of each, shape (n,).

    Parts differ by at most one block in size.
    """
    blocks = blocks_of(n)
    n_blocks = int(blocks[-1]) + 1
    dealt: npt.NDArray[np.int64] = np.random.default_rng(seed).permutation(n_blocks) % n_parts
    return dealt[blocks]
