"""The arrangement of Glow's steps over levels, and the words that configure it."""

import pytest
import torch
from torch_rows import F64, generator

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.glow import ActNorm, AdditiveCoupling, Permutation


def parts(transform, kind: type) -> list:
    return [module for module in transform.modules() if isinstance(module, kind)]


@pytest.mark.parametrize(
    ("n_features", "n_levels", "expected"),
    [(768, 2, 127_872), (768, 3, 151_488), (1024, 2, 168_192), (1024, 3, 198_528)],
)
def test_the_number_of_parameters_is_the_reference_codes(n_features, n_levels, expected):
    flow = Flow(n_features, GlowConfig(n_levels=n_levels))
    assert sum(parameter.numel() for parameter in flow.parameters()) == expected


def test_a_step_is_actnorm_then_permutation_then_coupling():
    flow = Flow(6, GlowConfig(n_levels=1, depth=2))
    [(_, parts_of_level)] = flow.parts()
    kinds = [type(part) for part in parts_of_level]
    assert kinds == [ActNorm, Permutation, AdditiveCoupling] * 2


def test_level_l_holds_the_first_features_over_two_to_the_l():
    flow, x = Flow(13, GlowConfig(n_levels=3, depth=1)), torch.ones(2, 13)
    assert [n for n, _ in flow.parts()] == [13, 6, 3]
    assert [len(actnorm.b) for actnorm, _, _ in flow.steps()] == [13, 6, 3]
    before = flow.to_latent(x)
    with torch.no_grad():
        flow.steps()[1][0].b += 1
    assert ((flow.to_latent(x) - before).abs().sum(0) > 0)[6:].sum() == 0


def test_initialize_standardizes_the_latent_rows_of_a_default_flow():
    flow = Flow(8, GlowConfig(), dtype=F64)
    x = torch.randn(100, 8, generator=generator(), dtype=F64) @ torch.randn(8, 8, dtype=F64) + 4
    flow.initialize(x)
    z = flow.to_latent(x)
    torch.testing.assert_close(z.mean(0), torch.zeros(8, dtype=F64), atol=1e-9, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(8, dtype=F64))


def test_only_the_first_actnorm_of_all_levels_takes_small_rows_for_rows_of_another_scale():
    noise = 1e-9 * torch.randn(100, 8, generator=generator(), dtype=F64)
    flow = Flow(8, GlowConfig(depth=2), dtype=F64)
    spreads = [a.initialize(noise[:, : len(a.b)]).std().item() for a, _, _ in flow.steps()]
    assert spreads == pytest.approx([1, 1e-9, 1e-9, 1e-9], rel=0.1)


@pytest.mark.parametrize(("n_features", "n_levels"), [(1, 1), (3, 2), (7, 3), (384, 10**9)])
def test_too_few_features_for_the_levels(n_features, n_levels):
    with pytest.raises(InputError, match=rf"at least 2\*\*{n_levels}, got {n_features}; lower"):
        Flow(n_features, GlowConfig(n_levels=n_levels))
    if n_features < 10:  # one more is enough
        flow = Flow(n_features + 1, GlowConfig(n_levels=n_levels))
        assert flow.log_prob(torch.zeros(2, n_features + 1)).isfinite().all()
