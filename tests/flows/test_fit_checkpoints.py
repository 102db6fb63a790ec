"""A fit that shows itself on the way is the same fit, and what it shows is where it is."""

import pytest
import torch

from bertflow_core import context
from bertflow_core.flows import Checkpoints, GlowConfig, TrainingConfig, fit_flow

X = torch.randn(160, 4, generator=torch.Generator().manual_seed(0)) * torch.tensor([1, 2, 3, 4.0])
GLOW = GlowConfig(n_levels=1, depth=2, coupling_width=4)
BATCH = 16
PER_EPOCH = len(X) // BATCH


def fitted(n_steps, checkpoints=None, **options):
    training = TrainingConfig(epochs=(n_steps + 0.5) / PER_EPOCH, batch_size=BATCH)
    return fit_flow(X, glow=GLOW, training=training, checkpoints=checkpoints, **options)


def watched(n_steps, at, **options):
    seen = {}

    def show(step, flow):
        assert not torch.is_grad_enabled()
        seen[step] = {name: value.clone() for name, value in flow.state_dict().items()}

    return fitted(n_steps, Checkpoints(frozenset(at), show), **options), seen


def assert_same(found, expected):
    for name, value in expected.items():
        assert torch.equal(found[name], value), name


def test_to_be_watched_changes_nothing():
    plain = fitted(70)
    result, _ = watched(70, {0, 1, 7, 33, 64, 70})
    assert_same(result.flow.state_dict(), plain.flow.state_dict())
    assert result.steps == plain.steps
    assert all(parameter.grad is None for parameter in result.flow.parameters())


@pytest.mark.parametrize("step", [1, 7, 32, 33, 45])
def test_a_checkpoint_is_where_a_fit_of_so_many_steps_ends(step):
    _, seen = watched(50, {step})
    assert_same(seen[step], fitted(step).flow.state_dict())


def test_the_first_checkpoint_is_the_start_and_the_last_the_result():
    result, seen = watched(40, {0, 40})
    assert list(seen) == [0, 40]
    assert_same(seen[40], result.flow.state_dict())
    assert any(not torch.equal(seen[0][name], seen[40][name]) for name in seen[0])


def test_progress_is_reported_after_each_checkpoint_and_records_stay_in_order():
    told, records = [], []
    with context.reporting(lambda done, total, unit: told.append((done, total, unit))):
        watched(
            70,
            {3, 40},
            on_step=records.append,
        )
    assert [done for done, _, _ in told] == [3, 32, 40, 64, 70]
    assert [record.step for record in records] == list(range(1, 71))
