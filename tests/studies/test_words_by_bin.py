"""Table 1 by bin: as it was printed, and courses on other scales side by side."""

import pytest

from bertflow_core.studies.words.study import bins_figure, printed_measures


def rows(bins, measure="mean_norm", **values):
    """Return rows whose measure has these values, a number a bin."""
    return [
        {"calibrator": spec, "low": low, "high": high, measure: value}
        for spec, found in values.items()
        for (low, high), value in zip(bins, found, strict=True)
    ]


def test_courses_on_other_scales_can_be_compared():
    bins = [(0, 100), (100, 500)]
    figure = bins_figure(rows(bins, identity=[1.0, 1.25], flow=[20.0, 18.0]), "mean_norm")
    printed, raw, flow = figure.data
    table = printed_measures()
    assert [*table["mean_norm"].values()] == [0.95, 1.04, 1.22, 1.45]
    assert (table["knn_l2_7"][0, 100], table["knn_dot_3"][5000, 10_000]) == (0.87, 1.63)
    absolute = [table["mean_norm"][each] for each in bins]
    assert list(printed.customdata) == absolute
    assert list(printed.y) == pytest.approx([1, absolute[1] / absolute[0]])
    assert (list(raw.y), list(flow.y)) == ([1, 1.25], [1, 0.9])
    assert list(flow.customdata) == [20, 18]
    assert figure.layout.yaxis.title.text == "mean norm, first bin = 1"


def test_the_first_bin_is_the_first_that_has_words():
    bins = [(0, 50), (50, 100), (100, 500)]
    figure = bins_figure(rows(bins, identity=[None, 2.0, 3.0]), "mean_norm")
    (raw,) = figure.data  # the printed row begins in a later bin
    assert list(raw.y) == [None, 1, 1.5]


def test_dot_products_about_zero_stay_as_they_are():
    bins = [(0, 100), (100, 500)]
    found = rows(bins, "knn_dot_3", identity=[1.0, 2.0], whiten=[-0.1, 2.0])
    figure = bins_figure(found, "knn_dot_3")
    assert [list(line.y) for line in figure.data[1:]] == [[1, 2], [-0.1, 2]]
    assert figure.layout.yaxis.title.text == "3-NN dot product"
