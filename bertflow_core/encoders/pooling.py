"""Token pooling: how the token vectors of a sentence become one vector."""

from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

__all__ = ["POOLINGS", "TokenPooling", "pool_tokens"]


class TokenPooling(StrEnum):
    """How the T token vectors of a sentence become one vector.

    `MEAN` averages all unmasked tokens, `[CLS]` and `[SEP]` included, as the reference code of
    Li et al. (2020) does; `CLS` takes the first token; `MAX` the largest value of each feature.
    """

    MEAN = "mean"
    CLS = "cls"
    MAX = "max"

    @classmethod
    def parse(cls, text: str) -> "TokenPooling":
        """Read a pooling's name; an unknown one is an `InputError` that lists the valid ones."""
        try:
            return cls(text)
        except ValueError:
            raise InputError(
                f"unknown token pooling {quoted(text)}: expected one of {', '.join(cls)}"
            ) from None


POOLINGS = tuple(TokenPooling)


def pool_tokens(hidden: "torch.Tensor", mask: "torch.Tensor | None" = None) -> "torch.Tensor":
    """Pool token vectors in every way of `TokenPooling`, in that order.

    Args:
        hidden: Token vectors, shape (B, T, D); not written to.
        mask: 1 for real tokens and 0 for padding at the end, shape (B, T); None where nothing is
            padded, which spares the multiplications. What the padding holds is ignored.

    Returns:
        Pooled vectors in float32, shape (3, B, D): mean, cls, max.
    """
    import torch

    hidden = hidden.float()
    if mask is None:
        mean, largest = hidden.mean(dim=1), hidden.amax(dim=1)
    else:
        padding = (mask == 0).unsqueeze(-1)
        n_tokens = (~padding).sum(dim=1).clamp_min(1)
        mean = hidden.masked_fill(padding, 0.0).sum(dim=1) / n_tokens
        largest = hidden.masked_fill(padding, -torch.inf).amax(dim=1)
    return torch.stack((mean, hidden[:, 0], largest))
