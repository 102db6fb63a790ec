"""Given vectors, from their files to their scores, recomputed by numpy and scipy."""

import hashlib
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import spearmanr

from bertflow_core import Lab, Recipe
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.datasets import RawFile, read_vectors
from bertflow_core.errors import InputError
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.space.measure import SpaceRecipe, sentences

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
X = A[:7]
FIXED = pa.FixedSizeListArray.from_arrays(X.ravel(), D)
TWO = "vectors:a.npy,b.npy"


def npy(x, **options):
    stream = io.BytesIO()
    np.save(stream, x, **options)
    return stream.getvalue()


def parquet(**table):
    stream = io.BytesIO()
    pq.write_table(pa.table(table), stream, row_group_size=3)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("x.npy", npy(X), None),
        ("x.parquet", parquet(v=FIXED, id=range(7)), [*map(str, range(7))]),
        ("x.parquet", parquet(v=list(X), text=FIRST[:7]), FIRST[:7]),
    ],
)
def test_the_numbers_of_a_file_come_back(tmp_path, name, content, names):
    (tmp_path / name).write_bytes(content)
    for source in (RawFile(name, content), tmp_path / name):
        found = read_vectors(source)
        np.testing.assert_allclose(np.asarray(found.x, np.float32), X, rtol=1e-6)
        assert found.names == (None if names is None else tuple(names))
        assert found.source.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.npy", npy(np.array([{}], object), allow_pickle=True), "not a plain .npy"),
        *(
            ("x.npy", npy(X).replace(b"(7, 6), ", said.ljust(8)), "size is not the one that it")
            for said in (b"(6, 6),", b"(8, 6),", b"(-1, 6),", b"(1, -1),", b"(-7, -6)")
        ),
        ("x.npy", npy(X) + b"\0" * 16, "size is not the one that it declares"),
        ("x.npy", npy(X[:, :1]), "at least 2 features"),
        ("x.npy", npy(np.where(np.arange(7)[:, None] == 3, np.nan, X)), "row 4: a number is NaN"),
        ("x.npy", npy(X * np.array(1e60)), "row 1: .* too large"),
        ("x.npy", npy(X * np.logspace(0, -60, 7)[:, None]), "row 5: .* below 1e-38"),
        ("x.parquet", parquet(v=list(X))[:-9], "damaged"),
        ("x.parquet", parquet(v=[[1.0, 2.0], [3.0]]), "lists of different lengths"),
        ("x.parquet", parquet(v=[[1.0, 2.0], [3.0], [4.0, 5.0, 6.0]]), "row 2: v has 1 numbers"),
        ("x.parquet", parquet(v=[[1.0, 2.0]] * 4 + [[1.0], [1.0] * 3]), "row 5: v has 1 numbers"),
        ("x.parquet", parquet(u=list(X), v=list(X), w=list(X)), "3 columns of lists"),
        ("x.csv", b"v\n1\n", "ends in"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(
    name, content, why, monkeypatch, tmp_path
):
    monkeypatch.setattr("bertflow_core.datasets.vectors._NUMBERS_AT_ONCE", 4)  # two rows per batch
    (tmp_path / name).write_bytes(content)
    for source in (RawFile(name, content), tmp_path / name):
        with pytest.raises(InputError, match=why):
            read_vectors(source)


def test_vectors_of_an_upload_are_bounded_by_what_they_take_in_memory(monkeypatch):
    content = parquet(v=[[0.0] * 512] * 64)
    assert len(content) < 64 * 512
    read_vectors(RawFile("x.parquet", content))
    monkeypatch.setattr("bertflow_core.datasets.vectors.MAX_FILE_BYTES", 100_000)
    with pytest.raises(InputError, match=r"unpacked.*too large.*at most 0.1 MB"):
        read_vectors(RawFile("x.parquet", content))
    for table in {"id": ["x" * 100_001] * 7}, {"text": ["x" * 100_001, *"abcdef"]}:
        with pytest.raises(InputError, match=r"(id|text) has more than 100,000 characters"):
            read_vectors(RawFile("x.parquet", parquet(v=list(X), **table)))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("b.npy", B.astype(np.float64))
    np.save("both.npy", np.concatenate([A, B]))
    pd.DataFrame({"score": GOLD}).to_csv("scores.csv", index=False)
    pd.DataFrame({**WORDS, "score": GOLD}).to_csv("words.csv", index=False)
    named = pd.DataFrame({"sentence": [*SECOND, *FIRST], "v": list(np.concatenate([B, A]))})
    named.to_parquet("named.parquet")


pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize(
    ("model", "dataset"),
    [(TWO, "scores.csv"), (TWO, "words.csv"), ("vectors:named.parquet", "words.csv")],
)
def test_rho_is_that_of_the_vectors(model, dataset):
    recipe = Recipe(model=model, dataset=dataset)
    plain, white = Lab().evaluate(recipe.each(calibrators=["identity", "whiten"]))
    np.testing.assert_allclose(plain.similarity, COSINE, atol=1e-6)
    assert plain.rho == pytest.approx(spearmanr(COSINE, GOLD).statistic)
    a, b = ((x - ALL.mean(0)) @ WHITE for x in (A, B))
    cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    np.testing.assert_allclose(white.similarity, cosine, atol=1e-3)
    assert plain.embedded.data.has_words == (dataset == "words.csv")
    names = {f"{n}.npy": file for n, file in enumerate(("a.npy", "b.npy"))}
    files = {new: RawFile(new, open(old, "rb").read()) for new, old in names.items()}
    uploaded = Lab(files=files).evaluate([recipe.with_(model="vectors:0.npy,1.npy")])[0]
    np.testing.assert_allclose(uploaded.similarity, COSINE, atol=1e-6)


def test_subsets_and_labels_of_rows_without_sentences():
    words = np.where(GOLD > 2.5, "yes", "no")
    pd.DataFrame({"label": words, "subset": ["x", "y"] * 30}).to_csv("labels.csv", index=False)
    pairs = Lab().data(Recipe(model=TWO, dataset="labels.csv"))
    assert (pairs.first[16], pairs.second[16]) == ("first 17", "second 17")
    assert (pairs.targets.tolist(), pairs.metric) == ((GOLD > 2.5).tolist(), "auc")
    assert {*pairs.subsets} == {"x", "y"}


def test_files_are_named_by_digest_and_no_others_are_taken():
    recipe = Recipe(model=TWO, dataset="scores.csv")
    result = Lab().evaluate([recipe])[0].to_dict()
    files = [hashlib.sha256(open(name, "rb").read()).hexdigest() for name in ("a.npy", "b.npy")]
    assert [file["sha256"] for file in result["encoder"]["files"]] == files
    again = Recipe.from_dict(result["recipe"])
    assert Lab().evaluate([again])[0].rho == result["spearman"]["all"]
    np.save("a.npy", A[::-1])
    with pytest.raises(InputError, match="digest"):
        Lab().evaluate([again])
    assert Lab().evaluate([recipe])[0].rho != result["spearman"]["all"]


@pytest.mark.parametrize(
    ("fit_on", "n"), [("target", 2 * N), ("vectors", 2 * N), ("a.npy", N), ("named.parquet", 2 * N)]
)
def test_the_fit_corpus(fit_on, n):
    embedded = next(Lab().embedded([Recipe(model=TWO, dataset="words.csv", fit_on=fit_on)]))
    assert len(embedded.x_fit) == n
    if fit_on == "a.npy":
        np.testing.assert_array_equal(embedded.x_fit, A)


def test_single_vectors_are_fitted_and_measured_without_pairs():
    recipe = Recipe(model="vectors", dataset="a.npy", calibrator="standardize")
    z = Lab().fit(recipe).calibrator.transform(A)
    np.testing.assert_allclose(z, (A - A.mean(0)) / A.std(0), atol=1e-5)
    (evaluation,) = sentences(SpaceRecipe(**recipe.to_dict()), Lab(), ["identity"]).rows
    assert evaluation["mean_cosine"] == pytest.approx(mean_cosine(A))
    with pytest.raises(InputError, match="gold scores"):
        _ = Lab().evaluate([recipe])[0].rho


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"model": "vectors:a.npy"}, "does not have the sentence"),
        ({"model": "vectors:a.npy,both.npy"}, "expected the same"),
        ({"model": "vectors:both.npy,both.npy"}, "60 rows for 120 pairs"),
        ({"model": "vectors:named.parquet", "dataset": "teaching"}, "have no vector"),
        ({"model": "minilm"}, "no known sentence column"),
    ],
)
def test_what_does_not_fit_together_is_refused(choices, why):
    with pytest.raises(InputError, match=why):
        Lab().evaluate([Recipe(**{"dataset": "scores.csv", **choices})])


