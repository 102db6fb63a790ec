"""Layer sets, whose layers are averaged."""

import re
from dataclasses import dataclass

from bertflow_core.arguments import checked
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

PLAIN_LAYERS = "model"
"""The layer set and token pooling of the plain output."""


@checked
@dataclass(frozen=True)
class LayerSet:
    """A set of layers whose pooled vectors are averaged; layer 0 is the embedding output.

    - `last`: layer L.
    - `last2`: layers L-1 and L, as the paper's text says.
    - `first-last`: layers 1 and L, which the authors' code calls `avg-last-2` and which their
      published numbers use (https://github.com/bohanli/BERT-flow/issues/11).
    - `layer:k`: layer k alone, 0 <= k <= L.
    - `model`: the plain output (see `DeclaredEncoder`), which is not a set of layers.

    With mean and cls pooling, the average of pooled vectors equals the pooling of averaged tokens.
    With max pooling, it is the average of the layers' maxima.

    Example:
        >>> from bertflow_core.encoders import LayerSet
        >>> {name: LayerSet(name).indices(12) for name in ("last2", "first-last", "layer:4")}
        {'last2': (11, 12), 'first-last': (1, 12), 'layer:4': (4,)}
    """

    name: str

    def __post_init__(self) -> None:
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
