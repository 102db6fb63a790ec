"""Every picture has an alt text and titles, and leaves its inputs unchanged."""

import json

import numpy as np
import pytest

from bertflow_core import figures
from bertflow_core.calibrators import CALIBRATORS
from bertflow_core.figures import Sphere, alt_of, colour_of

BAD = "<b>one</b> & two"
X = np.linspace(-0.9, 0.9, 6)
COSINES = {"identity": X, "flow": -X}
GROUPS = ["a", "b", "a", "b", "a", "b"]
TEXTS = [BAD] * 6
SQUARE = np.outer(X, X)
PLANES = {"flow": np.column_stack([X, X])}
SPHERE = Sphere(BAD, "flow", 60 + X, 90 * X, 0.4, TEXTS)
PICTURES = {
    "score_bars": ((["identity", "flow"], [0.5, None]), {}),
    "verdict_bars": (([("T", (0, 1), {"identity": (0.2, "low"), "flow": (0.9, "high")})],), {}),
    "score_by_dataset": (({BAD: [0.1, None]}, [BAD, "b"], ["flow"]), {}),
    "scores_by_layer": (
        ({"flow": ([0, 1], [[0.5, 0.6], [0.4, 0.5], [0.6, 0.7]])}, ["0", "output"], 0.55),
        {},
    ),
    "sweep_curve": (([0, 1, 10], {"dev": [0.1, None, 0.2]}), {"spec": "flow", "label": "k"}),
    "interval_forest": (([BAD + " flow"], [0.1], [0.0], [0.2]), {"title": "rho"}),
    "changes_by_task": (
        (
            {f"Task\n{BAD}": [(0.01, 0, 0.02, True), (-0.01, -0.02, 0, False)]},
            ["flow", f"{BAD} whiten"],
        ),
        {"missing": {"Search": BAD}, "against": "plain output"},
    ),
    "rank_changes": ((X + 1, X + 1, X), {"names": ("identity", "flow"), "numbers": range(1, 7)}),
    "gold_against_cosine": ((X, COSINES), {"gold_label": "gold"}),
    "cosine_by_label": ((np.arange(6) % 2, COSINES), {"bins": 4}),
    "cosine_histograms": ((COSINES,), {}),
    "threshold_curves": (({"at": [0.1, 0.5], "recall": [0.9, None]}, 0.4), {}),
    "share_ridges": (({BAD: {"a": [0.25, 0.75]}}, {BAD: 0.3}, 0.8), {"label": "cosine"}),
    "singular_spectra": (({"flow": np.array([3.0, 2, 1])},), {}),
    "measures_by_layer": (({"m": {"flow": [1.0, None]}}, ["layer:0", "last"]), {}),
    "readings_by_layer": (
        ({(BAD, BAD): {"flow": [0.5, None]}}, ["layer:0", "layer:4"], 0.55),
        {"chosen": ((BAD, BAD), 0, 0.5), "title": "rho"},
    ),
    "likelihood_histograms": (({"real": X, "samples": X + 1},), {}),
    "fit_curves": (([3.0, 2.0], [0, 1], {"m": [1, 2]}), {"before": {}, "n_steps": 9}),
    "value_bars": (("rho", ["a", "b"], ["identity", "flow"], [1.0, None]), {}),
    "latent_features": ((PLANES["flow"], ("one", "two")), {}),
    "norm_against_rank": ((np.arange(6), X, GROUPS), {}),
    "measure_by_bin": (([(0, 9)], {"flow": [1.0]}), {"label": "norm"}),
    "coordinate_bars": (({"flow": [0.1, None]},), {}),
    "similarity_panels": (
        ({"gold": X, **COSINES}, range(6)),
        {"near": X > 0, "threshold": 4, "texts": TEXTS},
    ),
    "equation_cloud": ((X, X, TEXTS), {"r2": 0.9}),
    "distance_histograms": (({"raw": {"real": X + 1, "samples": X + 2}},), {}),
    "cosines_by_group": ((COSINES, GROUPS), {}),
    "layer_heatmap": (({"flow": [[0.1, None]]}, [0], ["mean", "cls"]), {"measure": "rho"}),
    "similarity_heatmaps": (({"flow": SQUARE}, {"flow": np.argsort(SQUARE)}, TEXTS), {}),
    "sentence_maps": (
        (PLANES, PLANES, {"flow": (0.5, 0.2)}),
        {"real_texts": TEXTS, "typed_texts": TEXTS},
    ),
    "spheres": (([SPHERE],), {}),
}
HUNDREDTHS = [50, None]
HOLDS = {  # the given values that each trace must hold
    "score_bars": [{"x": HUNDREDTHS, "text": ["50.00", "undefined"]}],
    "value_bars": [{"y": ["a", "b"], "x": [1, None]}],
    "score_by_dataset": [{"y": [10, None]}],
    "threshold_curves": [{"x": [0.1, 0.5], "y": [90, None]}],
    "scores_by_layer": [{"x": [0, 1], "y": [50, 60]}],
    "sweep_curve": [{"x": [0, 1, 10], "y": [10, None, 20]}],
    "measures_by_layer": [{"y": [1, None]}],
    "readings_by_layer": [
        {"x": [0, 4], "y": HUNDREDTHS},
        {"x": [0, 4], "y": [55, 55]},
        {"x": [0], "y": [50]},
    ],
    "share_ridges": [
        {"x": [-0.5, 0.5], "y": [25, 75]},
        {"x": [0.3, 0.3], "y": [0, 75]},
        {"x": [0.8, 0.8]},
    ],
    "changes_by_task": [{"x": [0, 0, None] * 2}, {"x": [0, 2]}, {"x": [-2, 0]}, {"x": [1, -1]}],
    "rank_changes": [{"x": X + 1, "y": X + 1, "customdata": range(1, 7)}],
    "gold_against_cosine": [{"x": X, "y": X}, {"x": X, "y": -X}],
    "norm_against_rank": [{"x": range(1, 7), "y": X, "customdata": GROUPS}],
    "coordinate_bars": [{"x": [1, 2], "y": [0.1, None]}],
}
NO_PICTURES = {"Figure", "Sphere", "alt_of", "captioned", "colour_of", "colours_of", "figure_page"}


