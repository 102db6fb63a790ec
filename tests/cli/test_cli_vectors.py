"""`embed`, `fit` and `calibrate`: files in, files out, the same numbers as the Python path."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file
from saved_files import config_of
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import load_calibrator
from bertflow_core.datasets import read_vectors

MEAN, LAYER = 0, 2


@pytest.fixture
def encode(encode_tiny):
    """Layer 2 of the tiny model, mean pooling, without a store."""
    return lambda sentences: encode_tiny(sentences)[LAYER, MEAN]


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_embed_writes_a_row_a_sentence(lab, encode, sentences, tiny):
    outcome = lab("embed", sentences, *tiny, "--out", "x.npy")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == (
        "wrote 5 x 16 vectors to x.npy; 0 sentences were cut (input at most 40 tokens)\n"
    )
    x = np.load("x.npy")
    assert x.dtype == np.float32
    np.testing.assert_allclose(x, encode(lines(sentences)), rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("layers", "tokens", "layer_numbers", "pooling"),
    [("last", "cls", [3], 1), ("last2", "max", [2, 3], 2), ("first-last", "mean", [1, 3], 0)],
)
def test_embed_takes_layers_and_tokens(
    works, encode_tiny, sentences, tiny_elsewhere, layers, tokens, layer_numbers, pooling
):
    options = ("--layers", layers, "--tokens", tokens, "--out", "x.npy")
    works("embed", sentences, *tiny_elsewhere, *options)
    vectors = encode_tiny(lines(sentences))[layer_numbers, pooling].mean(0)
    np.testing.assert_allclose(np.load("x.npy"), vectors, rtol=0, atol=1e-5)


def test_vectors_leave_as_a_table_with_their_sentences(works, encode, sentences, table, tiny):
    works("embed", sentences, *tiny, "--out", "x.parquet")
    found = pd.read_parquet("x.parquet")
    assert [*found.columns] == ["id", "text", "vector"]
    assert [*found.id] == [0, 1, 2, 3, 4]
    assert [*found.text] == lines(sentences)
    np.testing.assert_allclose(np.stack(found.vector), encode([*found.text]), rtol=0, atol=1e-5)
    fitted = ("--dataset", table, *tiny, "--calibrator", "standardize", "--out", "c")
    works("fit", *fitted)
    works("calibrate", sentences, "--calibrator", "c", "--out", "z.parquet")
    again = read_vectors(Path("z.parquet"))
    assert again.names == tuple(lines(sentences))
    z = load_calibrator("c")[0].transform(np.stack(found.vector))
    np.testing.assert_allclose(again.x, z, rtol=0, atol=1e-4)


@pytest.mark.parametrize("column", ["sentence1", "sentence2"])
def test_embed_takes_a_column_of_a_table(works, encode, table, tiny, column):
    works("embed", table, "--column", column, *tiny, "--out", "x.npy")
    expected = encode([row[column == "sentence2"] for row in pair_rows()])
    np.testing.assert_allclose(np.load("x.npy"), expected, rtol=0, atol=1e-5)


SPECS = (
    "identity",
    "standardize+null-top-k:k=3",
    "whiten:n_components=5,shrinkage=0.1",
    "standardize+flow:permutation=random,epochs=3",
)


@pytest.fixture(params=SPECS)
def fitted(request, works, encode, table, tiny):
    """The calibrator that `fit` saved as `c`, fitted here on directly encoded sentences."""
    options = ("--dataset", table, "--seed", 3)
    works("fit", *tiny, *options, "--calibrator", request.param, "--out", "c")
    corpus = [sentence for row in pair_rows() for sentence in row[:2]]
    return build_calibrator(request.param, seed=3, device="cpu").fit(encode(corpus))


def test_fit_saves_what_python_fits(fitted, here, tiny_bert, table):
    saved = load_file(here / "c.safetensors")
    for name, array in fitted.get_state().items():
        np.testing.assert_allclose(saved[name], array, rtol=0, atol=1e-4)
    recipe = config_of(here / "c.safetensors")["recipe"]
    assert (recipe["model"], recipe["dataset"]) == (str(tiny_bert), str(table))
    assert (recipe["layers"], recipe["max_length"], recipe["seed"]) == ("layer:2", 40, 3)


def test_vectors_and_sentences_give_what_python_gives(fitted, works, encode, sentences, tiny):
    works("embed", sentences, *tiny, "--out", "x.npy")
    works("calibrate", "x.npy", "--calibrator", "c", "--out", "from-vectors.npy")
    works("calibrate", sentences, "--calibrator", "c", "--out", "from-sentences.npy")
    from_vectors, from_sentences = np.load("from-vectors.npy"), np.load("from-sentences.npy")
    assert from_vectors.dtype == np.float32
    np.testing.assert_array_equal(from_vectors, from_sentences)
    np.testing.assert_array_equal(from_vectors, load_calibrator("c")[0].transform(np.load("x.npy")))
    expected = fitted.transform(encode(lines(sentences)))
    np.testing.assert_allclose(from_vectors, expected, rtol=0, atol=1e-4)


def test_fit_takes_the_sentences_of_a_file(works, refuses, here, tiny):
    (here / "own.txt").write_text("\n".join(f"a dog runs {i} times" for i in range(30)))
    options = ("--calibrator", "standardize", *tiny)
    works("fit", "own.txt", *options, "--out", "given")
    works("fit", "--fit-on", "own.txt", *options, "--out", "named")
    x = np.ones((2, 16), np.float32)
    given, named = (load_calibrator(name)[0].transform(x) for name in ("given", "named"))
    np.testing.assert_array_equal(given, named)
    said = refuses("fit", "own.txt", "--fit-on", "nli", *options, "--out", "other")
    assert "leave --fit-on out" in said


def test_fit_reads_named_columns_of_a_table(works, refuses, here, tiny):
    columns = ("a", "b", "points", "part")
    path = write_pairs(here / "own.csv")
    own = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(",".join(columns) + "\n" + own[1].replace(".", ""), encoding="utf-8")
    fit = ("fit", *tiny, "--dataset", path, "--calibrator", "identity", "--out", "c")
    refuses(*fit, words="name the two sentence columns")
    named = ("--sentence1", "a", "--sentence2", "b", "--score", "points", "--subset", "part")
    refuses(*fit, *named, words="off the scale")
    works(*fit, *named, "--scale", "0,500")
    assert load_calibrator(here / "c")[1]["recipe"]["scale"] == "0,500"


class TestWhatIsThere:
    def test_a_file_is_kept_unless_forced(self, works, refuses, no_embedding, here, sentences):
        (here / "x.npy").write_bytes(b"precious")
        refuses("embed", sentences, "--out", "x.npy", words=("x.npy", "--force"))
        refuses("calibrate", "x.npy", "--calibrator", "c", "--out", "x.npy", words="--force")

    def test_a_saved_calibrator_is_kept_unless_forced(self, works, refuses, here):
        np.save("x.npy", np.random.default_rng(0).normal(size=(20, 3)))
        fit = ("fit", "x.npy", "--out", "c", "--calibrator")
        works(*fit, "standardize")
        refuses(*fit, "whiten", words=("'c.safetensors' exists", "--force"))
        assert load_calibrator("c")[1]["spec"] == "standardize"
        works(*fit, "whiten", "--force")
        assert load_calibrator("c")[1]["spec"] == "whiten"
        assert {path.name for path in here.iterdir()} == {"c.safetensors", "x.npy"}
        (here / "c.safetensors").write_text("mine")
        refuses(*fit, "whiten", "--force", words="was not saved here")
