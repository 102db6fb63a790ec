"""Calibrators as dense layers: the same vectors by matrices and ReLU alone."""

import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.pieces import pieces_of

D = 13
RNG = np.random.default_rng(0)
X = (RNG.normal(size=(300, D)) @ RNG.normal(size=(D, D)) + 3).astype(np.float32)
EXACT = [
    *("identity", "standardize", "null-top-k:k=3", "all-but-the-top", "common-component"),
    *("whiten", "whiten:n_components=4", "soft-whiten", "soft-whiten:rotation=pca", "ledoit-wolf"),
    *("flow:epochs=3", "flow:epochs=3,permutation=reversal", "flow:permutation=linear,n_levels=3"),
    *("standardize+null-top-k", "whiten:n_components=8+flow:epochs=3", "flow+whiten"),
]
N_COUPLINGS = {"flow:epochs=3": 6, "flow:permutation=linear,n_levels=3": 9, "flow+whiten": 6}


def fitted(spec):
    return build_calibrator(spec, device="cpu").fit(X)


@pytest.mark.parametrize("spec", EXACT)
def test_layers_give_the_calibrators_vectors(spec):
    calibrator = fitted(spec)
    layers = dense_layers(pieces_of(calibrator), D)
    rows = X.astype(np.float64)
    for layer in layers:
        rows = layer(rows)
    np.testing.assert_allclose(rows, calibrator.transform(X), atol=2e-5)
    assert len(layers) == 2 * N_COUPLINGS.get(spec, len(layers) // 2) + 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("flow:coupling=affine", "affine couplings cannot be exported"),
        *((name, "cannot be exported") for name in CALIBRATORS if name not in str(EXACT)),
    ],
)
def test_what_dense_layers_cannot_say_is_refused(spec, said):
    with pytest.raises(InputError, match=said):
        pieces_of(fitted(spec))
