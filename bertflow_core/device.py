"""Where the arithmetic runs and in which precision."""

import re
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

__all__ = ["DTYPES", "resolve_device", "resolve_dtype"]

DTYPES = ("float32", "bfloat16")
_DEVICE = re.compile(r"cpu|mps|cuda(:(0|[1-9][0-9]{0,2}))?")


def resolve_device(name: str | None = None) -> "torch.device":
    """Return the device called `name`, or the best of this machine: CUDA, then MPS, then the CPU.

    Raises:
        InputError: No such kind of device, or this machine has none.
    """
    import torch

    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name is None:
        name = next((kind for kind, is_there in available.items() if is_there), "cpu")
    if not _DEVICE.fullmatch(name):
        raise InputError(f"unknown device {quoted(name)}: expected cpu, cuda, cuda:N or mps")
    kind, _, index = name.partition(":")
    if not available.get(kind, True):
        raise InputError(f"device {quoted(name)} is not on this machine: use --device cpu")
    if kind == "cuda" and index and int(index) >= torch.cuda.device_count():
        raise InputError(
            f"device {quoted(name)} is not here: {torch.cuda.device_count()} CUDA device(s)"
        )
    return torch.device(name)


def resolve_dtype(name: str) -> "torch.dtype":
    """Return the torch dtype called `name`, one of `DTYPES`."""
    import torch

    if name not in DTYPES:
        raise InputError(f"unknown dtype {quoted(name)}: expected one of {', '.join(DTYPES)}")
    dtype: torch.dtype = getattr(torch, name)
    return dtype
