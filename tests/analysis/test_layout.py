"""Projections and UMAP against libraries, faithfulness by brute force; how UMAP is stopped."""

import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest
from sklearn.decomposition import PCA
from waiting import PATIENCE, stopping

from bertflow_core.analysis import umap_layout as module
from bertflow_core.analysis.layout import Method, faithfulness, project
from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.analysis.umap_layout import umap_layout
from bertflow_core.errors import Cancelled, ResourceError
from bertflow_core.runtime import context

RNG = np.random.default_rng(3)
X = (RNG.normal(size=(300, 6)) @ RNG.normal(size=(6, 12)) + 4 * RNG.normal(size=12)).astype("f4")


def test_pca_is_that_of_scikit_learn_signs_included():
    result, expected = project(X, "pca"), PCA(2, svd_solver="full")
    coordinates = expected.fit_transform(X.astype(np.float64))
    assert result.method is Method.PCA
    assert result.coordinates.dtype == np.float32
    np.testing.assert_allclose(result.coordinates, coordinates, rtol=0, atol=1e-4)
    np.testing.assert_allclose(result.explained, expected.explained_variance_ratio_, rtol=1e-6)


def test_svd_is_that_of_numpy_without_a_mean_taken_away():
    result = project(X, "svd")
    _, s, vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    signs = np.sign(vt[[0, 1], np.abs(vt[:2]).argmax(axis=1)])
    expected = X @ (vt[:2] * signs[:, None]).T
    np.testing.assert_allclose(result.coordinates, expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(result.explained, (s**2 / (s**2).sum())[:2], rtol=1e-6)


@pytest.mark.parametrize("method", ["pca", "svd"])
def test_axes_that_a_cloud_lacks_are_zero(method):
    line = np.outer(np.arange(5.0), [3, 4])
    result = project(line, method)
    expected = 5 * (np.arange(5) - (2 if method == "pca" else 0))
    np.testing.assert_allclose(result.coordinates[:, 0], expected, atol=1e-5)
    assert not result.coordinates[:, 1:].any()
    assert result.explained == pytest.approx((1, 0))


def test_a_far_cone_costs_no_digits_and_a_spread_of_rounding_is_none():
    x = RNG.normal(size=(400, 3)) * [3, 2, 1]
    near, far = project(x), project(x + 1e6)
    np.testing.assert_allclose(far.coordinates, near.coordinates, rtol=0, atol=1e-4)
    for value in (0.0, 0.1, 1e4):
        result = project(np.full((50, 8), value, np.float32))
        assert not result.coordinates.any() and result.explained == (0.0, 0.0)
    noise = np.random.default_rng(0).normal(size=(50, 8))
    assert not project(1 + 1e-14 * noise).coordinates.any()
    assert not project((1 + 1e-6 * noise).astype(np.float32)).coordinates.any()
    assert project(1 + 1e-4 * noise).coordinates.any(axis=0).all()


def nearest(x, k):
    """Return each row's k nearest others by a full sort."""
    distances = np.linalg.norm(x[:, None] - x[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


def test_shares_are_those_of_a_full_sort():
    full = RNG.normal(size=(120, 9))
    picture = full[:, :2]
    result = faithfulness(picture, nearest(full, 20), k=10)
    shares = [
        len(set(a) & set(b)) / 10
        for a, b in zip(nearest(full, 10), nearest(picture, 10), strict=True)
    ]
    np.testing.assert_allclose(result.shares, shares)
    assert result.k == 10
    assert result.mean == pytest.approx(np.mean(shares))
    assert 0.1 < result.mean < 0.9


def test_a_shuffled_picture_has_the_share_of_chance_and_only_where_it_is_shuffled():
    x = RNG.normal(size=(600, 2))
    assert faithfulness(3 * x - 7, nearest(x, 15)).mean == 1.0
    result = faithfulness(RNG.permutation(x), nearest(x, 15))
    assert result.chance == pytest.approx(15 / 599)
    assert result.mean == pytest.approx(result.chance, abs=0.006)
    x = np.concatenate([RNG.normal(size=(50, 2)), 100 + RNG.normal(size=(50, 2))])
    picture = x.copy()
    picture[50:] = RNG.permutation(picture[50:])
    shares = faithfulness(picture, nearest(x, 10), k=10).shares
    assert (shares[:50] == 1).all()
    assert shares[50:].mean() < 0.5


def test_of_few_points_at_most_half_of_the_others_are_compared():
    """0 1 3 7 on a line, drawn with the last two points exchanged: k is 1 of 3 others."""
    neighbours = np.array([[1], [0], [1], [2]])
    result = faithfulness(np.array([[0.0, 0], [1, 0], [7, 0], [3, 0]]), neighbours)
    # In the picture the nearest are 1, 0, 3 (at 3, from 7) and 1 (at 1, from 3).
    assert result.k == 1
    assert result.shares.tolist() == [1, 1, 0, 0]
    assert result.mean == 0.5
    for n, k in ((100, 15), (31, 15), (30, 14), (4, 1), (2, 1)):
        points = RNG.normal(size=(n, 2))
        assert faithfulness(points, nearest(points, 15)).k == k


def test_points_that_coincide_count_each_point_out_of_its_own_neighbours():
    picture = np.repeat([[0.0, 0], [9, 9]], 6, axis=0)
    neighbours = nearest(picture + 1e-3 * RNG.normal(size=picture.shape), 5)
    assert faithfulness(picture, neighbours, k=5).mean == 1.0
    one = faithfulness(np.ones((40, 2)), nearest(RNG.normal(size=(40, 2)), 15))
    assert one.mean is None and np.isnan(one.shares).all()  # one point is no picture
    # Thirty points lie on each other, ten lie apart: a tree gives any 16 of the thirty.
    coordinates = np.concatenate([np.zeros((30, 2)), np.arange(20.0).reshape(10, 2) + 100])
    others = np.array([[j for j in range(40) if j != i][:15] for i in range(40)])
    result = faithfulness(coordinates, others, k=15)
    assert result.k == 15
    assert ((result.shares >= 0) & (result.shares <= 1)).all()
    near = np.array([[j for j in range(30, 40) if j != i] + list(range(6)) for i in range(30, 40)])
    lone = faithfulness(coordinates, np.concatenate([others[:30], near[:, :15]]), k=9)
    np.testing.assert_allclose(lone.shares[30:], 1.0)


LABELS = np.repeat([0, 1, 2], 50)
CLUSTERS = (RNG.normal(size=(3, 8)) * 12)[LABELS] + RNG.normal(size=(150, 8))
FOUND = nearest_neighbours(CLUSTERS, CLUSTERS, 15, own=np.arange(150))
START = project(CLUSTERS).coordinates
SETTINGS = {"n_neighbors": 12, "min_dist": 0.2, "seed": 4}


@pytest.fixture(scope="module")
def layout_and_told():
    """The layout of the clusters, and the reports of its progress."""
    told = []
    with context.reporting(lambda *each: told.append(each)):
        return umap_layout(FOUND, START, **SETTINGS), told


@pytest.fixture
def started(monkeypatch, tmp_path):
    """The processes that a test starts; their folders lie in `tmp_path`."""
    processes = []

    class Recorded(subprocess.Popen):
        def __init__(self, *args, **options):
            processes.append(self)
            super().__init__(*args, **options)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return processes


@pytest.mark.campaign
def test_umap_is_that_of_the_library_s_class_and_another_seed_gives_another(layout_and_told):
    import umap

    layout, _ = layout_and_told
    random = np.random.RandomState(SETTINGS["seed"])
    start = START.astype(np.float64)
    start *= 10 / np.abs(start).max()
    nearest = nearest_neighbours(CLUSTERS, CLUSTERS, 12)  # each point first itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = umap.UMAP(
            n_neighbors=12,
            min_dist=0.2,
            init=start + random.normal(scale=1e-4, size=start.shape),
            precomputed_knn=(nearest.rows.astype(np.int32), nearest.values.astype(np.float32)),
            random_state=random,
        ).fit_transform(CLUSTERS)
    assert layout.method is Method.UMAP
    assert layout.explained is None
    assert layout.coordinates.dtype == np.float32
    np.testing.assert_allclose(layout.coordinates, expected, rtol=0, atol=1e-4)
    assert (umap_layout(FOUND, START, **SETTINGS).coordinates == layout.coordinates).all()
    other = umap_layout(FOUND, START, **SETTINGS | {"seed": 5})
    assert not np.allclose(other.coordinates, layout.coordinates, atol=0.1)


@pytest.mark.gate  # umap-learn compiles itself first, in half a minute
def test_clusters_stay_apart_and_stages_are_reported_up_to_the_last_epoch(layout_and_told):
    layout, told = layout_and_told
    picture = layout.coordinates
    nearest = nearest_neighbours(picture, picture, 5, own=np.arange(150)).rows
    assert (LABELS[nearest] == LABELS[:, None]).mean() > 0.99
    units = list(dict.fromkeys(unit for _, _, unit in told))
    assert "start of UMAP" in units[0]
    assert units[1:] in (["epochs"], ["graph of neighbours", "epochs"])  # the graph may be quick
    epochs = [done for done, _, unit in told if unit == "epochs"]
    assert epochs == sorted(epochs)
    assert told[-1] == (500, 500, "epochs")


def test_a_stop_ends_the_process_and_leaves_no_folder(started, tmp_path):
    with pytest.raises(Cancelled), stopping(lambda *_: started):
        umap_layout(FOUND, START, **SETTINGS)
    assert started[0].returncode < 0
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_dies_gives_one_sentence(started, tmp_path):
    def kill(done, total, unit):
        for process in started:
            process.kill()

    with (
        pytest.raises(ResourceError, match=r"ended early \(signal 9, .*fewer rows"),
        context.reporting(kill),
    ):
        umap_layout(FOUND, START, **SETTINGS)
    assert list(tmp_path.iterdir()) == []


def test_the_process_does_not_outlive_the_one_that_asked(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", module.WORKER, str(tmp_path)],
        stdin=subprocess.DEVNULL,  # ended at once, as when the parent dies
        capture_output=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 1
    assert list(tmp_path.iterdir()) == []
