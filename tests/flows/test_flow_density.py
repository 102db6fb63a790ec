"""A flow's density and layers against scipy and autograd; and flows restored from arrays."""

import math

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal
from torch import Tensor
from torch.autograd.functional import jacobian
from torch_rows import F64, moved, rows

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow
from bertflow_core.flows.glow import log_base
from bertflow_core.flows.rows import trace

CONFIGS = {
    "the paper's": GlowConfig(coupling_width=4),
    "one level, reversed": GlowConfig(1, 2, 5, "reversal"),
    "random start": GlowConfig(2, 1, 4, "random", "random"),
}
every_config = pytest.mark.parametrize("glow", CONFIGS.values(), ids=CONFIGS)


def moved_flow(d: int, glow: GlowConfig) -> Flow:
    """A flow away from its start, where every coupling would be the identity."""
    return moved(Flow(d, glow, dtype=F64), 0.2)


@pytest.mark.parametrize("d", [4, 5, 9])
def test_a_flow_whose_couplings_add_nothing_is_the_normal_of_scipy_and_so_are_its_samples(d):
    flow = Flow(d, GlowConfig(coupling_width=4), seed=3, dtype=F64)
    flow.initialize(2 + rows(100, d) * torch.arange(1, d + 1))
    with torch.no_grad():
        mean = flow.from_latent(torch.zeros(1, d, dtype=F64))
        root = flow.from_latent(torch.eye(d, dtype=F64)) - mean
        drawn = flow.from_latent(rows(100_000, d, seed=0))
    mean, covariance, x = mean[0], root.T @ root, 2 * rows(20, d)
    expected = multivariate_normal(mean.numpy(), covariance.numpy()).logpdf(x.numpy())
    torch.testing.assert_close(flow.log_prob(x).detach(), torch.tensor(expected))
    scale = math.sqrt(covariance.diagonal().max())
    torch.testing.assert_close(drawn.mean(0), mean, atol=0.015 * scale, rtol=0)
    torch.testing.assert_close(drawn.T.cov(), covariance, atol=0.02 * scale**2, rtol=0)


@every_config
def test_ladj_of_a_whole_flow_is_that_of_the_autograd_jacobian_either_way(glow):
    flow, x = moved_flow(7, glow), rows(3, 7)
    z, found = flow.to_latent(x).detach(), flow.log_abs_det_jacobian(x)
    torch.testing.assert_close(flow.from_latent(z), x)
    for function, at, expected in ((flow.to_latent, x, found), (flow.from_latent, z, -found)):
        each = [jacobian(lambda row, f=function: f(row[None])[0], row) for row in at]
        torch.testing.assert_close(torch.linalg.slogdet(torch.stack(each)).logabsdet, expected)
    alone = torch.cat([flow.from_latent(row[None]) for row in z])
    torch.testing.assert_close(flow.from_latent(z), alone)


@every_config
def test_the_way_through_the_layers_is_the_volume_up_to_each_and_ends_in_the_density(glow):
    flow, x = moved_flow(5, glow), rows(4, 5)
    found = trace(flow, x)
    n_layers = 3 * glow.depth * glow.n_levels
    assert found.states.shape == (n_layers + 1, 4, 5) and found.ladj.shape == (n_layers, 4)
    assert torch.equal(found.states[0], x) and len(found.names) == n_layers
    z = flow.to_latent(x).detach()
    torch.testing.assert_close(found.states[-1], z)
    torch.testing.assert_close(found.ladj.sum(0), flow.log_abs_det_jacobian(x))
    torch.testing.assert_close(flow.from_latent(z), x)
    total = log_base(found.states[-1]) + found.ladj.sum(0)
    torch.testing.assert_close(total, flow.log_prob(x).detach())
    parts = [(lead, part) for lead, each in flow.parts() for part in each]

    def first(row: Tensor, n: int) -> Tensor:
        """Apply the first n bijections by hand."""
        h = row[None]
        for lead, part in parts[:n]:
            h = torch.cat([part(h[:, :lead])[0], h[:, lead:]], dim=1)
        return h[0]

    for layer in range(1, n_layers + 1):
        torch.testing.assert_close(found.states[layer, 0], first(x[0], layer).detach())
        matrix = jacobian(lambda row, n=layer: first(row, n), x[0])
        log_det = torch.linalg.slogdet(matrix).logabsdet
        torch.testing.assert_close(found.ladj[:layer, 0].sum(), log_det)


def test_one_seed_gives_one_start_in_both_dtypes():
    glow = GlowConfig(initialization="random")
    single, double, other = (
        torch.cat([p.flatten() for p in Flow(8, glow, seed=seed, dtype=dtype).parameters()])
        for seed, dtype in ((0, torch.float32), (0, F64), (1, F64))
    )
    assert torch.equal(single.double(), double)
    assert not torch.equal(double, other)


D = 9
B, ORDER = "levels.0.0.b", "levels.0.1.order"


@every_config
@pytest.mark.parametrize("dtype", [torch.float32, F64])
def test_a_flow_from_its_arrays_is_equal_bit_for_bit(glow, dtype):
    x = rows(200, D, dtype=dtype)
    flow = fit_flow(x, glow=glow, training=TrainingConfig(seed=5)).flow
    again = Flow.from_arrays(D, glow, flow.arrays(), seed=5, dtype=dtype)
    assert (again.n_features, again.glow, again.seed) == (D, glow, 5)
    for name in ("to_latent", "log_prob", "from_latent"):
        assert torch.equal(getattr(again, name)(x), getattr(flow, name)(x))


@pytest.mark.parametrize(
    ("n_features", "options"),
    [
        *((n_features, {}) for n_features in (8, 10, 10**12)),
        *((D, {"depth": depth}) for depth in (2, 32)),
        (D, {"coupling_width": 1024}),
        (D, {"permutation": "reversal"}),
    ],
)
def test_an_architecture_that_does_not_fit_is_refused(n_features, options):
    arrays = Flow(D, GlowConfig()).arrays()
    with pytest.raises(InputError, match=r"expected .*got "):
        Flow.from_arrays(n_features, GlowConfig(**options), arrays)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("extra", lambda _: np.zeros(3)),
        (B, lambda b: None),  # it is missing
        (B, lambda b: b[:-1]),
        (B, lambda b: b[None]),
        (B, lambda b: b.astype(np.float64)),
        (B, lambda b: b * np.nan),
        (ORDER, lambda order: order * 0),
        (ORDER, lambda order: order + 1),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, changed):
    arrays = Flow(D, GlowConfig()).arrays()
    arrays[name] = changed(arrays.get(name))
    with pytest.raises(InputError, match=r"tensor '.*' (does not fit|is damaged).*; save the"):
        Flow.from_arrays(D, GlowConfig(), {k: a for k, a in arrays.items() if a is not None})
