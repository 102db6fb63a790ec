"""Labelled texts: accuracy and v-measure against scikit-learn by hand, and what is refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import binomtest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import v_measure_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.preprocessing import StandardScaler
from tiny_models import WORDS
from tiny_pairs import tiny_recipe

from bertflow_core.datasets import RawFile, read_table
from bertflow_core.errors import InputError
from bertflow_core.evaluation import metric_of, pair_scores
from bertflow_core.evaluation.bootstrap import ClustersResampled, MeanResampled
from bertflow_core.evaluation.labelled import CS, folds_of, predict
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.layers.study import LayersRecipe, layers
from bertflow_core.studies.size import size

RNG = np.random.default_rng(3)
N, K, SEED = 60, 3, 4
TOPICS = ["ham", "egg", "jam"]
LABELS = np.sort(RNG.integers(0, K, N))
TEXTS = [f"{WORDS[i % len(WORDS)]} {' '.join(RNG.choice(WORDS, 4))} {i}" for i in range(N)]
# With few rows in many directions, predictions change if the map saw the held-out texts.
X = RNG.normal(size=(N, 12)) * np.geomspace(3, 0.1, 12) + 0.9 * LABELS[:, None]


@pytest.fixture(scope="module")
def recipe(tiny_bert, tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "tickets.csv"
    topics = [TOPICS[label] for label in LABELS]
    pd.DataFrame({"text": TEXTS, "topic": topics}).to_csv(path, index=False)
    return tiny_recipe(tiny_bert, path, score="topic", seed=SEED)


@pytest.fixture(scope="module")
def embedded(recipe):
    x = X.astype(np.float32)
    return replace(next(Lab().embedded([recipe])), x_fit=x, x_texts=x)


def nearest(train, targets, test, *, seed):
    """Predict the label of the nearest mean, since hundreds of logistic regressions are slow."""
    names = np.unique(targets)
    centres = [train[targets == name].mean(axis=0) for name in names]
    return names[cdist(test, centres).argmin(axis=1)]


def hits_by_hand(labels, x=X, *, sees_all=False, n_components=None):
    """Return which texts are predicted; C comes from the training texts, as does the map."""
    found = np.empty(N)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=SEED).split(x, labels):
        z = PCA(n_components, whiten=True).fit(x if sees_all else x[train]).transform(x)
        z = (z - z[train].mean(0)) / z[train].std(0).mean()
        inner = StratifiedKFold(3, shuffle=True, random_state=SEED)
        models = [LogisticRegression(C=c, max_iter=1_000) for c in CS]
        means = [
            cross_val_score(model, z[train], labels[train], cv=inner).mean() for model in models
        ]
        best = models[int(np.argmax(means))].fit(z[train], labels[train])
        found[test] = best.predict(z[test]) == labels[test]
    return found


def test_accuracy_is_scikit_learns_by_a_map_that_never_saw_the_held_out_texts(embedded):
    by_hand, leaking = hits_by_hand(LABELS), hits_by_hand(LABELS, sees_all=True)
    found = embedded.under("whiten")
    np.testing.assert_array_equal(found.unit_values, by_hand)
    assert found.score == by_hand.mean()
    assert (by_hand != leaking).any()
    assert found.metric.name == "accuracy"


def test_a_fold_s_map_knows_the_precision_of_the_encoder(embedded):
    tiny = np.random.default_rng(0).normal(5, 1e-3, size=N)  # beyond the 8 bits of bfloat16
    x = np.column_stack([X[:, :-1], tiny]).astype(np.float32)
    exact, coarse = (
        replace(embedded, x_fit=x, x_texts=x, encoder={"dtype": dtype})
        for dtype in ("float32", "bfloat16")
    )
    of_all, of_most = hits_by_hand(LABELS, x), hits_by_hand(LABELS, x, n_components=11)
    np.testing.assert_array_equal(exact.under("whiten").unit_values, of_all)
    np.testing.assert_array_equal(coarse.under("whiten").unit_values, of_most)
    assert (of_all != of_most).any()


def test_a_prediction_does_not_depend_on_other_held_out_texts():
    train, test = X[::2], X[1::2]
    alone = predict(train, LABELS[::2], test, seed=0)
    beside = predict(train, LABELS[::2], np.vstack([test, np.full((9, 12), 1e9)]), seed=0)
    np.testing.assert_array_equal(beside[: len(test)], alone)


def test_v_measure_is_scikit_learns_over_ten_starts(embedded):
    pairs = embedded.data.scored_by("v-measure")
    found = replace(embedded, data=pairs).under("identity")
    starts = [KMeans(K, n_init=1, random_state=SEED + i).fit(np.float32(X)) for i in range(10)]
    each = [v_measure_score(LABELS, start.labels_) for start in starts]
    assert found.score == pytest.approx(np.mean(each), abs=1e-12)
    document = found.to_dict()
    assert document["v_measure_spread"] == pytest.approx(np.std(each, ddof=1), abs=1e-12)
    assert document["n_texts"] == N


def test_resamples_are_scored_as_scikit_learn_scores_the_texts_that_were_drawn():
    labels, rows = LABELS.astype(float), RNG.integers(0, N, size=(4, N))
    counts = np.stack([np.bincount(each, minlength=N) for each in rows]).astype(float)
    starts = RNG.integers(0, 5, size=(N, 2)).astype(float)
    drawn = ClustersResampled([starts, labels[:, None]], labels).values(counts)
    for each, found in zip(rows, drawn, strict=True):
        by_hand = [v_measure_score(labels[each], starts[each, i]) for i in range(2)]
        assert found == pytest.approx([np.mean(by_hand), 1], abs=1e-12)
    hits = (starts[:, 0] > 1).astype(float)
    means = MeanResampled([hits], labels).values(counts)[:, 0]
    assert means == pytest.approx(hits[rows].mean(1), abs=1e-12)
    scores = pair_scores(
        {"one": hits}, labels, ["all"] * N, aggregation="all", metric=metric_of("accuracy")
    )
    assert scores["one"].value == hits.mean()
    low, high = scores["one"].interval()
    wilson = binomtest(int(hits.sum()), N).proportion_ci(method="wilson")
    half = metric_of("accuracy").half_width(hits.mean(), labels)
    assert half == pytest.approx((wilson.high - wilson.low) / 2, abs=1e-6)
    wide = 1.96 * np.sqrt(hits.mean() * (1 - hits.mean()) / N)
    assert (low, high) == pytest.approx((hits.mean() - wide, hits.mean() + wide), abs=0.03)


def test_equal_texts_share_a_fold_and_every_label_is_always_learned():
    texts = [*"abcdefghij", "a", "a", "b", "k", "l"]
    targets = np.array([0] * 10 + [0, 0, 1, 1, 1.0])
    folds = folds_of(texts, targets, seed=0)
    assert folds[0] == folds[10] == folds[11] and folds[1] == folds[12]
    assert set(folds) == set(range(5))
    for fold in range(5):
        assert {*targets[folds != fold]} == {0, 1}
    often = [*["a"] * 20, "b", "c", "x", "y"]  # three texts of the most frequent label
    assert set(folds_of(often, np.array([0.0] * 22 + [1.0] * 2), seed=0)) == {0, 1, 2}


@pytest.mark.parametrize("metric", ["accuracy", "v-measure"])
def test_evaluate_tests_labelled_texts_beside_the_plain_output(metric, recipe, monkeypatch):
    monkeypatch.setattr("bertflow_core.evaluation.labelled.predict", nearest)
    asked = EvaluateRecipe.of(recipe.with_(metric=metric))
    report = evaluate(asked, Lab(), ("identity", "whiten"), (recipe.layers,))
    plain, raw, white = report.rows
    assert plain["vectors"] == "plain output" and white["n_texts"] == N
    assert white["change"] == pytest.approx(white["score"] - raw["score"], abs=1e-4)
    assert white["change_low"] <= white["change"] <= white["change_high"]
    assert 0 < white["to_plain_p_holm"] <= 1
    remarks = report.text()
    assert f"60 texts, 3 labels, the smallest with {np.bincount(LABELS).min()}." in remarks
    assert "10,000 resamples of the texts" in remarks
    assert ("Each fold's calibrator is fitted without" in remarks) == (metric == "accuracy")


TABLE = "text,topic,id\n" + "".join(f"t {i},{TOPICS[i % 3]},{i}\n" for i in range(9))


def table(text):
    return RawFile("tickets.csv", text.encode())


@pytest.mark.parametrize("name", ["label", "topic", "Category"])
def test_labels_are_read_from_a_column_of_a_known_name(name):
    read = read_table(table(TABLE.replace("topic", name))).data
    assert read.labels == ("ham", "egg", "jam") * 3 and read.metric == "accuracy"
    assert read.size == "9 texts, 3 labels, the smallest with 3"
    assert read.gold is None and read.targets.tolist() == [1, 0, 2] * 3
    without = read_table(table(TABLE.replace("topic", "colour"))).data
    assert without.targets is None and without.fingerprint != read.fingerprint


def test_a_metric_of_other_data_is_refused(recipe):
    with pytest.raises(InputError, match=r"documents and queries, and rho needs.*ndcg, mrr"):
        Lab().data(recipe.with_(dataset="questions", score=None, metric="rho"))
    with pytest.raises(InputError, match="ndcg needs documents and queries"):
        Lab().data(recipe.with_(dataset="captions", score=None, metric="ndcg"))
    with pytest.raises(InputError, match="has labels of single texts, and rho needs gold"):
        Lab().data(recipe.with_(metric="rho"))
    with pytest.raises(InputError, match="accuracy needs labels of single texts"):
        Lab().data(recipe.with_(dataset="captions", score=None, metric="accuracy"))


def test_smaller_vectors_are_fitted_without_the_texts_of_a_fold(recipe, monkeypatch):
    monkeypatch.setattr("bertflow_core.evaluation.labelled.predict", nearest)
    report = size(recipe, Lab(), ["standardize"], [recipe.layers])
    x = np.asarray(next(Lab().embedded([recipe])).x_texts, np.float64)
    labels = np.unique([TOPICS[label] for label in LABELS], return_inverse=True)[1]
    folds = [*StratifiedKFold(5, shuffle=True, random_state=SEED).split(x, labels)]
    for spec, encoding, fitted in (
        ("identity", "PCA 4", PCA(4)),
        ("standardize", "float32", StandardScaler()),
    ):
        expected = np.empty(N)
        for train, test in folds:
            z = fitted.fit(x[train]).transform(x)
            expected[test] = nearest(z[train], labels[train], z[test], seed=0) == labels[test]
        row = report.row(layers=recipe.layers, calibrator=spec, encoding=encoding)
        assert row["score"] == pytest.approx(expected.mean(), abs=1.5 / N)  # rounding moves one
        assert row["score_low"] < row["score"] < row["score_high"]
    assert report.columns[5].header == "accuracy x 100"
    assert report.figures()["size"].layout.yaxis.title.text == "accuracy x 100"
    assert "Each fold's calibrator is fitted without the texts of that fold." in report.text()


def test_every_layer_is_scored_by_the_metric_of_the_data(recipe):
    asked = recipe.with_(metric="v-measure")
    found = layers(LayersRecipe(**asked.to_dict(), poolings=("mean",)), Lab(), ["standardize"])
    rows = found.where(calibrator="standardize")
    names = [row["layers"] for row in rows]
    alone = Lab().evaluate(asked.each(layers=names, calibrators=["standardize"]))
    assert [row["score"] for row in rows] == [each.score for each in alone]
    assert "v-measure" in found.column("score").header.lower()
