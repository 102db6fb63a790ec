"""Pictures draw the measured shares, intervals, curves, densities and matrices."""

import numpy as np
import pytest
from plotly_numbers import numbers
from scipy.spatial.transform import Rotation

from bertflow_core import figures
from bertflow_core.figures import colour_of, colours_of
from bertflow_core.figures.cone import on_sphere
from bertflow_core.figures.geometry import LOSS
from bertflow_core.figures.style import BASELINE

RNG = np.random.default_rng(0)
COSINES = {"identity": RNG.uniform(-1, 1, 200), "flow": RNG.uniform(-1, 1, 200)}
MEASURES = {"rho x 100": [50.0, None, 70.0], "mean cosine": [0.5, 0.1, 0.0]}


def test_a_forest_has_an_interval_a_line_and_what_is_not_significant_is_hollow_and_grey():
    labels, ends = ["minilm last whiten", "minilm last flow"], ([0.05, -0.06], [0.15, 0.01])
    options = {"title": "difference x 100", "reference": 0.0, "apart": [True, False]}
    forest = figures.interval_forest(labels, [0.1, -0.02], *ends, **options)
    lines = [tuple(trace.x) for trace in forest.data if trace.mode == "lines"]
    assert lines == [pytest.approx((5, 15)), pytest.approx((-6, 1))]
    np.testing.assert_allclose(forest.data[-1].x, [10, -2])
    assert forest.layout.shapes[0].x0 == 0
    marks = forest.data[-1].marker
    assert list(marks.symbol) == ["circle", "circle-open"]
    assert list(marks.color) == [colour_of("whiten"), BASELINE]


def test_histograms_hold_every_pair_on_the_same_bins():
    figure = figures.cosine_histograms(COSINES, bins=20)
    for trace, cosine in zip(figure.data, COSINES.values(), strict=True):
        expected = 100 * np.histogram(cosine, np.linspace(-1, 1, 21))[0] / 200
        np.testing.assert_allclose(trace.y, expected)
    ends = {"identity": np.array([1 + 1e-12, -1 - 1e-12])}
    (trace,) = figures.cosine_histograms(ends, bins=4).data
    np.testing.assert_allclose(trace.y, [50, 0, 0, 50])  # the end bins take values past the ends
    groups = {"real": RNG.normal(5, 1, 300), "samples": RNG.normal(0, 1, 200)}
    real, samples = figures.likelihood_histograms(groups).data
    np.testing.assert_array_equal(real.x, samples.x)
    assert [np.sum(trace.y) for trace in (real, samples)] == pytest.approx([100, 100])
    assert np.average(real.x, weights=real.y) == pytest.approx(5, abs=0.3)


def test_the_cosines_of_each_label_are_shares_of_that_label():
    cosines = {"identity": np.array([0.9, 0.8, -0.5, 0.85]), "whiten": np.full(4, 1.2)}
    figure = figures.cosine_by_label(np.array([1.0, 0.0, 0.0, 1.0]), cosines, bins=4)
    assert [(trace.name, *trace.y) for trace in figure.data] == [
        ("label 1", 0, 0, 0, 0, 100, 0),
        ("label 0", 0, 0, 50, 0, 50, 0),  # -0.5 is the lower end of its bin
        ("label 1", 0, 0, 0, 0, 100, 0),
        ("label 0", 0, 0, 0, 0, 100, 0),
    ]
    assert list(figure.data[0].x) == [-1.25, -0.75, -0.25, 0.25, 0.75, 1.25]
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]


def test_a_logarithmic_axis_keeps_zero_and_labels_it():
    values, curves = [0.0, 1e-3, 0.02, 1.0], {"dev": [0.5, 0.7, None, 0.6]}
    named = {"spec": "whiten", "label": "shrinkage", "log_x": True}
    figure = figures.sweep_curve(values, curves, chosen=2, **named)
    axis, places = figure.layout.xaxis, figure.data[0].x
    assert axis.type == "log"
    assert list(places[1:]) == values[1:]
    assert places[0] == pytest.approx(1e-4)  # a decade below the next label
    labels = dict(zip(axis.ticktext, axis.tickvals, strict=True))
    expected = {"0": places[0], "0.001": 1e-3, "0.01": 1e-2, "0.1": 0.1, "1": 1.0}
    assert labels == pytest.approx(expected)
    assert figure.layout.annotations[0].x == pytest.approx(np.log10(0.02))
    assert figure.layout.shapes[0].x0 == 0.02
    above = figures.sweep_curve([1, 10], {"test": [0.1, 0.2]}, **named)
    assert list(above.layout.xaxis.ticktext) == ["1", "10"]


