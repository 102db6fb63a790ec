"""Tensors on their way to a device and back; through pinned memory where that lets it go on."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

__all__ = ["to_device", "to_host"]


def to_device(tensor: "torch.Tensor", device: "torch.device") -> "torch.Tensor":
    """Return a tensor of the CPU on a device, without waiting until a GPU has it."""
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def to_host(tensor: "torch.Tensor") -> np.ndarray:
    """Return a tensor as an array; only this thread waits for a GPU, and for its own stream."""
    import torch

    if tensor.device.type != "cuda":
        return tensor.cpu().numpy()
    pinned = torch.empty_like(tensor, device="cpu", pin_memory=True)
    pinned.copy_(tensor, non_blocking=True)
    torch.cuda.current_stream(tensor.device).synchronize()
    return pinned.numpy()
