"""Each calibrator that can be exported is dense layers, exactly; each that cannot says why."""

import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.export.dense import dense_layers

D = 13
RNG = np.random.default_rng(0)
X = (RNG.normal(size=(300, D)) @ RNG.normal(size=(D, D)) + 3).astype(np.float32)
N_COUPLINGS = {
    **dict.fromkeys(("identity", "standardize", "null-top-k:k=3", "all-but-the-top"), 0),
    **dict.fromkeys(("common-component", "whiten", "whiten:n_components=4", "soft-whiten"), 0),
    **dict.fromkeys(("soft-whiten:rotation=pca", "ledoit-wolf", "standardize+null-top-k"), 0),
    **{"flow:epochs=3": 6, "flow:epochs=3,permutation=reversal": 6, "flow+whiten": 6},
    **{"flow:permutation=linear,n_levels=3": 9, "whiten:n_components=8+flow:epochs=3": 6},
}
REFUSED = [name for name in CALIBRATORS if name not in str(N_COUPLINGS)]


def fitted(spec):
    return build_calibrator(spec, device="cpu").fit(X)


@pytest.mark.parametrize("spec", N_COUPLINGS)
def test_layers_give_the_calibrators_vectors(spec):
    calibrator = fitted(spec)
    layers = dense_layers(calibrator)
    rows = X.astype(np.float64)
    for layer in layers:
        rows = rows @ layer.matrix.T + layer.shift
        rows = np.maximum(rows, 0) if layer.relu else rows
    np.testing.assert_allclose(rows, calibrator.transform(X), atol=2e-5)
    assert [layer.relu for layer in layers] == [True] * 2 * N_COUPLINGS[spec] + [False]


@pytest.mark.parametrize("spec", ["flow:coupling=affine", "whiten+gaussianize", *REFUSED])
def test_what_dense_layers_cannot_say_is_refused(spec):
    with pytest.raises(InputError, match="cannot be exported: expected"):
        dense_layers(fitted(spec))
