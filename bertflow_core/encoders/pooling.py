"""Token pooling: how the token vectors of a sentence become one vector."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

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
        try:
            return cls(text)
        except ValueError:
            raise InputError(
                f"unknown token pooling {quoted(text)}: expected one of {', '.join(cls)}"
            ) from None


POOLINGS = tuple(TokenPooling)


def pool_tokens(hidden: "torch.Tensor", modes: Iterable[str]) -> "list[torch.Tensor]":
    """Pool token vectors of unpadded sentences in several ways, each (n, D) in float32.

    Args:
        hidden: Token vectors, shape (n, T, D); not written to.
        modes: Some of `MODES`.
    """
    hidden = hidden.float()
    return [MODES[mode](hidden) for mode in modes]


def _rising_mean(hidden: "torch.Tensor") -> "torch.Tensor":
    """Average with the weights 1 to T, of use to decoders, where later tokens know more."""
    import torch

    n_tokens = hidden.shape[1]
    weights = torch.arange(1, n_tokens + 1, device=hidden.device, dtype=hidden.dtype)
    return (hidden * weights[:, None]).sum(dim=1) / weights.sum()


MODES: "dict[str, Callable[[torch.Tensor], torch.Tensor]]" = {
    "mean": lambda hidden: hidden.mean(dim=1),
    "cls": lambda hidden: hidden[:, 0],
    "max": lambda hidden: hidden.amax(dim=1),
    "last": lambda hidden: hidden[:, -1],
    "lasttoken": lambda hidden: hidden[:, -1],
    "mean_sqrt_len_tokens": lambda hidden: hidden.sum(dim=1) / hidden.shape[1] ** 0.5,
    "weightedmean": _rising_mean,
}
"""Those of `TokenPooling`, and those that a model's folder may declare."""
