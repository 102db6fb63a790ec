"""Token pooling: how the token vectors of a sentence become one vector."""

from collections.abc import Callable, Sequence
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
    Li et al. (2020) does; `CLS` takes the first token; `MAX` the largest value of each feature;
    `LAST` the last token, the only one that has seen the others in a decoder.

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
        try:
            return cls(text)
        except ValueError:
            raise InputError(
                f"unknown token pooling {quoted(text)}: expected one of {', '.join(cls)}"
            ) from None


POOLINGS = tuple(TokenPooling)


def pool_tokens(
    hidden: "torch.Tensor",
    mask: "torch.Tensor | None" = None,
    poolings: Sequence[TokenPooling] = POOLINGS,
) -> "torch.Tensor":
    """Pool token vectors in several ways.

    Args:
        hidden: Token vectors, shape (B, T, D); not written to.
        mask: 1 for real tokens and 0 for padding on either side, shape (B, T); None where nothing
            is padded, which spares the multiplications. What the padding holds is ignored.
        poolings: K ways, by default all of `TokenPooling`.

    Returns:
        Pooled vectors in float32, shape (K, B, D), in the order of `poolings`.
    """
    import torch

    hidden = hidden.float()
    if mask is None:
        return torch.stack([_UNPADDED[pooling](hidden) for pooling in poolings])
    return torch.stack([_PADDED[pooling](hidden, mask != 0) for pooling in poolings])


def _masked_mean(hidden: "torch.Tensor", is_real: "torch.Tensor") -> "torch.Tensor":
    n_tokens = is_real.sum(dim=1, keepdim=True).clamp_min(1)
    return hidden.masked_fill(~is_real.unsqueeze(-1), 0.0).sum(dim=1) / n_tokens


def _masked_max(hidden: "torch.Tensor", is_real: "torch.Tensor") -> "torch.Tensor":
    return hidden.masked_fill(~is_real.unsqueeze(-1), float("-inf")).amax(dim=1)


def _first_real(hidden: "torch.Tensor", is_real: "torch.Tensor") -> "torch.Tensor":
    place = is_real.int().argmax(dim=1)
    return hidden.take_along_dim(place[:, None, None], dim=1).squeeze(1)


def _last_real(hidden: "torch.Tensor", is_real: "torch.Tensor") -> "torch.Tensor":
    return _first_real(hidden.flip(1), is_real.flip(1))


_UNPADDED: "dict[TokenPooling, Callable[[torch.Tensor], torch.Tensor]]" = {
    TokenPooling.MEAN: lambda hidden: hidden.mean(dim=1),
    TokenPooling.CLS: lambda hidden: hidden[:, 0],
    TokenPooling.MAX: lambda hidden: hidden.amax(dim=1),
    TokenPooling.LAST: lambda hidden: hidden[:, -1],
}
_PADDED: "dict[TokenPooling, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]]" = {
    TokenPooling.MEAN: _masked_mean,
    TokenPooling.CLS: _first_real,
    TokenPooling.MAX: _masked_max,
    TokenPooling.LAST: _last_real,
}
