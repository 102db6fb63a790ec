"""The cache of projections: what is kept is what comes back."""

import numpy as np
import pytest

from bertflow_core.studies.wall.drawing import ProjectionCache, content_key

X = np.arange(12, dtype=np.float32).reshape(4, 3)
SHAPES = {"coordinates": (4, 3)}
KEY, OTHER = "a" * 64, "b" * 64


@pytest.fixture
def cache(tmp_path):
    return ProjectionCache(tmp_path / "kept")


def test_what_is_kept_comes_back(cache):
    assert cache.get(KEY, SHAPES) is None
    cache.put(KEY, {"coordinates": X})
    assert (cache.get(KEY, SHAPES)["coordinates"] == X).all()
    assert cache.get(OTHER, SHAPES) is None


def test_the_default_lies_in_the_stores_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("BERTFLOW_CACHE", str(tmp_path))
    assert ProjectionCache().folder.root == tmp_path / "projections"


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
    cache.put(KEY, arrays)
    assert cache.get(KEY, SHAPES) is None


def test_a_disk_that_refuses_costs_a_warning_and_no_result(tmp_path):
    (tmp_path / "file").write_text("")
    cache = ProjectionCache(tmp_path / "file")
    with pytest.warns(UserWarning, match="cannot write .* the picture is not kept"):
        cache.put(KEY, {"coordinates": X})
    assert cache.get(KEY, SHAPES) is None
