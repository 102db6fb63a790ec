"""Neighbours among shards: those that all rows in one array give, bit for bit."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import write_vectors

from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.linalg import unit_rows
from bertflow_core.scale import neighbours, open_engine

N, D, K = 500, 12, 7
RNG = np.random.default_rng(0)
X = (RNG.normal(size=(N, D)) + 2).astype(np.float32)
QUERIES = np.concatenate([X[[3, 499, 250]], RNG.normal(size=(8, D)).astype(np.float32)])
OWN = np.array([3, 499, 250, *[-1] * 8])


def find(source, queries=QUERIES, k=K, **options):
    with open_engine() as engine:
        return neighbours(source, queries, k, engine=engine, **options)


@pytest.fixture
def small_batches(monkeypatch):
    """A batch holds 60 rows, so that a shard has several."""
    monkeypatch.setattr("bertflow_core.scale.nearest._NUMBERS_AT_ONCE", 60 * D)


@pytest.mark.parametrize("metric", ["l2", "dot", "cosine"])
@pytest.mark.parametrize("n_shards", [1, 3, 100])
@pytest.mark.parametrize("own", [None, OWN])
def test_they_are_those_of_one_array(tmp_path, small_batches, metric, n_shards, own):
    named = None if own is None else [str(row) if row >= 0 else "none" for row in own]
    found = find(write_vectors(tmp_path, X, n_shards), metric=metric, own=named)
    points, queries = (unit_rows(each) if metric == "cosine" else each for each in (X, QUERIES))
    kind = "l2" if metric == "l2" else "dot"
    expected = nearest_neighbours(points, queries, K, metric=kind, own=own)
    np.testing.assert_array_equal(found.ids.astype(int), expected.rows)
    np.testing.assert_array_equal(found.values, expected.values)
    assert (found.n_rows, found.refused) == (N, 0)


def test_of_equal_rows_the_earlier_comes_first(tmp_path, small_batches):
    x = np.repeat(X[:2], [300, 4], axis=0)
    found = find(write_vectors(tmp_path, x, 3), X[[1]], 6, metric="l2")
    assert found.ids.tolist() == [[300, 301, 302, 303, 0, 1]]
    assert found.values[0, :4].tolist() == [0.0] * 4


@pytest.mark.parametrize("n_shards", [1, 3, 100])
def test_all_rows_of_its_own_id_are_no_neighbours_of_a_query(tmp_path, small_batches, n_shards):
    rows = np.sort(RNG.integers(0, 80, N))  # about six rows of an id, over batches and shards
    own = rows[[3, 499, 250]]
    parts = np.array_split(np.arange(N), n_shards)
    for number, part in enumerate(parts):
        column = pa.array(list(X[part]), pa.list_(pa.float32()))
        table = pa.table({"id": rows[part], "vector": column})
        pq.write_table(table, tmp_path / f"{number:03}.parquet")
    found = find(tmp_path, QUERIES[:3], metric="l2", own=own)
    distances = np.linalg.norm(QUERIES[:3, None] - X.astype(np.float64), axis=2)
    distances[own[:, None] == rows] = np.inf
    nearest = np.argsort(distances, axis=1)[:, :K]
    np.testing.assert_array_equal(found.ids.astype(int), rows[nearest])
    np.testing.assert_allclose(found.values, np.take_along_axis(distances, nearest, axis=1))


def test_more_neighbours_than_rows_are_refused_before_any_is_read(tmp_path):
    def read(done, total, unit):
        raise AssertionError("a row was read")

    with pytest.raises(InputError, match="from 1 to 40"):
        find(write_vectors(tmp_path, X[:40], 2), k=10**9, progress=read)


def test_rows_that_cannot_be_compared_are_counted(tmp_path):
    x = X.copy()
    x[[1, 400]] = np.nan
    source = write_vectors(tmp_path, x, 4)
    column = pa.array([[1.0, 2.0]], pa.list_(pa.float32()))
    pq.write_table(pa.table({"vector": column}), source / "a.parquet")
    found = find(source, metric="l2")
    kept = np.delete(np.arange(N), [1, 400])
    expected = nearest_neighbours(X[kept], QUERIES, K)
    np.testing.assert_array_equal(found.ids.astype(int), kept[expected.rows])
    assert (found.n_rows, found.refused) == (N - 2, 3)
    assert "2 numbers: expected 12" in found.reason


def test_rows_without_ids_are_named_by_file_and_number(tmp_path):
    column = pa.array(list(X[:5]), pa.list_(pa.float32()))
    pq.write_table(pa.table({"vector": column}), tmp_path / "first.parquet")
    assert find(tmp_path, X[[4]], 1).ids.tolist() == [["first:5"]]


@pytest.mark.parametrize(
    ("queries", "options", "word"),
    [
        (X[0], {}, "shape"),
        (X[:1] * np.nan, {}, "finite"),
        (X[:1], {"k": 0}, "at least 1"),
        (X[:1], {"k": 41}, "from 1 to 40"),
        (X[:1], {"k": 40, "own": ["5"]}, "from 1 to 39"),
        (X[:1], {"metric": "cos"}, "unknown metric"),
        (X[:1], {"own": ["1", "2"]}, "an id for each"),
        (X[:1, :3], {}, "12 numbers: expected 3"),
        (X[:1], {"column": "vec"}, "no column 'vec'"),
    ],
)
def test_what_cannot_be_searched_is_refused(tmp_path, queries, options, word):
    with pytest.raises(InputError, match=word):
        find(write_vectors(tmp_path, X[:40], 2), queries, **options)


def test_it_stops_on_request(tmp_path):
    def stop(done, total, unit):
        if done:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        find(write_vectors(tmp_path, X, 4), progress=stop)
