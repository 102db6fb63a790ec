"""Zuko's flows as calibrators: density, standardization, seeds and damaged files."""

from functools import cache

import numpy as np
import pytest
import torch
from zuko_flows import undone

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.base import rank_lost, round_trip_error
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 4)) * [1, 2, 3, 4] + 5
X[:, 2:] += X[:, :2] ** 2
every_name = pytest.mark.parametrize("name", ["realnvp", "spline-flow", "maf"])


@cache
def fitted(name, options=",lr=0.01,epochs=4"):
    return build_calibrator(f"{name}:width=16{options}", seed=0, device="cpu").fit(X)


@every_name
def test_the_density_is_zuko_s_of_standardized_rows_and_the_fit_raises_it(name):
    calibrator = fitted(name)
    standard = torch.from_numpy((X - X.mean(0)) / X.std(0))
    with torch.no_grad():
        expected = calibrator.flow_().log_prob(standard).numpy() - np.log(X.std(0)).sum()
    np.testing.assert_allclose(calibrator.score_samples(X), expected, atol=1e-9)
    still = fitted(name, ",lr=1e-9")
    assert calibrator.score_samples(X).mean() > still.score_samples(X).mean() + 0.3


@every_name
def test_the_inverse_is_zuko_s_bit_for_bit_and_holds_far_outside_the_data(name):
    calibrator = fitted(name)
    z = torch.randn(50, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    with torch.no_grad():
        for latent in (z, 0 * z):
            expected = calibrator.flow_().transform.inv(latent)
            assert torch.equal(undone(calibrator.flow_().transform, latent), expected)
    far = X.mean(0) + 20 * (X - X.mean(0))
    back = calibrator.inverse_transform(calibrator.transform(far))
    np.testing.assert_allclose(back, far, rtol=1e-8, atol=1e-6)
    assert rank_lost(calibrator, X) == 0
    assert round_trip_error(calibrator, X) < 1e-10


@every_name
def test_a_start_is_zuko_s_own_of_its_seed_whoever_else_draws(monkeypatch, name):
    calibrator = build_calibrator(f"{name}:width=16", seed=5)
    kind, before = type(calibrator), torch.get_rng_state()
    make = kind._make
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        expected = make(calibrator, 4).state_dict()

    def beside_another_thread(*given):
        torch.rand(3)
        return make(*given)

    alone = calibrator._start(4).state_dict()
    assert torch.equal(torch.get_rng_state(), before), "the global generator is left alone"
    monkeypatch.setattr(kind, "_make", beside_another_thread)
    for found in (alone, calibrator._start(4).state_dict()):
        assert found.keys() == expected.keys()
        assert all(torch.equal(found[key], expected[key]) for key in expected)


def test_a_fit_of_few_steps_and_constant_features_are_noted():
    rows, hardly = X[:40].copy(), "hardly trained (20 steps); fit on more sentences or raise epochs"
    rows[:, 1] = 3.0
    for epochs, notes in ((2, (hardly,)), (5, ())):
        calibrator = build_calibrator(f"maf:epochs={epochs},batch_size=4").fit(rows)
        assert len(calibrator.steps_) == 10 * epochs
        assert calibrator.notes_ == ("1 constant feature is left unscaled", *notes)
    assert np.abs(calibrator.transform(rows)).max() < 20


def test_the_options_shape_the_flow_and_a_damaged_file_is_refused(tmp_path):
    calibrator = build_calibrator("maf:n_layers=2,width=7,epochs=1", device="cpu").fit(X)
    good, name = calibrator.get_state(), "flow.transform.transforms.1.hyper.0.weight"
    assert good[name].shape == (7, 4)
    assert not [name for name in good if "transforms.2" in name]
    for damage in ({}, {name: good[name][:1]}, {name: np.full_like(good[name], np.nan)}):
        others = {key: array for key, array in good.items() if key != name}
        calibrator.get_state = lambda state=others | damage: state
        save_calibrator(calibrator, tmp_path / "saved")
        with pytest.raises(InputError, match="not a valid saved calibrator"):
            load_calibrator(tmp_path / "saved")
