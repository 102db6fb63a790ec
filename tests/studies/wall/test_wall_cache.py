"""The cache of projections: what is kept is what comes back; damage and bounds."""

import os
import threading

import numpy as np
import pytest

from bertflow_core.studies.wall.cache import ProjectionCache, content_key

X = np.arange(12, dtype=np.float32).reshape(4, 3)
SHAPES = {"coordinates": (4, 3)}
KEY, OTHER = "a" * 64, "b" * 64


@pytest.fixture
def cache(tmp_path):
    return ProjectionCache(tmp_path / "kept")


def names(cache):
    return {path.name.removesuffix(".safetensors") for path in cache.folder.root.iterdir()} - {
        ".lock"
    }


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


def test_a_torn_entry_counts_as_none_and_is_written_again(cache):
    cache.put(KEY, {"coordinates": X})
    path = cache.folder.root / f"{KEY}.safetensors"
    path.write_bytes(path.read_bytes()[:20])
    assert cache.get(KEY, SHAPES) is None
    cache.put(KEY, {"coordinates": X + 1})
    assert (cache.get(KEY, SHAPES)["coordinates"] == X + 1).all()


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


def test_an_entry_under_another_name_counts_as_none(cache):
    cache.put(KEY, {"coordinates": X})
    root = cache.folder.root
    os.replace(root / f"{KEY}.safetensors", root / f"{OTHER}.safetensors")
    assert cache.get(OTHER, SHAPES) is None


def test_the_least_recently_used_go_first(tmp_path):
    cache = ProjectionCache(tmp_path, max_entries=2)
    for i, key in enumerate((KEY, OTHER)):
        cache.put(key, {"coordinates": X})
        os.utime(tmp_path / f"{key}.safetensors", (i, i))
    assert cache.get(KEY, SHAPES)  # used now, so that the other is the older
    cache.put("c" * 64, {"coordinates": X})
    assert names(cache) == {KEY, "c" * 64}


def test_bytes_are_bounded_but_the_newest_stays(tmp_path):
    large = {"coordinates": np.zeros((500, 3), np.float32)}
    cache = ProjectionCache(tmp_path, limit_bytes=10_000)
    for key in (KEY, OTHER):
        cache.put(key, large)
    assert names(cache) == {OTHER}
    cache.folder.limit_bytes = 100
    cache.put("c" * 64, large)
    assert names(cache) == {"c" * 64}


def test_what_a_killed_process_left_is_swept(cache):
    cache.put(KEY, {"coordinates": X})
    left = cache.folder.root / ".bertflow-1234abcd"
    left.write_text("half")
    os.utime(left, (0, 0))
    cache.put(OTHER, {"coordinates": X})
    assert names(cache) == {KEY, OTHER}


def test_many_may_write_and_read_one_entry_at_once(cache):
    failed = []

    def work():
        try:
            for _ in range(10):
                cache.put(KEY, {"coordinates": X})
                found = cache.get(KEY, SHAPES)
                assert found is None or (found["coordinates"] == X).all()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (cache.get(KEY, SHAPES)["coordinates"] == X).all()


def test_a_disk_that_refuses_costs_a_warning_and_no_result(tmp_path):
    (tmp_path / "file").write_text("")
    cache = ProjectionCache(tmp_path / "file")
    with pytest.warns(UserWarning, match="cannot write .* the picture is not kept"):
        cache.put(KEY, {"coordinates": X})
    assert cache.get(KEY, SHAPES) is None
