"""Compiled code against torch: gradients, steps, many rows; when it is used and cached."""

import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import torch
from torch import Tensor
from torch_rows import F64, moved
from torch_threads import thread_count, torch_threads

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow
from bertflow_core.flows import compiled as module
from bertflow_core.flows.compiled import CompiledDescent, map_rows
from bertflow_core.flows.fit import READ_AT_ONCE, is_compiled
from bertflow_core.flows.rows import by_batches, ladj_of, latent_of, original_of


def rows(n: int, d: int, *, seed: int = 1, dtype: torch.dtype = F64) -> Tensor:
    """Rows with unequal spreads and means, and a curve that no linear map straightens."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=generator, dtype=dtype) * torch.linspace(0.5, 3, d) + 1
    x[:, 1] += x[:, 0].square()
    return x.to(dtype)


def both(x: Tensor, glow: GlowConfig, training: TrainingConfig, **options: object) -> list:
    return [fit_flow(x, glow=glow, training=training, compiled=c, **options) for c in (False, True)]


GLOWS = [
    GlowConfig(2, 2, 5, permutation="reversal"),
    GlowConfig(1, 1, 32),
    GlowConfig(3, 1, 33),
    GlowConfig(1, 3, 1, permutation="reversal"),
]


def means_of(flow: Flow, descent: CompiledDescent) -> list[Tensor]:
    """Return Adam's means in the shapes of the parameters, which are views of one array."""
    means, first = torch.from_numpy(descent.means), flow.steps()[0][2].network.weight1
    return [
        means[(p.data_ptr() - first.data_ptr()) // p.element_size() :][: p.numel()].view_as(p)
        for p in flow.parameters()
    ]


@pytest.mark.parametrize("glow", GLOWS, ids=lambda glow: f"width-{glow.coupling_width}")
@pytest.mark.parametrize(("n", "d"), [(5, 8), (70, 13), (128, 11)])
def test_the_gradients_are_those_of_automatic_differentiation(glow, n, d):
    x, flow = rows(n, d), Flow(d, glow, dtype=F64)
    flow.initialize(x)
    moved(flow, 0.05, 5)  # no parameter is zero, so that no gradient is
    loss = -flow.log_prob(x).mean() / (d * math.log(2))
    expected = torch.autograd.grad(loss, list(flow.parameters()))
    descent = CompiledDescent(flow, TrainingConfig(clip_norm=1e9))
    bits, norm = descent.step(x)
    with torch.no_grad():  # the first means are a tenth of the gradient
        for parameter, mean in zip(flow.parameters(), means_of(flow, descent), strict=True):
            parameter.copy_(mean / 0.1)
    for found, gradient in zip(flow.parameters(), expected, strict=True):
        torch.testing.assert_close(found.detach(), gradient, atol=1e-8, rtol=1e-8)
    assert bits == pytest.approx(loss.item(), abs=1e-12)
    assert norm == pytest.approx(torch.cat([g.flatten() for g in expected]).norm().item())


@pytest.mark.parametrize("d", [3, 4])
@pytest.mark.parametrize("start", ["data", "random"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bias_correction": False, "weight_decay": 0.3},
        {"clip_norm": 1e-3, "lr": 0.01, "seed": 3},
        {"batch_size": 200, "epochs": 3},
        {"batch_size": 7, "epochs": 0.7},
        {"batch_size": 65, "epochs": 2.3},
    ],
    ids=str,
)
def test_the_steps_are_those_of_torch(d, start, options):
    glow = GlowConfig(n_levels=1, depth=2, coupling_width=6, initialization=start)
    torch_fit, compiled = both(rows(150, d), glow, TrainingConfig(**options))
    for expected, found in zip(torch_fit.steps, compiled.steps, strict=True):
        assert found.step == expected.step
        assert found.bits_per_dimension == pytest.approx(expected.bits_per_dimension, abs=1e-9)
        assert found.gradient_norm == pytest.approx(expected.gradient_norm, rel=1e-7)
    for expected, found in zip(
        torch_fit.flow.parameters(), compiled.flow.parameters(), strict=True
    ):
        torch.testing.assert_close(found, expected, atol=1e-8, rtol=0)
        assert found.grad is None


@pytest.mark.parametrize("glow", [GlowConfig(), GlowConfig(1, 2, 8, initialization="random")])
def test_in_float32_the_first_steps_agree_and_the_last_is_near(glow):
    x = rows(640, 24, dtype=torch.float32)
    torch_fit, compiled = both(x, glow, TrainingConfig(batch_size=32, epochs=2))
    losses = [
        torch.tensor([step.bits_per_dimension for step in fit.steps])
        for fit in (torch_fit, compiled)
    ]
    torch.testing.assert_close(losses[1][:5], losses[0][:5], atol=1e-5, rtol=0)
    torch.testing.assert_close(losses[1], losses[0], atol=3e-3, rtol=0)
    again = fit_flow(x, glow=glow, training=TrainingConfig(batch_size=32, epochs=2), compiled=True)
    assert again.steps == compiled.steps


@pytest.mark.parametrize("compiled", [False, True])
def test_few_rows_are_read_before_they_are_let_go_of(compiled):
    x, released = rows(1000, 6), []
    options = {
        "glow": GlowConfig(n_levels=1, depth=1, coupling_width=4),
        "training": TrainingConfig(batch_size=500, epochs=2),
        "compiled": compiled,
    }
    found = fit_flow(x, **options, release=lambda: released.append(None))
    assert found.steps == fit_flow(x, **options).steps
    assert len(released) >= 4 * 500 / READ_AT_ONCE


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("epochs", "step"), [(5, 2), (1, 1)])  # also in the last step
def test_a_fit_that_diverges_is_refused_at_the_same_step(compiled, epochs, step):
    wild = TrainingConfig(epochs=epochs, lr=1e4)
    glow = GlowConfig(n_levels=2, depth=1, coupling_width=4, initialization="random")
    x = 0.01 * torch.randn(64, 6, generator=torch.Generator().manual_seed(1), dtype=F64)
    with pytest.raises(InputError, match=rf"got -?(nan|inf) at step {step}; lower the learning"):
        fit_flow(x, glow=glow, training=wild, compiled=compiled)


