"""What every transform promises, one property a test, over all of them."""

import pytest
import torch
from torch import Tensor
from torch.autograd.functional import jacobian

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


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rows(n: int, seed: int = 1) -> Tensor:
    return torch.randn(n, D, generator=generator(seed), dtype=torch.float64)


@pytest.fixture(params=FACTORIES, ids=str)
def transform(request: pytest.FixtureRequest) -> Transform:
    """Every transform in turn, moved away from its start, where much of it would be zero."""
    built = FACTORIES[request.param](generator()).double()
    noise = generator(2)
    with torch.no_grad():
        for parameter in built.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=noise, dtype=torch.float64)
    return built


def jacobian_log_det(function, row: Tensor) -> Tensor:
    return torch.linalg.slogdet(jacobian(lambda r: function(r[None])[0][0], row)).logabsdet


def test_shapes(transform):
    z, ladj = transform(rows(3))
    assert (z.shape, ladj.shape) == ((3, D), (3,))


def test_it_changes_the_rows(transform):
    assert not torch.allclose(transform(rows(3))[0], rows(3))


def test_inverse_undoes_forward(transform):
    torch.testing.assert_close(transform.inverse(transform(rows(5))[0]), rows(5))


def test_forward_undoes_inverse(transform):
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


def test_every_parameter_gets_a_gradient(transform):
    z, ladj = transform(rows(16))
    loss = z.pow(4).sum() + ladj.square().sum()
    if loss.requires_grad:
        loss.backward()
    without = [n for n, p in transform.named_parameters() if p.grad is None or not p.grad.any()]
    assert without == []


@pytest.mark.parametrize("direction", ["forward", "inverse"])
def test_inputs_and_state_are_left_untouched(transform, direction):
    x, before = rows(3), {n: t.clone() for n, t in transform.state_dict().items()}
    getattr(transform.train(), direction)(x)
    assert torch.equal(x, rows(3))
    assert all(torch.equal(t, before[n]) for n, t in transform.state_dict().items())


def test_initialize_returns_what_forward_then_gives(transform):
    z = transform.initialize(rows(16))
    assert not z.requires_grad
    torch.testing.assert_close(z, transform(rows(16))[0].detach())


def test_no_rows_give_no_rows(transform):
    z, ladj = transform(rows(0))
    assert (z.shape, ladj.shape) == ((0, D), (0,))
