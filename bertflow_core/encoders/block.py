"""What encoders give: some sentences' vectors of every kind that one forward pass makes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Block", "whole_block"]


@dataclass(frozen=True)
class Block:
    """Some sentences' vectors from one forward pass.

    Attributes:
        rows: Positions of the sentences in the list that was encoded, shape (n,).
        vectors: Float32, shape (..., n, D): the kinds of vectors in the order in which they were
            asked for, by default that of the encoder's `tensors`.
        n_tokens: Tokens of each sentence after cutting, shape (n,).
        cut: Whether a sentence was longer than the maximum length, shape (n,).

    Example:
        >>> import numpy as np
        >>> from bertflow_core.encoders import Block
        >>> n_tokens, cut = np.array([4, 9]), np.array([False, False])
        >>> block = Block(np.arange(2), np.zeros((3, 2, 5)), n_tokens, cut)
        >>> {name: x.shape for name, x in block.named(["layer.0", "layer.1", "layer.2"]).items()}
        {'layer.0': (2, 5), 'layer.1': (2, 5), 'layer.2': (2, 5)}
    """

    rows: np.ndarray
    vectors: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray

    def named(self, kinds: Sequence[str]) -> dict[str, np.ndarray]:
        """Return each kind of vectors, shape (n, D), by its name."""
        vectors = self.vectors.reshape(-1, *self.vectors.shape[-2:])
        return dict(zip(kinds, vectors, strict=True))


def whole_block(shape: tuple[int, ...], blocks: Iterable[Block]) -> Block:
    """Join blocks into one, in the sentences' own order.

    Args:
        shape: Of no sentences' vectors, (..., 0, D).
        blocks: Of every sentence, once.
    """
    nothing = np.empty(0, np.int32)
    parts = [Block(nothing, np.empty(shape, np.float32), nothing, nothing > 0), *blocks]
    rows = np.concatenate([np.asarray(part.rows) for part in parts])
    order = np.argsort(rows)
    return Block(
        rows[order],
        np.concatenate([part.vectors for part in parts], axis=-2)[..., order, :],
        np.concatenate([part.n_tokens for part in parts])[order],
        np.concatenate([part.cut for part in parts])[order],
    )
