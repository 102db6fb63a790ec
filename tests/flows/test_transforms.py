"""The contract of transforms, the papers' formulas by hand, and the structure of a flow."""

import math

import pytest
import torch
import torch_rows
from torch import Tensor
from torch.autograd.functional import jacobian
from torch_rows import F64, generator, rows

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.rows import layer_names
from bertflow_core.flows.transforms import ActNorm, AdditiveCoupling, Permutation

D = 7
"""Odd, so that the halves of a coupling differ."""

FACTORIES = {
    "actnorm": lambda g: ActNorm(D),
    "actnorm, random start": lambda g: ActNorm(D, generator=g),
    "reversal": lambda g: Permutation(D),
    "random permutation": lambda g: Permutation(D, g),
    "additive": lambda g: AdditiveCoupling(D, 4, g),
    "additive, random start": lambda g: AdditiveCoupling(D, 4, g, random_start=True),
}


def moved(transform):
    """Return a transform away from its start, where much of it would be zero."""
    return torch_rows.moved(transform.double(), 0.3)


def log_dets(function, x: Tensor) -> Tensor:
    each = [jacobian(lambda r: function(r[None])[0], row) for row in x]
    return torch.linalg.slogdet(torch.stack(each)).logabsdet


@pytest.mark.parametrize("name", FACTORIES)
def test_every_transform_is_a_bijection_of_each_row_with_its_log_determinant(name):
    transform, x = moved(FACTORIES[name](generator())), rows(4, D)
    assert [part.shape for part in transform(rows(0, D))] == [(0, D), (0,)]
    z, ladj = transform(x)
    assert (z.shape, ladj.shape) == ((4, D), (4,)) and not torch.allclose(z, x)
    torch.testing.assert_close(transform.inverse(z), x)
    torch.testing.assert_close(transform(transform.inverse(x))[0], x)
    torch.testing.assert_close(log_dets(lambda r: transform(r)[0], x), ladj)
    torch.testing.assert_close(log_dets(transform.inverse, z.detach()), -ladj)
    for whole, one in (
        (z, lambda row: transform(row)[0]),
        (ladj, lambda row: transform(row)[1]),
        (transform.inverse(x), transform.inverse),
    ):
        torch.testing.assert_close(whole, torch.cat([one(row[None]) for row in x]))
    started = transform.initialize(rows(16, D))
    assert not started.requires_grad
    torch.testing.assert_close(started, transform(rows(16, D))[0].detach())


def network_by_hand(network, x: Tensor) -> Tensor:
    h = ((x @ network.weight1.T + network.actnorm1.b) * (3 * network.actnorm1.logs).exp()).relu()
    h = ((h @ network.weight2.T + network.actnorm2.b) * (3 * network.actnorm2.logs).exp()).relu()
    return (h @ network.weight3.T + network.c) * (3 * network.logs).exp()


@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_a_coupling_is_equations_5_and_6(d):
    coupling, x = moved(AdditiveCoupling(d, width=4, generator=generator())), rows(5, d)
    z, half = coupling(x)[0], d // 2
    assert torch.equal(z[:, :half], x[:, :half])
    out = network_by_hand(coupling.network, x[:, :half])
    torch.testing.assert_close(z[:, half:], x[:, half:] + out)
    fresh = AdditiveCoupling(d, width=4, generator=generator()).double()(x)[0]
    torch.testing.assert_close(fresh, x)


def test_the_hidden_weights_start_at_the_stated_spread():
    network = AdditiveCoupling(384, width=64, generator=generator()).network
    for weight in (network.weight1, network.weight2):
        assert weight.std().item() == pytest.approx(0.05, rel=0.05)
        assert weight.mean().item() == pytest.approx(0, abs=2e-3)


def is_standard(z: Tensor) -> None:
    d = z.shape[1]
    torch.testing.assert_close(z.mean(0), torch.zeros(d, dtype=F64), atol=1e-9, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(d, dtype=F64))


def test_initialize_standardizes_the_rows_it_saw_also_inside_the_network():
    is_standard(ActNorm(4).double().initialize(5 + rows(50, 4) * torch.tensor([0.01, 1, 7, 100])))
    coupling, x = moved(AdditiveCoupling(6, width=4, generator=generator())), rows(64, 6)
    coupling.initialize(x)
    network = coupling.network
    first = network.actnorm1.normalized(x[:, :3] @ network.weight1.T)
    is_standard(first)
    is_standard(network.actnorm2.normalized(first.relu() @ network.weight2.T))
    flow = Flow(8, GlowConfig(), dtype=F64)
    x = rows(100, 8) @ rows(8, 8) + 4
    flow.initialize(x)
    is_standard(flow.to_latent(x))