def test_the_trend_lies_in_its_interval_in_the_order_of_ranks():
    norms, words = np.array([1.0, 1.5, 1.2, 1.4]), ["the", "of", "cat", "zebra"]
    at, middle = np.array([99, 0, 9]), np.array([3.0, 1.0, 2.0])
    trend = at, middle, middle - 0.5, middle + 0.25
    ranks = np.array([0, 1, 9, 99])
    _, band, line = figures.norm_against_rank(ranks, norms, words, trend=trend).data
    assert (list(line.x), list(line.y)) == ([1, 10, 100], [1, 2, 3])
    assert list(band.x) == [1, 10, 100, 100, 10, 1]
    assert list(band.y) == [0.5, 1.5, 2.5, 3.25, 2.25, 1.25]


def test_a_panel_each_with_close_pairs_apart():
    spaces = {"gold": np.array([0.0, 2, 5, 4]), "flow": np.array([0.9, 0.8, 0.7, 0.95])}
    edits = np.array([1, 9, 4, 5])
    figure = figures.similarity_panels(spaces, edits, near=edits <= 4, threshold=4)
    far, near, far_again, near_again = figure.data
    assert (list(near.x), list(near.y)) == ([0.0, 5.0], [1, 4])
    assert list(far.y) == list(far_again.y) == [9, 5]
    np.testing.assert_allclose(near_again.x, [0.9, 0.7], rtol=1e-6)
    assert near.marker.symbol != far.marker.symbol  # colour is not the only difference


def test_spectra_lie_over_each_other_without_what_is_rounding():
    values = np.array([4.0, 2.0, 1.0, 0.0, 0.0])
    raw, flow = figures.singular_spectra({"identity": values, "flow": values / 2}).data
    np.testing.assert_allclose(raw.y, [1, 0.5, 0.25])
    np.testing.assert_allclose(flow.y, raw.y)
    assert list(raw.x) == [1, 2, 3]


def test_a_sphere_is_tilted_towards_who_looks_at_it():
    angles, azimuths = RNG.uniform(0, 180, 50), RNG.uniform(0, 360, 50)
    theta, phi = np.radians(angles), np.radians(azimuths)
    upright = [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)]
    turned = Rotation.from_euler("x", -18, degrees=True).apply(np.transpose(upright))
    across, up, near = on_sphere(angles, azimuths)
    np.testing.assert_allclose(np.column_stack([across, near, up]), turned, atol=0.0006)


def curves(losses=(3.0, 2.0, 1.0), **options):
    options = {"before": {"rho x 100": 40.0, LOSS: None}, "n_steps": 100, **options}
    return figures.fit_curves(losses, [0, 2, 3], MEASURES, **options)


def test_each_quantity_has_its_panel_and_its_numbers_on_an_axis_that_stays():
    figure = curves()
    loss, rho, grey, last = figure.data
    assert [trace.name for trace in (loss, rho, last)] == [LOSS, *MEASURES]
    assert (grey.xaxis, *grey.y) == (rho.xaxis, 40, 40)
    np.testing.assert_allclose(loss.y, [3, 2, 1])
    np.testing.assert_allclose(loss.x, [1, 2, 3])
    assert list(rho.x) == [0.5, 2, 3]  # a logarithmic axis shows step 0 at 0.5
    assert (list(rho.customdata), list(rho.y)) == ([0, 2, 3], [50, None, 70])
    start, end = figure.layout.xaxis.range
    assert start < np.log10(0.5) and end == pytest.approx(2.05)
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
    first, normal, second, _, scatter, *circles = figures.latent_features(values, ("a", "b")).data
    np.testing.assert_array_equal(first.x, values[:, 0])
    np.testing.assert_array_equal(second.x, values[:, 1])
    peak = np.argmax(normal.y)
    assert abs(normal.x[peak]) < 0.02
    assert normal.y[peak] == pytest.approx(0.3989, abs=1e-3)
    np.testing.assert_array_equal(scatter.y, values[:, 1])
    assert [round(float(np.hypot(c.x, c.y).max())) for c in circles] == [1, 2, 3]
    far = figures.latent_features(np.array([[9.0, 0.0], [0.0, -2.0]]), ("a", "b"))
    assert tuple(far.layout.xaxis3.range) == (-9, 9)
    assert far.data[0].xbins.end == 9


