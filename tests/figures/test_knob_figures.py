import numpy as np
import plotly.graph_objects as go
import pytest

from bertflow_core.figures.knobs import layer_heatmap, sweep_curve
from bertflow_core.figures.style import colour_of

CURVES = {"dev": [0.5, 0.7, None, 0.6], "test": [0.4, 0.6, 0.65, 0.55]}


def test_each_split_is_a_line_of_rho_times_hundred_with_markers():
    figure = sweep_curve([0, 1, 2, 3], CURVES, spec="null-top-k", label="k")
    dev, test = figure.data
    assert (dev.name, test.name) == ("dev", "test")
    np.testing.assert_allclose(test.y, [40, 60, 65, 55])
    assert dev.y[2] is None
    assert not dev.connectgaps
    assert list(dev.x) == [0, 1, 2, 3]
    assert dev.line.dash != test.line.dash
    assert dev.marker.symbol != test.marker.symbol
    assert {trace.mode for trace in figure.data} == {"lines+markers"}
    assert test.line.color == colour_of("null-top-k")
    assert figure.layout.xaxis.title.text == "k"
    assert "x 100" in figure.layout.yaxis.title.text
    assert not figure.layout.shapes
    assert not figure.layout.annotations


def test_the_chosen_value_is_marked_and_named():
    figure = sweep_curve([5, 6, 7, 8], CURVES, spec="null-top-k", label="k", chosen=1)
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(6, 6)]
    (note,) = figure.layout.annotations
    assert (note.x, note.text) == (6, "chosen on dev: 6")


def test_a_logarithmic_axis_keeps_zero_and_labels_it():
    figure = sweep_curve(
        [0.0, 1e-3, 0.02, 1.0], CURVES, spec="whiten", label="shrinkage", chosen=2, log_x=True
    )
    axis = figure.layout.xaxis
    assert axis.type == "log"
    assert axis.title.text == "shrinkage"
    places = figure.data[0].x
    assert list(places[1:]) == [1e-3, 0.02, 1.0]
    assert places[0] == pytest.approx(1e-4)  # as far from the next label as all others are
    labels = dict(zip(axis.ticktext, axis.tickvals, strict=True))
    assert labels == pytest.approx(
        {"0": places[0], "0.001": 1e-3, "0.01": 1e-2, "0.1": 0.1, "1": 1.0}
    )
    assert figure.layout.shapes[0].x0 == 0.02
    assert figure.layout.annotations[0].x == pytest.approx(np.log10(0.02))
    assert list(figure.data[0].customdata) == ["0.0", "0.001", "0.02", "1.0"]


def test_a_logarithmic_axis_without_zero_has_no_such_label():
    axis = sweep_curve([1, 10], {"test": [0.1, 0.2]}, spec="flow", label="epochs", log_x=True)
    assert list(axis.layout.xaxis.ticktext) == ["1", "10"]


def test_names_are_drawn_at_equal_distances():
    figure = sweep_curve(
        ["additive", "affine"], {"test": [0.1, 0.2]}, spec="flow", label="coupling", chosen=0
    )
    assert figure.layout.xaxis.type == "category"
    assert figure.layout.shapes[0].x0 == "additive"


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
    for panel, numbers in zip(maps(figure), PANELS.values(), strict=True):
        assert [list(row) for row in panel.z] == numbers
        assert list(panel.x) == TOKENS
        assert list(panel.y) == ["0", "1"]
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.yaxis.title.text == "layer"
    assert figure.layout.yaxis2.title.text is None
    assert figure.layout.xaxis.title.text == figure.layout.xaxis2.title.text == "token pooling"


def test_what_is_undefined_says_so(figure):
    notes = figure.layout.annotations[2:]
    assert len(notes) == 2 * 2 * 3
    (gap,) = [note for note in notes if note.text == "-"]
    assert (gap.x, gap.y, gap.xref, gap.yref) == ("cls", "0", "x", "y")


def test_cells_say_their_numbers_in_the_ink_that_reads_best(figure):
    notes = {(note.xref, note.y, note.x): note for note in figure.layout.annotations[2:]}
    for axis, numbers in (("x", PANELS["identity"]), ("x2", PANELS["flow"])):
        for y, row in enumerate(numbers):
            for x, number in zip(TOKENS, row, strict=True):
                if number is not None:
                    assert notes[axis, str(y), x].text == f"{number:.1f}"
    # Cividis goes from dark blue to yellow.
    assert notes["x2", "0", "mean"].font.color == "#FFFFFF"
    assert notes["x2", "1", "max"].font.color == "#000000"


def test_a_press_on_a_cell_gives_its_place(figure):
    for marks, spec in zip(figure.select_traces("scatter"), PANELS, strict=True):
        for x, y, place in zip(marks.x, marks.y, marks.customdata, strict=True):
            assert tuple(place) == (int(y), x, spec)
        assert len(marks.x) == 2 * len(TOKENS)
        assert marks.marker.opacity == 0


def test_numbers_are_multiplied_by_the_factor():
    figure = layer_heatmap(PANELS, [0, 1], TOKENS, measure="rho x 100", factor=100)
    assert list(figure.data[0].z[0]) == [10, None, 30]
    assert figure.layout.coloraxis.cmax == 70


def test_one_scale_of_colours_holds_for_all_panels(figure):
    assert {panel.coloraxis for panel in maps(figure)} == {"coloraxis"}
    axis = figure.layout.coloraxis
    assert (axis.cmin, axis.cmax) == (-0.9, 0.7)
    assert axis.colorbar.title.text == "Spearman's rho"


def test_diverging_colours_part_at_zero():
    axis = layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine", diverging=True).layout.coloraxis
    assert (axis.cmin, axis.cmax) == (-0.9, 0.9)
    sequential = layer_heatmap(PANELS, [0, 1], TOKENS, measure="cosine").layout.coloraxis
    assert axis.colorscale != sequential.colorscale


def test_many_panels_go_on_in_a_second_row():
    panels = {f"null-top-k:k={k}": [[0.1 * k]] for k in range(6)}
    figure = layer_heatmap(panels, [0], ["mean"], measure="rho")
    assert len(maps(figure)) == 6
    domains = [figure.layout[f"yaxis{n}"].domain for n in (4, 5)]
    assert domains[0] != domains[1]
    assert figure.layout.yaxis5.title.text == "layer"


def test_a_map_of_nothing_known_can_be_drawn():
    figure = layer_heatmap({"identity": [[None]]}, [0], ["cls"], measure="rho")
    assert figure.layout.coloraxis.cmin < figure.layout.coloraxis.cmax


def test_figures_are_deterministic_and_leave_inputs_untouched():
    before = {name: list(curve) for name, curve in CURVES.items()}
    first, second = (sweep_curve([0, 1, 2, 3], CURVES, spec="a", label="k") for _ in range(2))
    assert first.to_json() == second.to_json()
    assert before == CURVES
    assert isinstance(first, go.Figure)
