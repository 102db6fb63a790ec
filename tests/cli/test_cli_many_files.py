"""`embed`, `fit` and `calibrate` of folders of parquet files: equal to all rows in memory."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import load_calibrator

TEXTS = [["the cat sat", "a dog runs fast"], ["the red mat", None], ["x" * 200_000, "big dog"]]
GOOD = ["the cat sat", "a dog runs fast", "the red mat", "big dog"]
X = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32) * [3, 2, 1, 0.5] + 1
X = X.astype(np.float32)


@pytest.fixture
def texts(here):
    folder = here / "texts"
    folder.mkdir()
    for number, part in enumerate(TEXTS):
        table = pa.table({"id": [f"{number}{i}" for i in range(2)], "text": part})
        pq.write_table(table, folder / f"{number}.parquet")
    return folder


@pytest.fixture
def vectors(here):
    """The rows of `X` in three files, one after a row that is damaged."""
    folder = here / "vectors"
    folder.mkdir()
    for number, part in enumerate(np.split(X, [7, 40])):
        cells = [*([[1.0, 2.0]] if number == 1 else []), *part]
        table = pa.table({"vector": pa.array(cells, pa.list_(pa.float32()))})
        pq.write_table(table, folder / f"{number}.parquet")
    return folder


def rows(folder):
    """Return the tables of a folder as one, and its vectors."""
    table = pa.concat_tables(pq.read_table(path) for path in sorted(folder.glob("*.parquet")))
    vectors = table.column("vector").drop_null().to_pylist()
    return table, np.array(vectors, np.float32)


@pytest.mark.parametrize("source", ["texts", "texts/*.parquet"])
def test_embed_writes_what_the_encoder_gives(lab, here, texts, encode_tiny, tiny, source):
    outcome = lab("embed", source, *tiny, "--out", "v.2026")
    assert (outcome.code, outcome.out) == (0, "")
    assert "wrote 4 x 16 vectors in 3 files to v.2026" in outcome.err
    assert "rows that could not be used: 2 (text is blank)" in outcome.err
    table, x = rows(here / "v.2026")
    assert table["id"].to_pylist() == ["00", "01", "10", "11", "20", "21"]
    np.testing.assert_allclose(x, encode_tiny(GOOD)[2, 0], rtol=0, atol=1e-5)
    reasons = table["refused"].to_pylist()
    assert [row for row, why in enumerate(reasons) if why] == [3, 4]
    assert reasons[3] == "text is blank"
    assert "200,000 characters" in reasons[4]
    again = lab("embed", source, *tiny, "--out", "v.2026")
    assert "wrote 4 x 16 vectors in 3 files (3 of them were there)" in again.err
    (here / "v.2026" / "1.parquet").unlink()
    again = lab("embed", source, *tiny, "--out", "v.2026")
    assert "3 files (2 of them were there)" in again.err
    np.testing.assert_array_equal(rows(here / "v.2026")[1], x)


@pytest.mark.parametrize("spec", ["standardize", "whiten", "null-top-k:k=1", "standardize+whiten"])
def test_fit_and_calibrate_do_as_with_all_rows_in_memory(lab, here, vectors, spec):
    outcome = lab("fit", "vectors/*.parquet", "--calibrator", spec, "--out", "c")
    assert outcome.err.endswith(f"saved {spec}, fitted on 60 vectors, to c.safetensors\n")
    assert "1 rows are left out (vector has 2 numbers: expected 4)" in outcome.err
    fitted, config = load_calibrator(here / "c")
    expected = build_calibrator(spec).fit(X).transform(X)
    np.testing.assert_allclose(fitted.transform(X), expected, atol=2e-6)
    assert config["recipe"]["model"] == "vectors"
    assert lab("calibrate", "vectors", "--calibrator", "c", "--out", "z").code == 0
    table, z = rows(here / "z")
    assert table.column_names == ["vector", "refused"]
    assert table["vector"].null_count == 1
    np.testing.assert_allclose(z, expected, atol=2e-6)


def test_a_flow_is_fitted_on_a_sample(lab, here, vectors):
    outcome = lab("fit", "vectors", "--sample", "20", "--calibrator", "flow:epochs=2", "--out", "f")
    assert "fitted on a sample of " in outcome.err
    fitted, _ = load_calibrator(here / "f")
    assert lab("calibrate", "vectors", "--calibrator", "f", "--out", "z").code == 0
    np.testing.assert_allclose(rows(here / "z")[1], fitted.transform(X), atol=1e-6)


def test_fit_takes_a_named_column_of_one_table(lab, here):
    columns = {
        name: pa.array(list(each), pa.list_(pa.float32()))
        for name, each in [("a", X), ("b", 2 * X + 1)]
    }
    pq.write_table(pa.table(columns), here / "two.parquet")
    asked = ("fit", "two.parquet", "--column", "b", "--calibrator", "standardize", "--out", "c")
    assert lab(*asked).code == 0
    fitted, _ = load_calibrator(here / "c")
    expected = build_calibrator("standardize").fit(2 * X + 1)
    np.testing.assert_allclose(fitted.transform(X), expected.transform(X), atol=1e-5)
