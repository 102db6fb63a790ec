import numpy as np
import pytest

from bertflow_core.figures import fit_curves, latent_features, side_by_side
from bertflow_core.figures.flows import LOSS

MEASURES = {"rho x 100": [50.0, None, 70.0], "mean cosine": [0.5, 0.1, 0.0]}


def curves(losses=(3.0, 2.0, 1.0), **options):
    options = {"before": {"rho x 100": 40.0, LOSS: None}, "n_steps": 100, **options}
    return fit_curves(losses, [0, 2, 3], MEASURES, **options)


def test_each_quantity_has_its_panel_and_its_numbers():
    figure = curves()
    assert [trace.name for trace in figure.data] == [LOSS, *MEASURES]
    assert [note.text for note in figure.layout.annotations] == [LOSS, *MEASURES]
    loss, rho, _ = figure.data
    np.testing.assert_allclose(loss.y, [3, 2, 1])
    np.testing.assert_allclose(loss.x, [1, 2, 3])
    assert list(rho.x) == [0.5, 2, 3]  # on a logarithmic axis the beginning has a place of its own
    assert list(rho.customdata) == [0, 2, 3]
    assert list(rho.y) == [50, None, 70]


def test_the_axis_stays_while_the_fit_runs():
    figure = curves()
    axis = figure.layout.xaxis
    assert axis.type == "log"
    assert axis.range[1] == pytest.approx(2.05)
    assert axis.title.text == "step of the fit"
    assert dict(zip(axis.tickvals, axis.ticktext, strict=True)) == {
        0.5: "0",
        1: "1",
        10: "10",
        100: "100",
    }
    assert axis.range[0] < np.log10(0.5)


def test_a_short_fit_is_drawn_from_its_start():
    short = curves(n_steps=10)
    assert list(short.data[1].x) == [0, 2, 3]
    axis = short.layout.xaxis
    assert axis.type != "log"
    assert axis.range[0] < 0 < 10 < axis.range[1]


def test_the_embeddings_as_they_are_and_the_step_looked_at_are_lines():
    assert [shape.y0 for shape in curves().layout.shapes] == [40]
    marked = [shape.x0 for shape in curves(at=3).layout.shapes if shape.x0 == shape.x1]
    assert marked == [3, 3, 3]
    begun = [shape.x0 for shape in curves(at=0).layout.shapes if shape.x0 == shape.x1]
    assert begun == [0.5, 0.5, 0.5]


def test_many_losses_become_means_that_keep_the_sum():
    losses = np.random.default_rng(0).normal(size=5_000)
    loss = curves(losses=losses.tolist()).data[0]
    assert len(loss.y) <= 200
    assert (np.diff(loss.x) > 0).all()
    np.testing.assert_allclose(loss.y[0], losses[0])
    edges = np.unique(np.geomspace(1, 5_001, 201).astype(int)) - 1
    np.testing.assert_allclose(loss.y[-1], losses[edges[-2] :].mean())
    weights = np.diff(edges)
    assert np.average(loss.y, weights=weights) == pytest.approx(losses.mean())


def test_a_fit_that_has_not_begun_is_empty_panels():
    assert list(curves(losses=()).data[0].y) == []


def test_two_features_stand_beside_the_normal_density():
    values = np.random.default_rng(0).normal(size=(200, 2))
    figure = latent_features(values, ("feature 3", "feature 9"))
    first, normal, second, _, scatter, *circles = figure.data
    np.testing.assert_array_equal(first.x, values[:, 0])
    np.testing.assert_array_equal(second.x, values[:, 1])
    assert first.histnorm == "probability density"
    peak = np.argmax(normal.y)
    assert abs(normal.x[peak]) < 0.02
    assert normal.y[peak] == pytest.approx(0.3989, abs=1e-3)
    np.testing.assert_array_equal(scatter.y, values[:, 1])
    assert [round(float(np.hypot(c.x, c.y).max())) for c in circles] == [1, 2, 3]
    assert figure.layout.xaxis3.title.text == "feature 3"
    assert figure.layout.yaxis3.title.text == "feature 9"


def test_far_values_widen_the_axes():
    figure = latent_features(np.array([[9.0, 0.0], [0.0, -2.0]]), ("a", "b"))
    assert tuple(figure.layout.xaxis3.range) == (-9, 9)
    assert figure.data[0].xbins.end == 9


def test_each_space_has_its_bar_from_above():
    figure = side_by_side("rho", ["raw", "flow"], ["identity", "flow"], [50.0, None])
    (bars,) = figure.data
    assert list(zip(bars.y, bars.x, strict=True)) == [("raw", 50), ("flow", None)]
    assert bars.marker.color[0] != bars.marker.color[1]
    assert figure.layout.xaxis.title.text == "rho"
    assert figure.layout.yaxis.autorange == "reversed"
