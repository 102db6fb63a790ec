import numpy as np
import pytest

from bertflow_core.figures import (
    colour_of,
    cosine_by_label,
    cosine_histograms,
    gold_against_cosine,
    interval_forest,
    rank_changes,
    score_bars,
    score_by_dataset,
    sweep_curve,
    value_bars,
)
from bertflow_core.figures.style import BASELINE

RNG = np.random.default_rng(0)
COSINES = {"identity": RNG.uniform(-1, 1, 200), "flow": RNG.uniform(-1, 1, 200)}
GOLD = RNG.uniform(0, 5, 200)
CURVES = {"dev": [0.5, 0.7, None, 0.6], "test": [0.4, 0.6, 0.65, 0.55]}


def test_bars_show_rho_times_hundred_and_name_what_is_undefined():
    names = ["no calibration", "BERT-flow", "whitening"]
    figure = score_bars(["identity", "flow", "whiten"], [0.5, -0.25, None], names=names)
    (bars,) = figure.data
    assert list(bars.x) == [50, -25, None]
    assert list(bars.text) == ["50.00", "-25.00", "undefined"]
    assert list(bars.hovertext) == names
    assert figure.layout.shapes[0].x0 == 50
    (beside,) = value_bars("rho", ["raw", "flow"], ["identity", "flow"], [50.0, None]).data
    assert list(zip(beside.y, beside.x, strict=True)) == [("raw", 50), ("flow", None)]
    assert beside.marker.color[0] != beside.marker.color[1]


def test_score_by_dataset_has_a_trace_a_row_in_hundredths():
    rhos = {"minilm last identity": [0.5, None], "minilm last whiten": [0.25, 0.75]}
    figure = score_by_dataset(rhos, ("stsb", "sts12"), ("identity", "whiten"))
    assert [trace.name for trace in figure.data] == list(rhos)
    assert [list(trace.y) for trace in figure.data] == [[50, None], [25, 75]]
    assert figure.data[1].marker.color == colour_of("whiten")
    assert len({trace.marker.symbol for trace in figure.data}) == 2  # not by colour alone
    assert figure.layout.yaxis.title.text == "Spearman's rho x 100"


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


def test_rank_changes_give_the_pairs_own_number_back():
    before, after, gold = np.array([3.0, 2.0]), np.array([1.0, 5.0]), np.array([0.0, 4.0])
    figure = rank_changes(before, after, gold, names=("identity", "flow"), rows=[7, 9])
    (points,) = figure.data
    assert [list(each) for each in (points.customdata, points.x, points.y)] == [
        [8, 10], [3, 2], [1, 5],
    ]  # fmt: skip
    assert "identity" in figure.layout.xaxis.title.text
    assert "flow" in figure.layout.yaxis.title.text


def test_every_pair_is_drawn_against_its_gold_score_on_shared_axes():
    figure = gold_against_cosine(GOLD, COSINES, gold_label="gold score (0 to 5)")
    for trace, cosine in zip(figure.data, COSINES.values(), strict=True):
        np.testing.assert_allclose(trace.x, GOLD, rtol=1e-6)
        np.testing.assert_allclose(trace.y, cosine, rtol=1e-6)
        assert list(trace.customdata[:2]) == [1, 2]
    assert figure.layout.yaxis2.matches == "y"
    titles = figure.layout.xaxis.title.text, figure.layout.yaxis.title.text
    assert titles == ("gold score (0 to 5)", "cosine")


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


def test_a_sweep_has_a_line_a_split_and_marks_the_chosen_value():
    figure = sweep_curve([5, 6, 7, 8], CURVES, spec="null-top-k", label="k", chosen=1)
    dev, test = figure.data
    assert (dev.name, test.name) == ("dev", "test")
    np.testing.assert_allclose(test.y, [40, 60, 65, 55])
    assert dev.y[2] is None
    assert list(dev.x) == [5, 6, 7, 8]
    assert dev.marker.symbol != test.marker.symbol
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(6, 6)]
    (note,) = figure.layout.annotations
    assert (note.x, note.text) == (6, "chosen on dev: 6")
    assert not dev.connectgaps
    plain = sweep_curve([0, 1, 2, 3], CURVES, spec="null-top-k", label="k").layout
    assert not plain.shapes
    assert not plain.annotations


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
    assert list(figure.data[0].customdata) == ["0.0", "0.001", "0.02", "1.0"]
    above = sweep_curve([1, 10], {"test": [0.1, 0.2]}, spec="flow", label="epochs", log_x=True)
    assert list(above.layout.xaxis.ticktext) == ["1", "10"]


def test_names_are_drawn_at_equal_distances():
    names = ["additive", "affine"]
    figure = sweep_curve(names, {"test": [0.1, 0.2]}, spec="flow", label="coupling", chosen=0)
    assert figure.layout.xaxis.type == "category"
    assert figure.layout.shapes[0].x0 == "additive"