def test_one_sentence_with_two_vectors_is_refused():
    pairs = pd.DataFrame({"sentence1": ["s", "t"], "sentence2": ["t", "t"], "score": [1, 2]})
    pairs.to_csv("pairs.csv", index=False)

    def save(third):
        x = [A[0], A[1], third]
        pd.DataFrame({"sentence": ["s", "t", "s"], "x": x}).to_parquet("twice.parquet")

    save(A[2])
    recipe = Recipe(model="vectors:twice.parquet", dataset="pairs.csv")
    with pytest.raises(InputError, match="rows 1 and 3"):
        Lab().evaluate([recipe])
    save(A[0] * 1.0001)
    np.testing.assert_array_equal(next(Lab().embedded([recipe])).x_first, A[:2])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"b1.npy": npy(A[:-1]), "b2.npy": npy(B[:-1])}, "has 60 rows for 59"),
        (
            {"b1.parquet": parquet(v=list(A), id=FIRST), "b2.parquet": parquet(v=list(B))},
            "row 3 is 'other' in 'a.parquet' and 's2' in 'b1.parquet'",
        ),
    ],
)
def test_a_second_set_of_other_rows_is_refused_with_the_first_that_does_not_match(here, other, why):
    names = [*FIRST[:2], "other", *FIRST[3:]]
    files = {"a.parquet": parquet(v=list(A), id=names), "b.parquet": parquet(v=list(B))} | other
    gold = RawFile("gold.csv", pd.DataFrame({"score": GOLD}).to_csv(index=False).encode())
    files = {name: RawFile(name, content) for name, content in files.items()}
    models = ("vectors:a.parquet,b.parquet", f"vectors:{','.join(other)}")
    params = EvaluateRecipe(models=models, datasets=("gold.csv",))
    with pytest.raises(InputError, match=why):
        evaluate(params, Lab(files=files | {"gold.csv": gold}), ("identity",), ("layer:4",))


def test_two_sets_of_vectors_of_the_same_pairs_have_the_scores_of_each(here):
    files = {"a1.npy": A, "a2.npy": B, "b1.npy": B[:, :4], "b2.npy": A[:, 2:]}
    given = {name: RawFile(name, npy(x)) for name, x in files.items()}
    given["gold.csv"] = RawFile("gold.csv", pd.DataFrame({"score": GOLD}).to_csv().encode())
    models = ("vectors:a1.npy,a2.npy", "vectors:b1.npy,b2.npy")
    params = EvaluateRecipe(models=models, datasets=("gold.csv",))
    rows = evaluate(params, Lab(files=given), ("identity",), ("layer:4",)).rows
    for row, sides in zip(rows, ((A, B), (B[:, :4], A[:, 2:])), strict=True):
        unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in sides]
        rho = spearmanr((unit[0] * unit[1]).sum(1), GOLD).statistic
        assert row["score"] == pytest.approx(rho, abs=1e-9)
