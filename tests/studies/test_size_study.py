"""Compressed vectors against numpy, scikit-learn and Hamming distances; the frontier."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from tiny_pairs import write_collection

from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.encodings import encodings
from bertflow_core.evaluation.significance import holm
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.retrieval import RetrievalRecipe, retrieval
from bertflow_core.studies.size import size

X = np.random.default_rng(0).normal(size=(300, 24)).astype(np.float32) + 0.5


def test_each_encoding_is_its_definition():
    known, a, b = encodings(X, 24), X[:100], X[100:200]
    found = {name: pairwise_cosine(each.query(a), each.document(b)) for name, each in known.items()}
    hamming, signs = ((a > 0) != (b > 0)).sum(axis=1), np.where(b > 0, 1, -1)
    assert found["binary"] == pytest.approx(1 - 2 * hamming / 24)
    assert found["binary, rescored"] == pytest.approx(pairwise_cosine(a, signs))
    halves = a.astype(np.float16), b.astype(np.float16)
    assert found["float16"] == pytest.approx(pairwise_cosine(*halves))
    steps = (X.max(0) - X.min(0)) / 255
    codes = [np.floor((x - X.min(0)) / steps).clip(0, 255) - 128 for x in (a, b)]
    assert np.abs(found["int8"] - pairwise_cosine(*codes)).max() < 0.01
    assert found["first 6"] == pytest.approx(pairwise_cosine(a[:, :6], b[:, :6]))
    pca = PCA(6).fit(X.astype(np.float64))
    expected = pairwise_cosine(pca.transform(a), pca.transform(b))
    assert found["PCA 6"] == pytest.approx(expected, abs=1e-5)
    assert {name: each.n_bytes for name, each in known.items()} == {
        **{"float32": 96, "float16": 48, "int8": 24, "binary": 3, "binary, rescored": 3},
        **{f"{kind} {k}": 4 * k for k in (12, 6, 3) for kind in ("first", "PCA")},
    }


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return recipe_of(60)


@pytest.fixture(scope="module")
def report(recipe):
    specs = ["whiten:n_components=8", "standardize"]
    return size(recipe, Lab(), specs, ["layer:2"])


def test_full_vectors_score_as_ever_and_whitening_meets_pca_halfway(recipe, report):
    rows = report.where(encoding="float32")
    _, raw, whitened, _ = rows
    found = Lab().evaluate(recipe.each(calibrators=[row["calibrator"] for row in rows[1:]]))
    expected = [evaluation.rho for evaluation in (Lab().evaluate([recipe.plain])[0], *found)]
    assert [row["score"] for row in rows] == pytest.approx(expected)
    assert (raw["n_bytes"], whitened["n_bytes"]) == (4 * 16, 4 * 8)
    assert whitened["change"] == pytest.approx(whitened["score"] - raw["score"])
    whiten = whitened["calibrator"]
    after = report.row(calibrator=whiten, order="after", encoding="PCA 8")
    assert after["score"] == pytest.approx(whitened["score"], abs=1e-4)  # the same directions
    before = report.row(calibrator=whiten, order="before", encoding="int8")
    later = report.row(calibrator=whiten, order="after", encoding="int8")
    gain = next(row for row in report.tables[0].rows if row["encoding"] == "int8")
    assert gain["gain"] == pytest.approx(later["score"] - before["score"])
    assert gain["gain_low"] < gain["gain"] < gain["gain_high"]


def test_whole_vectors_differ_as_evaluate_has_it(recipe, report):
    whitened = report.row(calibrator="whiten:n_components=8", encoding="float32")
    there = evaluate(EvaluateRecipe.of(recipe), Lab(), [whitened["calibrator"]], ["layer:2"])
    same = there.row(calibrator=whitened["calibrator"])
    for end in ("_low", "_high", "_p"):
        assert whitened[f"change{end}"] == pytest.approx(same[f"change{end}"], abs=1e-6)
    rows = report.where(layers="layer:2")
    tested = [row["change_p"] for row in rows if "change_p" in row]
    adjusted = [row["change_p_holm"] for row in rows if "change_p" in row]
    assert adjusted == pytest.approx(holm(tested).tolist())


def test_the_frontier_is_what_nothing_smaller_and_better_is_beside(report):
    rows = report.where(layers="layer:2")
    for row in rows:
        smaller = [each["score"] for each in rows if each["n_bytes"] < row["n_bytes"]]
        alike = [each["score"] for each in rows if each["n_bytes"] == row["n_bytes"]]
        best = row["score"] >= max(alike) - 1e-9 and row["score"] > max(smaller, default=-1) + 1e-9
        assert row["frontier"] == best
    assert any(row["frontier"] for row in rows)


def test_the_answer_names_the_smallest_vectors_that_do_not_lose(tmp_path):
    rng = np.random.default_rng(1)
    sides = rng.normal(size=(2, 600, 16))
    gold = 2.5 + pairwise_cosine(*sides) + rng.normal(0, 0.3, 600)
    files = [str(tmp_path / name) for name in ("first.npy", "second.npy")]
    for file, x in zip(files, sides, strict=True):
        np.save(file, x)
    table = tmp_path / "gold.csv"
    table.write_text("\n".join(["score", *map(str, gold)]))
    report = size(Recipe(model=f"vectors:{','.join(files)}", dataset=str(table)), Lab(), ["whiten"])
    tested = [row for row in report.rows if "change" in row]
    kept = [row for row in tested if row["change"] >= 0 or row["change_p_holm"] >= 0.05]
    assert 0 < len(kept) < len(tested)
    best = min(kept, key=lambda row: (row["n_bytes"], -row["score"]))
    assert f", {best['encoding']} (" in report.text(Kind.ANSWER)


def test_calibrating_after_is_a_fit_on_what_is_kept(recipe, report):
    embedded = next(Lab().embedded([recipe]))
    given = embedded.x_fit, embedded.x_first, embedded.x_second
    cut = [x[:, :8].astype(np.float64) for x in given]
    z = [(x - cut[0].mean(0)) / cut[0].std(0) for x in cut[1:]]
    expected = spearmanr(pairwise_cosine(*z), embedded.data.gold).statistic
    found = report.row(calibrator="standardize", order="after", encoding="first 8")
    assert found["score"] == pytest.approx(expected, abs=1e-6)


def test_full_vectors_find_documents_as_the_study_of_retrieval_has_it(tiny_bert, tmp_path):
    folder = write_collection(tmp_path)
    choices = {"model": str(tiny_bert), "max_length": 20}
    asked = ["standardize"], ["layer:2"]
    there = retrieval(RetrievalRecipe(**choices, dataset=folder), Lab(), *asked)
    here = size(Recipe(**choices, dataset=folder), Lab(), *asked)
    for row in there.rows:
        same = {"vectors": row["vectors"], "calibrator": row["calibrator"], "encoding": "float32"}
        (found,) = here.where(**same)
        for end in ("", "_low", "_high"):
            assert found[f"score{end}"] == pytest.approx(row[f"ndcg{end}"])
