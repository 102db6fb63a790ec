import numpy as np
import pytest

from bertflow_core.analysis.isotropy import iso_score
from bertflow_core.analysis.spectrum import (
    effective_rank,
    participation_ratio,
    singular_spectrum,
    top_share,
)

RNG = np.random.default_rng(0)


def test_singular_values_are_those_of_the_centred_rows():
    x = RNG.normal(size=(50, 8)) @ RNG.normal(size=(8, 8)) + 9
    expected = np.linalg.svd(x - x.mean(0), compute_uv=False) / np.sqrt(49)
    result = singular_spectrum(x)
    np.testing.assert_allclose(result.singular_values, expected, rtol=1e-9)
    np.testing.assert_allclose(result.variances, np.linalg.eigvalsh(np.cov(x.T))[::-1], rtol=1e-9)
    assert result.rank == 8


def test_a_line_has_one_direction():
    x = np.outer(RNG.normal(size=30), RNG.normal(size=6)) + 2
    result = singular_spectrum(x)
    assert result.rank == 1
    assert result.singular_values[0] == pytest.approx(np.linalg.norm(x.std(axis=0, ddof=1)))
    np.testing.assert_allclose(result.singular_values[1:], 0, atol=1e-6)
    assert effective_rank(result.variances) == pytest.approx(1, abs=1e-6)
    assert participation_ratio(result.variances) == pytest.approx(1, abs=1e-6)
    assert top_share(result.variances, 1) == pytest.approx(1)


@pytest.mark.parametrize("k", [1, 4, 9])
def test_equal_directions_are_counted(k):
    variances = np.repeat([3.0, 0.0], [k, 9 - k])
    assert effective_rank(variances) == pytest.approx(k)
    assert participation_ratio(variances) == pytest.approx(k)
    assert top_share(variances, 1) == pytest.approx(1 / k)


def test_hand_computed_values():
    """Variances 2, 1, 1: entropy 1.5 log 2, and 16 / 6."""
    variances = np.array([2.0, 1.0, 1.0])
    assert effective_rank(variances) == pytest.approx(2**1.5)
    assert participation_ratio(variances) == pytest.approx(16 / 6)
    assert [top_share(variances, k) for k in (1, 2, 3, 9)] == [0.5, 0.75, 1, 1]


def test_iso_score_is_the_participation_ratio_from_zero_to_one():
    x = RNG.normal(size=(40, 7)) * np.arange(1, 8)
    ratio = participation_ratio(singular_spectrum(x).variances)
    assert iso_score(x) == pytest.approx((ratio - 1) / 6)
