"""The payload of the layers' spheres, unpacked by numpy, against the vectors that it came from."""

import base64
import json
from itertools import accumulate, pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.analysis.coordinates import coordinate_contributions, largest_coordinates
from bertflow_core.datasets import load_dataset
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.depth.spheres import measured, spheres, spheres_figure, stored_depth
from bertflow_core.studies.depth.study import DepthRecipe

DIM = 24
MEASURES = {"token_entropy": 0.5, "first_norm": 2.0, "first_part": 0.1}
ROWS = [{"layers": f"layer:{k}", **MEASURES} for k in range(2)]


@pytest.fixture(scope="module")
def made():
    """Return a payload, and for each layer and pooling the vectors of texts and fit corpus."""
    rng, data = np.random.default_rng(0), load_dataset("teaching")
    mean = np.r_[40.0, -25.0, np.full(DIM - 2, 1.0)]
    every = [rng.normal(mean, 1.0, (len(data.texts) + 90, DIM)) for _ in range(4)]
    n_texts = len(data.texts)
    found = [SimpleNamespace(data=data, x_texts=x[:n_texts], x_fit=x[n_texts:]) for x in every]
    params = DepthRecipe(dataset="teaching")
    payload = spheres(params, SimpleNamespace(embedded=lambda _: iter(found)), ROWS)
    return json.loads(json.dumps(payload)), data, found


def unpacked(space, n, m):
    """Return the columns of a space: ten coordinates, lengths, products, and two of cosines."""
    sizes = [*[2 * n] * (len(space["chosen"]) + 2), n, m * (m - 1) // 2]
    numbers = np.frombuffer(base64.b64decode(space["numbers"]), "<i2").astype(float)
    ends = [*accumulate(sizes, initial=0)]
    assert ends[-1] == len(numbers)
    columns = [numbers[a:b] for (a, b) in pairwise(ends)]
    return [column * scale for column, scale in zip(columns, space["scales"], strict=True)]


@pytest.mark.parametrize("place", range(4))
def test_a_space_has_the_products_of_its_sentences(made, place):
    payload, data, found = made
    space = payload["layers"][place // 2][("all", "after_first")[place % 2]]
    x, fit = found[place].x_texts, found[place].x_fit
    chosen = largest_coordinates(fit, 10)
    assert space["chosen"] == chosen.tolist()
    distinct = x[[data.texts.index(text) for text in dict.fromkeys(data.texts)]]
    parts = coordinate_contributions(distinct)
    assert space["shares"] == pytest.approx(parts[chosen] / parts.sum())
    n, sides = len(data), np.r_[payload["shown"], len(data) + np.array(payload["shown"])]
    *largest, norms, along, of_pairs, of_shown = unpacked(space, n, len(sides))
    mean = fit.mean(axis=0)
    rest = np.delete(x - mean, chosen, axis=1)
    np.testing.assert_allclose(np.array(largest).T, (x - mean)[:, chosen], atol=2e-4)
    np.testing.assert_allclose(norms, np.linalg.norm(rest, axis=1), rtol=1e-4)
    np.testing.assert_allclose(along, rest @ np.delete(mean, chosen), atol=1e-3)
    unit = rest / np.linalg.norm(rest, axis=1, keepdims=True)
    np.testing.assert_allclose(of_pairs, (unit[:n] * unit[n:]).sum(axis=1), atol=1e-4)
    cosines = (unit[sides] @ unit[sides].T)[np.triu_indices(len(sides), 1)]
    np.testing.assert_allclose(of_shown, cosines, atol=1e-4)


def test_a_payload_names_its_pairs(made):
    payload, data, _ = made
    assert payload["n"] == len(data)
    assert payload["model"] == "minilm"
    assert payload["gold"] == data.gold.tolist()
    assert payload["texts"][3] == [
        data.first[payload["shown"][3]],
        data.second[payload["shown"][3]],
    ]
    assert [each["name"] for each in payload["layers"]] == ["0", "1"]


def test_the_figure_has_the_angles_of_the_sentences(made):
    payload, data, found = made
    figure = spheres_figure(payload)
    sides = np.r_[payload["shown"], len(data) + np.array(payload["shown"])]
    drawn = [each for each in figure.data if each.customdata is not None]
    assert len(drawn) == 2
    for trace, embedded in zip(drawn, found[::2], strict=True):
        unit = embedded.x_texts[sides]
        unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)
        mean = unit.mean(axis=0) / np.linalg.norm(unit.mean(axis=0))
        expected = np.degrees(np.arccos(unit @ mean))
        np.testing.assert_allclose(np.ravel(trace.customdata), expected, atol=0.02)
        assert trace.text[1] == data.texts[sides[1]]


def test_the_recorded_payload_is_small_and_of_the_recorded_report():
    size = len(resource("results/depth-spheres.json").read_bytes())
    assert size < 3_000_000
    stored = stored_depth()
    layers = stored.spheres["layers"]
    assert len(layers) == len(stored.report.rows) == 31
    for layer, row in zip(layers, stored.report.rows, strict=True):
        assert layer["all"]["chosen"] == row["chosen"]
        assert layer["all"]["shares"] == pytest.approx(row["shares"], rel=1e-6)


def test_data_without_pairs_are_refused_before_anything_is_embedded():
    with pytest.raises(InputError, match="pairs of sentences"):
        measured(DepthRecipe(dataset="questions"), Lab())
