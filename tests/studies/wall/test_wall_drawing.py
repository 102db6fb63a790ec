"""Nearest rows in every pane, pictures of spaces, and their payload for the canvas."""

import json
import re
import struct
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import rankdata, spearmanr
from sklearn.neighbors import NearestNeighbors
from tiny_walls import tiny_wall

from bertflow_core.analysis.layout import Method, Projection, faithfulness, project
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall import drawing
from bertflow_core.exhibits.wall.drawing import draw_wall
from bertflow_core.exhibits.wall.moved import SHARED
from bertflow_core.exhibits.wall.nearest import nearest_rows, neighbours_of, points_of
from bertflow_core.exhibits.wall.payload import PanePicture, encode, header_of
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.exhibits.wall.spaces import Axis

RNG = np.random.default_rng(9)
Z = (RNG.normal(size=(80, 6)) + 2).astype(np.float32)
Z[7] = 0


@pytest.fixture
def laid_out(monkeypatch):
    """The calls of UMAP, which is replaced by a rotation of the start by a right angle."""
    calls = []

    def layout(neighbours, start, **settings):
        calls.append((neighbours, start, settings))
        if not start.any():
            raise InputError("UMAP cannot lay out one point")
        return Projection(Method.UMAP, start[:, ::-1] * [1, -1], None)

    monkeypatch.setattr(drawing, "umap_layout", layout)
    return calls


def distances(z, metric):
    found = cdist(z, z, "euclidean" if metric == "l2" else "cosine")
    found[np.isnan(found)] = 1  # scipy's value for a zero row, whose cosine is 0 here
    np.fill_diagonal(found, np.inf)
    return found


def test_hand_computed_line_says_what_stayed_came_and_left():
    first = np.array([[0.0, 1], [1, 1], [2, 1], [9, 1], [12, 1]])
    second = first[[0, 3, 2, 1, 4]]
    one, two = neighbours_of(tiny_wall([first, second]), 0, 2, "l2")
    assert (one.rows.tolist(), one.values.tolist()) == ([1, 2], [1, 2])
    assert one.stayed.all() and one.left.tolist() == []
    assert (two.rows.tolist(), two.stayed.tolist()) == ([3, 2], [False, True])
    assert two.left.tolist() == [1]
    assert (one.name, two.badge) == ("layer:0, identity", "layer:1, identity (2 dims), l2")


@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_neighbours_of_every_row_and_of_each_are_those_of_a_full_sort(metric):
    at = distances(Z, metric)
    found = nearest_rows(Z, 4, metric)
    reached = np.take_along_axis(at, found.rows, axis=1)
    np.testing.assert_allclose(reached, np.sort(at, axis=1)[:, :4], rtol=1e-5)
    expected = reached if metric == "l2" else 1 - reached
    np.testing.assert_allclose(found.values, expected, rtol=1e-5, atol=1e-6)
    (own,) = neighbours_of(tiny_wall([Z]), 41, 4, metric)
    assert own.rows.tolist() == found.rows[41].tolist() == np.argsort(at[41])[:4].tolist()
    assert nearest_rows(Z[:3], 9, metric).rows.shape == (3, 2)
    (equal,) = neighbours_of(tiny_wall([np.ones((5, 2))]), 2, 10, metric)
    assert equal.rows.tolist() == [0, 1, 3, 4]  # the earlier first, and never the row itself


def test_by_spearman_neighbours_and_pictures_are_of_the_ranks_of_features():
    z = np.exp(RNG.normal(size=(60, 40))).round(1)  # some features are equal
    found, rho = nearest_rows(z, 4, "spearman"), spearmanr(z, axis=1).statistic
    np.fill_diagonal(rho, -np.inf)
    np.testing.assert_allclose(found.values, -np.sort(-rho, axis=1)[:, :4], atol=1e-6)
    np.testing.assert_allclose(np.take_along_axis(rho, found.rows, axis=1), found.values, atol=1e-6)
    (pane,) = draw_wall(tiny_wall([z]), Picture(metric="spearman")).panes
    ranks = rankdata(z, axis=1) - rankdata(z, axis=1).mean(axis=1, keepdims=True)
    points = ranks / np.linalg.norm(ranks, axis=1, keepdims=True)
    np.testing.assert_allclose(pane.coordinates, project(points, "pca").coordinates, atol=1e-5)
    assert pane.badge == "layer:0, identity (40 dims), spearman"


