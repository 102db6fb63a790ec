"""Figures of a comparison: what stands where, and in what colour."""

import numpy as np
import pytest

from bertflow_core.figures import colour_of, interval_forest, rank_changes, score_by_dataset
from bertflow_core.figures.style import BASELINE


def test_score_by_dataset_has_a_trace_a_row_in_hundredths():
    rhos = {"minilm last identity": [0.5, None], "minilm last whiten": [0.25, 0.75]}
    figure = score_by_dataset(rhos, ("stsb", "sts12"), ("identity", "whiten"))
    assert [trace.name for trace in figure.data] == list(rhos)
    assert list(figure.data[0].y) == [50, None]
    assert list(figure.data[1].y) == [25, 75]
    assert figure.data[1].marker.color == colour_of("whiten")
    assert len({trace.marker.symbol for trace in figure.data}) == 2  # not by colour alone
    assert figure.layout.yaxis.title.text == "Spearman's rho x 100"


@pytest.fixture
def forest():
    return interval_forest(
        ["minilm last whiten", "minilm last flow"],
        [0.1, -0.02],
        [0.05, -0.06],
        [0.15, 0.01],
        title="difference x 100",
        reference=0.0,
        apart=[True, False],
    )


def test_a_forest_has_an_interval_a_line(forest):
    ends = [tuple(trace.x) for trace in forest.data if trace.mode == "lines"]
    assert ends == [pytest.approx((5, 15)), pytest.approx((-6, 1))]
    np.testing.assert_allclose(forest.data[-1].x, [10, -2])
    assert forest.layout.shapes[0].x0 == 0
    assert forest.layout.xaxis.title.text == "difference x 100"


def test_what_cannot_be_significant_is_hollow_and_grey(forest):
    marks = forest.data[-1].marker
    assert list(marks.symbol) == ["circle", "circle-open"]
    assert list(marks.color) == [colour_of("whiten"), BASELINE]


def test_rank_changes_give_the_pairs_own_number_back():
    figure = rank_changes(
        np.array([3.0, 2.0]), np.array([1.0, 5.0]), np.array([0.0, 4.0]),
        names=("identity", "flow"), rows=[7, 9],
    )  # fmt: skip
    (points,) = figure.data
    assert list(points.customdata) == [8, 10]
    assert list(points.x) == [3, 2]
    assert list(points.y) == [1, 5]
    assert "identity" in figure.layout.xaxis.title.text
    assert "flow" in figure.layout.yaxis.title.text


def test_a_file_s_name_is_no_markup():
    name = '<a href="https://evil.example">x</a>.csv'
    figure = score_by_dataset({"a": [0.5]}, [name], ["identity"])
    assert "<" not in figure.data[0].x[0]
    assert "&lt;a href" in figure.data[0].x[0]
