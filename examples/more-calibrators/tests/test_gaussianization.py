"""Marginal and iterative Gaussianisation against scipy, scikit-learn and the Jacobian."""

import numpy as np
import pytest
from gaussianization import MarginalMaps, fit_marginals
from scipy.stats import kstest, norm
from sklearn.preprocessing import QuantileTransformer

from bertflow_core.calibrators import build_calibrator

RNG = np.random.default_rng(0)
SKEWED = np.column_stack(
    [RNG.exponential(size=3000), np.exp(RNG.normal(size=3000)), RNG.uniform(size=3000)]
)


def curved(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    x[:, 1] = 0.3 * x[:, 1] + x[:, 0] ** 2
    return x


def test_features_become_standard_normal_also_held_out_and_inside_the_data_as_scikit_learn_s():
    fitted = build_calibrator("gaussianize").fit(SKEWED[:2000])
    for rows in (SKEWED[:2000], SKEWED[2000:]):
        for z in fitted.transform(rows).T:
            assert kstest(z, norm.cdf).statistic < 0.05
    reference = QuantileTransformer(n_quantiles=100, output_distribution="normal")
    expected = reference.fit_transform(SKEWED)
    z = build_calibrator("gaussianize").fit_transform(SKEWED)
    inside = np.abs(expected) < 1.5
    np.testing.assert_allclose(z[inside], expected[inside], atol=0.05)


def test_knots_are_the_quantiles_and_map_to_the_normal_s():
    maps, _ = fit_marginals(SKEWED, 50, "float64")
    levels = (np.arange(50) + 0.5) / 50
    expected = np.quantile(SKEWED, levels, axis=0, method="hazen")
    np.testing.assert_allclose(maps.knots, expected, atol=1e-12)
    z = maps.forward(maps.knots)
    np.testing.assert_allclose(z, np.tile(norm.ppf(levels)[:, None], 3), atol=1e-9)


def test_tails_are_gaussian_and_the_map_is_invertible_on_the_whole_line():
    fitted = build_calibrator("gaussianize").fit(SKEWED)
    far = SKEWED.mean(0) + np.linspace(-1e4, 1e4, 2001)[:, None] * SKEWED.std(0)
    z = fitted.transform(far)
    assert (np.diff(z, axis=0) > 0).all()
    np.testing.assert_allclose(fitted.inverse_transform(z), far, rtol=1e-9, atol=1e-9)
    slope = (z[-1] - z[-2]) / (far[-1] - far[-2])
    np.testing.assert_allclose(slope, 1 / SKEWED.std(0), rtol=1e-9)


def test_equal_values_keep_the_slope_bounded():
    x = np.round(RNG.normal(size=(500, 2)))  # a handful of values
    fitted = build_calibrator("gaussianize").fit(x)
    assert (np.diff(fitted.knots_, axis=0) > 0).all()
    z = fitted.transform(x)
    assert np.abs(z).max() < 5
    np.testing.assert_allclose(fitted.inverse_transform(z), x, atol=1e-9)
    rise = np.diff(norm.ppf((np.arange(100) + 0.5) / 100))
    slopes = rise[:, None] / np.diff(fitted.knots_, axis=0)
    np.testing.assert_allclose(slopes.max(axis=0), 1e3 / x.std(axis=0))
    assert fitted.log_abs_det_jacobian(x).max() <= 2 * np.log(1e3 / x.std(0).min()) + 1e-6


def test_constant_features_and_noise_are_no_spread_centred_left_unscaled_and_counted():
    x = SKEWED.copy()
    x[:, 1] = 7.0
    fitted = build_calibrator("gaussianize").fit(x)
    assert fitted.notes_ == ("1 constant feature is left unscaled",)
    moved = x[:5] + np.array([0, 0.25, 0])
    np.testing.assert_allclose(fitted.transform(moved)[:, 1], 0.25, atol=1e-12)
    one = [x.std() if j != 1 else 1 for j, x in enumerate(SKEWED.T)]
    small = SKEWED * [1, 1e-8, 1]  # beside the others float32 cannot tell it from rounding
    for x, precision, expected in (
        (small, "float32", one),
        (small, "float64", small.std(axis=0)),
        (1 + 1e-14 * SKEWED, "float64", [1, 1, 1]),
        (1 + 1e-7 * SKEWED, "float32", [1, 1, 1]),
    ):
        maps, n_constant = fit_marginals(x, 50, precision)
        assert n_constant == (np.asarray(expected) == 1).sum()
        np.testing.assert_allclose(maps.scale, expected)


def test_values_that_come_often_lie_in_the_middle_of_their_levels_either_way_round():
    x = np.maximum(RNG.normal(size=(400, 2)), 0)  # half of them are 0
    fitted = build_calibrator("gaussianize").fit(x)
    z, turned = fitted.transform(x), build_calibrator("gaussianize").fit(-x).transform(-x)
    np.testing.assert_allclose(turned, -z, atol=1e-9)
    share = (x == 0).mean(axis=0)
    mean_below = -norm.pdf(norm.ppf(share)) / share  # of a normal variable, below that quantile
    np.testing.assert_allclose(z.min(axis=0), mean_below, atol=0.05)


@pytest.mark.parametrize(
    "spec",
    [
        "gaussianize:n_quantiles=10",
        "gaussianize:n_quantiles=2",
        "rbig:n_quantiles=10",
        "rbig:n_quantiles=10,rotation=random",
    ],
)
def test_the_density_integrates_to_one(spec):
    fitted = build_calibrator(spec).fit(curved(400, 3))
    axes = [np.linspace(-8, 8, 320), np.linspace(-12, 20, 640)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    cell = (axes[0][1] - axes[0][0]) * (axes[1][1] - axes[1][0])
    assert np.exp(fitted.score_samples(grid)).sum() * cell == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("rotation", ["pca", "random"])
def test_layers_near_a_normal_where_one_alone_does_not(rotation):
    x, held_out = curved(4000, 1), curved(4000, 2)
    spec = f"rbig:rotation={rotation},n_quantiles=40,n_layers="
    one, thirty = (build_calibrator(f"{spec}{n}").fit(x) for n in (1, 30))
    assert thirty.score_samples(held_out).mean() > one.score_samples(held_out).mean() + 0.3


def test_a_layer_is_the_marginal_map_and_a_rotation_and_layers_follow_in_order_also_far_away():
    found = build_calibrator("rbig:n_layers=1").fit_transform(SKEWED)
    z = build_calibrator("gaussianize").fit_transform(SKEWED)
    _, _, vt = np.linalg.svd(z - z.mean(0), full_matrices=False)
    np.testing.assert_allclose(np.abs(found), np.abs(z @ vt.T), atol=1e-8)
    fitted = build_calibrator("rbig:n_layers=3").fit(SKEWED)
    far = expected = SKEWED[:50] * 100
    for knots, scale, rotation in zip(fitted.knots_, fitted.scale_, fitted.rotations_, strict=True):
        expected = MarginalMaps(knots, scale).forward(expected) @ rotation
    np.testing.assert_allclose(fitted.transform(far), expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.inverse_transform(expected), far, rtol=1e-9)


def test_random_rotations_prefer_no_direction_and_follow_the_seed():
    fits = [
        build_calibrator(f"rbig:rotation=random,n_layers=100,seed={seed}")
        .fit(SKEWED[:20])
        .rotations_
        for seed in (0, 0, *range(1, 5))
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    rotations = np.concatenate(fits[1:])
    error = np.sqrt(1 / 3 / len(rotations))  # of the mean of an entry, whose mean square is 1 / 3
    assert np.abs(rotations.mean(axis=0)).max() < 4 * error
    products = rotations @ rotations.transpose(0, 2, 1)
    np.testing.assert_allclose(products, np.tile(np.eye(3), (500, 1, 1)), atol=1e-12)
