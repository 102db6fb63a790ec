"""Linear layers in float32 on the CPU through oneDNN, as torch runs all other precisions there.

Torch hands float32 to MKL, which on processors of other makes than Intel leaves the widest
instructions unused: less than half the speed. The numbers are the same but for the order of sums.
"""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

__all__ = ["use_onednn"]


def use_onednn(network: "torch.nn.Module") -> None:
    """Let the linear layers of a frozen network that are float32 on the CPU run through oneDNN.

    Nothing changes where torch was built without it.
    """
    import torch

    has_onednn = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not (has_onednn and hasattr(torch.ops.mkldnn, _OPERATOR)):
        return
    for layer in network.modules():
        if type(layer) is torch.nn.Linear and _is_float32_on_cpu(layer.weight):
            layer.forward = partial(_linear, layer.weight, layer.bias)  # type: ignore[method-assign]


_OPERATOR = "_linear_pointwise"  # what torch.compile calls for such layers


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
