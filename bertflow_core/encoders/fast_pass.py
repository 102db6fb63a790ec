"""Speed up a frozen network: use oneDNN for linear layers, and skip unneeded upper layers."""

import threading
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_OPERATOR = "_linear_pointwise"  # the operation that torch.compile calls for linear layers


def use_onednn(network: "torch.nn.Module") -> None:
    """Run the float32 linear layers of a frozen network on the CPU by oneDNN.

    Torch uses MKL for float32. On processors not made by Intel, MKL leaves the widest instructions
    unused and takes more than twice as long. The numbers differ only in the order of sums.
    """
    import torch

    has_onednn = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not (has_onednn and hasattr(torch.ops.mkldnn, _OPERATOR)):
        return
    linear = partial(getattr(torch.ops.mkldnn, _OPERATOR), attr="none", scalars=[], algorithm="")
    for layer in network.modules():
        if type(layer) is torch.nn.Linear:
            weight = layer.weight
            if weight.dtype == torch.float32 and weight.device.type == "cpu":
                layer.forward = partial(linear, W=weight, B=layer.bias)  # type: ignore[method-assign]


def layers_of(network: "torch.nn.Module", n_layers: int) -> "Iterable[torch.nn.Module]":
    """Return the L layers of a network; none if it has no list of so many modules."""
    import torch

    lists = (each for each in network.modules() if isinstance(each, torch.nn.ModuleList))
    return next((each for each in lists if len(each) == n_layers), ())


class _Reached(Exception):
    """Raised to end a pass that has reached the deepest layer it needs."""


class HiddenStates:
    """The hidden states of a network; layers above the deepest requested one are not run.

    Each of the L layers records its input, which is the hidden state below it. The layer above the
    deepest requested one ends the pass. A trial compares these states bit by bit with those of a
    complete pass. They differ if one layer is used many times or gets a different input (ALBERT,
    XLNet); then every pass is complete. Threads may share an instance.
    """

    def __init__(self, network: Any, n_layers: int) -> None:  # noqa: ANN401 - its call is untyped
        import torch

        self._network = network
        self._n_layers = n_layers
        self._pass = threading.local()
        for number, layer in enumerate(layers_of(network, n_layers)):
            layer.register_forward_pre_hook(partial(self._note, number), with_kwargs=True)
        n_vectors = network.get_input_embeddings().weight.shape[0]
        trial = torch.arange(min(3, n_vectors), device=network.device)[None]
        with torch.inference_mode():
            found, whole = self._partly(trial, n_layers - 1), self._wholly(trial)
        self._is_exact = len(found) == n_layers and all(
            torch.equal(found[layer], whole[layer]) for layer in found
        )

    def of(
        self, input_ids: "torch.Tensor", first: int, deepest: int
    ) -> "Mapping[int, torch.Tensor]":
        """Return at least the hidden states from `first` to `deepest`, (B, T, D) each, by layer.

        `input_ids`, shape (B, T), belong to unpadded sentences. Layer 0 is the embedding output.
        """
        if first == self._n_layers:
            return {first: self._forward(input_ids).last_hidden_state}
        if self._is_exact and deepest < self._n_layers:
            return self._partly(input_ids, deepest)
        return self._wholly(input_ids)

    def _wholly(self, input_ids: "torch.Tensor") -> "dict[int, torch.Tensor]":
        states = self._forward(input_ids, output_hidden_states=True).hidden_states
        return dict(enumerate(states))

    def _partly(self, input_ids: "torch.Tensor", deepest: int) -> "dict[int, torch.Tensor]":
        self._pass.deepest, self._pass.noted = deepest, {}
        try:
            self._forward(input_ids)
        except _Reached:
            pass
        finally:
            noted: dict[int, torch.Tensor] = self._pass.__dict__.pop("noted")
        return noted

    def _forward(self, input_ids: "torch.Tensor", **options: bool) -> Any:  # noqa: ANN401
        import torch

        mask = torch.ones_like(input_ids)
        return self._network(input_ids=input_ids, attention_mask=mask, return_dict=True, **options)

    def _note(self, number: int, layer: Any, args: Any, kwargs: Any) -> None:  # noqa: ANN401
        noted = getattr(self._pass, "noted", None)
        if noted is None:  # a complete pass
            return
        noted[number] = args[0] if args else kwargs["hidden_states"]
        if number == self._pass.deepest:
            raise _Reached
