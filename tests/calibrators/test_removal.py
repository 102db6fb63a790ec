"""The removals against numpy's SVD, and the rule for k."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.removal import AllButTheTop
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 10)) @ RNG.normal(size=(10, 10)) + 5 * RNG.normal(size=10)


@pytest.mark.parametrize("k", [1, 4])
def test_all_but_the_top_is_the_svd_of_the_centred_embeddings_without_its_head(k):
    centred = X - X.mean(0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    expected = (u[:, k:] * s[k:]) @ vt[k:]
    np.testing.assert_allclose(
        build_calibrator(f"all-but-the-top:k={k}").fit(X).transform(X), expected, atol=1e-9
    )


@pytest.mark.parametrize(("d", "k"), [(2, 1), (12, 1), (149, 1), (151, 2), (384, 4), (768, 8)])
def test_the_rule_takes_one_direction_in_a_hundred(d, k):
    fitted = AllButTheTop().fit(np.random.default_rng(1).normal(size=(20, d)))
    assert fitted.directions_.shape == (d, k)


@pytest.mark.parametrize("k", [1, 3])
def test_the_common_component_is_the_head_of_the_uncentred_svd(k):
    u, s, vt = np.linalg.svd(X, full_matrices=False)
    expected = (u[:, k:] * s[k:]) @ vt[k:]
    z = build_calibrator(f"common-component:k={k}").fit(X).transform(X)
    np.testing.assert_allclose(z, expected, atol=1e-9)
    assert np.abs(z - build_calibrator(f"null-top-k:k={k}").fit(X).transform(X)).max() > 0.1


def test_directions_removed_without_variance_are_reported():
    x = X[:3]
    note = "2 of the 4 directions removed have no variance"
    assert build_calibrator("null-top-k:k=4").fit(x).notes_ == (note,)
    assert build_calibrator("null-top-k:k=2").fit(x).notes_ == ()


@pytest.mark.parametrize("spec", ["all-but-the-top:k=10", "common-component:k=10"])
def test_more_directions_than_features_are_refused(spec):
    with pytest.raises(InputError, match="k must be below the number of features"):
        build_calibrator(spec).fit(X)
