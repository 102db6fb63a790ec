"""Token pooling: how the token vectors of a sentence become one vector."""

from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import choose

if TYPE_CHECKING:
    import torch


class TokenPooling(StrEnum):
    """How the T token vectors of a sentence become one vector.

    - `MEAN` averages all tokens, `[CLS]` and `[SEP]` included, as the reference code of Li et al.
      (2020) does.
    - `MEAN_CONTENT` averages all but the special tokens that the tokenizer adds, such as Gemma's
      `<bos>`.
    - `MEAN_AFTER_FIRST` averages all tokens but the first, which is a special token or, where the
      tokenizer adds none, the beginning of the first word. A sentence of one token keeps it.
    - `CLS` takes the first token.
    - `MAX` takes the largest value of each feature.
    - `LAST` takes the last token, which is `[SEP]` or `</s>` if the tokenizer adds one at the end.
      In a decoder it is the only token that has seen all others.

    Example:
        >>> from bertflow_core.encoders import TokenPooling
        >>> [*map(str, TokenPooling)]
        ['mean', 'mean-content', 'mean-after-first', 'cls', 'max', 'last']
    """

    MEAN = "mean"
    MEAN_CONTENT = "mean-content"
    MEAN_AFTER_FIRST = "mean-after-first"
    CLS = "cls"
    MAX = "max"
    LAST = "last"

    @classmethod
    def parse(cls, text: str) -> "TokenPooling":
        """Return a pooling by its name; the error for an unknown name lists the valid ones."""
        return choose(cls, text, "token pooling")


POOLINGS = tuple(TokenPooling)

USUAL_POOLINGS = tuple(each for each in POOLINGS if not each.startswith("mean-"))
"""Poolings that a store keeps even if not requested, provided that there are few sentences."""


def pool_tokens(
    hidden: "torch.Tensor", pooling: str, n_added: tuple[int, int] = (0, 0)
) -> "torch.Tensor":
    """Pool token vectors of unpadded sentences, (n, T, D), into (n, D), in float32.

    `n_added` counts the special tokens that the tokenizer adds before and after every text.
    """
    if pooling == TokenPooling.MEAN_CONTENT:
        before, after = n_added
        hidden, pooling = hidden[:, before : hidden.shape[1] - after], TokenPooling.MEAN
    elif pooling == TokenPooling.MEAN_AFTER_FIRST:
        hidden, pooling = hidden[:, min(1, hidden.shape[1] - 1) :], TokenPooling.MEAN
    hidden = hidden.float()
    if pooling == TokenPooling.MEAN:
        return hidden.mean(dim=1)
    if pooling == TokenPooling.MAX:
        return hidden.amax(dim=1)
    return hidden[:, 0 if pooling == TokenPooling.CLS else -1]