@pytest.mark.parametrize("method", ["pca", "svd"])
@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_linear_pictures_are_of_the_points_that_the_metric_sees(method, metric):
    z = Z[8:]
    points = z / np.linalg.norm(z, axis=1, keepdims=True) if metric == "cosine" else z
    wall, picture = tiny_wall([z, z[:, :2]]), Picture(method=method, metric=metric)
    plain = draw_wall(wall, picture)
    found = plain.panes[0]
    expected = project(points, method)
    np.testing.assert_allclose(found.coordinates, expected.coordinates, rtol=0, atol=1e-5)
    assert found.explained == pytest.approx(expected.explained)
    assert found.badge == f"layer:0, identity (6 dims), {metric}"
    assert found.faithfulness is None and plain.columns[-1].name == "norm"
    *_, column = draw_wall(wall, picture, count_kept=True).columns
    nearest = np.argsort(distances(z, metric), axis=1)[:, :15]
    shares = faithfulness(found.coordinates, nearest).shares
    np.testing.assert_allclose(column.values[0], shares)
    assert 0 < shares.mean() < 1
    assert metric == "cosine" or (column.values[1] == 1).all()  # drawn as they are


def test_umap_gets_exact_neighbours_found_once_and_principal_coordinates(laid_out, monkeypatch):
    wall = tiny_wall([Z])
    picture = Picture(method="umap", metric="l2", n_neighbors=30, min_dist=0.3, seed=6)
    (found,) = draw_wall(wall, picture).panes
    ((neighbours, start, settings),) = laid_out
    assert (neighbours.rows == np.argsort(distances(Z, "l2"), axis=1)[:, :29]).all()
    expected = np.sort(distances(Z, "l2"), axis=1)[:, :29]
    np.testing.assert_allclose(neighbours.values, expected, rtol=1e-5)
    assert (start == project(Z).coordinates).all()
    assert settings == {"n_neighbors": 30, "min_dist": 0.3, "seed": 6}
    assert found.explained is None
    assert found.faithfulness.k == 15  # a turned picture keeps what PCA keeps
    assert found.faithfulness.mean == faithfulness(start, neighbours.rows).mean
    monkeypatch.setattr(drawing, "nearest_rows", None)
    (again,) = draw_wall(wall, Picture(metric="l2"), count_kept=True).panes
    assert again.faithfulness.mean == found.faithfulness.mean


def test_a_space_that_cannot_be_drawn_is_named(laid_out):
    wall = tiny_wall([Z, np.ones((80, 6))])
    with pytest.raises(InputError, match="layer:1, identity: UMAP cannot lay out one point"):
        draw_wall(wall, Picture(method="umap"))
    assert draw_wall(wall, Picture(), count_kept=True).panes[1].faithfulness.mean is None


