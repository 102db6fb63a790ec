"""Vectors of one's own, from a recipe to its numbers, against numpy and scipy alone."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from bertflow_core.datasets import RawFile
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import Grid, compare
from bertflow_core.studies.layers import layer_map
from bertflow_core.studies.sentences.measure import measure_sentences

N, D = 60, 6
RNG = np.random.default_rng(0)
A = (RNG.standard_normal((N, D)) + 2).astype(np.float32)
B = (A + RNG.uniform(0, 2, (N, 1)) * RNG.standard_normal((N, D))).astype(np.float32)
GOLD = RNG.uniform(0, 5, N).round(2)
COSINE = (A * B).sum(1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1)
FIRST, SECOND = ([f"{side}{i}" for i in range(N)] for side in "st")
WORDS = {"sentence1": FIRST, "sentence2": SECOND}
ALL = np.stack([A, B], axis=1).reshape(-1, D)
WHITE = np.linalg.cholesky(np.linalg.inv(np.cov(ALL.T, bias=True)))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("b.npy", B.astype(np.float64))
    np.save("both.npy", np.concatenate([A, B]))
    pd.DataFrame({"score": GOLD}).to_csv("scores.csv", index=False)
    pd.DataFrame({**WORDS, "score": GOLD}).to_csv("words.csv", index=False)
    named = pd.DataFrame({"sentence": [*SECOND, *FIRST], "v": list(np.concatenate([B, A]))})
    named.to_parquet("named.parquet")
    (tmp_path / "both.txt").write_text("\n".join([*FIRST, *SECOND]) + "\n")


FORMS = [
    ("vectors:a.npy,b.npy", "scores.csv"),
    ("vectors:a.npy,b.npy", "words.csv"),
    ("vectors:named.parquet", "words.csv"),
    ("vectors:both.npy,both.txt", "words.csv"),
]


@pytest.mark.parametrize(("model", "dataset"), FORMS)
def test_rho_is_that_of_the_vectors(model, dataset):
    recipe = Recipe(model=model, dataset=dataset)
    plain, white = Lab().evaluate(recipe, ["identity", "whiten"])
    np.testing.assert_allclose(plain.similarity, COSINE, atol=1e-6)
    assert plain.rho == pytest.approx(spearmanr(COSINE, GOLD).statistic)
    a, b = ((x - ALL.mean(0)) @ WHITE for x in (A, B))
    cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    np.testing.assert_allclose(white.similarity, cosine, atol=1e-3)


def test_files_are_named_by_digest_and_no_others_are_taken():
    recipe = Recipe(model="vectors:a.npy,b.npy", dataset="scores.csv")
    result = Lab().evaluate(recipe)[0].to_dict()
    files = [hashlib.sha256(open(name, "rb").read()).hexdigest() for name in ("a.npy", "b.npy")]
    assert [file["sha256"] for file in result["encoder"]["files"]] == files
    again = Recipe.from_dict(result["recipe"])
    assert Lab().evaluate(again)[0].rho == result["spearman"]["all"]
    np.save("a.npy", A[::-1])
    with pytest.raises(InputError, match="digest"):
        Lab().evaluate(again)
    assert Lab().evaluate(recipe)[0].rho != result["spearman"]["all"]


@pytest.mark.parametrize(
    ("fit_on", "n"), [("target", 2 * N), ("vectors", 2 * N), ("a.npy", N), ("named.parquet", 2 * N)]
)
def test_the_fit_corpus(fit_on, n):
    recipe = Recipe(model="vectors:a.npy,b.npy", dataset="words.csv", fit_on=fit_on)
    prepared = Lab().prepare(recipe)
    assert len(prepared.x_fit) == n
    if fit_on == "a.npy":
        np.testing.assert_array_equal(prepared.x_fit, A)


def test_single_vectors_are_fitted_and_measured_without_pairs():
    recipe = Recipe(model="vectors", dataset="a.npy", calibrator="standardize")
    z = Lab().fit(recipe).calibrator.transform(A)
    np.testing.assert_allclose(z, (A - A.mean(0)) / A.std(0), atol=1e-5)
    (space,) = measure_sentences(recipe, Lab()).spaces
    unit = A / np.linalg.norm(A, axis=1, keepdims=True)
    mean = (unit.sum(0) @ unit.sum(0) - N) / N / (N - 1)
    assert space.values["mean_cosine"] == pytest.approx(mean, abs=1e-5)
    with pytest.raises(InputError, match="gold scores"):
        _ = Lab().evaluate(recipe)[0].rho


def test_files_in_memory_are_those_of_the_disk():
    content = {name: open(name, "rb").read() for name in ("a.npy", "b.npy", "scores.csv")}
    recipe = Recipe(model="vectors:1.npy,2.npy", dataset="gold.csv")
    names = dict(zip(content, ("1.npy", "2.npy", "gold.csv"), strict=True))
    files = {new: RawFile(new, content[old]) for old, new in names.items()}
    found = Lab(files=files).evaluate(recipe)[0]
    np.testing.assert_allclose(found.similarity, COSINE, atol=1e-6)


def test_they_are_compared_with_each_other_row_by_row():
    models = ("vectors:a.npy,b.npy", "vectors:b.npy,a.npy", "vectors:named.parquet")
    grid = Grid(
        protocol=Recipe(dataset="words.csv"),
        models=models,
        layers=("last",),
        calibrators=("identity", "whiten"),
        datasets=("words.csv",),
    )
    comparison = compare(grid, Lab())
    assert [row.source for row in grid.rows[::2]] == list(models)
    rhos = [comparison.score(row, "words.csv") for row in grid.rows]
    assert rhos[0] == rhos[2] == rhos[4] == pytest.approx(spearmanr(COSINE, GOLD).statistic)
    assert rhos[1] == pytest.approx(rhos[5], abs=1e-9)


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"model": "vectors:a.npy"}, "does not say which sentence"),
        ({"model": "vectors:a.npy,both.npy"}, "expected one shape"),
        ({"model": "vectors:both.npy,both.npy"}, "60 rows for 120 pairs"),
        ({"model": "vectors:a.npy,b.npy,c.npy"}, "one file of vectors, or two"),
        ({"model": "vectors:a.npy,b.npy", "layers": "last"}, "no layers"),
        ({"model": "vectors:a.npy,b.npy", "score": "gold"}, "score"),
        ({"model": "vectors:none.npy,b.npy"}, "does not exist"),
        ({"model": "vectors:named.parquet", "dataset": "teaching"}, "have no vector"),
        ({"model": "minilm", "dataset": "scores.csv"}, "none are known to hold sentences"),
    ],
)
def test_what_does_not_fit_together_is_refused(choices, why):
    with pytest.raises(InputError, match=why):
        Lab().evaluate(Recipe(**{"dataset": "scores.csv", **choices}))


def test_one_sentence_with_two_vectors_is_refused():
    pairs = pd.DataFrame({"sentence1": ["s", "t"], "sentence2": ["t", "t"], "score": [1, 2]})
    pairs.to_csv("pairs.csv", index=False)

    def save(third):
        x = [A[0], A[1], third]
        pd.DataFrame({"sentence": ["s", "t", "s"], "x": x}).to_parquet("twice.parquet")

    save(A[2])
    recipe = Recipe(model="vectors:twice.parquet", dataset="pairs.csv")
    with pytest.raises(InputError, match="rows 1 and 3"):
        Lab().evaluate(recipe)
    save(A[0] * 1.0001)
    np.testing.assert_array_equal(Lab().prepare(recipe).x_first, A[:2])


def test_a_map_of_layers_needs_a_network():
    with pytest.raises(InputError, match="without a network"):
        layer_map(Recipe(model="vectors", dataset="a.npy"), Lab(), ["identity"])
