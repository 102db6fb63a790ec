"""`embed` and `calibrate` of many parquet files: a folder in, a folder out."""

import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.persistence import load_calibrator, save_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model

TEXTS = [["the cat sat", "a dog runs fast"], ["the red mat", None]]


@pytest.fixture
def texts(here):
    folder = here / "texts"
    folder.mkdir()
    for number, part in enumerate(TEXTS):
        table = pa.table({"id": [f"{number}{i}" for i in range(2)], "text": part})
        pq.write_table(table, folder / f"{number}.parquet")
    return folder


def rows(folder):
    table = pa.concat_tables(pq.read_table(path) for path in sorted(folder.glob("*.parquet")))
    return table.column("id").to_pylist(), np.array(table.column("vector").to_pylist(), np.float32)


def test_a_folder_may_have_a_dot_in_its_name(lab, here, texts, tiny):
    assert lab("embed", "texts", *tiny, "--out", "v.2026").code == 0
    assert rows(here / "v.2026")[0] == ["00", "01", "10"]


def test_calibrate_names_vectors_of_another_recipe(lab, here, texts, tiny, tiny_elsewhere):
    lab("embed", "texts", *tiny, "--out", "two")
    assert lab("embed", "texts", *tiny_elsewhere, "--layers", "layer:1", "--out", "l").code == 0
    assert lab("fit", "two", "--calibrator", "standardize", "--out", "c").code == 0
    same = lab("calibrate", "two", "--calibrator", "c", "--out", "z")
    assert same.err.startswith("wrote 3 x 16")
    other = lab("calibrate", "l", "--calibrator", "c", "--out", "y")
    assert "fitted on vectors of" in other.err
    assert "'l' holds those of" in other.err
    (here / "own").mkdir()
    (here / "own" / "0.parquet").write_bytes((here / "l" / "0.parquet").read_bytes())
    assert (
        "those it is given must be too"
        in lab("calibrate", "own", "--calibrator", "c", "--out", "x").err
    )


@pytest.mark.parametrize("source", ["texts", "texts/*.parquet"])
def test_embed_and_calibrate_write_a_file_for_each(lab, here, texts, tiny_bert, tiny, source):
    outcome = lab("embed", source, *tiny, "--out", "vectors")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith(
        "wrote 3 x 16 vectors in 2 files to vectors\nrows that could not be used: 1 (text is blank)"
    )
    ids, x = rows(here / "vectors")
    assert ids == ["00", "01", "10"]
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=40, device="cpu")
    sentences = [*TEXTS[0], TEXTS[1][0]]
    np.testing.assert_allclose(x, encoder.encode(sentences).vectors[2, 0], rtol=0, atol=1e-5)
    calibrator = build_calibrator("standardize").fit(x)
    save_calibrator(calibrator, here / "calibrator")
    outcome = lab("calibrate", "vectors", "--calibrator", "calibrator", "--out", "calibrated")
    assert outcome.err == "wrote 3 x 16 vectors in 2 files to calibrated\n"
    np.testing.assert_allclose(rows(here / "calibrated")[1], calibrator.transform(x), atol=1e-6)
    again = lab("embed", source, *tiny, "--out", "vectors")
    assert "2 files (2 of them were there)" in again.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("texts", "--out", "x.npy"), "folder"),
        (("texts", "--out", "-"), "folder"),
        (("texts", "--out", "x", "--column", "txt"), "did you mean text"),
        (("texts", "--out", "x", "--address", "auto"), "engine ray"),
        (("-", "--out", "x", "--engine", "ray"), "parquet"),
        (("none/*.parquet", "--out", "x"), "quotes"),
    ],
)
def test_what_cannot_be_is_one_sentence(lab, texts, tiny, options, words):
    outcome = lab("embed", *options, *tiny)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


def test_ray_that_is_not_installed_is_named(refuses, texts, tiny, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    refuses("embed", "texts", *tiny, "--engine", "ray", "--out", "x", words="bertflow-lab[scale]")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("embed one.parquet --id key --out x.npy", "--id"),
        ("embed texts --no-store --out x", "--no-store"),
        ("calibrate v.npy --calibrator c --id key --out x.npy", "--id"),
        ("calibrate texts --calibrator c --no-store --out x", "--no-store"),
        ("calibrate texts --calibrator c --device cpu --out x", "--device"),
        (
            "calibrate texts --calibrator c --device cpu --batch-size 9 --out x",
            "--device and --batch-size",
        ),
        ("fit --dataset stsb --engine ray --out x", "--engine"),
        ("fit --dataset stsb --address auto --sample 5 --out x", "--sample and --address"),
        ("fit v.npy --column b --id key --out x", "--column and --id"),
        ("fit texts --no-store --out x", "--no-store"),
    ],
)
def test_options_that_would_be_ignored_are_refused(refuses, texts, words, named):
    refuses(*words.split(), words=f"can take {named}: leave it out")


