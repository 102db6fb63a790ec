"""Pictures of a space and of a flow's fit hold the numbers that they were given."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi

from bertflow_core.figures.cone import on_sphere
from bertflow_core.figures.geometry import (
    LOSS,
    fit_curves,
    latent_features,
    likelihood_histograms,
    norms_against_chi,
    singular_spectra,
)

RNG = np.random.default_rng(0)
MEASURES = {"rho x 100": [50.0, None, 70.0], "mean cosine": [0.5, 0.1, 0.0]}


def test_spectra_lie_over_each_other_without_what_is_rounding():
    values = np.array([4.0, 2.0, 1.0, 1e-4, 0.0])
    raw, flow = singular_spectra({"identity": values, "flow": values / 2}).data
    np.testing.assert_allclose(raw.y, [1, 0.5, 0.25])
    np.testing.assert_allclose(flow.y, raw.y)
    assert list(raw.x) == [1, 2, 3]
    own = singular_spectra({"identity": values}, relative=False)
    np.testing.assert_allclose(own.data[0].y, [4, 2, 1])


def test_a_sphere_is_tilted_towards_who_looks_at_it():
    angles, azimuths = RNG.uniform(0, 180, 50), RNG.uniform(0, 360, 50)
    theta, phi = np.radians(angles), np.radians(azimuths)
    upright = [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)]
    turned = Rotation.from_euler("x", -18, degrees=True).apply(np.transpose(upright))
    across, up, near = on_sphere(angles, azimuths)
    np.testing.assert_allclose(np.column_stack([across, near, up]), turned, atol=0.0006)


def test_norms_are_densities_over_that_of_chi():
    z = RNG.normal(size=(4000, 384))
    steps, curve = norms_against_chi({"flow": np.linalg.norm(z, axis=1)}, {"flow": 384}).data
    np.testing.assert_allclose(curve.y, chi(384).pdf(curve.x), rtol=1e-6)
    width = steps.x[1] - steps.x[0]
    assert np.sum(steps.y) * width == pytest.approx(1)
    np.testing.assert_allclose(steps.y, chi(384).pdf(steps.x), atol=0.08)
    far = norms_against_chi({"identity": np.array([90.0, 91.0])}, {"identity": 16}).data[0]
    assert np.sum(far.y) * (far.x[1] - far.x[0]) == pytest.approx(1)  # still in the picture


def test_every_number_of_dimensions_has_its_chi():
    norms = {"flow": np.array([19.0, 20.0]), "whiten": np.array([9.0, 11.0]), "rbig": np.ones(3)}
    figure = norms_against_chi(norms, {"flow": 400, "whiten": 100, "rbig": 400})
    for d, curve in zip((100, 400), figure.data[3:], strict=True):
        assert curve.name == f"chi({d})"
        np.testing.assert_allclose(curve.y, chi(d).pdf(curve.x), rtol=1e-6, atol=1e-12)
    assert all((trace.y[0], trace.y[-1]) == (0, 0) for trace in figure.data[:3])


def test_likelihoods_share_their_bins():
    groups = {"real": RNG.normal(5, 1, 300), "samples": RNG.normal(0, 1, 200)}
    real, samples = likelihood_histograms(groups).data
    np.testing.assert_array_equal(real.x, samples.x)
    for trace in (real, samples):
        assert np.sum(trace.y) == pytest.approx(100)
    assert np.average(real.x, weights=real.y) == pytest.approx(5, abs=0.3)


def curves(losses=(3.0, 2.0, 1.0), **options):
    options = {"before": {"rho x 100": 40.0, LOSS: None}, "n_steps": 100, **options}
    return fit_curves(losses, [0, 2, 3], MEASURES, **options)


def test_each_quantity_has_its_panel_and_its_numbers_on_an_axis_that_stays():
    figure = curves()
    loss, rho, grey, last = figure.data
    assert [trace.name for trace in (loss, rho, last)] == [LOSS, *MEASURES]
    assert (grey.xaxis, *grey.y) == (rho.xaxis, 40, 40)
    np.testing.assert_allclose(loss.y, [3, 2, 1])
    np.testing.assert_allclose(loss.x, [1, 2, 3])
    assert list(rho.x) == [0.5, 2, 3]  # on a logarithmic axis the beginning has a place of its own
    assert list(rho.customdata) == [0, 2, 3]
    assert list(rho.y) == [50, None, 70]
    axis = figure.layout.xaxis
    assert axis.range[0] < np.log10(0.5) and axis.range[1] == pytest.approx(2.05)
    labels = dict(zip(axis.tickvals, axis.ticktext, strict=True))
    assert labels == {0.5: "0", 1: "1", 10: "10", 100: "100"}
    short = curves(n_steps=10)
    assert list(short.data[1].x) == [0, 2, 3]
    assert short.layout.xaxis.range[0] < 0 < 10 < short.layout.xaxis.range[1]


def test_many_losses_become_means_that_keep_the_sum():
    losses = np.random.default_rng(0).normal(size=5_000)
    loss = curves(losses=losses.tolist()).data[0]
    assert len(loss.y) <= 200
    assert (np.diff(loss.x) > 0).all()
    np.testing.assert_allclose(loss.y[0], losses[0])
    edges = np.unique(np.geomspace(1, 5_001, 201).astype(int)) - 1
    np.testing.assert_allclose(loss.y[-1], losses[edges[-2] :].mean())
    assert np.average(loss.y, weights=np.diff(edges)) == pytest.approx(losses.mean())


def test_two_features_stand_beside_the_normal_density():
    values = np.random.default_rng(0).normal(size=(200, 2))
    first, normal, second, _, scatter, *circles = latent_features(values, ("a", "b")).data
    np.testing.assert_array_equal(first.x, values[:, 0])
    np.testing.assert_array_equal(second.x, values[:, 1])
    peak = np.argmax(normal.y)
    assert abs(normal.x[peak]) < 0.02
    assert normal.y[peak] == pytest.approx(0.3989, abs=1e-3)
    np.testing.assert_array_equal(scatter.y, values[:, 1])
    assert [round(float(np.hypot(c.x, c.y).max())) for c in circles] == [1, 2, 3]
    far = latent_features(np.array([[9.0, 0.0], [0.0, -2.0]]), ("a", "b"))
    assert tuple(far.layout.xaxis3.range) == (-9, 9)
    assert far.data[0].xbins.end == 9
