"""The cone of a data set: its numbers against numpy's, its figure, and the stored result."""

import json

import numpy as np
import pytest
from plotly_numbers import numbers

from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.cone.measure import SHOWN_PAIRS, Cone, measure_cone
from bertflow_core.studies.cone.report import cone_figure, cone_report, random_figure, stored_cone

RECIPE = Recipe(dataset="teaching")
SPECS = ("identity", "standardize")


@pytest.fixture(scope="module")
def cone():
    return measure_cone(RECIPE, Lab(), layers=("layer:4", "last"), specs=SPECS)


def test_the_numbers_are_numpys(cone):
    prepared = Lab().prepare(RECIPE)
    x = np.concatenate([prepared.x_first, prepared.x_second]).astype(np.float64)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    mean = unit.mean(axis=0)
    opening = cone.opening("layer:4", "identity")
    assert opening.mean_length == pytest.approx(np.linalg.norm(mean), abs=1e-6)
    rows = [prepared.pairs.first.index(first) for first, _, _ in cone.pairs]
    angles = np.degrees(np.arccos(unit[rows] @ mean / np.linalg.norm(mean)))
    assert opening.angles[:SHOWN_PAIRS] == pytest.approx(angles, abs=0.01)
    second = len(prepared.pairs) + np.array(rows)
    between = np.degrees(np.arccos((unit[rows] * unit[second]).sum(axis=1)))
    assert opening.pair_angles == pytest.approx(between, abs=0.01)
    centres = (np.arange(50) + 0.5) / 25 - 1
    assert sum(opening.random_shares) == pytest.approx(1, abs=1e-4)
    assert np.dot(opening.random_shares, centres) == pytest.approx(opening.random_cosine, abs=0.01)
    (result,) = Lab().evaluate(RECIPE)
    assert (opening.rho, opening.random_cosine) == (result.rho, result.random_cosine)


def test_every_layer_set_has_every_calibrator_and_a_command_that_says_so(cone):
    assert [(each.layers, each.spec) for each in cone.openings] == [
        (layers, spec) for layers in ("layer:4", "last") for spec in SPECS
    ]
    report = cone_report(cone)
    assert report.command.startswith("bertflow-lab analyse cone ")
    assert report.command.endswith(
        "--layers layer:4 --layers last --calibrator identity --calibrator standardize"
    )
    assert sorted(report.figures()) == ["cone-last", "cone-layer-4"]
    assert [row["mean_length"] for row in report.records()] == [
        each.mean_length for each in cone.openings
    ]


def test_a_document_gives_the_same_cone_again(cone):
    assert Cone.from_dict(json.loads(cone_report(cone).write("json"))) == cone


def test_a_point_stands_at_its_angle_to_the_arrow(cone):
    opening = cone.opening("layer:4", "identity")
    _, points, arrow = cone_figure(cone, [opening]).data
    across, up = (np.asarray(numbers(values)) for values in (points.x, points.y))
    theta, phi = np.radians(opening.angles), np.radians(opening.azimuths)
    assert across == pytest.approx(np.sin(theta) * np.cos(phi), abs=0.002)
    tilt = np.arccos(numbers(arrow.y)[1] / opening.mean_length)  # seen from above
    assert 0 < tilt < np.pi / 6
    depth = np.sin(theta) * np.sin(phi)
    assert up == pytest.approx(np.cos(theta) * np.cos(tilt) - depth * np.sin(tilt), abs=0.002)
    first, second, _ = cone.pairs[0]
    for row, sentence in ((0, first), (SHOWN_PAIRS, second)):
        assert points.text[row].startswith(sentence)
        assert f"{opening.pair_angles[0]:.0f}°" in points.text[row]
    (line,) = random_figure([opening]).data
    assert sum(numbers(line.y)) == pytest.approx(100, abs=0.01)


def test_pairs_without_scores_are_refused_before_anything_is_embedded(tmp_path, monkeypatch):
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2\na cat,a dog\nb,c\n")
    monkeypatch.setattr(Lab, "prepare", None)
    with pytest.raises(InputError, match="gold"):
        measure_cone(Recipe(dataset=str(tmp_path / "pairs.csv")), Lab())


def test_what_is_stored_is_complete():
    stored = stored_cone()
    assert stored.recipe.dataset == "captions"
    assert {each.layers for each in stored.openings} == {"layer:4", "last"}
    assert all(len(each.angles) == 2 * len(stored.pairs) for each in stored.openings)
    assert RANDOM_PAIRS == 10_000  # which Start and the captions name
