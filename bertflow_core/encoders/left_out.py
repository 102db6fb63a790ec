"""Parts that are left out of a network or of its input, so that their effect can be measured.

- `first-token`: the special token before every text, such as `<bos>`, is not read.
- `first-mlp`: in every layer the MLP adds nothing to the first token, where massive activations
  arise (Sun et al., 2024, https://arxiv.org/abs/2402.17762).
- `first-mlp:k`: so in layer k only, whose output is hidden state k.
"""

import re
from functools import reduce
from typing import TYPE_CHECKING, Any

from bertflow_core.encoders.fast_pass import layers_of
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

FIRST_TOKEN, FIRST_MLP = "first-token", "first-mlp"

_SINGLE = re.compile(rf"{FIRST_MLP}:([1-9][0-9]{{0,2}})")
_ADDED = ("mlp", "ffn", "output.dense")
"""Modules of a layer whose output is what its MLP adds: Llama's, DistilBERT's and BERT's."""


def check_left_out(text: str, n_layers: int | None = None) -> None:
    """Refuse an unknown part, or one of a layer that an encoder of `n_layers` does not have."""
    single = _SINGLE.fullmatch(text)
    if single is None and text not in (FIRST_TOKEN, FIRST_MLP):
        raise InputError(
            f"{quoted(text)} cannot be left out: expected {FIRST_TOKEN}, {FIRST_MLP} (in every "
            f"layer) or {FIRST_MLP}:k (in layer k, from 1)"
        )
    if single is not None and n_layers is not None and int(single[1]) > n_layers:
        raise InputError(
            f"{quoted(text)} cannot be left out: expected a layer from 1 to {n_layers}"
        )


def leave_out_mlps(network: "torch.nn.Module", n_layers: int, text: str) -> None:
    """Let the MLPs of a part add nothing to the first token in every later pass."""
    if text == FIRST_TOKEN:
        return
    single = _SINGLE.fullmatch(text)
    for number, layer in enumerate(layers_of(network, n_layers), start=1):
        if single is None or number == int(single[1]):
            _added_by(layer).register_forward_hook(_without_first)


def _added_by(layer: Any) -> Any:  # noqa: ANN401 - a module of any architecture
    for name in _ADDED:
        found = reduce(lambda part, key: getattr(part, key, None), name.split("."), layer)
        if found is not None:
            return found
    raise InputError(
        f"the MLP of {type(layer).__name__} is not known, so that it cannot be left out: choose "
        f"{FIRST_TOKEN}, or a model such as Llama, Gemma, Qwen, GPT-2 or BERT"
    )


def _without_first(_module: object, _inputs: object, added: "torch.Tensor") -> "torch.Tensor":
    kept = added.clone()
    kept[:, 0] = 0
    return kept
