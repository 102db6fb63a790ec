"""The arrangement of Glow's steps over levels, and the words that configure it."""

import dataclasses
import json

import pytest
import torch

from bertflow_core.errors import InputError
from bertflow_core.flows import (
    ActNorm,
    AdditiveCoupling,
    Coupling,
    Flow,
    GlowConfig,
    LeadingTransform,
    LULinear,
    Permutation,
    RandomPermutation,
    Reversal,
    build_glow,
)

F64 = torch.float64


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


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
    glow = build_glow(6, GlowConfig(n_levels=1, depth=2), generator=generator())
    kinds = [type(part) for part in glow.transforms[0].transforms]
    assert kinds == [ActNorm, RandomPermutation, AdditiveCoupling] * 2


def test_level_l_holds_the_first_features_over_two_to_the_l():
    glow = build_glow(13, GlowConfig(n_levels=3, depth=1), generator=generator())
    assert [len(part.b) for part in parts(glow, ActNorm) if len(part.b) != 32] == [13, 6, 3]


def test_a_leading_transform_leaves_the_rest():
    x = torch.arange(10.0).reshape(2, 5)
    z, _ = LeadingTransform(Reversal(), 3)(x)
    assert z.tolist() == [[2.0, 1.0, 0.0, 3.0, 4.0], [7.0, 6.0, 5.0, 8.0, 9.0]]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("reversal", Reversal), ("random", RandomPermutation), ("linear", LULinear)],
)
def test_the_permutation_is_chosen_by_name(name, kind):
    glow = build_glow(8, GlowConfig(permutation=name), generator=generator())
    assert len(parts(glow, kind)) == 6


def test_the_random_start_reaches_every_actnorm():
    flow = Flow(8, GlowConfig(initialization="random"))
    assert all(part.b.all() and part.logs.all() for part in parts(flow, ActNorm))


def test_the_data_start_leaves_every_actnorm_to_initialize():
    assert not any(
        part.b.any() or part.logs.any() for part in parts(Flow(8, GlowConfig()), ActNorm)
    )


def test_initialize_standardizes_the_latent_rows_of_a_default_flow():
    flow = Flow(8, GlowConfig(), dtype=F64)
    x = torch.randn(100, 8, generator=generator(), dtype=F64) @ torch.randn(8, 8, dtype=F64) + 4
    flow.initialize(x)
    z = flow.to_latent(x)
    torch.testing.assert_close(z.mean(0), torch.zeros(8, dtype=F64), atol=1e-9, rtol=0)
    torch.testing.assert_close(z.std(0, correction=0), torch.ones(8, dtype=F64))


@pytest.mark.parametrize(("n_features", "n_levels"), [(1, 1), (3, 2), (7, 3), (384, 10**9)])
def test_too_few_features_for_the_levels(n_features, n_levels):
    with pytest.raises(InputError, match=rf"at least 2\*\*{n_levels}, got {n_features}; lower"):
        Flow(n_features, GlowConfig(n_levels=n_levels))


@pytest.mark.parametrize(("n_features", "n_levels"), [(2, 1), (4, 2), (5, 2), (8, 3), (9, 3)])
def test_just_enough_features(n_features, n_levels):
    flow = Flow(n_features, GlowConfig(n_levels=n_levels))
    assert flow.log_prob(torch.zeros(2, n_features)).isfinite().all()


def test_names_become_members():
    assert GlowConfig(coupling="affine").coupling is Coupling.AFFINE
    assert GlowConfig(permutation=Permutation.LINEAR).permutation is Permutation.LINEAR


@pytest.mark.parametrize("name", ["coupling", "permutation", "initialization"])
@pytest.mark.parametrize("value", ["none", "", None, 3, ["affine"]])
def test_an_unknown_name_is_answered_with_the_valid_ones(name, value):
    valid = {
        "coupling": "'additive', 'affine'",
        "permutation": "'random', 'reversal', 'linear'",
        "initialization": "'data', 'random'",
    }
    with pytest.raises(InputError, match=f"unknown {name}: expected one of {valid[name]}, got"):
        GlowConfig(**{name: value})


@pytest.mark.parametrize("name", ["n_levels", "depth", "coupling_width"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2", None, 2**63])
def test_a_count_out_of_range_is_refused(name, value):
    with pytest.raises(InputError, match=f"{name} is out of range: expected an integer"):
        GlowConfig(**{name: value})


def test_a_configuration_survives_json():
    config = GlowConfig(3, 2, 16, "affine", "linear", "random")
    assert GlowConfig.from_mapping(json.loads(json.dumps(dataclasses.asdict(config)))) == config


def test_an_unknown_option_is_refused():
    with pytest.raises(
        InputError, match=r"unknown flow options: expected some of .*, got \['levels'\]; remove"
    ):
        GlowConfig.from_mapping({"levels": 2})
