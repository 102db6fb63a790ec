"""Vectors of one's own in every format: the numbers that were written, or one sentence why not."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.datasets import RawFile, read_vectors
from bertflow_core.errors import InputError

X = np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32)
NAMES = [f"sentence {i}" for i in range(len(X))]
FIXED = pa.FixedSizeListArray.from_arrays(X.ravel(), X.shape[1])


def npy(x, **options):
    stream = io.BytesIO()
    np.save(stream, x, **options)
    return stream.getvalue()


def parquet(table, **options):
    stream = io.BytesIO()
    pq.write_table(pa.table(table), stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("x.npy", npy(X), None),
        ("x.npy", npy(np.asfortranarray(X).astype(">f8")), None),
        ("x.parquet", parquet({"embedding": FIXED, "id": range(7)}), [*map(str, range(7))]),
        ("x.parquet", parquet({"v": pa.array(list(X), pa.large_list(pa.float64()))}), None),
        ("x.parquet", parquet({"v": list(X), "text": NAMES}, row_group_size=2), NAMES),
    ],
)
@pytest.mark.parametrize("of", ["path", "bytes"])
def test_the_numbers_come_back(tmp_path, name, content, names, of):
    source = RawFile(name, content)
    if of == "path":
        source = tmp_path / name
        source.write_bytes(content)
    found = read_vectors(source)
    np.testing.assert_allclose(np.asarray(found.x, np.float32), X, rtol=1e-6)
    assert found.names == (None if names is None else tuple(names))
    assert len(found.source.sha256) == 64


def with_value(value):
    x = X.astype(np.float64)
    x[3, 2] = value
    return x


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.npy", npy(np.array([{}], object), allow_pickle=True), "not a plain .npy"),
        ("x.npy", npy(X)[:-1], "not a plain .npy"),
        ("x.npy", npy(X[0]), "of shape"),
        ("x.npy", npy(X[:, :1]), "at least 2 features"),
        ("x.npy", npy(X[:0]), "at least one vector"),
        ("x.npy", npy(with_value(np.nan)), "row 4 that is not finite"),
        ("x.npy", npy(with_value(1e300)), "row 4 that is not finite"),
        ("x.parquet", npy(X), "by its content"),
        ("x.parquet", parquet({"v": list(X)})[:-9], "damaged"),
        ("x.parquet", parquet({"v": list(X), "text": ["x" * 10_000_000] * 7}), "too large"),
        ("x.parquet", parquet({"v": [[1.0, 2.0], [3.0]]}), "lists of different lengths"),
        ("x.parquet", parquet({"v": [[1.0, 2.0], [3.0], [4.0, 5.0, 6.0]]}), "row 2 has no list"),
        ("x.parquet", parquet({"v": [[1.0, 2.0], None]}), "lists of different lengths"),
        ("x.parquet", parquet({"v": [[1.0, None], [2.0, 3.0]]}), "row 1 that is not finite"),
        ("x.parquet", parquet({"u": list(X), "v": list(X), "w": list(X)}), "3 columns of lists"),
        ("x.parquet", parquet({"sentence": NAMES}), "0 columns of lists"),
        ("x.csv", b"v\n1\n", "ends in"),
        ("x.pkl", b"", "ends in"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(name, content, why):
    with pytest.raises(InputError, match=why):
        read_vectors(RawFile(name, content))


def test_a_header_that_promises_more_than_the_file_holds_takes_no_memory():
    promised, zeros = b"(7, 5), }", b"(7, 5000000000), }"
    huge = npy(X).replace(promised + b" " * 9, zeros)
    assert huge != npy(X)
    with pytest.raises(InputError, match="not a plain"):
        read_vectors(RawFile("x.npy", huge))
