"""The way through a flow, layer by layer, against autograd and the flow itself."""

import math

import pytest
import torch
from torch.autograd.functional import jacobian
from torch_rows import moved

from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.glow import log_base
from bertflow_core.flows.rows import trace

CONFIGS = {
    "the paper's": GlowConfig(n_levels=2, depth=2, coupling_width=5),
    "affine and linear": GlowConfig(1, 2, 5, "affine", "linear"),
    "random permutations": GlowConfig(2, 1, 4, "affine", "random"),
}
D = 5


@pytest.fixture(params=CONFIGS, ids=str)
def flow(request):
    """A flow moved away from its start, where much of it would be zero."""
    return moved(Flow(D, CONFIGS[request.param], seed=3, dtype=torch.float64), 0.3, 1)


@pytest.fixture
def x():
    return torch.randn(4, D, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


def total(found):
    """The log-density: that of the base, and what each layer adds."""
    return log_base(found.states[-1]) + found.ladj.sum(0)


def test_it_begins_at_the_data_and_ends_in_the_latent_space(flow, x):
    found = trace(flow, x)
    assert torch.equal(found.states[0], x)
    torch.testing.assert_close(found.states[-1], flow.to_latent(x).detach())
    layers = 3 * flow.glow.depth * flow.glow.n_levels
    assert found.states.shape == (layers + 1, 4, D)
    assert found.ladj.shape == (layers, 4)


def test_the_terms_sum_to_what_autograd_and_the_normal_density_give(flow, x):
    found = trace(flow, x)
    for row in range(len(x)):
        matrix = jacobian(lambda r: flow.to_latent(r[None])[0], x[row])
        log_det = torch.linalg.slogdet(matrix).logabsdet
        z = flow.to_latent(x[row : row + 1])[0].detach()
        normal = torch.distributions.MultivariateNormal(
            torch.zeros(D, dtype=x.dtype), torch.eye(D, dtype=x.dtype)
        )
        torch.testing.assert_close(found.ladj[:, row].sum(), log_det)
        torch.testing.assert_close(log_base(found.states[-1])[row], normal.log_prob(z))
        torch.testing.assert_close(total(found)[row], normal.log_prob(z) + log_det)


def test_the_terms_up_to_a_layer_are_the_volume_up_to_there(flow, x):
    found = trace(flow, x)
    for layer in range(1, len(found.names) + 1):
        matrix = jacobian(lambda r, n=layer: trace_with_gradient(flow, r[None], n)[0], x[0])
        log_det = torch.linalg.slogdet(matrix).logabsdet
        torch.testing.assert_close(found.ladj[:layer, 0].sum(), log_det)


def trace_with_gradient(flow, x, n):
    """Apply the first n bijections by hand, level by level and step by step."""
    parts = [(lead, part) for lead, parts in flow.parts() for part in parts]
    for lead, part in parts[:n]:
        x = torch.cat([part(x[:, :lead])[0], x[:, lead:]], dim=1)
    return x


def test_an_untrained_layer_without_data_changes_no_volume():
    flow = Flow(4, GlowConfig(n_levels=1, depth=2, coupling_width=3))
    found = trace(flow, torch.ones(2, 4))
    assert found.ladj.abs().max() == 0
    assert total(found)[0].item() == pytest.approx(-2 - 2 * math.log(2 * math.pi))