@pytest.mark.parametrize(
    ("n", "batch_size", "glow", "place", "expected"),
    [
        (17_256, 64, {"permutation": "reversal"}, {}, True),
        (17_256, 64, {"coupling_width": 1024}, {}, False),
        (17_256, 64, {}, {"dtype": F64}, False),
        (17_256, 64, {}, {"device": "meta"}, False),
        (64 * 63, 64, {}, {}, False),
        (64 * 64, 64, {}, {}, True),
        (64 * 32, 32, {}, {}, True),
    ],
)
def test_the_rule_looks_at_the_fit_alone(n, batch_size, glow, place, expected):
    flow = Flow(8, GlowConfig(**glow)).to(**{"device": "cpu", "dtype": torch.float32} | place)
    assert is_compiled(flow, n, TrainingConfig(batch_size=batch_size)) is expected


def test_who_waits_for_code_may_leave(monkeypatch):
    def leave() -> None:
        raise Cancelled("stopped by the user")

    module.load()
    module.load(leave)  # nothing to wait for
    monkeypatch.setattr(module, "_is_ready", threading.Event())
    monkeypatch.setattr(module, "_use_all", (release := threading.Event()).wait)
    with pytest.raises(Cancelled):
        module.load(leave)
    release.set()


def flow_of(d: int, permutation: str, dtype: torch.dtype, levels: int = 2) -> Flow:
    """Return a flow that maps every feature in its own way."""
    return moved(Flow(d, GlowConfig(levels, 2, 7, permutation), dtype=dtype), 0.2, 3)


