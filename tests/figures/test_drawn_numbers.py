"""Pictures of scores and of words hold what was measured: shares, intervals, courses."""

import numpy as np
import pytest

from bertflow_core.figures import (
    colour_of,
    cosine_by_label,
    cosine_histograms,
    interval_forest,
    norm_against_rank,
    similarity_panels,
    sweep_curve,
)
from bertflow_core.figures.style import BASELINE

RNG = np.random.default_rng(0)
COSINES = {"identity": RNG.uniform(-1, 1, 200), "flow": RNG.uniform(-1, 1, 200)}
CURVES = {"dev": [0.5, 0.7, None, 0.6], "test": [0.4, 0.6, 0.65, 0.55]}


def test_a_forest_has_an_interval_a_line_and_what_is_not_significant_is_hollow_and_grey():
    labels, ends = ["minilm last whiten", "minilm last flow"], ([0.05, -0.06], [0.15, 0.01])
    options = {"title": "difference x 100", "reference": 0.0, "apart": [True, False]}
    forest = interval_forest(labels, [0.1, -0.02], *ends, **options)
    lines = [tuple(trace.x) for trace in forest.data if trace.mode == "lines"]
    assert lines == [pytest.approx((5, 15)), pytest.approx((-6, 1))]
    np.testing.assert_allclose(forest.data[-1].x, [10, -2])
    assert forest.layout.shapes[0].x0 == 0
    marks = forest.data[-1].marker
    assert list(marks.symbol) == ["circle", "circle-open"]
    assert list(marks.color) == [colour_of("whiten"), BASELINE]


def test_histograms_hold_every_pair_on_the_same_bins():
    figure = cosine_histograms(COSINES, bins=20)
    for trace, cosine in zip(figure.data, COSINES.values(), strict=True):
        expected = 100 * np.histogram(cosine, np.linspace(-1, 1, 21))[0] / 200
        np.testing.assert_allclose(trace.y, expected)
        assert sum(trace.y) == pytest.approx(100)
    assert "%" in figure.layout.yaxis.title.text
    (trace,) = cosine_histograms({"identity": np.array([1 + 1e-12, -1 - 1e-12])}, bins=4).data
    np.testing.assert_allclose(trace.y, [50, 0, 0, 50])  # rounding errors stay in the last bins


def test_the_cosines_of_each_label_are_shares_of_that_label():
    cosines = {"identity": np.array([0.9, 0.8, -0.5, 0.85]), "whiten": np.full(4, 1.2)}
    figure = cosine_by_label(np.array([1.0, 0.0, 0.0, 1.0]), cosines, bins=4)
    assert [(trace.name, *trace.y) for trace in figure.data] == [
        ("label 1", 0, 0, 0, 0, 100, 0),
        ("label 0", 0, 0, 50, 0, 50, 0),  # -0.5 is the lower end of its bin
        ("label 1", 0, 0, 0, 0, 100, 0),
        ("label 0", 0, 0, 0, 0, 100, 0),
    ]
    assert list(figure.data[0].x) == [-1.25, -0.75, -0.25, 0.25, 0.75, 1.25]
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]


def test_a_logarithmic_axis_keeps_zero_and_labels_it():
    values = [0.0, 1e-3, 0.02, 1.0]
    figure = sweep_curve(values, CURVES, spec="whiten", label="shrinkage", chosen=2, log_x=True)
    axis, places = figure.layout.xaxis, figure.data[0].x
    assert axis.type == "log"
    assert list(places[1:]) == values[1:]
    assert places[0] == pytest.approx(1e-4)  # as far from the next label as all others are
    labels = dict(zip(axis.ticktext, axis.tickvals, strict=True))
    expected = {"0": places[0], "0.001": 1e-3, "0.01": 1e-2, "0.1": 0.1, "1": 1.0}
    assert labels == pytest.approx(expected)
    assert figure.layout.annotations[0].x == pytest.approx(np.log10(0.02))
    assert figure.layout.shapes[0].x0 == 0.02
    above = sweep_curve([1, 10], {"test": [0.1, 0.2]}, spec="flow", label="epochs", log_x=True)
    assert list(above.layout.xaxis.ticktext) == ["1", "10"]


RANKS = np.array([0, 1, 9, 99])
NORMS = np.array([1.0, 1.5, 1.2, 1.4])
WORDS = ["the", "of", "cat", "zebra"]


def test_the_trend_lies_in_its_interval_in_the_order_of_ranks():
    at = np.array([99, 0, 9])
    middle = np.array([3.0, 1.0, 2.0])
    figure = norm_against_rank(RANKS, NORMS, WORDS, trend=(at, middle, middle - 0.5, middle + 0.25))
    _, band, line = figure.data
    assert list(line.x) == [1, 10, 100]
    assert list(line.y) == [1, 2, 3]
    assert list(band.x) == [1, 10, 100, 100, 10, 1]
    assert list(band.y) == [0.5, 1.5, 2.5, 3.25, 2.25, 1.25]


GOLD, COSINE = np.array([0.0, 2, 5, 4]), np.array([0.9, 0.8, 0.7, 0.95])
EDITS = np.array([1, 9, 4, 5])


def test_a_panel_each_with_close_pairs_apart():
    figure = similarity_panels({"gold": GOLD, "flow": COSINE}, EDITS, near=EDITS <= 4, threshold=4)
    far, near, far_again, near_again = figure.data
    assert list(near.x) == [0.0, 5.0]
    assert list(near.y) == [1, 4]
    assert list(far.y) == list(far_again.y) == [9, 5]
    np.testing.assert_allclose(near_again.x, [0.9, 0.7], rtol=1e-6)
    assert near.marker.symbol != far.marker.symbol  # not told apart by colour alone
    assert [each.text for each in figure.layout.annotations] == ["gold", "flow"]
    assert figure.layout.xaxis.title.text == "gold score"
    assert figure.layout.xaxis2.title.text == "cosine"
