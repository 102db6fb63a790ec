"""Rows for flows, and flows away from their start, where much of them would be zero."""

import torch

F64 = torch.float64


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def rows(n, d=6, seed=1, dtype=F64):
    return torch.randn(n, d, generator=generator(seed), dtype=dtype)


def moved(module, by, seed=2):
    """Add noise to every parameter."""
    noise = generator(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += by * torch.randn(parameter.shape, generator=noise, dtype=parameter.dtype)
    return module
