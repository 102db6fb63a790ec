"""The cone of a data set, and its layers in a flow, against numpy and scipy; figures."""

import numpy as np
import pytest
from plotly_numbers import numbers
from scipy.stats import chi, kstest

from bertflow_core.evaluation import cosine_matrix
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.space.cone import (
    SHOWN_PAIRS,
    cone,
    cone_figure,
    flow_rows,
    random_figure,
)


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return recipe_of(120)


@pytest.fixture(scope="module")
def report(recipe):
    return cone(recipe, Lab(), ("identity", "standardize"))


@pytest.fixture
def row(report):
    return report.row(calibrator="identity")


def test_the_numbers_are_numpys(recipe, report, row):
    embedded = next(Lab().embedded([recipe]))
    x = np.concatenate([embedded.x_first, embedded.x_second]).astype(np.float64)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    mean = unit.mean(axis=0)
    assert row["mean_length"] == pytest.approx(np.linalg.norm(mean), abs=1e-6)
    rows = [embedded.data.first.index(first) for first, _, _ in report.facts["pairs"]]
    angles = np.degrees(np.arccos(unit[rows] @ mean / np.linalg.norm(mean)))
    assert row["angles"][:SHOWN_PAIRS] == pytest.approx(angles, abs=0.01)
    second = len(embedded.data) + np.array(rows)
    between = np.degrees(np.arccos((unit[rows] * unit[second]).sum(axis=1)))
    assert row["pair_angles"] == pytest.approx(between, abs=0.01)
    centres = (np.arange(50) + 0.5) / 25 - 1
    assert sum(row["random_shares"]) == pytest.approx(1, abs=1e-4)
    assert np.dot(row["random_shares"], centres) == pytest.approx(row["random_cosine"], abs=0.01)
    (result,) = Lab().evaluate([recipe])
    assert (row["rho"], row["random_cosine"]) == (result.rho, result.random_cosine)


def test_a_point_stands_at_its_angle_to_the_arrow(report, row):
    _, points, arrow = cone_figure(report.facts["pairs"], [row]).data
    across, up = (np.asarray(numbers(values)) for values in (points.x, points.y))
    theta, phi = np.radians(row["angles"]), np.radians(row["azimuths"])
    assert across == pytest.approx(np.sin(theta) * np.cos(phi), abs=0.002)
    tilt = np.arccos(numbers(arrow.y)[1] / row["mean_length"])  # seen from above
    assert 0 < tilt < np.pi / 6
    depth = np.sin(theta) * np.sin(phi)
    assert up == pytest.approx(np.cos(theta) * np.cos(tilt) - depth * np.sin(tilt), abs=0.002)
    first, second, _ = report.facts["pairs"][0]
    for place, sentence in ((0, first), (SHOWN_PAIRS, second)):
        assert points.text[place].startswith(sentence)
        assert f"{row['pair_angles'][0]:.0f}°" in points.text[place]
    (line,) = random_figure([row]).data
    assert sum(numbers(line.y)) == pytest.approx(100, abs=0.01)


def test_sentences_without_scores_have_a_cone_and_no_rho(recipe, tmp_path):
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2\na cat,a dog\nthe mat,red\n")
    report = cone(recipe.with_(dataset=str(tmp_path / "pairs.csv")), Lab(), ["identity"])
    (row,) = report.rows
    assert row["rho"] is None and 0 < row["mean_length"] <= 1
    assert "grade" not in str(cone_figure(report.facts["pairs"], [row]).data[1].text)


def test_the_way_begins_at_the_embedding_and_ends_where_the_flow_ends(recipe_of):
    recipe = recipe_of(40, seed=3)
    report = cone(recipe, Lab(), ["flow"])
    (evaluation,) = Lab().evaluate([recipe.with_(calibrator="flow")])
    pairs, embedded = evaluation.embedded.data, evaluation.embedded
    x = np.concatenate([embedded.x_first, embedded.x_second])
    _, rows = np.unique([*pairs.first, *pairs.second], return_index=True)
    traced = flow_rows(report)
    assert [row["flow_layer"] for row in traced] == list(range(19))
    assert traced[1]["kind"].endswith("ActNorm")
    ends = x[rows], evaluation.calibrator.transform(x[rows])
    for row, z in zip((traced[0], traced[-1]), ends, strict=True):
        cosines = cosine_matrix(z, z)[~np.eye(len(z), dtype=bool)]
        assert row["mean_cosine"] == pytest.approx(cosines.mean(), abs=1e-4)
        expected = kstest(np.linalg.norm(z, axis=1), chi(z.shape[1]).cdf).statistic
        assert row["norm_gap"] == pytest.approx(expected, abs=1e-3)
    means, gaps = report.figures()[f"flow-{recipe.layers}".replace(":", "-")].data
    assert means.y[-1] == traced[-1]["mean_cosine"]
    assert gaps.y[-1] == traced[-1]["norm_gap"]
