"""Arrays that are not those of such a flow are refused in a sentence."""

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig

D = 9


@pytest.mark.parametrize(
    ("n_features", "options"),
    [
        (8, {}),
        (10**12, {}),
        (D, {"depth": 32}),
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
