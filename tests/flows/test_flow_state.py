"""A flow comes back from its arrays bit for bit, and other arrays are refused in a sentence."""

import numpy as np
import pytest
import torch
from torch_rows import rows

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow

D = 9
CONFIGS = {
    "default": GlowConfig(),
    "affine, random": GlowConfig(3, 1, 4, "affine", "random", "random"),
    "linear": GlowConfig(2, 2, 4, "additive", "linear"),
}


def fitted(glow: GlowConfig, dtype: torch.dtype = torch.float32) -> Flow:
    return fit_flow(rows(200, D, dtype=dtype), glow=glow, training=TrainingConfig(seed=5)).flow


@pytest.fixture(params=CONFIGS, ids=str)
def glow(request: pytest.FixtureRequest) -> GlowConfig:
    return CONFIGS[request.param]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_flow_from_its_arrays_is_equal_bit_for_bit(glow, dtype):
    flow, x = fitted(glow, dtype), rows(50, D, dtype=dtype)
    again = Flow.from_arrays(D, glow, flow.arrays(), seed=5, dtype=dtype)
    assert (again.n_features, again.glow, again.seed) == (D, glow, 5)
    assert torch.equal(again.to_latent(x), flow.to_latent(x))
    assert torch.equal(again.log_prob(x), flow.log_prob(x))
    assert torch.equal(again.from_latent(x), flow.from_latent(x))


@pytest.mark.parametrize(
    ("n_features", "options"),
    [
        (10, {}),
        (8, {}),
        (10**12, {}),
        (D, {"depth": 2}),
        (D, {"depth": 32}),
        (D, {"coupling_width": 1024}),
        (D, {"permutation": "linear"}),
        (D, {"coupling": "affine"}),
    ],
)
def test_an_architecture_that_does_not_fit_is_refused(n_features, options):
    arrays = Flow(D, GlowConfig()).arrays()
    with pytest.raises(InputError, match=r"expected .*got "):
        Flow.from_arrays(n_features, GlowConfig(**options), arrays)


def change(name: str, function):
    def apply(arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = function(arrays[name])

    return apply


B = "transform.transforms.0.transforms.0.b"
ORDER = "transform.transforms.0.transforms.1.order"


@pytest.mark.parametrize(
    "damage",
    [
        lambda arrays: arrays.pop(B),
        lambda arrays: arrays.update(extra=np.zeros(3)),
        change(B, lambda b: b[:-1]),
        change(B, lambda b: b[None]),
        change(B, lambda b: b.astype(np.float64)),
        change(B, lambda b: b * np.nan),
        change(ORDER, lambda order: order * 0),
        change(ORDER, lambda order: order + 1),
    ],
)
def test_arrays_that_do_not_fit_are_refused(damage):
    arrays = Flow(D, GlowConfig()).arrays()
    damage(arrays)
    with pytest.raises(InputError, match=r"tensor '.*' (does not fit|is damaged).*; save the"):
        Flow.from_arrays(D, GlowConfig(), arrays)
