"""Layer sets, whose layers are averaged, and token pooling."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError, check_type, choose
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

PLAIN_LAYERS = "model"
"""The layer set and token pooling of the plain output."""


@dataclass(frozen=True)
class LayerSet:
    """A set of layers whose pooled vectors are averaged; layer 0 is the embedding output.

    - `last`: layer L.
    - `last2`: layers L-1 and L, as the paper's text says.
    - `first-last`: layers 1 and L, which the authors' code calls `avg-last-2` and their published
      numbers use (https://github.com/bohanli/BERT-flow/issues/11).
    - `layer:k`: layer k alone, 0 <= k <= L.
    - `model`: the plain output (see `DeclaredEncoder`), which is no set of layers.

    With mean and cls pooling the average of pooled vectors equals the pooling of averaged tokens;
    with max pooling it is the average of the layers' maxima.

    Example:
        >>> from bertflow_core.encoders import LayerSet
        >>> {name: LayerSet(name).indices(12) for name in ("last2", "first-last", "layer:4")}
        {'last2': (11, 12), 'first-last': (1, 12), 'layer:4': (4,)}
    """

    name: str

    def __post_init__(self) -> None:
        check_type(self.name, str, "a layer set", "a text such as 'last' or 'layer:4'")
        known = (PLAIN_LAYERS, *_NAMED)
        if self.name not in known and not _SINGLE.fullmatch(self.name):
            raise InputError(
                f"unknown layer set {quoted(self.name)}: expected {', '.join(known)} or layer:k "
                "with k from 0 (the embedding output)"
            )

    def indices(self, n_layers: int, model: str = "the encoder") -> tuple[int, ...]:
        """Return the hidden-state indices for an encoder with `n_layers` transformer layers.

        `model` is its name in error messages.

        Raises:
            InputError: The encoder has no such layer.
        """
        if self.name == PLAIN_LAYERS:
            raise InputError(
                f"layer set {quoted(PLAIN_LAYERS)} is the plain output: choose a set of layers "
                "here, such as last"
            )
        if self.name in _NAMED:
            indices = tuple(k if k > 0 else n_layers + 1 + k for k in _NAMED[self.name])
        else:
            indices = (int(self.name.removeprefix("layer:")),)
        if max(indices) > n_layers or min(indices) < 0:
            raise InputError(
                f"layer set {quoted(self.name)} does not exist here: {model} has layers 0 (the "
                f"embedding output) to {n_layers}"
            )
        return indices


def layer_sets(n_layers: int) -> tuple[str, ...]:
    """Return the layer sets of an encoder with `n_layers` layers, single layers first."""
    return (*(f"layer:{k}" for k in range(n_layers + 1)), *_NAMED)


_SINGLE = re.compile(r"layer:(0|[1-9][0-9]{0,2})")

_NAMED = {"last": (-1,), "last2": (-2, -1), "first-last": (1, -1)}


class TokenPooling(StrEnum):
    """How the T token vectors of a sentence become one vector.

    `MEAN` averages all tokens, `[CLS]` and `[SEP]` included, as the reference code of Li et al.
    (2020) does; `MEAN_CONTENT` leaves out the special tokens that the tokenizer adds, such as
    `<bos>` of Gemma; `CLS` takes the first token; `MAX` the largest value of each feature; `LAST`
    the last token, the only one that has seen the others in a decoder: `[SEP]` or `</s>` where the
    tokenizer adds one at the end.

    Example:
        >>> from bertflow_core.encoders import TokenPooling
        >>> [*map(str, TokenPooling)]
        ['mean', 'mean-content', 'cls', 'max', 'last']
    """

    MEAN = "mean"
    MEAN_CONTENT = "mean-content"
    CLS = "cls"
    MAX = "max"
    LAST = "last"

    @classmethod
    def parse(cls, text: str) -> "TokenPooling":
        """Return a pooling by its name; the error for an unknown name lists the valid ones."""
        return choose(cls, text, "token pooling")


POOLINGS = tuple(TokenPooling)

USUAL_POOLINGS = tuple(each for each in POOLINGS if each != TokenPooling.MEAN_CONTENT)
"""Poolings that a store keeps for few sentences even if they were not requested."""


def pool_tokens(
    hidden: "torch.Tensor", pooling: str, n_added: tuple[int, int] = (0, 0)
) -> "torch.Tensor":
    """Pool token vectors of unpadded sentences, (n, T, D), into (n, D), in float32.

    `n_added` counts the special tokens that the tokenizer adds before and after every text.
    """
    if pooling == TokenPooling.MEAN_CONTENT:
        before, after = n_added
        hidden, pooling = hidden[:, before : hidden.shape[1] - after], TokenPooling.MEAN
    hidden = hidden.float()
    if pooling == TokenPooling.MEAN:
        return hidden.mean(dim=1)
    if pooling == TokenPooling.MAX:
        return hidden.amax(dim=1)
    return hidden[:, 0 if pooling == TokenPooling.CLS else -1]
