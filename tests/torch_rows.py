"""Rows for flows, and flows away from their start, where much of them would be zero."""

from typing import TypeVar

import torch
from torch import Tensor

Module = TypeVar("Module", bound=torch.nn.Module)
F64 = torch.float64


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rows(n: int, d: int = 6, seed: int = 1, dtype: torch.dtype = F64) -> Tensor:
    return torch.randn(n, d, generator=generator(seed), dtype=dtype)


def moved(module: Module, by: float, seed: int = 2) -> Module:
    """Add noise to every parameter."""
    noise = generator(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += by * torch.randn(parameter.shape, generator=noise, dtype=parameter.dtype)
    return module
