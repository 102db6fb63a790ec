"""A flow comes back from its arrays bit for bit, and other arrays are refused in a sentence."""

import numpy as np
import pytest
import torch
from torch_rows import rows

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow

D = 9
B = "transform.transforms.0.transforms.0.b"
ORDER = "transform.transforms.0.transforms.1.order"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "glow",
    [
        GlowConfig(),
        GlowConfig(3, 1, 4, "affine", "random", "random"),
        GlowConfig(2, 2, 4, "additive", "linear"),
    ],
    ids=str,
)
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
        (D, {"permutation": "linear"}),
        (D, {"coupling": "affine"}),
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