def test_heatmaps_share_one_scale_that_is_symmetric_about_0():
    cosine = np.array([[1.0, 0.25, -0.5], [0.25, 1.0, 0.75], [-0.5, 0.75, 1.0]])
    ranks = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0]])
    spaces, both = {"identity": cosine, "flow": -cosine}, {"identity": ranks, "flow": ranks}
    figure = figures.similarity_heatmaps(spaces, both, ["one", "two", "three"])
    first, written, second, _ = figure.data
    np.testing.assert_allclose([first.z, second.z], [cosine, -cosine])
    np.testing.assert_array_equal(first.customdata, ranks)
    assert first.coloraxis == second.coloraxis == "coloraxis"
    axis = figure.layout.coloraxis
    assert (axis.cmin, axis.cmid, axis.cmax) == (-1, 0, 1)
    cells = sorted(zip(written.y, written.x, written.text, strict=True))
    assert cells[:2] == [(1, 2, "0.25<br>#2"), (1, 3, "-0.50<br>#3")]


def test_groups_of_distances_share_their_bins():
    groups = {"samples": np.array([30.0, 40.0]), "real": np.array([0.0, 10, 20])}
    spaces = {"latent": groups, "raw": {"samples": np.array([7.0, 9])}}
    samples, real, raw = figures.distance_histograms(spaces).data
    np.testing.assert_allclose(numbers(samples.x), np.arange(-0.5, 41))
    np.testing.assert_allclose(numbers(real.x), numbers(samples.x))
    held = {n: 100 / 3 for n in (1, 11, 21)}  # the last bin is closed at both ends
    np.testing.assert_allclose(numbers(real.y), [held.get(i, 0) for i in range(42)])
    np.testing.assert_allclose(numbers(samples.y), [50 * (i in (31, 40)) for i in range(42)])
    np.testing.assert_allclose(numbers(raw.x)[[1, -2]], [7.025, 8.975])


PANELS = {
    "identity": [[0.1, None, 0.3], [0.4, 0.5, 0.6]],
    "flow": [[-0.9, 0.2, 0.3], [0.4, 0.5, 0.7]],
}
TOKENS = ["mean", "cls", "max"]


def test_a_panel_a_calibrator_with_layers_down_and_poolings_across_on_a_scale_of_all():
    figure = figures.layer_heatmap(PANELS, [0, 1], TOKENS, measure="Spearman's rho")
    for panel, rows in zip(figure.select_traces("heatmap"), PANELS.values(), strict=True):
        assert [list(row) for row in panel.z] == rows
        assert (list(panel.x), list(panel.y)) == (TOKENS, ["0", "1"])
    *_, written = figure.select_traces({"mode": "text"})
    assert list(written.text) == ["-0.9", "0.2", "0.3", "0.4", "0.5", "0.7"]
    colours = written.textfont.color
    assert (colours[0], colours[-1]) == ("#FFFFFF", "#000000")  # from blue to yellow
    for marks, spec in zip(figure.select_traces({"mode": "markers"}), PANELS, strict=True):
        places = [tuple(place) for place in marks.customdata]  # what a click on a cell selects
        assert places == [(layer, name, spec) for layer in (0, 1) for name in TOKENS]
    both = figures.layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine", diverging=True)
    diverging, sequential = both.layout.coloraxis, figure.layout.coloraxis
    assert (diverging.cmin, diverging.cmax) == (-0.9, 0.9)
    assert (sequential.cmin, sequential.cmax) == (-0.9, 0.7)  # the ends over all panels
    assert diverging.colorscale != sequential.colorscale


def test_settings_of_one_calibrator_have_colours_of_their_own_and_equal_specs_share_one():
    specs = ["null-top-k:k=0", "null-top-k:k=6", "flow", "null-top-k:k=10", "null-top-k:k=0"]
    first, *others, last = colours_of(specs)
    assert first == last == colour_of("null-top-k") and len({first, *others}) == 4
    assert colours_of(reversed(specs[:2]))[0] == first  # without a shade
