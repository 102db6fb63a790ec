"""Layer sets and token pooling: which layers are averaged, and how tokens become a sentence."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError

if TYPE_CHECKING:
    import torch

__all__ = ["POOLINGS", "LayerSet", "TokenPooling", "pool_tokens"]


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
                f"unknown token pooling {text!r}: expected one of {', '.join(cls)}"
            ) from None


@dataclass(frozen=True)
class LayerSet:
    """A set of layers whose pooled vectors are averaged; layer 0 is the embedding output.

    - `last`: layer L.
    - `last2`: layers L-1 and L, the words of the paper.
    - `first-last`: layers 1 and L, what the authors' code ran under the name `avg-last-2` and
      what their published numbers are (https://github.com/bohanli/BERT-flow/issues/11).
    - `layer:k`: layer k alone, 0 <= k <= L.

    With mean and cls pooling the average of pooled vectors equals the pooling of averaged tokens;
    with max pooling it is the average of the layers' maxima.
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in _NAMED and not _SINGLE.fullmatch(self.name):
            raise InputError(
                f"unknown layer set {self.name!r}: expected last, last2, first-last or layer:k "
                "with k from 0 (the embedding output)"
            )

    def indices(self, n_layers: int) -> tuple[int, ...]:
        """Return the hidden-state indices of an encoder with `n_layers` transformer layers.

        Raises:
            InputError: The encoder has no such layer.
        """
        if self.name in _NAMED:
            indices = tuple(k if k > 0 else n_layers + 1 + k for k in _NAMED[self.name])
        else:
            indices = (int(self.name.removeprefix("layer:")),)
        if max(indices) > n_layers or min(indices) < 0:
            raise InputError(
                f"layer set {self.name!r} does not exist here: the encoder has layers 0 (the "
                f"embedding output) to {n_layers}"
            )
        return indices


_SINGLE = re.compile(r"layer:(0|[1-9][0-9]{0,2})")

_NAMED = {"last": (-1,), "last2": (-2, -1), "first-last": (1, -1)}


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
