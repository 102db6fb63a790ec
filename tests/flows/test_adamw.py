"""Our steps against torch's optimiser, bit for bit, and what it costs to make them."""

import subprocess
import sys

import pytest
import torch

from bertflow_core.flows.fit import AdamW


def start(dtype):
    draws = torch.Generator().manual_seed(0)
    shapes = [(3, 4), (5,), ()]
    return [torch.nn.Parameter(torch.randn(s, generator=draws, dtype=dtype)) for s in shapes]


def gradients(dtype):
    draws = torch.Generator().manual_seed(1)
    return [
        [torch.randn(p.shape, generator=draws, dtype=dtype) for p in start(dtype)]
        for _ in range(50)
    ]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_corrected_steps_are_torch_s_bit_for_bit(dtype):
    ours, theirs = start(dtype), start(dtype)
    mine = AdamW(ours, learning_rate=0.01, weight_decay=0.1, bias_correction=True)
    reference = torch.optim.AdamW(
        theirs, lr=0.01, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.1, fused=True
    )
    for values in gradients(dtype):
        for p, q, value in zip(ours, theirs, values, strict=True):
            p.grad, q.grad = value.clone(), value.clone()
        mine.step()
        reference.step()
    assert all(torch.equal(p, q) for p, q in zip(ours, theirs, strict=True))
    mine.zero_grad()
    assert all(p.grad is None for p in ours)


def test_a_fit_does_not_import_torch_s_compiler():
    code = (
        "import sys, torch; from bertflow_core.flows import *; "
        "fit_flow(torch.randn(9, 4), glow=GlowConfig(), training=TrainingConfig()); "
        "print('torch._dynamo' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
