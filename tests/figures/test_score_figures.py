import numpy as np
import plotly.graph_objects as go
import pytest

from bertflow_core.calibrators import CALIBRATORS
from bertflow_core.figures import (
    colour_of,
    cosine_by_group,
    cosine_by_label,
    cosine_histograms,
    gold_against_cosine,
    score_bars,
)
from bertflow_core.figures.style import ink_on

RNG = np.random.default_rng(0)
COSINES = {"identity": RNG.uniform(-1, 1, 200), "flow": RNG.uniform(-1, 1, 200)}
GOLD = RNG.uniform(0, 5, 200)


def test_bars_show_rho_times_hundred_and_name_what_is_undefined():
    figure = score_bars(["identity", "flow", "whiten"], [0.5, -0.25, None])
    (bars,) = figure.data
    assert list(bars.x) == [50, -25, None]
    assert list(bars.text) == ["50.00", "-25.00", "undefined"]
    assert figure.layout.shapes[0].x0 == 50
    assert "x 100" in figure.layout.xaxis.title.text


def test_a_bar_says_in_words_what_its_calibrator_does():
    (bar,) = score_bars(
        ["identity", "flow"], [0.5, 0.6], names=["no calibration", "BERT-flow"]
    ).data
    assert list(bar.y) == ["identity", "flow"]
    assert list(bar.hovertext) == ["no calibration", "BERT-flow"]


def test_every_pair_is_drawn_against_its_gold_score_on_shared_axes():
    figure = gold_against_cosine(GOLD, COSINES, gold_label="gold score (0 to 5)")
    for trace, cosine in zip(figure.data, COSINES.values(), strict=True):
        np.testing.assert_allclose(trace.x, GOLD, rtol=1e-6)
        np.testing.assert_allclose(trace.y, cosine, rtol=1e-6)
        assert list(trace.customdata[:2]) == [1, 2]
    assert figure.layout.yaxis2.matches == "y"
    assert figure.layout.xaxis.title.text == "gold score (0 to 5)"
    assert figure.layout.yaxis.title.text == "cosine"


def test_histograms_hold_every_pair_on_the_same_bins():
    figure = cosine_histograms(COSINES, bins=20)
    for trace, cosine in zip(figure.data, COSINES.values(), strict=True):
        expected = 100 * np.histogram(cosine, np.linspace(-1, 1, 21))[0] / 200
        np.testing.assert_allclose(trace.y, expected)
        assert sum(trace.y) == pytest.approx(100)
    assert "%" in figure.layout.yaxis.title.text


def test_a_cosine_of_one_with_rounding_error_stays_in_the_last_bin():
    (trace,) = cosine_histograms({"identity": np.array([1 + 1e-12, -1 - 1e-12])}, bins=4).data
    np.testing.assert_allclose(trace.y, [50, 0, 0, 50])


def test_groups_are_gathered_in_order_of_appearance():
    figure = cosine_by_group(np.array([0.1, 0.2, 0.3]), ["b", "a", "b"], spec="identity")
    assert [(box.name, list(box.x)) for box in figure.data] == [("b", [0.1, 0.3]), ("a", [0.2])]


def test_inputs_are_left_untouched():
    before = {spec: cosine.copy() for spec, cosine in COSINES.items()}
    gold_against_cosine(GOLD, COSINES, gold_label="gold")
    cosine_histograms(COSINES)
    for spec, cosine in COSINES.items():
        np.testing.assert_array_equal(cosine, before[spec])


def test_each_calibrator_has_its_own_colour_and_pipelines_share_one():
    colours = [colour_of(name) for name in CALIBRATORS]
    assert len(set(colours)) == len(colours)
    assert colour_of("flow:lr=1e-3") == colour_of("flow")
    assert colour_of("whiten+flow") == colour_of("standardize+flow") not in colours


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


@pytest.mark.parametrize("name", [*CALIBRATORS, "standardize+flow"])
def test_colours_are_seen_on_white_and_on_black(name):
    light = luminance(colour_of(name))
    assert (1.05) / (light + 0.05) > 2  # on white
    assert (light + 0.05) / 0.06 > 3  # on nearly black


def test_figures_are_deterministic():
    assert score_bars(["a"], [0.1]).to_json() == score_bars(["a"], [0.1]).to_json()
    assert isinstance(cosine_histograms(COSINES), go.Figure)


def test_the_ink_on_a_colour_is_the_one_that_reads():
    assert ink_on("#FFFFFF") == ink_on("#56B4E9") == "#000000"
    assert ink_on("#000000") == ink_on("#0072B2") == "#FFFFFF"


def test_the_cosines_of_each_label_are_shares_of_that_label():
    cosines = {"identity": np.array([0.9, 0.8, -0.5, 0.85]), "whiten": np.full(4, 1.2)}
    figure = cosine_by_label(np.array([1.0, 0.0, 0.0, 1.0]), cosines, bins=4)
    shares = [(trace.name, *trace.y) for trace in figure.data]
    assert shares == [
        ("label 1", 0, 0, 0, 100),
        ("label 0", 0, 50, 0, 50),  # -0.5 is the lower end of its bin
        ("label 1", 0, 0, 0, 100),
        ("label 0", 0, 0, 0, 100),
    ]
    assert list(figure.data[0].x) == [-0.75, -0.25, 0.25, 0.75]
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]
    assert figure.layout.xaxis.title.text == "cosine of a pair"
