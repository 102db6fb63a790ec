"""Nearest rows in every pane, pictures of spaces, and what these keep."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from tiny_walls import tiny_wall

from bertflow_core.analysis.layout import Method, Projection, faithfulness, project
from bertflow_core.errors import InputError
from bertflow_core.studies.wall import drawing
from bertflow_core.studies.wall.drawing import draw_wall
from bertflow_core.studies.wall.nearest import nearest_rows, neighbours_of, points_of
from bertflow_core.studies.wall.recipe import Picture

RNG = np.random.default_rng(9)
Z = (RNG.normal(size=(80, 6)) + 2).astype(np.float32)
Z[7] = 0


@pytest.fixture
def laid_out(monkeypatch):
    """Each call of UMAP, which is here a turn of the start by a right angle."""
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
    found[np.isnan(found)] = 1  # scipy's, of a zero row, whose cosine is 0 here
    np.fill_diagonal(found, np.inf)
    return found


def test_hand_computed_line_says_what_stayed_came_and_left():
    first = np.array([[0.0, 1], [1, 1], [2, 1], [9, 1], [12, 1]])
    second = first[[0, 3, 2, 1, 4]]
    one, two = neighbours_of(tiny_wall([first, second]), 0, 2, "l2")
    assert (one.rows.tolist(), one.values.tolist()) == ([1, 2], [1, 2])
    assert one.stayed.all() and one.left.tolist() == []
    assert (two.rows.tolist(), two.stayed.tolist(), two.left.tolist()) == (
        [3, 2],
        [False, True],
        [1],
    )
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


def test_distances_of_points_order_rows_as_the_metric():
    squared = distances(points_of(Z[:7], "cosine"), "l2") ** 2
    np.testing.assert_allclose(squared, 2 * distances(Z[:7], "cosine"), atol=1e-5)
    assert points_of(Z, "l2") is Z


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
    *_, column = draw_wall(wall, picture, judged=True).columns
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
    (again,) = draw_wall(wall, Picture(metric="l2"), judged=True).panes
    assert again.faithfulness.mean == found.faithfulness.mean


def test_a_space_that_cannot_be_drawn_is_named(laid_out):
    wall = tiny_wall([Z, np.ones((80, 6))])
    with pytest.raises(InputError, match="layer:1, identity: UMAP cannot lay out one point"):
        draw_wall(wall, Picture(method="umap"))
    assert draw_wall(wall, Picture(), judged=True).panes[1].faithfulness.mean is None