def test_every_picture_is_here():
    exported = {name for name, each in vars(figures).items() if callable(each)}
    drawing = {name for name in exported if not name.startswith(("mark_", "_"))} - NO_PICTURES
    assert drawing - {"share_histograms"} == PICTURES.keys()


def draw(name):
    args, options = PICTURES[name]
    return getattr(figures, name)(*args, **options)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_says_what_it_shows_and_leaves_its_inputs(name):
    before = repr(PICTURES[name])
    figure = draw(name)
    assert draw(name).to_json() == figure.to_json()
    assert repr(PICTURES[name]) == before
    assert len(alt_of(figure)) > 10
    assert figure.layout.height >= 100
    if name not in ("verdict_bars", "similarity_heatmaps", "spheres"):
        assert figure.layout.xaxis.title.text


@pytest.mark.parametrize("name", HOLDS)
def test_a_picture_holds_the_numbers_that_it_was_given(name):
    told = HOLDS[name]
    for trace, held in zip(draw(name).data[: len(told)], told, strict=True):
        for key, expected in held.items():
            for found, value in zip(trace[key], expected, strict=True):
                exact = value is None or isinstance(value, str)
                assert found == (value if exact else pytest.approx(value, abs=1e-6))


@pytest.mark.parametrize("name", [name for name in PICTURES if BAD in str(PICTURES[name])])
def test_text_is_no_markup(name):
    assert "<b>one" not in json.dumps(json.loads(draw(name).to_json()))  # Plotly writes < as \u003c


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