def test_fit_takes_a_named_column_of_one_table(lab, here):
    x = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    columns = {
        name: pa.array(list(each), pa.list_(pa.float32()))
        for name, each in [("a", x), ("b", 2 * x + 1)]
    }
    pq.write_table(pa.table(columns), here / "two.parquet")
    assert (
        lab("fit", "two.parquet", "--column", "b", "--calibrator", "standardize", "--out", "c").code
        == 0
    )
    fitted, _ = load_calibrator(here / "c")
    expected = build_calibrator("standardize").fit(2 * x + 1)
    np.testing.assert_allclose(fitted.transform(x), expected.transform(x), atol=1e-5)


def test_fit_takes_many_files(lab, here):
    x = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    (here / "vectors").mkdir()
    for number, part in enumerate(np.split(x, 3)):
        ids = [f"{number}.{row}" for row in range(len(part))]
        table = pa.table({"id": ids, "vector": pa.array(list(part), pa.list_(pa.float32()))})
        pq.write_table(table, here / "vectors" / f"{number}.parquet")
    outcome = lab("fit", "vectors/*.parquet", "--calibrator", "whiten", "--out", "c")
    assert outcome.err.endswith("saved whiten, fitted on 60 vectors, to c\n")
    fitted, config = load_calibrator(here / "c")
    np.testing.assert_allclose(
        fitted.transform(x), build_calibrator("whiten").fit(x).transform(x), atol=1e-6
    )
    assert config["recipe"]["model"] == "vectors"
    outcome = lab("fit", "vectors", "--sample", "20", "--out", "f")
    assert "fitted on a sample of 20 of 60 rows" in outcome.err


def test_neighbours_of_vectors_among_many_files(lab, refuses, here):
    x = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    (here / "many").mkdir()
    for number, part in enumerate(np.split(np.arange(60), 3)):
        column = pa.array(list(x[part]), pa.list_(pa.float32()))
        pq.write_table(
            pa.table({"id": part, "vector": column}), here / "many" / f"{number}.parquet"
        )
    np.save(here / "q.npy", x[[7, 41]])
    asked = pa.table({"id": ["7", "41"], "vector": pa.array(list(x[[7, 41]]))})
    pq.write_table(asked, here / "q.parquet")
    command = ("analyse", "neighbours", "many", "--k", "3", "--format", "json")
    found = json.loads(lab(*command, "--queries", "q.npy").out)["records"]
    unit = x / np.linalg.norm(x.astype(np.float64), axis=1, keepdims=True)
    cosines = unit[[7, 41]] @ unit.T
    nearest = np.argsort(-cosines, axis=1)[:, :3]
    assert [int(each["id"]) for each in found] == nearest.ravel().tolist()
    assert [each["query"] for each in found] == ["1"] * 3 + ["2"] * 3
    values = [each["cosine"] for each in found]
    np.testing.assert_allclose(values, np.take_along_axis(cosines, nearest, axis=1).ravel())
    others = json.loads(lab(*command, "--queries", "q.parquet", "--exclude-own").out)["records"]
    kept = [int(each["id"]) for each in others if each["rank"] < 3]
    assert kept == nearest[:, 1:].ravel().tolist()
    assert others[0]["query"] == "7"
    texts = pa.table({"text": ["a", "b"], "name": ["7", "41"], "vector": asked["vector"]})
    for source in (here / "many").iterdir():
        pq.write_table(pq.read_table(source).rename_columns(["name", "vector"]), source)
    pq.write_table(texts, here / "t.parquet")
    queries = ("--queries", "t.parquet", "--exclude-own")
    assert json.loads(lab(*command, *queries, "--id", "name").out)["records"] == others
    refuses(*command, *queries, words="no column 'id'")
    refuses(*command, "--queries", "q.npy", "--exclude-own", words="holds none")