def array(n: int, d: int, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(0).normal(1, 2, (n, d)).astype(dtype)


@pytest.mark.parametrize("permutation", ["reversal", "random"])
@pytest.mark.parametrize(("n", "d", "levels"), [(1, 3, 1), (64, 8, 2), (1100, 13, 3)])
def test_compiled_rows_are_those_of_torch(permutation, n, d, levels):
    flow, x = flow_of(d, permutation, F64, levels), array(n, d)
    with torch.no_grad():
        expected = flow.to_latent(torch.from_numpy(x))
    z = map_rows(flow, x)
    np.testing.assert_allclose(z, expected.numpy(), rtol=0, atol=1e-11)


def test_what_is_large_goes_through_compiled_code_and_differs_by_rounding():
    flow, x = flow_of(256, "random", torch.float32), array(1024, 256, np.float32)
    z = latent_of(flow, x)
    assert z.dtype == np.float32
    assert np.array_equal(z, map_rows(flow, x))
    few = latent_of(flow, x[:1023])
    assert np.array_equal(few, by_batches(flow.to_latent, x[:1023]))
    np.testing.assert_allclose(z[:1023], few, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(
        ladj_of(flow, x), by_batches(flow.log_abs_det_jacobian, x), rtol=1e-5
    )
    np.testing.assert_allclose(original_of(flow, z), x, rtol=1e-3, atol=1e-3)


def test_a_row_s_result_depends_on_no_other_row_and_no_thread_disk_or_type(tmp_path):
    flow, x = flow_of(16, "random", torch.float32), array(3000, 16, np.float32)
    results = []
    for threads in (1, 2):
        with torch_threads(threads):
            results.append(map_rows(flow, x))
    assert np.array_equal(*results)
    assert np.array_equal(map_rows(flow, x[100:107]), results[0][100:107])
    np.save(tmp_path / "x.npy", x)
    on_disk = np.load(tmp_path / "x.npy", mmap_mode="r")
    for given in (on_disk, x.astype(np.float64), np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2]):
        assert np.array_equal(map_rows(flow, given), results[0])


@pytest.mark.parametrize(
    ("apply", "method", "threads"),
    [
        (latent_of, "to_latent", [1]),
        (original_of, "from_latent", [1, 2, 2]),
        (ladj_of, "log_abs_det_jacobian", [1, 1]),
    ],
)
def test_few_rows_go_through_torch_on_one_thread(apply, method, threads, monkeypatch):
    flow, x = flow_of(16, "random", torch.float32), array(20_000, 16, np.float32)
    function, during = getattr(flow, method), []

    def watched(part):
        during.append(thread_count())
        return function(part)

    monkeypatch.setattr(flow, method, watched)
    with torch_threads(2):
        few, many = apply(flow, x[:100]), apply(flow, x)
        assert (during, thread_count()) == (threads, 2)
    np.testing.assert_allclose(many[:100], few, rtol=1e-4, atol=1e-4)


FITS = """
import os, sys, torch
from pathlib import Path
from bertflow_core.runtime import context
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow, kernels

def fit():
    heard = []
    glow = GlowConfig(n_levels=1, depth=1, coupling_width=2)
    x = torch.randn(4_500, 4, generator=torch.Generator().manual_seed(0))
    with context.reporting(lambda *said: heard.append(said[2])):
        found = fit_flow(x, glow=glow, training=TrainingConfig())
    norms = [each.gradient_norm for each in found.steps]
    fit_flow(x[:9], glow=glow, training=TrainingConfig())
    assert "torch._dynamo" not in sys.modules  # 2 s
    print(sum("compiling" in unit for unit in heard), norms, flush=True)

folder, kept = Path(os.environ["NUMBA_CACHE_DIR"]), []
for damage in (False, False, True):  # compiled, loaded, one of them compiled again
    kept = [*folder.rglob("*.nbc")]
    for each in folder.rglob("*adamw*.nbc") if damage else ():
        each.write_bytes(b"")
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == 0
    else:
        fit()
        os._exit(0)
folder.chmod(0o777)
print(len(kept), kernels._keeps_code())
"""


@pytest.mark.gate
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_code_is_kept_said_so_while_it_is_compiled_and_made_again_where_damaged(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FITS], capture_output=True, env=environment, text=True
    )
    assert done.returncode == 0, done.stderr
    *fits, last = done.stdout.splitlines()
    heard, results = zip(*(each.split(maxsplit=1) for each in fits), strict=True)
    assert int(heard[0]) > 0
    assert len(results) == 3 and len(set(results)) == 1  # bit for bit, compiled here or loaded
    assert all(each.stat().st_size for each in tmp_path.rglob("*.nbc"))
    assert last == "3 False"  # cached, except in a folder that others can write to
