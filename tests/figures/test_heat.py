import numpy as np
import pytest
from plotly_numbers import numbers

from bertflow_core.figures import (
    distance_histograms,
    layer_heatmap,
    sentence_maps,
    similarity_heatmaps,
)

COSINE = np.array([[1.0, 0.25, -0.5], [0.25, 1.0, 0.75], [-0.5, 0.75, 1.0]])
RANKS = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0]])
TEXTS = ["<b>one</b>", "two & more", "three"]


def test_heatmaps_share_one_scale_that_is_symmetric_about_0():
    figure = similarity_heatmaps(
        {"identity": COSINE, "flow": -COSINE}, {"identity": RANKS, "flow": RANKS}, TEXTS
    )
    first, written, second, _ = figure.data
    np.testing.assert_allclose(first.z, COSINE)
    np.testing.assert_allclose(second.z, -COSINE)
    np.testing.assert_array_equal(first.customdata, RANKS)
    assert first.coloraxis == second.coloraxis == "coloraxis"
    axis = figure.layout.coloraxis
    assert (axis.cmin, axis.cmid, axis.cmax) == (-1, 0, 1)
    cells = zip(written.y, written.x, written.text, written.textfont.color, strict=True)
    assert sorted(cells) == [
        (1, 2, "0.25<br>#2", "#000000"),
        (1, 3, "-0.50<br>#3", "#000000"),
        (2, 1, "0.25<br>#2", "#000000"),
        (2, 3, "0.75<br>#1", "#FFFFFF"),
        (3, 1, "-0.50<br>#3", "#000000"),
        (3, 2, "0.75<br>#1", "#FFFFFF"),
    ]
    pointed = first.hovertext[0][1]
    assert pointed.startswith("&lt;b>one") and "two &amp; more" in pointed
    assert figure.layout.yaxis.autorange == "reversed"


def test_maps_number_typed_sentences_and_escape_every_text():
    real, typed = np.array([[0.0, 1], [2, 3]]), np.array([[4.0, 5]])
    figure = sentence_maps(
        {"identity": real, "flow": -real},
        {"identity": typed, "flow": -typed},
        {"identity": (0.5, 0.25), "flow": (0.1, 0.05)},
        real_texts=["<a href='x'>", "b"],
        typed_texts=["<i>mine</i>"],
    )
    marks = figure.data
    assert [trace.showlegend for trace in marks] == [True, True, False, False]
    np.testing.assert_allclose(marks[2].x, [0, -2])
    np.testing.assert_allclose(marks[3].y, [-5])
    assert list(marks[1].text) == ["1"]
    assert list(marks[1].customdata) == ["1. &lt;i>mine&lt;/i>"]
    assert marks[0].text[0] == "&lt;a href='x'>"
    assert figure.layout.xaxis.title.text == "PC 1, 50.0 % of the variance"
    assert figure.layout.yaxis2.title.text == "PC 2, 5.0 % of the variance"


def test_groups_of_distances_share_their_bins():
    groups = {"samples": np.array([3.0, 4.0]), "real": np.array([0.0, 1, 2])}
    spaces = {"latent": groups, "raw": {"samples": np.array([7.0, 9])}}
    figure = distance_histograms(spaces, label="distance", bins=4)
    samples, real, raw = figure.data
    np.testing.assert_allclose(numbers(samples.x), [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5])
    np.testing.assert_allclose(numbers(samples.y), [0, 0, 0, 0, 100, 0])
    np.testing.assert_allclose(numbers(real.x), numbers(samples.x))
    np.testing.assert_allclose(numbers(real.y), [0, 100 / 3, 100 / 3, 100 / 3, 0, 0])
    np.testing.assert_allclose(numbers(raw.x)[1:3], [7.25, 7.75])


PANELS = {
    "identity": [[0.1, None, 0.3], [0.4, 0.5, 0.6]],
    "flow": [[-0.9, 0.2, 0.3], [0.4, 0.5, 0.7]],
}
TOKENS = ["mean", "cls", "max"]


def maps(figure):
    return list(figure.select_traces("heatmap"))


@pytest.fixture
def figure():
    return layer_heatmap(PANELS, [0, 1], TOKENS, measure="Spearman's rho")


def test_a_panel_a_calibrator_with_layers_down_and_poolings_across(figure):
    assert [note.text for note in figure.layout.annotations[:2]] == list(PANELS)
    for panel, rows in zip(maps(figure), PANELS.values(), strict=True):
        assert [list(row) for row in panel.z] == rows
        assert list(panel.x) == TOKENS
        assert list(panel.y) == ["0", "1"]
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.yaxis.title.text == "layer"
    assert figure.layout.yaxis2.title.text is None
    assert figure.layout.xaxis.title.text == figure.layout.xaxis2.title.text == "token pooling"


def texts(figure):
    """Return the text and the ink of each cell, by panel, layer and pooling."""
    return {
        (trace.xaxis, y, x): (text, ink)
        for trace in figure.select_traces({"mode": "text"})
        for x, y, text, ink in zip(trace.x, trace.y, trace.text, trace.textfont.color, strict=True)
    }


def test_cells_say_their_numbers_in_the_ink_that_reads_best(figure):
    found = texts(figure)
    for axis, rows in (("x", PANELS["identity"]), ("x2", PANELS["flow"])):
        for y, row in enumerate(rows):
            for x, number in zip(TOKENS, row, strict=True):
                if number is not None:
                    assert found[axis, str(y), x][0] == f"{number:.1f}"
    # Cividis goes from dark blue to yellow.
    assert found["x2", "0", "mean"][1] == "#FFFFFF"
    assert found["x2", "1", "max"][1] == "#000000"


def test_a_press_on_a_cell_gives_its_place(figure):
    for marks, spec in zip(figure.select_traces({"mode": "markers"}), PANELS, strict=True):
        for x, y, place in zip(marks.x, marks.y, marks.customdata, strict=True):
            assert tuple(place) == (int(y), x, spec)
        assert len(marks.x) == 2 * len(TOKENS)
        assert marks.marker.opacity == 0


def test_diverging_colours_part_at_zero():
    axis = layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine", diverging=True).layout.coloraxis
    assert (axis.cmin, axis.cmax) == (-0.9, 0.9)
    sequential = layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine").layout.coloraxis
    assert (sequential.cmin, sequential.cmax) == (-0.9, 0.7)  # of all panels
    assert axis.colorscale != sequential.colorscale
