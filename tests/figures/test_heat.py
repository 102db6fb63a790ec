import numpy as np
from plotly_numbers import numbers

from bertflow_core.figures import distance_histograms, layer_heatmap, similarity_heatmaps

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
    one_way = [(1, 2, "0.25<br>#2", "#000000"), (1, 3, "-0.50<br>#3", "#000000")]
    assert sorted(cells)[:2] == one_way
    pointed = first.hovertext[0][1]
    assert pointed.startswith("&lt;b>one") and "two &amp; more" in pointed
    assert figure.layout.yaxis.autorange == "reversed"


def test_groups_of_distances_share_their_bins():
    groups = {"samples": np.array([30.0, 40.0]), "real": np.array([0.0, 10, 20])}
    spaces = {"latent": groups, "raw": {"samples": np.array([7.0, 9])}}
    samples, real, raw = distance_histograms(spaces).data
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


def test_a_panel_a_calibrator_with_layers_down_and_poolings_across():
    figure = layer_heatmap(PANELS, [0, 1], TOKENS, measure="Spearman's rho")
    assert [note.text for note in figure.layout.annotations[:2]] == list(PANELS)
    for panel, rows in zip(figure.select_traces("heatmap"), PANELS.values(), strict=True):
        assert [list(row) for row in panel.z] == rows
        assert (list(panel.x), list(panel.y)) == (TOKENS, ["0", "1"])
    assert figure.layout.yaxis.autorange == "reversed"
    *_, written = figure.select_traces({"mode": "text"})
    assert list(written.text) == ["-0.9", "0.2", "0.3", "0.4", "0.5", "0.7"]
    colours = written.textfont.color
    assert (colours[0], colours[-1]) == ("#FFFFFF", "#000000")  # from blue to yellow
    for marks, spec in zip(figure.select_traces({"mode": "markers"}), PANELS, strict=True):
        places = [tuple(place) for place in marks.customdata]  # of a press on a cell
        assert places == [(layer, name, spec) for layer in (0, 1) for name in TOKENS]
        assert marks.marker.opacity == 0


def test_diverging_colours_part_at_zero():
    diverging, sequential = (
        layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine", diverging=each).layout.coloraxis
        for each in (True, False)
    )
    assert (diverging.cmin, diverging.cmax) == (-0.9, 0.9)
    assert (sequential.cmin, sequential.cmax) == (-0.9, 0.7)  # of all panels
    assert diverging.colorscale != sequential.colorscale