def test_the_order_of_features_is_a_reversal_or_drawn():
    assert Permutation(3)(torch.tensor([[1.0, 2.0, 3.0]]))[0].tolist() == [[3.0, 2.0, 1.0]]
    orders = [Permutation(50, generator(seed)).order.tolist() for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0]) == list(range(50))


def test_actnorm_by_hand():
    actnorm = ActNorm(2).double()
    with torch.no_grad():
        actnorm.b.copy_(torch.tensor([1.0, -2.0]))
        actnorm.logs.copy_(torch.tensor([math.log(2) / 3, math.log(5) / 3]))
    z, ladj = actnorm(torch.tensor([[1.0, 2.0], [3.0, 6.0]], dtype=F64))
    torch.testing.assert_close(z, torch.tensor([[4.0, 0.0], [8.0, 20.0]], dtype=F64))
    torch.testing.assert_close(ladj, torch.full((2,), math.log(10), dtype=F64))


def test_a_random_start_of_actnorm_fills_the_glorot_range():
    random = ActNorm(383, generator=generator())
    for values in (random.b, random.logs):
        assert 0.12 < values.max() <= 0.125
        assert -0.125 <= values.min() < -0.12


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
def test_identical_rows_are_only_centred_and_rounding_of_a_large_constant_is_no_spread(n, dtype):
    actnorm = ActNorm(5).to(dtype)
    assert not actnorm.initialize(rows(1, 5, dtype=dtype).expand(n, 5) / 3).any()
    assert not actnorm.logs.any()
    for constant in (100.0, -100.0):
        x = rows(64, 3, dtype=torch.float32) * 1e-3
        x[:, 1] = constant
        x[::7, 1] += 7.7e-6  # one unit in the last place
        actnorm = ActNorm(3)
        actnorm.initialize(x)
        assert [bool(value) for value in actnorm.logs] == [True, False, True]


def test_only_the_first_actnorm_of_all_levels_takes_small_rows_for_rows_of_another_scale():
    noise = 1e-9 * rows(100, 8)
    flow = Flow(8, GlowConfig(depth=2), dtype=F64)
    spreads = [a.initialize(noise[:, : len(a.b)]).std().item() for a, _, _ in flow.steps()]
    assert spreads == pytest.approx([1, 1e-9, 1e-9, 1e-9], rel=0.1)


@pytest.mark.parametrize(
    ("n_features", "n_levels", "expected"),
    [(768, 2, 127_872), (768, 3, 151_488), (1024, 2, 168_192), (1024, 3, 198_528)],
)
def test_the_number_of_parameters_is_the_reference_codes(n_features, n_levels, expected):
    flow = Flow(n_features, GlowConfig(n_levels=n_levels))
    assert sum(parameter.numel() for parameter in flow.parameters()) == expected


def test_level_l_holds_steps_of_the_first_features_over_two_to_the_l_named_from_one():
    flow, x = Flow(13, GlowConfig(n_levels=3, depth=1)), torch.ones(2, 13)
    assert [n for n, _ in flow.parts()] == [13, 6, 3]
    assert [len(actnorm.b) for actnorm, _, _ in flow.steps()] == [13, 6, 3]
    for step in flow.steps():
        assert [type(part) for part in step] == [ActNorm, Permutation, AdditiveCoupling]
    before = flow.to_latent(x)
    with torch.no_grad():
        flow.steps()[1][0].b += 1
    assert ((flow.to_latent(x) - before).abs().sum(0) > 0)[6:].sum() == 0
    assert layer_names(Flow(8, GlowConfig(2, 2, 7, "reversal"))) == tuple(
        f"level {level}, flow step {step}: {part}"
        for level in (1, 2)
        for step in (1, 2)
        for part in ("ActNorm", "reversal", "additive coupling")
    )
    assert layer_names(Flow(8, GlowConfig(1, 1)))[0] == "flow step 1: ActNorm"


@pytest.mark.parametrize(("n_features", "n_levels"), [(1, 1), (3, 2), (7, 3)])
def test_too_few_features_for_the_levels(n_features, n_levels):
    with pytest.raises(InputError, match=rf"at least 2\*\*{n_levels}, got {n_features}; lower"):
        Flow(n_features, GlowConfig(n_levels=n_levels))
    flow = Flow(n_features + 1, GlowConfig(n_levels=n_levels))  # one more is enough
    assert flow.log_prob(torch.zeros(2, n_features + 1)).isfinite().all()
    for use in (flow.log_prob, flow.from_latent):
        with pytest.raises(InputError, match="expected rows of"):
            use(torch.zeros(2, n_features + 2))
