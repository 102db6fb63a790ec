"""Detection of rounding error, with numpy's rank and deliberately rounded values."""

import numpy as np
import pytest
import torch

from bertflow_core.arrays.correlation import pearson, spearman
from bertflow_core.arrays.moments import Moments, singular_values
from bertflow_core.arrays.rounding import ERRORS, is_constant, precision_of, varying
from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_labels, score_pairs
from bertflow_core.lab.lab import Lab

D = 24
RNG = np.random.default_rng(0)
WEIGHTS, BIASES = RNG.uniform(0.5, 2, D), RNG.normal(0, 0.5, D)


def layer_norm(precision):
    """Return 300 means of eight token vectors after a LayerNorm in a precision, of rank D - 1."""
    tokens = torch.from_numpy(np.random.default_rng(1).normal(1, np.linspace(1, 4, D), (2400, D)))
    dtype = getattr(torch, precision)
    tokens = torch.nn.functional.layer_norm(
        tokens.to(dtype),
        (D,),
        torch.from_numpy(WEIGHTS).to(dtype),
        torch.from_numpy(BIASES).to(dtype),
    )
    return tokens.double().reshape(300, 8, D).mean(1).numpy()


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "float16"])
def test_the_direction_that_layer_norm_leaves_is_rounding_in_the_precision_that_made_it(precision):
    x = layer_norm(precision)
    assert np.linalg.matrix_rank(x - x.mean(0)) == D  # numpy counts every digit of float64
    exact = layer_norm("float64")
    assert np.linalg.matrix_rank(exact - exact.mean(0)) == D - 1
    for spec in ("whiten", "soft-whiten:eps=0", "standardize+whiten"):
        for rows in (x.astype(np.float32), x):
            fitted = build_calibrator(spec).fit(rows, precision=precision)
            assert "1 of 24 directions are dropped" in fitted.why_not_invertible()
            assert np.abs(fitted.transform(rows)).max() < 10
    assert Moments.of(x, precision=precision).rank == D - 1
    assert np.count_nonzero(singular_values(x, precision)) == D - 1
    with pytest.raises(InputError, match=r"rank of .*, 23, got 23"):
        build_calibrator("null-top-k:k=23").fit(x, precision=precision)
    halved = x @ np.diag(np.r_[0.1, np.ones(D - 1)])  # a small direction is not rounding
    assert Moments.of(halved, precision=precision).rank == D - 1


def test_float32_stays_float32_as_float64_and_the_coarser_precision_counts():
    x = RNG.normal(size=(600, 3))
    small = x.astype(np.float32)
    assert precision_of(x) == "float64"
    assert precision_of(small) == precision_of(small.astype(np.float64)) == "float32"
    last = small.astype(np.float64)
    last[-1, -1] += 1e-12
    assert precision_of(last) == "float64"
    assert precision_of(x, "bfloat16") == precision_of(small, "bfloat16") == "bfloat16"
    assert precision_of(small, "float64") == "float32"
    both = Moments.of(x).merge(Moments.of(small))
    assert both.precision == "float32" and Moments.of(x).merge(Moments.of(x)).precision == "float64"
    assert sorted(ERRORS, key=ERRORS.get) == ["float64", "float32", "float16", "bfloat16"]
    with pytest.raises(InputError, match="precision"):
        build_calibrator("whiten").fit(x, precision="int8")


def test_features_are_constant_beside_their_own_mean_and_beside_what_they_are_summed_of():
    mean, variances = np.array([0.0, 1e3, 0.0, 0.0]), np.array([1.0, 1e-8, 1e-8, 1e-18])
    assert varying(mean, variances, "float32").tolist() == [True, False, False, False]
    assert varying(mean, variances, "float64").tolist() == [True] * 4
    assert varying(mean * 0, variances, "float32").tolist() == [True, True, True, False]
    assert varying(0 * mean, 0 * mean, "float32").tolist() == [False] * 4


def test_what_differs_by_rounding_correlates_with_nothing():
    gold, noise = np.arange(40.0), 1 + RNG.integers(-2, 3, 40) * 2.0**-53
    assert len(set(noise)) > 1 and is_constant(noise)
    for r in (pearson(noise, gold), spearman(noise, gold), spearman(gold, noise)):
        assert r is None
    assert score_pairs(noise, gold, ["all"] * 40).spearman.all is None
    assert spearman(1 + 1e-9 * gold, gold) == pytest.approx(1)
    # Parallel vectors of any length have the cosine 1, and ranks of a tie are ties.
    x = RNG.normal(size=(1, 50)) * RNG.uniform(1, 9, (40, 1))
    cosines = pairwise_cosine(x, x[::-1])
    assert set(cosines) == {1.0}
    assert score_labels(cosines, gold % 2, ["all"] * 40).auc.all is None


def test_a_half_precision_of_a_recipe_reaches_the_fit_and_the_measures(recipe_of):
    recipe = recipe_of(40, layers="layer:2", precision="bfloat16", calibrator="whiten")
    (evaluation,) = Lab(device="cpu").evaluate([recipe])
    assert evaluation.calibrator.precision_ == "bfloat16"
    assert evaluation.z[0].shape[1] == 15  # LayerNorm removes one of 16
    assert np.linalg.matrix_rank(evaluation.embedded.x_fit, 1e-6) == 16
    fitted = Lab(device="cpu").fit(recipe).calibrator
    np.testing.assert_array_equal(fitted.transform(evaluation.embedded.x_first), evaluation.z[0])
