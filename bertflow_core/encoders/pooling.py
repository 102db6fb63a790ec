"""Token pooling: how the token vectors of a sentence become one vector."""

from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import choose

if TYPE_CHECKING:
    import torch


class TokenPooling(StrEnum):
    """How the T token vectors of a sentence become one vector.

    `MEAN` averages all tokens, `[CLS]` and `[SEP]` included, as the reference code of Li et al.
    (2020) does; `CLS` takes the first token; `MAX` the largest value of each feature; `LAST` the
    last token, the only one that has seen the others in a decoder.

    Example:
        >>> from bertflow_core.encoders import TokenPooling
        >>> [*map(str, TokenPooling)]
        ['mean', 'cls', 'max', 'last']
    """

    MEAN = "mean"
    CLS = "cls"
    MAX = "max"
    LAST = "last"

    @classmethod
    def parse(cls, text: str) -> "TokenPooling":
        """Read a pooling's name; an unknown one is an `InputError` that lists the valid ones."""
        return choose(cls, text, "token pooling")


POOLINGS = tuple(TokenPooling)


def pool_tokens(hidden: "torch.Tensor", pooling: str) -> "torch.Tensor":
    """Pool token vectors of unpadded sentences, (n, T, D), into (n, D), in float32."""
    hidden = hidden.float()
    if pooling == TokenPooling.MEAN:
        return hidden.mean(dim=1)
    if pooling == TokenPooling.MAX:
        return hidden.amax(dim=1)
    return hidden[:, 0 if pooling == TokenPooling.CLS else -1]
