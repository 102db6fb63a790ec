"""The fit against the optimiser's formulas written out; its seeds, reports and refusals."""

import math
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor
from torch_rows import F64, generator, rows
from torch_threads import thread_count, torch_threads

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.flows import Checkpoints, Flow, GlowConfig, StepRecord, TrainingConfig, fit_flow
from bertflow_core.flows.transforms import ActNorm
from bertflow_core.runtime import context

SMALL = GlowConfig(n_levels=1, depth=1, coupling_width=4)
RANDOM = GlowConfig(n_levels=2, depth=1, coupling_width=4, initialization="random")


def parameters(flow: Flow) -> Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in flow.parameters()])


def descent_by_hand(x: Tensor, glow: GlowConfig, training: TrainingConfig, n_steps: int) -> list:
    """AdamW (Loshchilov & Hutter, 2019, Algorithm 2) on all rows, with clipping, step by step."""
    flow, records = Flow(x.shape[1], glow, seed=training.seed, dtype=F64), []
    p = list(flow.parameters())
    m, v = ([torch.zeros_like(q) for q in p] for _ in range(2))
    for t in range(1, n_steps + 1):
        loss = -flow.log_prob(x).mean() / (x.shape[1] * math.log(2))
        gradient = torch.autograd.grad(loss, p)
        norm = torch.cat([g.flatten() for g in gradient]).norm().item()
        records.append(StepRecord(t, loss.item(), norm))
        for q, g, m1, v1 in zip(p, gradient, m, v, strict=True):
            clipped = g * min(1.0, (training.clip_norm or math.inf) / norm)
            m1.mul_(0.9).add_(0.1 * clipped)
            v1.mul_(0.999).add_(0.001 * clipped.square())
            first, second = m1 / (1 - 0.9**t), v1 / (1 - 0.999**t)
            if not training.bias_correction:
                first, second = m1, v1
            step = first / (second.sqrt() + 1e-6)
            q.data -= training.lr * (step + training.weight_decay * q.data)
    return [flow, records]


@pytest.mark.parametrize("clip_norm", [None, 1.0, 1e-5])
@pytest.mark.parametrize("weight_decay", [0.0, 0.5])
@pytest.mark.parametrize("bias_correction", [True, False])
def test_steps_are_those_of_adamw_written_out(clip_norm, weight_decay, bias_correction):
    training = TrainingConfig(
        epochs=3, clip_norm=clip_norm, weight_decay=weight_decay, bias_correction=bias_correction
    )
    training = replace(training, seed=5)  # of the start; one batch has no order
    x = 3 * rows(50)
    result = fit_flow(x, glow=RANDOM, training=training)
    flow, records = descent_by_hand(x, RANDOM, training, n_steps=3)
    torch.testing.assert_close(parameters(result.flow), parameters(flow), atol=1e-8, rtol=1e-6)
    for found, expected in zip(result.steps, records, strict=True):
        assert found.step == expected.step
        assert found.bits_per_dimension == pytest.approx(expected.bits_per_dimension)
        assert found.gradient_norm == pytest.approx(expected.gradient_norm)


@pytest.mark.parametrize(
    ("n", "epochs", "batch_size", "expected"),
    [
        (130, 1.0, 64, 2),
        (130, 0.5, 64, 1),
        (190, 1.5, 64, 3),
        (130, 0.01, 64, 1),
        (10, 1.0, 64, 1),
        (10, 3, 64, 3),
        (2, 1.0, 2, 1),
        (17256, 1.0, 64, 269),
        (640, 0.3 / 0.1, 64, 30),  # 2.9999999999999996 epochs
    ],
)
def test_the_number_of_steps(n, epochs, batch_size, expected):
    training = TrainingConfig(epochs=epochs, batch_size=batch_size)
    assert training.n_steps(n) == expected
    if n < 1000:
        assert len(fit_flow(rows(n), glow=SMALL, training=training).steps) == expected


def test_each_epoch_takes_every_row_at_most_once_in_whole_batches_of_a_new_order(monkeypatch):
    x, seen, log_prob = rows(11), [], Flow.log_prob

    def noted(flow, batch):
        seen.append([(x == row).all(dim=1).nonzero().item() for row in batch])
        return log_prob(flow, batch)

    monkeypatch.setattr(Flow, "log_prob", noted)
    training = TrainingConfig(epochs=8 / 3, batch_size=3)
    fit_flow(x, glow=RANDOM, training=training, compiled=False)
    batches = seen[:8]  # the last loss is again that of the first rows
    assert [len(batch) for batch in batches] == [3] * 8
    epochs = [[row for each in batches[i : i + 3] for row in each] for i in (0, 3, 6)]
    assert [len(set(epoch)) for epoch in epochs] == [9, 9, 6]
    assert epochs[0][:6] != epochs[1][:6] != epochs[2]
    assert epochs[0] == torch.randperm(11, generator=generator())[:9].tolist()


