"""What makes a frozen network's pass fast: linear layers through oneDNN, and no upper layers."""

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_OPERATOR = "_linear_pointwise"  # what torch.compile calls for such layers


def use_onednn(network: "torch.nn.Module") -> None:
    """Let the linear layers of a frozen network that are float32 on the CPU run through oneDNN.

    Torch hands float32 alone to MKL, which on processors of other makes than Intel leaves the
    widest instructions unused: less than half the speed. The numbers are the same but for the order
    of sums. Nothing changes where torch was built without oneDNN.
    """
    import torch

    has_onednn = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not (has_onednn and hasattr(torch.ops.mkldnn, _OPERATOR)):
        return
    for layer in network.modules():
        if type(layer) is torch.nn.Linear and _is_float32_on_cpu(layer.weight):
            layer.forward = partial(_linear, layer.weight, layer.bias)  # type: ignore[method-assign]


def _is_float32_on_cpu(weight: "torch.Tensor") -> bool:
    import torch

    return weight.dtype == torch.float32 and weight.device.type == "cpu"


def _linear(
    weight: "torch.Tensor", bias: "torch.Tensor | None", x: "torch.Tensor"
) -> "torch.Tensor":
    """Return x W^T + b, of x with shape (..., D_in)."""
    import torch

    product: torch.Tensor = getattr(torch.ops.mkldnn, _OPERATOR)(x, weight, bias, "none", [], "")
    return product


class _Reached(Exception):
    """Ends a pass that has gone far enough."""


class EarlyExit:
    """The hidden states of a network; for its lower layers alone the upper ones are not run.

    Each of the L layers notes the token vectors that it is handed, which are the hidden states
    below it, and the one above the deepest that is asked for ends the pass. A trial tells whether
    they are the hidden states of the whole pass, bit by bit. Where they are not, because one layer
    is used many times or is handed something else (ALBERT, XLNet), every pass is whole.

    Args:
        network: A model of transformers in evaluation, on its device; threads may share it.
        n_layers: L.
    """

    def __init__(self, network: "torch.nn.Module", n_layers: int) -> None:
        from torch.nn import ModuleList

        self._network: Any = network  # whose call is untyped
        self._n_layers = n_layers
        self._pass = threading.local()
        lists = (each for each in network.modules() if isinstance(each, ModuleList))
        layers = next((each for each in lists if len(each) == n_layers), ())
        for number, layer in enumerate(layers):
            layer.register_forward_pre_hook(partial(self._note, number), with_kwargs=True)
        self._is_exact = len(layers) > 0 and self._try()

    def hidden_states(self, input_ids: "torch.Tensor", deepest: int) -> "Sequence[torch.Tensor]":
        """Return hidden states 0 (the embedding output) to `deepest` at least, each (B, T, D).

        Args:
            input_ids: Token ids of unpadded sentences, shape (B, T).
            deepest: The last layer that has to run, at most L.
        """
        if self._is_exact and deepest < self._n_layers:
            return self._partly(input_ids, deepest)
        return self._wholly(input_ids)

    def _try(self) -> bool:
        import torch

        n_vectors = self._network.get_input_embeddings().weight.shape[0]
        input_ids = torch.arange(min(3, n_vectors), device=self._network.device)[None]
        with torch.inference_mode():
            found = self._partly(input_ids, self._n_layers - 1)
            expected = self._wholly(input_ids)[:-1]
        return len(found) == len(expected) and all(map(torch.equal, found, expected))

    def _wholly(self, input_ids: "torch.Tensor") -> "Sequence[torch.Tensor]":
        states: Sequence[torch.Tensor] = forward(
            self._network, input_ids, output_hidden_states=True
        ).hidden_states
        return states

    def _partly(self, input_ids: "torch.Tensor", deepest: int) -> "Sequence[torch.Tensor]":
        noted: list[torch.Tensor] = []
        self._pass.deepest, self._pass.noted = deepest, noted
        try:
            forward(self._network, input_ids)
        except _Reached:
            pass
        finally:
            del self._pass.deepest, self._pass.noted
        return noted

    def _note(self, number: int, layer: Any, args: Any, kwargs: Any) -> None:  # noqa: ANN401
        noted = getattr(self._pass, "noted", None)
        if noted is None:  # a whole pass
            return
        noted.append(args[0] if args else kwargs["hidden_states"])
        if number == self._pass.deepest:
            raise _Reached


def forward(network: Any, input_ids: "torch.Tensor", **options: bool) -> Any:  # noqa: ANN401
    """Run a network of transformers on token ids of unpadded sentences, shape (B, T)."""
    import torch

    mask = torch.ones_like(input_ids)
    return network(input_ids=input_ids, attention_mask=mask, return_dict=True, **options)
