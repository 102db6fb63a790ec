"""What every transform promises, one property a test; then the formulas of their papers by hand."""

import math

import pytest
import torch
import torch_rows
from torch import Tensor
from torch.autograd.functional import jacobian
from torch_rows import F64, generator
from torch_rows import rows as rows_of

from bertflow_core.flows.glow import (
    ActNorm,
    AdditiveCoupling,
    AffineCoupling,
    LULinear,
    Permutation,
    Transform,
)

D = 7
"""Odd, so that the halves of a coupling differ."""

FACTORIES = {
    "actnorm": lambda g: ActNorm(D),
    "actnorm, random start": lambda g: ActNorm(D, generator=g),
    "reversal": lambda g: Permutation(D),
    "random permutation": lambda g: Permutation(D, g),
    "linear": lambda g: LULinear(D, g),
    "additive": lambda g: AdditiveCoupling(D, 4, g),
    "additive, random start": lambda g: AdditiveCoupling(D, 4, g, random_start=True),
    "affine": lambda g: AffineCoupling(D, 4, g),
}


def rows(n: int, d: int = D, dtype: torch.dtype = F64) -> Tensor:
    return rows_of(n, d, dtype=dtype)


def moved(transform):
    """Return a transform away from its start, where much of it would be zero."""
    return torch_rows.moved(transform.double(), 0.3)


@pytest.fixture(params=FACTORIES, ids=str)
def transform(request: pytest.FixtureRequest) -> Transform:
    return moved(FACTORIES[request.param](generator()))


def jacobian_log_det(function, row: Tensor) -> Tensor:
    return torch.linalg.slogdet(jacobian(lambda r: function(r[None])[0][0], row)).logabsdet


def test_shapes_and_no_rows(transform):
    for n in (0, 3):
        z, ladj = transform(rows(n))
        assert (z.shape, ladj.shape) == ((n, D), (n,))
    assert not torch.allclose(z, rows(3))


def test_forward_and_inverse_undo_each_other(transform):
    torch.testing.assert_close(transform.inverse(transform(rows(5))[0]), rows(5))
    torch.testing.assert_close(transform(transform.inverse(rows(5)))[0], rows(5))


def test_ladj_is_that_of_the_autograd_jacobian(transform):
    expected = torch.stack([jacobian_log_det(transform, row) for row in rows(3)])
    torch.testing.assert_close(transform(rows(3))[1], expected)


def test_the_inverse_has_minus_the_ladj(transform):
    z, ladj = transform(rows(3))
    inverse = [jacobian(lambda r: transform.inverse(r[None])[0], row) for row in z.detach()]
    torch.testing.assert_close(torch.linalg.slogdet(torch.stack(inverse)).logabsdet, -ladj)


def test_rows_do_not_see_each_other(transform):
    back = torch.cat([transform.inverse(row[None]) for row in rows(4)])
    torch.testing.assert_close(transform.inverse(rows(4)), back)
    alone = [transform(row[None]) for row in rows(4)]
    together = transform(rows(4))
    torch.testing.assert_close(together[0], torch.cat([value for value, _ in alone]))
    torch.testing.assert_close(together[1], torch.cat([ladj for _, ladj in alone]))


def test_initialize_returns_what_forward_then_gives(transform):
    z = transform.initialize(rows(16))
    assert not z.requires_grad
    torch.testing.assert_close(z, transform(rows(16))[0].detach())


def network_by_hand(network, x: Tensor) -> Tensor:
    h = ((x @ network.weight1.T + network.actnorm1.b) * (3 * network.actnorm1.logs).exp()).relu()
    h = ((h @ network.weight2.T + network.actnorm2.b) * (3 * network.actnorm2.logs).exp()).relu()
    return (h @ network.weight3.T + network.c) * (3 * network.logs).exp()


@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_additive_coupling_is_equations_5_and_6(d):
    coupling, x = moved(AdditiveCoupling(d, width=4, generator=generator())), rows(5, d)
    z, half = coupling(x)[0], d // 2
    assert torch.equal(z[:, :half], x[:, :half])
    shift = network_by_hand(coupling.network, x[:, :half])
    assert shift.shape == (5, d - half)
    torch.testing.assert_close(z[:, half:], x[:, half:] + shift)


@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_affine_coupling_is_glows(d):
    coupling, x = moved(AffineCoupling(d, width=4, generator=generator())), rows(5, d)
    z, half = coupling(x)[0], d // 2
    out = network_by_hand(coupling.network, x[:, :half])
    shift, s = out[:, : d - half], out[:, d - half :]
    assert torch.equal(z[:, :half], x[:, :half])
    torch.testing.assert_close(z[:, half:], (x[:, half:] + shift) * torch.sigmoid(s + 2))


