"""`--out NAME.lance`: what one file or many become as a Lance dataset, and what is read from it."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.persistence import save_calibrator

lance = pytest.importorskip("lance", reason='the extra is not installed: pip install ".[lance]"')

TEXTS = ["the cat sat", "a dog runs fast", "the red mat"]


def columns(path):
    return lance.dataset(str(path)).to_table().to_pydict()


def test_vectors_of_one_file_become_a_dataset(lab, refuses, here, tiny):
    (here / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    assert lab("embed", "texts.txt", *tiny, "--out", "v.parquet").code == 0
    assert lab("embed", "texts.txt", *tiny, "--out", "v.lance").err.startswith("wrote 3 x 16")
    expected = pq.read_table(here / "v.parquet").to_pydict()
    assert columns(here / "v.lance") == expected
    assert expected["text"] == TEXTS
    refuses("embed", "texts.txt", *tiny, "--out", "v.lance", words="--force")
    (here / "own.lance").mkdir()
    refuses("embed", "texts.txt", *tiny, "--out", "own.lance", "--force", words="no Lance")
    x = np.array(expected["vector"], np.float32)
    calibrator = build_calibrator("standardize").fit(x)
    save_calibrator(calibrator, here / "c")
    np.save(here / "x.npy", x)
    assert lab("calibrate", "x.npy", "--calibrator", "c", "--out", "v.lance", "--force").code == 0
    made = columns(here / "v.lance")
    assert list(made) == ["id", "vector"]
    np.testing.assert_allclose(np.array(made["vector"]), calibrator.transform(x), atol=1e-6)
    assert lance.dataset(str(here / "v.lance"), version=2).count_rows() == 3


def test_many_files_become_a_dataset_that_is_fitted_calibrated_and_searched(lab, here, tiny):
    (here / "texts").mkdir()
    for number, texts in enumerate((TEXTS, ["a green cat", None])):
        table = pa.table({"id": [f"{number}{i}" for i in range(len(texts))], "text": texts})
        pq.write_table(table, here / "texts" / f"{number}.parquet")
    outcome = lab("embed", "texts", *tiny, "--out", "v.lance")
    assert outcome.err.startswith("wrote 4 x 16 vectors in 2 files to v.lance")
    assert lab("embed", "texts", *tiny, "--out", "v").code == 0
    made, files = columns(here / "v.lance"), pq.read_table(here / "v")
    assert made["text"] == [*TEXTS, "a green cat"]
    assert (made["id"], made["vector"]) == tuple(
        files.column(name).to_pylist() for name in ("id", "vector")
    )
    assert lab("fit", "v.lance", "--calibrator", "standardize", "--out", "c").code == 0
    outcome = lab("calibrate", "v.lance", "--calibrator", "c", "--out", "z.lance")
    assert outcome.err == "wrote 4 x 16 vectors in 2 files to z.lance\n"
    assert columns(here / "z.lance")["text"] == made["text"]
    np.save(here / "q.npy", np.array(made["vector"][2:3], np.float32))
    command = ("analyse", "neighbours", "v.lance", "--queries", "q.npy", "--k", "1")
    assert json.loads(lab(*command, "--format", "json").out)["records"][0]["id"] == "02"