def test_the_likelihood_rises_on_the_rows_and_on_rows_held_out():
    glow, training = GlowConfig(1, 2, 16), TrainingConfig(epochs=20, lr=3e-3)
    start = Flow(4, glow, dtype=F64)
    start.initialize(curved(512, 5))
    fitted = fit_flow(curved(512, 5), glow=glow, training=training).flow
    for x in (curved(512, 5), curved(512, 9)):
        assert fitted.log_prob(x).mean() > start.log_prob(x).mean() + 0.1


def test_the_start_standardizes_the_stated_number_of_shuffled_rows():
    still = TrainingConfig(lr=1e-12, weight_decay=0, seed=3)
    x = 2 + 5 * rows(100)
    flow = fit_flow(x, glow=GlowConfig(), training=still).flow
    first = torch.randperm(100, generator=generator(3))[:64]
    z = flow.to_latent(x[first]).detach()
    torch.testing.assert_close(z.mean(0), torch.zeros(6, dtype=F64), atol=1e-6, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(6, dtype=F64))


@pytest.mark.parametrize("n", [2, 3, 63, 65])
@pytest.mark.parametrize("d", [4, 5, 7])
def test_small_and_odd_sizes(n, d):
    flow = fit_flow(rows(n, d), glow=GlowConfig(), training=TrainingConfig()).flow
    torch.testing.assert_close(flow.from_latent(flow.to_latent(rows(9, d))), rows(9, d))


def test_neither_dead_features_nor_equal_rows_of_half_precision_blow_up_the_fit():
    x = rows(300, 8, dtype=torch.float32)
    x[:, [1, 4, 7]] = torch.tensor([0.0, 0.3, -5.0])
    result = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(epochs=5))
    assert result.flow.to_latent(x).abs().max() < 10
    first = next(part for part in result.flow.modules() if isinstance(part, ActNorm))
    assert first.logs.abs().max() < 0.3
    x = torch.full((5, 4), 0.1, dtype=torch.float16)
    flow = fit_flow(x, glow=GlowConfig(), training=TrainingConfig()).flow
    assert flow.dtype == torch.float32
    assert flow.log_prob(x[:1].float()).isfinite().all()


@pytest.mark.parametrize("error", [None, Cancelled("stopped by the user")])
def test_the_fit_takes_one_thread_and_gives_the_others_back(error):
    during = []

    def look(done: int, total: int, unit: str) -> None:
        during.append(thread_count())
        if error:
            raise error

    with torch_threads(2):
        with pytest.raises(Cancelled) if error else nullcontext(), context.reporting(look):
            fit_flow(rows(4), glow=SMALL, training=TrainingConfig())
        assert (during, thread_count()) == ([1], 2)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_rows_that_are_not_finite_are_refused(bad):
    x = rows(10)
    x[3, 2] = x[5, 0] = x[5, 1] = bad
    with pytest.raises(InputError, match=r"NaN or infinity in 2 of 10 rows; remove"):
        fit_flow(x, glow=SMALL, training=TrainingConfig())


WATCHED = torch.randn(160, 4, generator=generator()) * torch.tensor([1, 2, 3, 4.0])


def watched(n_steps: int, at: set[int], **options: object) -> tuple:
    """Fit by so many steps of 16 rows; return the result, and the parameters after some steps."""
    seen: dict[int, Tensor] = {}

    def show(step: int, flow: torch.nn.Module) -> None:
        assert not torch.is_grad_enabled()
        seen[step] = parameters(flow).clone()

    training = TrainingConfig(epochs=(n_steps + 0.5) / 10, batch_size=16)
    checkpoints = Checkpoints(frozenset(at), show)
    glow = GlowConfig(n_levels=1, depth=2, coupling_width=4)
    return fit_flow(WATCHED, glow=glow, training=training, checkpoints=checkpoints, **options), seen


def close(a, b):
    """Compare up to rounding: inputs that differ in the last bit give 5e-7, a step of Adam 7e-4."""
    return torch.allclose(a, b, rtol=0, atol=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_checkpoint_is_where_a_fit_of_so_many_steps_ends_and_changes_nothing(compiled):
    told, records, how = [], [], {"compiled": compiled}
    with context.reporting(lambda *report: told.append(report)):
        result, seen = watched(70, {0, 1, 7, 33, 64, 70}, on_step=records.append, **how)
    plain, _ = watched(70, set(), **how)
    assert close(parameters(result.flow), parameters(plain.flow))
    assert result.steps == tuple(records)
    losses = [[each.bits_per_dimension for each in fit.steps] for fit in (result, plain)]
    np.testing.assert_allclose(*losses, atol=1e-5)
    assert [record.step for record in records] == list(range(1, 71))
    assert all(parameter.grad is None for parameter in result.flow.parameters())
    assert list(seen) == [0, 1, 7, 33, 64, 70]
    for step in (1, 7, 33, 64):
        assert close(seen[step], parameters(watched(step, set(), **how)[0].flow)), step
    assert close(seen[70], parameters(plain.flow))
    assert not close(seen[0], seen[1])
    assert [done for done, _, _ in told if done] == [1, 7, 32, 33, 64, 70]


def curved(n: int, seed: int) -> Tensor:
    """Rows that no linear map makes normal."""
    x = rows(n, 4, seed)
    x[:, 2:] += x[:, :2].square()
    return x