@pytest.mark.parametrize(("kind", "scale"), [(AdditiveCoupling, 1.0), (AffineCoupling, 0.88079708)])
def test_a_coupling_starts_near_the_identity(kind, scale):
    coupling, x = kind(6, width=4, generator=generator()).double(), rows(5, 6)
    torch.testing.assert_close(coupling(x)[0][:, 3:], scale * x[:, 3:])


def test_the_hidden_weights_start_at_the_stated_spread():
    network = AdditiveCoupling(384, width=64, generator=generator()).network
    for weight in (network.weight1, network.weight2):
        assert weight.std().item() == pytest.approx(0.05, rel=0.05)
        assert weight.mean().item() == pytest.approx(0, abs=2e-3)


def test_initialize_standardizes_inside_the_network():
    coupling, x = moved(AdditiveCoupling(6, width=4, generator=generator())), rows(64, 6)
    coupling.initialize(x)
    network = coupling.network
    first = network.actnorm1.normalized(x[:, :3] @ network.weight1.T)
    second = network.actnorm2.normalized(first.relu() @ network.weight2.T)
    for hidden in (first, second):
        torch.testing.assert_close(hidden.mean(0), torch.zeros(4, dtype=F64), atol=1e-9, rtol=0)
        torch.testing.assert_close(hidden.std(0, correction=0), torch.ones(4, dtype=F64))


def test_reversal_by_hand():
    z, _ = Permutation(3)(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert z.tolist() == [[3.0, 2.0, 1.0], [6.0, 5.0, 4.0]]


def test_the_generator_decides_the_permutation_which_keeps_every_feature_once():
    orders = [Permutation(50, generator(seed)).order for seed in (0, 0, 1)]
    assert torch.equal(orders[0], orders[1])
    assert not torch.equal(orders[0], orders[2])
    z, _ = Permutation(50, generator())(torch.arange(50.0)[None])
    assert z[0].tolist() != list(range(50))
    assert sorted(z[0].tolist()) == list(range(50))


def test_the_linear_map_starts_as_the_rotation_drawn():
    rotation = torch.linalg.qr(torch.randn(9, 9, generator=generator())).Q
    z, ladj = LULinear(9, generator())(torch.eye(9))
    torch.testing.assert_close(z @ z.T, torch.eye(9), atol=1e-5, rtol=0)
    torch.testing.assert_close(z, rotation.T, atol=1e-5, rtol=0)
    torch.testing.assert_close(ladj, torch.zeros(9), atol=1e-5, rtol=0)


def test_the_linear_map_is_p_l_u():
    linear, x = moved(LULinear(5, generator())), rows(3, 5)
    lower = linear.lower.tril(-1) + torch.eye(5, dtype=F64)
    upper = linear.upper.triu(1) + torch.diag(linear.sign * linear.log_scale.exp())
    permutation = torch.eye(5, dtype=F64)[linear.order]
    torch.testing.assert_close(linear(x)[0], x @ (permutation @ lower @ upper).T)


def hand_set() -> ActNorm:
    actnorm = ActNorm(2).double()
    with torch.no_grad():
        actnorm.b.copy_(torch.tensor([1.0, -2.0]))
        actnorm.logs.copy_(torch.tensor([math.log(2) / 3, math.log(5) / 3]))
    return actnorm


def test_actnorm_by_hand():
    z, ladj = hand_set()(torch.tensor([[1.0, 2.0], [3.0, 6.0]], dtype=F64))
    torch.testing.assert_close(z, torch.tensor([[4.0, 0.0], [8.0, 20.0]], dtype=F64))
    torch.testing.assert_close(ladj, torch.full((2,), math.log(10), dtype=F64))
    x = hand_set().inverse(torch.tensor([[4.0, 20.0]], dtype=F64))
    torch.testing.assert_close(x, torch.tensor([[1.0, 6.0]], dtype=F64))


def test_the_random_start_fills_the_glorot_range():
    actnorm = ActNorm(383, generator=torch.Generator().manual_seed(0))
    for values in (actnorm.b, actnorm.logs):
        assert 0.12 < values.max() <= 0.125
        assert -0.125 <= values.min() < -0.12


def test_initialize_standardizes_the_rows_it_saw():
    z = ActNorm(4).double().initialize(5 + rows(50, 4) * torch.tensor([0.01, 1.0, 7.0, 100.0]))
    torch.testing.assert_close(z.mean(0), torch.zeros(4, dtype=F64), atol=1e-9, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(4, dtype=F64))


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