@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_several_models_are_coloured_by_the_neighbours_they_share_and_the_most_moved_listed(metric):
    z = Z[8:]
    others = [z[:, :3] + 0, (z + RNG.normal(size=z.shape) / 4).astype(np.float32)]
    panes = [z, *others]
    near = []
    for each in panes:
        search = NearestNeighbors(metric="cosine" if metric == "cosine" else "euclidean")
        near.append(search.fit(each).kneighbors(n_neighbors=10, return_distance=False))
    counts = np.array(
        [[len({*a} & {*b}) for a, b in zip(near[0], each, strict=True)] for each in near[1:]]
    )
    wall = wall_of_models(panes)
    drawn = draw_wall(wall, Picture(metric=metric))
    shown = header_of(drawn.payload)["columns"][0]
    assert (shown["name"], shown["unit"], len(shown["rows"])) == (SHARED, "share of 10", 3)
    expected = np.stack([counts.mean(axis=0), *counts]) / 10
    np.testing.assert_allclose(drawn.moves.column.values, expected, atol=1e-9)
    mean, same = expected[0], sum(each[:, 0] == near[0][:, 0] for each in near[1:])
    order = sorted(range(len(z)), key=lambda row: (round(mean[row], 9), same[row], row))[:10]
    listed = drawn.moved_most()
    assert [row["Text"] for row in listed] == [wall.texts[row] for row in order]
    assert listed[0] == {
        "Shared": f"{10 * mean[order[0]]:.3g} of 10",
        "Text": wall.texts[order[0]],
        **{f"Nearest in m{i}": wall.texts[each[order[0], 0]] for i, each in enumerate(near)},
    }
    said = re.findall(r"m\d keeps ([\d.]+)", drawn.moved_finding())
    assert [*map(float, said)] == pytest.approx(counts.mean(axis=1), abs=0.051)
    two = draw_wall(wall_of_models(panes[:2]), Picture(metric=metric))
    np.testing.assert_allclose(two.columns[0].values, counts[0] / 10)  # one column for both
    alone = draw_wall(tiny_wall(panes), Picture(metric=metric))
    assert (alone.moves, alone.moved_most(), alone.moved_finding()) == (None, [], "")


def wall_of_models(vectors):
    recipe = WallRecipe(
        models=tuple(f"org/m{i}" for i in range(len(vectors))), calibrators=("identity",)
    )
    wall = tiny_wall(vectors)
    spaces = tuple(
        replace(space, name=name, nearest={})
        for space, name in zip(wall.spaces, recipe.names, strict=True)
    )
    return replace(wall, recipe=recipe, spaces=spaces)


def test_a_report_says_which_wall_and_picture_its_rows_are_of_without_a_path_of_the_server():
    wall = tiny_wall([Z[8:]])
    recipe = replace(wall.recipe, counts="/secret/counts.txt")
    report = draw_wall(replace(wall, recipe=recipe), Picture(metric="l2")).report([2, 0])
    document = json.loads(report.write("json"))
    assert [row["id"] for row in document["rows"]] == [6, 0]
    assert "counts.txt" in document["rows"][0]["recipe"]
    assert document["recipe"]["metric"] == "l2"
    assert "secret" not in report.write("json") + report.write("csv") + report.write("markdown")
    header, line, _ = report.write("csv").splitlines()
    assert header.startswith("id,text,length (words),subset,")
    assert line.startswith("6,'=2,2,even,")  # which no spreadsheet takes for a formula


# The payload, read by another parser.

TEXTS = ["plain", "<img src=x onerror=alert(1)>", "déjà \U0001f600", "\ud800 torn", "x" * 2_000]
N = len(TEXTS)


def pane(title="raw", n=N, shift=0.0, **more):
    where = np.arange(n * 2, dtype=np.float64).reshape(n, 2) + shift
    return PanePicture(title, f"{title} space", ("x", "y"), where, **more)


COLUMNS = (
    Axis("frequency", np.array([0.5, np.nan, 2, 3, 4]), unit="per million"),
    Axis("hubness", np.arange(2 * N).reshape(2, N) * 1.5),
    Axis("topic", np.array([0, 1, np.nan, 1, 0]), ("news", "forum")),
)


def payload_of(panes=None, columns=COLUMNS, ids="abcde", **more):
    panes = panes or [pane(), pane("flow", shift=100)]
    return encode(panes, columns, TEXTS, ids=list(ids), **more)


