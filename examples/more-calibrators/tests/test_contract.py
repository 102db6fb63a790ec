"""What the lab expects of every calibrator, for those that this package registers."""

from functools import cache

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.calibrators.spec import Spec, offered_specs

SPECS = {
    "gaussianize": "gaussianize:n_quantiles=7",
    "rbig": "rbig:rotation=random,n_layers=2",
    **{name: f"{name}:n_layers=1,width=8" for name in ("realnvp", "spline-flow", "maf")},
}
every_spec = pytest.mark.parametrize("spec", SPECS.values())
D = 6


@cache
def cloud(n=200):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, D)) @ (rng.normal(size=(D, D)) / 3 + np.eye(D)) + 3


@cache
def fitted(spec):
    return build_calibrator(spec, device="cpu").fit(cloud())


def test_the_lab_offers_them_all():
    assert SPECS.keys() <= CALIBRATORS.plugins.names.keys() & {*offered_specs()}
    for name in SPECS:
        kind = CALIBRATORS[name]
        assert CALIBRATORS.plugins.package_of(name) == "bertflow-more-calibrators"
        assert kind.formula and kind.source and Spec(name).words
        assert Spec(name).takes_seed == (name not in ("gaussianize", "rbig"))


@every_spec
def test_inverse_jacobian_and_density_agree_with_the_map(spec):
    x, calibrator = cloud(), fitted(spec)
    z = calibrator.transform(x)
    np.testing.assert_allclose(calibrator.inverse_transform(z), x, atol=1e-7)
    step = 1e-6 * np.eye(D)
    ahead, behind = (calibrator.transform(x[0] + sign * step) for sign in (1, -1))
    expected = np.linalg.slogdet((ahead - behind) / 2e-6)[1]
    (found,) = calibrator.log_abs_det_jacobian(x[:1])
    assert found == pytest.approx(expected, abs=1e-5)
    base = -0.5 * (z[0] @ z[0] + D * np.log(2 * np.pi))
    assert calibrator.score_samples(x[:1]) == pytest.approx(base + found)


@every_spec
def test_a_saved_one_and_a_second_fit_give_equal_bits(spec, tmp_path):
    x, calibrator = cloud(), fitted(spec)
    loaded, _ = load_calibrator(save_calibrator(calibrator, tmp_path / "saved", spec=spec))
    for other in (loaded, build_calibrator(spec, device="cpu").fit(x)):
        np.testing.assert_array_equal(other.transform(x), calibrator.transform(x))
    assert calibrator.transform(x.astype(np.float32)).dtype == np.float32


@every_spec
def test_few_rows_dead_features_and_layer_normed_ones_give_finite_numbers(spec):
    x = cloud(D + 1)
    dead = x * [0, 1e-9, 1, 1, 1, 1]
    normed = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    for rows in (x[:2], dead, normed, x + 1e4):
        calibrator = build_calibrator(spec, device="cpu").fit(rows.astype(np.float32))
        assert np.isfinite(calibrator.transform(rows)).all()
        assert np.isfinite(calibrator.score_samples(rows)).all()


@every_spec
def test_it_passes_scikit_learn_s_checks_of_an_estimator(spec):
    results = check_estimator(build_calibrator(spec), on_skip=None)
    assert len(results) >= 47
    assert {each["status"] for each in results} <= {"passed", "skipped"}
