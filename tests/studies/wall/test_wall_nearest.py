"""Nearest rows of one row in every pane: by hand and by a full sort."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from tiny_walls import tiny_wall

from bertflow_core.studies.wall.nearest import all_neighbours, neighbours_of, points_of

RNG = np.random.default_rng(2)


def test_hand_computed_line_says_what_stayed_came_and_left():
    first = np.array([[0.0, 1], [1, 1], [2, 1], [9, 1], [12, 1]])
    second = first[[0, 3, 2, 1, 4]]
    one, two = neighbours_of(tiny_wall([first, second]), 0, 2, "l2")
    assert one.rows.tolist() == [1, 2]
    assert one.values.tolist() == [1, 2]
    assert one.stayed.all()
    assert one.left.tolist() == []
    assert two.rows.tolist() == [3, 2]
    assert two.stayed.tolist() == [False, True]
    assert two.left.tolist() == [1]
    assert (one.name, two.name) == ("layer:0, identity", "layer:1, identity")
    assert two.badge == "layer:1, identity (2 dims), l2"


@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_they_are_those_of_a_full_sort(metric):
    z = RNG.normal(size=(9_000, 7)).astype(np.float32) + 1
    (found,) = neighbours_of(tiny_wall([z]), 41, 10, metric)
    distances = cdist(z[41:42], z, "cosine" if metric == "cosine" else "euclidean")[0]
    distances[41] = np.inf
    assert found.rows.tolist() == np.argsort(distances)[:10].tolist()
    values = distances[found.rows]
    np.testing.assert_allclose(found.values, 1 - values if metric == "cosine" else values)


@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_those_of_every_row_are_those_of_each(metric):
    z = RNG.normal(size=(50, 6)).astype(np.float32) * RNG.uniform(0.1, 9, size=(50, 1))
    z[7] = 0
    distances = cdist(z, z, "sqeuclidean" if metric == "l2" else "cosine")
    if metric == "cosine":  # scipy has NaN for a zero row, whose cosine is 0 here
        distances[7], distances[:, 7] = 1, 1
    np.fill_diagonal(distances, np.inf)
    found = all_neighbours(z.astype(np.float32), 4, metric)
    assert found.rows.shape == (50, 4)
    reached = np.take_along_axis(distances, found.rows, axis=1)
    np.testing.assert_allclose(reached, np.sort(distances, axis=1)[:, :4], rtol=1e-5)
    np.testing.assert_allclose(
        found.values, np.sqrt(reached) if metric == "l2" else 1 - reached, rtol=1e-5, atol=1e-6
    )
    assert all_neighbours(z[:3], 9, metric).rows.shape == (3, 2)


def test_cosine_does_not_see_lengths_and_l2_does():
    z = np.array([[1.0, 0], [100, 1], [1, 0.5], [-1, 0]])
    assert neighbours_of(tiny_wall([z]), 0, 3, "cosine")[0].rows.tolist() == [1, 2, 3]
    assert neighbours_of(tiny_wall([z]), 0, 3, "l2")[0].rows.tolist() == [2, 3, 1]


def test_of_equal_values_the_earlier_row_comes_first_and_never_the_row_itself():
    (found,) = neighbours_of(tiny_wall([np.ones((5, 2))]), 2, 10, "l2")
    assert found.rows.tolist() == [0, 1, 3, 4]


def test_a_zero_row_has_cosine_zero():
    z = np.array([[0.0, 0], [1, 0], [-1, 0]])
    assert neighbours_of(tiny_wall([z]), 0, 2)[0].values.tolist() == [0, 0]


def test_distances_of_points_order_rows_as_the_metric():
    z = RNG.normal(size=(30, 5)).astype(np.float32) * RNG.uniform(0.1, 9, size=(30, 1))
    squared = cdist(points_of(z, "cosine"), points_of(z, "cosine"), "sqeuclidean")
    np.testing.assert_allclose(squared, 2 * cdist(z, z, "cosine"), atol=1e-5)
    assert points_of(z, "l2") is z