def parsed(payload):
    """Read a payload by the format's description alone: header, and a reader of its arrays."""
    length = int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4 : 4 + length].decode("ascii"))
    body = payload[4 + length :]

    def array(offset, n=None, code="f"):
        assert (4 + length + offset) % 4 == 0  # typed arrays refuse any other place
        return struct.unpack_from(f"<{n or header['n']}{code}", body, offset)

    return header, array, body


def test_everything_comes_back_from_where_the_header_says():
    rows = np.array([[1, 2], [0, 3], [4, 1], [2, 0], [3, 1]])
    values = np.arange(10).reshape(5, 2) / 4
    topic = Topic(2, ("dog", "x" * 90), (0.5, -1.0), 7)
    panes, near = [pane(topics=(topic,)), pane("flow", shift=100)], Neighbours("dot", rows, values)
    header, array, body = parsed(payload_of(panes, neighbours=[near]))
    assert header["n"] == N
    raw, flow = header["panes"]
    assert (raw["name"], flow["badge"]) == ("raw", "flow space")
    assert array(raw["planes"][1]) == (1, 3, 5, 7, 9)
    assert array(flow["planes"][0]) == (100, 102, 104, 106, 108)
    assert raw["topics"] == [{"zoom": 2, "text": f"dog, {'x' * 24}", "place": [0.5, -1.0]}]
    assert flow["topics"] == []
    frequency, hubness, topics = header["columns"]
    assert frequency["unit"] == "per million"
    missing = array(frequency["rows"][0])
    assert missing[0] == 0.5 and np.isnan(missing[1])
    assert array(hubness["rows"][1])[-1] == 13.5
    assert topics["labels"] == ["news", "forum"]
    (near,) = header["neighbours"]
    assert near["k"] == 2
    assert array(near["rows"], 10, "I") == tuple(rows.ravel())
    assert array(near["values"], 10) == tuple(values.ravel())
    ends, start = array(header["text_offsets"], N + 1, "I"), header["text_bytes"]
    found = [body[start + a : start + b].decode() for a, b in pairwise(ends)]
    assert found == [*TEXTS[:3], "? torn", "x" * 499 + "…"]


def test_equal_input_gives_equal_bytes_and_other_input_another_digest():
    assert payload_of() == payload_of()
    others = payload_of([pane(), pane("flow", shift=101)]), payload_of(ids="abcdf")
    first, moved, renamed = map(header_of, (payload_of(), *others))
    assert first["content"] != moved["content"]
    assert first["ids"] == moved["ids"] != renamed["ids"]
    joined = [encode([pane(n=2)], (), ["", ""], ids=ids) for ids in (["ab", "c"], ["a", "bc"])]
    assert header_of(joined[0])["ids"] != header_of(joined[1])["ids"]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"panes": [pane(shift=1e300)]}, "pane 'raw' has numbers that are not finite"),
        ({"columns": [Axis("c", np.full(N, np.inf))]}, "column 'c' has numbers"),
    ],
)
def test_what_float32_cannot_hold_is_refused_in_a_sentence(change, what):
    with pytest.raises(InputError, match=what):
        payload_of(**change)


@pytest.mark.parametrize(("n", "labels"), [(30, 30), (31, 0)])
def test_each_of_few_rows_has_its_text_where_it_is_drawn(n, labels):
    """The texts differ in every word, so that no topic has a name."""
    z = RNG.normal(size=(n, 4))
    (pane,) = draw_wall(tiny_wall([z]), Picture()).panes
    assert sum(topic.n_rows == 1 for topic in pane.topics) == labels
    if labels:
        np.testing.assert_allclose([topic.place for topic in pane.topics], pane.coordinates)


def test_distances_of_points_order_rows_as_the_metric():
    squared = distances(points_of(Z[:7], "cosine"), "l2") ** 2
    np.testing.assert_allclose(squared, 2 * distances(Z[:7], "cosine"), atol=1e-5)
    assert points_of(Z, "l2") is Z
