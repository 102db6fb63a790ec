"""ActNorm by hand: its formula, its data-dependent start, and the features that do not vary."""

import math

import pytest
import torch

from bertflow_core.flows.glow import ActNorm

F64 = torch.float64


def rows(n: int, d: int, dtype: torch.dtype = F64) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(3), dtype=dtype)


def hand_set() -> ActNorm:
    actnorm = ActNorm(2).double()
    with torch.no_grad():
        actnorm.b.copy_(torch.tensor([1.0, -2.0]))
        actnorm.logs.copy_(torch.tensor([math.log(2) / 3, math.log(5) / 3]))
    return actnorm


def test_the_shift_comes_first_and_the_log_scale_counts_three_times():
    z, _ = hand_set()(torch.tensor([[1.0, 2.0], [3.0, 6.0]], dtype=F64))
    torch.testing.assert_close(z, torch.tensor([[4.0, 0.0], [8.0, 20.0]], dtype=F64))


def test_ladj_is_the_sum_of_the_log_scales():
    _, ladj = hand_set()(torch.zeros(3, 2, dtype=F64))
    torch.testing.assert_close(ladj, torch.full((3,), math.log(10), dtype=F64))


def test_inverse_by_hand():
    x = hand_set().inverse(torch.tensor([[4.0, 20.0]], dtype=F64))
    torch.testing.assert_close(x, torch.tensor([[1.0, 6.0]], dtype=F64))


def test_it_starts_as_the_identity():
    assert torch.equal(ActNorm(3).double()(rows(4, 3))[0], rows(4, 3))


def test_the_random_start_fills_the_glorot_range():
    actnorm = ActNorm(383, generator=torch.Generator().manual_seed(0))
    for values in (actnorm.b, actnorm.logs):
        assert 0.12 < values.max() <= 0.125
        assert -0.125 <= values.min() < -0.12


def test_initialize_standardizes_the_rows_it_saw():
    z = ActNorm(4).double().initialize(5 + rows(50, 4) * torch.tensor([0.01, 1.0, 7.0, 100.0]))
    torch.testing.assert_close(z.mean(0), torch.zeros(4, dtype=F64), atol=1e-9, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(4, dtype=F64))


def test_forward_never_initializes():
    actnorm = ActNorm(4).double().train()
    actnorm(9 + rows(8, 4))
    assert not actnorm.b.any()
    assert not actnorm.logs.any()


@pytest.mark.parametrize(
    ("spread", "is_dead"), [(0.0, True), (0.9e-6, True), (1.1e-6, False), (1e-3, False)]
)
def test_a_feature_of_no_spread_keeps_its_scale(spread, is_dead):
    unit = torch.tensor([[-1.0], [1.0]], dtype=F64)
    actnorm = ActNorm(2).double()
    z = actnorm.initialize(torch.cat([unit, 0.5 + spread * unit], dim=1))
    assert (actnorm.logs[1].item() == 0) is is_dead
    torch.testing.assert_close(z[:, 1:], (spread if is_dead else 1) * unit)


@pytest.mark.parametrize("dtype", [torch.float32, F64])
@pytest.mark.parametrize("n", [1, 2, 64])
def test_identical_rows_are_only_centred(n, dtype):
    x = rows(1, 5, dtype).expand(n, 5) / 3
    actnorm = ActNorm(5).to(dtype)
    assert not actnorm.initialize(x).any()
    assert not actnorm.logs.any()


@pytest.mark.parametrize("constant", [100.0, -100.0])
def test_rounding_noise_on_a_large_constant_is_no_spread(constant):
    x = rows(64, 3, torch.float32) * 1e-3
    x[:, 1] = constant
    x[::7, 1] += 7.7e-6  # one unit in the last place
    actnorm = ActNorm(3)
    actnorm.initialize(x)
    assert [bool(value) for value in actnorm.logs] == [True, False, True]


def test_normalised_input_that_is_all_noise_is_not_blown_up():
    noise = 1e-9 * rows(50, 4)
    assert ActNorm(4, unit_scale=True).double().initialize(noise).abs().max() < 1e-8
    assert (
        ActNorm(4).double().initialize(noise).std(0, correction=0).allclose(torch.ones(4).double())
    )
