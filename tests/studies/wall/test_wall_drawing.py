"""Pictures of spaces: drawn once, judged when asked, and never computed twice."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from tiny_walls import tiny_wall

from bertflow_core.analysis.layout import Method, Projection, faithfulness, project
from bertflow_core.errors import InputError
from bertflow_core.studies.wall import drawing
from bertflow_core.studies.wall.drawing import (
    content_key,
    faithfulness_column,
    kept,
    pictures,
    projections,
)
from bertflow_core.studies.wall.recipe import Picture

RNG = np.random.default_rng(9)
Z = (RNG.normal(size=(80, 6)) + 2).astype(np.float32)
X = np.arange(12, dtype=np.float32).reshape(4, 3)
SHAPES = {"coordinates": (4, 3)}
KEY, OTHER = "a" * 64, "b" * 64


@pytest.fixture
def cache(tmp_path):
    return projections(tmp_path / "kept")


@pytest.fixture
def laid_out(monkeypatch):
    """Each call of UMAP, which is here a turn of the start by a right angle."""
    calls = []

    def layout(neighbours, start, settings):
        calls.append((neighbours, start, settings))
        if not start.any():
            raise InputError("UMAP cannot lay out one point")
        return Projection(Method.UMAP, start[:, ::-1] * [1, -1], None)

    monkeypatch.setattr(drawing, "umap_layout", layout)
    return calls


def nearest(x, metric, k):
    distances = cdist(x, x, metric)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1)[:, :k]


@pytest.mark.parametrize("method", ["pca", "svd"])
@pytest.mark.parametrize("metric", ["cosine", "l2"])
def test_linear_pictures_are_of_the_points_that_the_metric_sees(method, metric, cache):
    points = Z / np.linalg.norm(Z, axis=1, keepdims=True) if metric == "cosine" else Z
    (found,) = pictures(tiny_wall([Z]), Picture(method=method, metric=metric), cache=cache)
    expected = project(points, method)
    np.testing.assert_allclose(found.coordinates, expected.coordinates, rtol=0, atol=1e-5)
    assert found.explained == pytest.approx(expected.explained)
    assert found.faithfulness is None
    assert found.badge == f"layer:0, identity (6 dims), {metric}"
    assert not cache.root.exists()


@pytest.mark.parametrize(("metric", "scipys"), [("cosine", "cosine"), ("l2", "euclidean")])
def test_faithfulness_is_against_the_full_space_in_that_metric(metric, scipys, cache):
    (found,) = pictures(tiny_wall([Z]), Picture(metric=metric), with_faithfulness=True, cache=cache)
    expected = faithfulness(found.coordinates, nearest(Z, scipys, 15))
    np.testing.assert_allclose(found.faithfulness.shares, expected.shares)
    assert 0 < found.faithfulness.mean < 1


def test_umap_gets_exact_neighbours_and_principal_coordinates(cache, laid_out):
    picture = Picture(method="umap", metric="l2", n_neighbors=30, min_dist=0.3, seed=6)
    (found,) = pictures(tiny_wall([Z]), picture, cache=cache)
    ((neighbours, start, settings),) = laid_out
    assert (neighbours.rows == nearest(Z, "euclidean", 29)).all()
    expected = np.sort(cdist(Z, Z), axis=1)[:, 1:30]
    np.testing.assert_allclose(neighbours.values, expected, rtol=1e-5)
    assert (start == project(Z).coordinates).all()
    assert (settings.n_neighbors, settings.min_dist, settings.seed) == (30, 0.3, 6)
    assert found.explained is None
    assert found.faithfulness.k == 15  # a turned picture keeps what PCA keeps
    assert found.faithfulness.mean == faithfulness(start, neighbours.rows).mean


def test_nothing_is_computed_twice(cache, laid_out, monkeypatch):
    wall, picture = tiny_wall([Z]), Picture(method="umap")
    first = pictures(wall, picture, cache=cache)
    monkeypatch.setattr(drawing, "all_neighbours", None)
    again = pictures(wall, picture, cache=cache)
    assert len(laid_out) == 1
    assert (again[0].coordinates == first[0].coordinates).all()
    assert (again[0].faithfulness.shares == first[0].faithfulness.shares).all()
    pictures(wall, Picture(), with_faithfulness=True, cache=cache)  # with the same neighbours
    for n, changes in enumerate(({"seed": 1}, {"min_dist": 0.5}, {"n_neighbors": 10}), start=2):
        pictures(wall, Picture(method="umap", **changes), cache=cache)
        assert len(laid_out) == n


def test_damaged_neighbours_are_found_again(cache):
    wall, picture = tiny_wall([Z]), Picture()
    first = pictures(wall, picture, with_faithfulness=True, cache=cache)
    (entry,) = cache.root.glob("*.safetensors")
    rows = np.full((80, 15), 80, np.int32)  # of the right shape, but no row has this number
    cache.put(entry.stem, {}, {"rows": rows, "values": rows.astype(np.float32)})
    again = pictures(wall, picture, with_faithfulness=True, cache=cache)
    assert (again[0].faithfulness.shares == first[0].faithfulness.shares).all()


def test_the_column_of_shares_is_by_pane_and_only_where_all_are_judged(cache):
    wall = tiny_wall([Z, Z[:, :2]])
    judged = pictures(wall, Picture(metric="l2"), with_faithfulness=True, cache=cache)
    column = faithfulness_column(judged)
    assert column.values.shape == (2, 80)
    assert (column.of_pane(1) == 1).all()  # two dimensions are drawn as they are
    assert column.of_pane(0).mean() < 1
    assert faithfulness_column(pictures(wall, Picture(), cache=cache)) is None


def test_a_space_that_cannot_be_drawn_is_named(cache, laid_out):
    wall = tiny_wall([Z, np.ones((80, 6))])
    with pytest.raises(InputError, match="layer:1, identity: UMAP cannot lay out one point"):
        pictures(wall, Picture(method="umap"), cache=cache)
    linear = pictures(wall, Picture(), with_faithfulness=True, cache=cache)
    assert linear[1].faithfulness.mean is None


def made():
    return {"coordinates": X + 1}


def test_what_is_kept_comes_back(cache):
    cache.put(KEY, {}, {"coordinates": X})
    assert (kept(cache, KEY, SHAPES, made)["coordinates"] == X).all()
    assert (kept(cache, OTHER, SHAPES, made)["coordinates"] == X + 1).all()
    assert (kept(cache, OTHER, SHAPES, None)["coordinates"] == X + 1).all()


@pytest.mark.parametrize(
    "other",
    [
        content_key(X + 1, "umap", seed=0),
        content_key(X.reshape(3, 4), "umap", seed=0),
        content_key(X.astype(np.float64), "umap", seed=0),
        content_key(X, "neighbours", seed=0),
        content_key(X, "umap", seed=1),
        content_key(X, "umap", seed=0, numpy="3"),
    ],
)
def test_a_key_tells_whatever_differs(other):
    key = content_key(X, "umap", seed=0)
    assert key == content_key(X[:].copy(), "umap", seed=0)
    assert key == content_key(np.asfortranarray(X), "umap", seed=0)
    assert other != key


@pytest.mark.parametrize(
    "arrays",
    [
        {"coordinates": X[:3]},
        {"coordinates": X, "more": X},
        {"other": X},
        {"coordinates": np.where(X == 5, np.nan, X)},
        {"coordinates": np.where(X == 5, np.inf, X)},
    ],
)
def test_arrays_that_do_not_fit_count_as_none(cache, arrays):
    cache.put(KEY, {}, arrays)
    assert (kept(cache, KEY, SHAPES, made)["coordinates"] == X + 1).all()
