"""Couplings and permutations against the formulas of their papers, written out."""

import pytest
import torch
from torch import Tensor

from bertflow_core.flows.glow import AdditiveCoupling, AffineCoupling, LULinear, Permutation

F64 = torch.float64


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rows(n: int, d: int) -> Tensor:
    return torch.randn(n, d, generator=generator(1), dtype=F64)


def moved(transform):
    transform.double()
    noise = generator(2)
    with torch.no_grad():
        for parameter in transform.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=noise, dtype=F64)
    return transform


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


def test_a_random_permutation_keeps_every_feature_once():
    z, _ = Permutation(50, generator())(torch.arange(50.0)[None])
    assert z[0].tolist() != list(range(50))
    assert sorted(z[0].tolist()) == list(range(50))


def test_the_generator_decides_the_permutation():
    orders = [Permutation(50, generator(seed)).order for seed in (0, 0, 1)]
    assert torch.equal(orders[0], orders[1])
    assert not torch.equal(orders[0], orders[2])


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
