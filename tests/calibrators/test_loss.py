"""What each calibrator loses, known beforehand."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.base import InformationLost, information_lost

D = 12
RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, D)) @ RNG.normal(size=(D, D)) + 5 * RNG.normal(size=D)


def lost(spec, x=X):
    return information_lost(build_calibrator(spec, device="cpu").fit(x), x)


def test_the_identity_loses_nothing():
    assert lost("identity") == InformationLost(D, D, 0, 0.0)


@pytest.mark.parametrize(
    ("spec", "n"),
    [
        ("null-top-k:k=3", 3),
        ("null-top-k:k=0", 0),
        ("all-but-the-top", 1),
        ("common-component:k=2", 2),
        ("whiten", 0),
        ("whiten:n_components=5", 7),
        ("soft-whiten", 0),
        ("standardize+null-top-k:k=4", 4),
        ("flow", 0),
        ("rbig", 0),
        ("realnvp", 0),
    ],
)
def test_as_many_directions_are_lost_as_are_removed(spec, n):
    found = lost(spec)
    assert (found.rank_in, found.rank_out, found.rank_lost) == (D, D - n, n)
    if n:
        assert found.round_trip is None
    else:
        assert found.round_trip < (1e-5 if spec == "flow" else 1e-10)


def test_what_the_embeddings_never_had_is_not_lost():
    x = X.astype(np.float32)
    x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    found = lost("whiten", x)
    assert (found.rank_in, found.rank_out, found.rank_lost) == (D - 1, D - 1, 0)
    assert found.round_trip is None


def test_one_leading_direction_does_not_hide_the_others():
    x = X.copy()
    x[:, 0] *= 1e4
    assert lost("null-top-k:k=2", x).rank_lost == 2


def test_the_round_trip_is_the_worst_row_s_relative_error():
    x = X[:200]
    fitted = build_calibrator("standardize").fit(x)
    fitted.inverse_transform = lambda z: fitted._inverse_transform(z) + 0.5
    found = information_lost(fitted, x)
    expected = 0.5 * np.sqrt(D) / np.linalg.norm(x, axis=1).min()
    assert found.round_trip == pytest.approx(expected, rel=1e-9)


def test_equal_rows_have_no_direction():
    x = np.ones((5, D))
    assert information_lost(build_calibrator("identity").fit(x), x).rank_in == 0
