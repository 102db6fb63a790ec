"""The pretended device gives the CPU's numbers, and Apple's GPU can take a training step."""

import re
import threading
from dataclasses import astuple

import numpy as np
import pretend
import pytest
import torch
from tiny_models import MAX_TOKENS, declare
from torch import nn
from torch._subclasses import FakeTensorMode
from waiting import PATIENCE

from bertflow_core.calibrators import build_calibrator
from bertflow_core.encoders import TransformerEncoder, running
from bertflow_core.encoders.layers import LayerSet, layer_sets
from bertflow_core.flows import Flow, TrainingConfig, fit, glow
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import device
from bertflow_core.store import Unstored

SENTENCES = ("a cat", "the cat sat on the mat.", "big dog!", "zebra", "the dog runs, " * 4)
PART = 3e-6
"""Error allowed in float32, as a part of the largest number: oneDNN sums in another order."""

X = np.random.RandomState(0).normal(3, [1, 2, 3, 4, 5, 6], size=(150, 6))


@pytest.fixture(autouse=True)
def _has_a_name(monkeypatch):
    """Let users name the pretended device."""
    known = f"{pretend.NAME}|{device._DEVICE.pattern}"
    monkeypatch.setattr(device, "_DEVICE", re.compile(known))
    # In inference mode, torch creates no tensors of such a device.
    monkeypatch.setattr(torch, "inference_mode", lambda mode=True: torch.no_grad())


@pytest.fixture
def _has_streams(monkeypatch):
    """Give the device pinned memory and streams."""
    monkeypatch.setattr(running, "_STREAMED", pretend.NAME)
    for name in ("Stream", "set_stream", "current_stream"):
        monkeypatch.setattr(torch.cuda, name, getattr(pretend, name))

    def pinned(tensor):
        copy = tensor.clone()
        copy.is_pinned_memory = True
        return copy

    monkeypatch.setattr(torch.Tensor, "pin_memory", pinned)


def assert_close(found, expected):
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=PART * np.abs(expected).max())


def encoders(folder, **options):
    return [
        TransformerEncoder(folder, max_length=MAX_TOKENS, device=name, **options)
        for name in ("cpu", pretend.NAME)
    ]


@pytest.mark.parametrize("family", ["bert", "modernbert", "xlnet", "t5"])
def test_every_layer_and_pooling_is_that_of_the_cpu(tiny_folder, family):
    here, there = encoders(tiny_folder(family))
    assert_close(there.encode(SENTENCES).vectors, here.encode(SENTENCES).vectors)


def test_a_lab_gives_the_layer_sets_of_the_cpu_and_what_a_folder_declares(tiny_bert, tmp_path):
    here, _ = encoders(tiny_bert)
    every, lab = here.encode(SENTENCES[:2]).vectors, Lab(store=Unstored(), device=pretend.NAME)
    for layers in layer_sets(3):
        found = lab.embed(str(tiny_bert), SENTENCES[:2], layers=layers, max_length=MAX_TOKENS)
        assert_close(found, every[list(LayerSet(layers).indices(3)), 0].mean(axis=0))
    last = every[3, 0]
    declared = lab.embed(str(declare(tiny_bert, tmp_path / "declared")), SENTENCES[:2])
    assert_close(declared, last / np.linalg.norm(last, axis=1, keepdims=True))


@pytest.mark.usefixtures("_has_streams")
def test_what_goes_over_pinned_memory_is_that_of_the_cpu(tiny_bert):
    here, there = encoders(tiny_bert, batch_tokens=4)
    assert_close(there.encode(SENTENCES).vectors, here.encode(SENTENCES).vectors)


@pytest.mark.usefixtures("_has_streams")
def test_each_of_two_threads_has_a_stream_of_its_own():
    both, where = threading.Barrier(2, timeout=PATIENCE), torch.device(pretend.NAME)

    def stream_and_thread(_):
        both.wait()
        return torch.cuda.current_stream(where).thread, threading.get_ident()

    with running._threads(where) as pool:
        (first, its), (second, others) = pool.map(stream_and_thread, range(2))
    assert (first, second) == (its, others)
    assert first != second


@pytest.mark.parametrize(
    "spec",
    [
        "flow",
        "flow:permutation=reversal,clip_norm=0.1",
    ],
)
def test_a_fit_is_that_of_the_cpu(spec):
    """A step moves every parameter by up to 1e-3, which is 300 times the allowed difference."""
    here, there = (
        build_calibrator(spec, seed=3, device=name).fit(X) for name in ("cpu", pretend.NAME)
    )
    expected, found = here.get_state(), there.get_state()
    assert found.keys() == expected.keys()
    for name in found:
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=PART, err_msg=name)
    for one, other in zip(there.steps_, here.steps_, strict=True):
        assert astuple(one) == pytest.approx(astuple(other), rel=1e-5)
    assert_close(there.score_samples(X), here.score_samples(X))


def on_the_cpu(x, numbers, release):
    return x.index_select(0, numbers.cpu())


def with_a_cpu_tensor(flow, x):
    z, ladj = flow.forward(x)
    return glow.log_base(z) + ladj + torch.zeros(len(x))


@pytest.mark.parametrize(
    ("owner", "name", "mistake"),
    [(fit, "_rows", on_the_cpu), (Flow, "log_prob", with_a_cpu_tensor)],
)
def test_a_tensor_made_on_the_cpu_within_a_fit_is_caught(monkeypatch, owner, name, mistake):
    monkeypatch.setattr(owner, name, mistake)
    build_calibrator("flow", device="cpu").fit(X)
    with pytest.raises(RuntimeError, match="expected tensors on pretend only, got one on cpu"):
        build_calibrator("flow", device=pretend.NAME).fit(X)


class Scaled(nn.Module):
    """A density of four features, up to a constant, on Apple's GPU."""

    n_features = 4

    def __init__(self):
        super().__init__()
        self.scale, self.shift = (nn.Parameter(torch.empty(4, device="mps")) for _ in range(2))

    def log_prob(self, x):
        return -(x * self.scale + self.shift).square().sum(dim=1)


@pytest.mark.parametrize("clip_norm", [None, 0.5])
def test_a_step_can_be_taken_on_apples_gpu(monkeypatch, clip_norm):
    """Fake tensors hold no numbers, but torch refuses operations that the GPU lacks."""

    def backward(loss):
        assert loss.device.type == "mps"
        for each in density.parameters():
            each.grad = torch.empty_like(each)

    monkeypatch.setattr(torch.autograd, "backward", backward)
    with FakeTensorMode(), torch.no_grad():
        density = Scaled()
        descent = fit.TorchDescent(density, TrainingConfig(clip_norm=clip_norm))
        taken = descent.step(torch.ones(64, 4, device="mps"))
    assert [(each.device.type, each.shape) for each in taken] == [("mps", ())] * 2
