"""The advice on synthetic embeddings with known answers and on real ones; scores of every layer."""

import inspect
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_models import declare
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import (
    Corpus,
    Pairs,
    Provenance,
    Texts,
    load_dataset,
)
from bertflow_core.datasets.corpus import corpus_of
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RHO
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.remarks import too_few
from bertflow_core.report.remark import Kind
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.advice import measures, rules
from bertflow_core.studies.advice.calibrate import by_rules
from bertflow_core.studies.advice.findings import _linear, judged
from bertflow_core.studies.advice.rules import Advice, Question, fact, judge, threshold
from bertflow_core.studies.advice.scores import TITLE
from bertflow_core.studies.advice.study import (
    LINEAR,
    AdviceRecipe,
    advice,
    answers_of,
    gains_of,
)
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate as evaluate_study
from bertflow_core.studies.thresholds import ThresholdRecipe, thresholds

D = 24
RECIPE = AdviceRecipe(dataset="teaching")
NOWHERE = Provenance("Made by a test.", "none", "table", (), ())


def gaussian(n, d=D, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


X = gaussian(400)


def embedded(x_fit, x_first, x_second=None, *, gold=None, prefix="used"):
    """Return embeddings whose sentences are named by their rows, such as `fit 3` and `used 3`."""
    n = len(x_first)
    first, second = (tuple(f"{prefix} {k + i}" for i in range(n)) for k in (0, n))
    shared = {"name": "toy", "subsets": ("all",) * n, "provenance": NOWHERE}
    data, x_texts = Texts(texts=first, **shared), x_first
    if x_second is not None:
        data = Pairs(first=first, second=second, targets=gold, **shared)
        x_texts = np.concatenate([x_first, x_second])
    return Embedded(
        recipe=RECIPE,
        data=data,
        corpus=Corpus(tuple(f"fit {i}" for i in range(len(x_fit))), "Toy.", (NOWHERE,)),
        x_fit=x_fit,
        x_texts=x_texts,
        n_cut=0,
        n_sentences=len(x_fit) + 2 * n,
        encoder={},
        seconds=0.0,
    )


def test_a_cone_is_told_by_its_mean_and_its_directions_by_their_variances():
    x = gaussian(20_000)
    round_, moved = measures.measure_cone(x), measures.measure_cone(x + 10)
    assert round_["random_cosine"] == pytest.approx(0, abs=0.01)
    assert round_["top_share"] == pytest.approx(1 / D, rel=0.1)
    assert round_["effective_rank"] == pytest.approx(D, rel=0.01)
    assert moved["random_cosine"] == pytest.approx(100 / 101, abs=0.002)  # |mean|^2 / E|x|^2
    assert moved["effective_rank"] == pytest.approx(round_["effective_rank"])
    x[:, 5:] = 0
    assert measures.measure_cone(x)["effective_rank"] == pytest.approx(5, rel=0.01)


@pytest.mark.parametrize("n", [D * 2, D * 5, D * 50])
def test_held_out_variance_is_that_of_gaussian_theory(n):
    measured = [measures.measure_held_out(gaussian(n, seed=s), seed=s) for s in range(20)]
    kept = 0.9 * n  # E z'z / D = (m + 1) (m - 1) / (m (m - D - 2)) for whitening fitted on m rows
    expected = (kept + 1) * (kept - 1) / (kept * (kept - D - 2))
    assert np.mean(measured) == pytest.approx(expected, rel=0.12)


def test_the_auc_is_that_of_theory_for_equal_and_shifted_samples():
    alike = measures.measure_shift(gaussian(800), gaussian(800, seed=1))
    assert alike == pytest.approx(0.5, abs=0.06)
    # If one mean differs by 2 standard deviations, the best AUC is Phi(2 / sqrt 2) = 0.921.
    second = gaussian(2_500, seed=1)  # 2,000 of them are drawn
    second[:, 3] += 2
    assert measures.measure_shift(gaussian(800), second) == pytest.approx(0.921, abs=0.02)


def test_both_sides_of_pairs_do_not_give_their_set_away():
    """A near copy of a test row in the training folds would reveal the set of that row."""
    rng = np.random.default_rng(0)
    x = np.repeat(gaussian(1_000, 200), 2, axis=0) + 0.01 * rng.normal(size=(2_000, 200))
    halves = np.repeat(rng.integers(2, size=1_000), 2)
    assert measures.measure_shift(x[halves == 0], x[halves == 1]) == pytest.approx(0.5, abs=0.07)


@pytest.mark.parametrize(
    ("spec", "rank_lost", "variance_lost"),
    [("whiten", 0, 0), ("null-top-k:k=2", 2, 0.75), ("whiten:n_components=2", 2, 0.25)],
)
def test_a_linear_classifier_loses_only_what_is_removed(spec, rank_lost, variance_lost):
    x = gaussian(5_000, 4) * np.sqrt([4.5, 4.5, 1.5, 1.5])
    loss = measures.measure_linear_loss(build_calibrator(spec).fit(x), x)
    assert loss["rank_lost"] == rank_lost
    assert loss["variance_lost"] == pytest.approx(variance_lost, abs=0.02)


# The four rules.


def cone_at(x):
    numbers = {"random_cosine": x, "top_share": 0.1, "effective_rank": 100, "n_features": 384}
    return judge(Question.CONE, numbers, training="Trained.")


def size_at(x, ratio=10.0):
    numbers = {"n_sentences": round(384 * ratio), "n_features": 384, "n_per_d": ratio}
    if x is None:
        return judge(Question.SIZE, numbers, unmeasured="few")
    return judge(Question.SIZE, numbers | {"held_out_variance": x})


def shift_at(x, why=""):
    numbers = {"n_fit": 4000, "n_used": 3000, "shared": 0.1} | ({} if why else {"auc": x})
    return judge(Question.SHIFT, numbers, unmeasured=why, n_shared=300)


def linear_at(*lost):
    losses = {f"spec {i}": {"rank_lost": 7, "variance_lost": x} for i, x in enumerate(lost)}
    return _linear(losses)


@pytest.mark.parametrize(
    ("judged_at", "name", "rises"),
    [
        (cone_at, "cone.random_cosine", True),
        (size_at, "size.held_out", False),
        (shift_at, "shift.auc", False),
    ],
)
def test_verdicts_change_at_their_thresholds(judged_at, name, rises):
    stop, go = threshold(f"{name}.stop"), threshold(f"{name}.go")
    assert (stop.value < go.value) is rises
    better, worse = (1e-6, -1e-6) if rises else (-1e-6, 1e-6)
    assert judged_at(go.value + better)["verdict"] == Advice.GO
    assert judged_at(go.value + worse)["verdict"] == Advice.CAUTION
    assert judged_at(stop.value + better)["verdict"] == Advice.CAUTION
    assert judged_at(stop.value + worse)["verdict"] == Advice.STOP
    assert {stop.source, go.source} <= set(judged_at(go.value)["sources"])


def test_verdicts_without_a_measurement_and_beside_one():
    enough = threshold("size.n_per_d.go").value
    assert size_at(1.0, enough + 0.01)["verdict"] == Advice.GO
    assert size_at(1.0, enough - 0.01)["verdict"] == Advice.CAUTION
    assert size_at(None, 0.03)["verdict"] == Advice.STOP
    assert shift_at(None, "same")["verdict"] == Advice.NEUTRAL
    assert shift_at(None, "few")["verdict"] == Advice.CAUTION
    limit = threshold("linear.variance_lost.stop").value
    assert linear_at()["verdict"] == Advice.NEUTRAL
    assert linear_at(limit - 1e-6)["verdict"] == Advice.CAUTION
    assert linear_at(limit + 1e-6)["verdict"] == Advice.STOP
    assert linear_at(limit + 1e-6, limit - 1e-6)["verdict"] == Advice.CAUTION


@pytest.mark.parametrize(
    ("row", "numbers"),
    [
        (cone_at(0.734), ("0.73", "10%", "100 of 384")),
        (size_at(1.234, 5), ("1,920", "384", "5 sentences per", "1.23")),
        (shift_at(0.777), ("0.78", "300 of the 3,000")),
        (shift_at(0.9999), (f"{fact('shift.cost')['median']:.1f} points",)),
        (linear_at(0.123), ("7 directions", "12.3%")),
    ],
)
def test_findings_hold_their_numbers(row, numbers):
    assert all(each in row["finding"] for each in numbers)
    assert all(name in row for name in row["units"])


def test_every_threshold_and_fact_is_shipped_within_what_was_measured_and_none_is_typed_in():
    shipped = json.loads(resource("thresholds.json").read_text(encoding="utf-8"))
    assert {"date", "versions", "recipe", "rule", "measurements"} <= set(shipped)
    for name, entry in shipped["thresholds"].items():
        assert {"table", "x", "y", "level", "rises", "share", "groups"} <= set(entry["derivation"])
        if entry["value"] is not None:
            assert entry["smallest"] <= threshold(name).value <= entry["largest"]
            assert f"{entry['value']:.3g}" in threshold(name).source
    for name in shipped["facts"]:
        assert fact(name)["smallest"] <= fact(name)["median"] <= fact(name)["largest"]
    values = (entry["value"] for entry in shipped["thresholds"].values())
    code = inspect.getsource(rules)
    assert not any(str(value) in code for value in values if value is not None)


CONE, ROUND, WARNING = cone_at(0.9), cone_at(0.2), shift_at(0.9999)
ALIKE, COSINE = shift_at(None, "same"), linear_at()


@pytest.mark.parametrize(
    ("findings", "expected", "answer"),
    [
        ([CONE, ALIKE, COSINE], Advice.GO, "Probably"),
        ([ROUND, ALIKE, COSINE], Advice.STOP, "No"),
        ([ROUND, size_at(99.0)], Advice.STOP, "No"),
        ([CONE, WARNING], Advice.STOP, "No"),
        ([CONE, size_at(99.0)], Advice.CAUTION, "Perhaps"),
        ([CONE, WARNING, size_at(99.0)], Advice.STOP, "No"),
    ],
)
def test_without_gold_scores_only_a_cone_is_a_reason_to_calibrate(findings, expected, answer):
    found, verdict = by_rules(findings, load_dataset("teaching"))
    assert verdict is expected
    assert found.text.startswith(answer)


def row_of(question, found):
    return next(row for row in found if row["question"] == question)


def test_sentences_of_both_sides_are_left_out_of_the_shift():
    x = gaussian(500)
    same = judged(embedded(x, x[:250], x[250:], prefix="fit"), {})
    assert [row["question"] for row in same] == list(Question)
    assert row_of(Question.SHIFT, same)["shared"] == 1
    assert "auc" not in row_of(Question.SHIFT, same)
    far = row_of(Question.SHIFT, judged(embedded(x, x[:250] + 9, x[250:] + 9), {}))
    assert far["verdict"] == Advice.STOP
    assert far["auc"] == pytest.approx(1, abs=0.01)


def test_duplicates_do_not_count():
    many = embedded(np.tile(gaussian(30), (20, 1)), gaussian(300, seed=1))
    texts = Corpus(tuple(f"fit {i % 30}" for i in range(600)), "Toy.", (NOWHERE,))
    found = judged(replace(many, corpus=texts), {})
    assert row_of(Question.SIZE, found)["n_sentences"] == 30
    assert row_of(Question.CONE, found)["verdict"] == Advice.STOP  # there is no cone


# Whole reports, against single evaluations.


def test_gold_that_no_bootstrap_can_use_gives_no_verdict(tiny_bert, tmp_path):
    rows = [(*row[:2], 5.0 * (i == 0), "all") for i, row in enumerate(pair_rows(40))]
    recipe = tiny_recipe(tiny_bert, write_pairs(tmp_path / "pairs.csv", rows))
    report = advice(AdviceRecipe(**recipe.to_dict()), Lab(), ["standardize"])
    assert report.facts["verdict"] == Advice.NEUTRAL
    assert not any(row["significant"] for row in gains_of(report))
    assert "gains" not in report.figures()


def test_single_sentences_are_judged_by_the_rules_alone(tiny_bert, tmp_path):
    table = tmp_path / "sentences.csv"
    table.write_text("sentence\n" + "".join(f"{row[0]}\n" for row in pair_rows(60)))
    recipe = tiny_recipe(tiny_bert, table, sentence1="sentence")
    report = advice(AdviceRecipe(**recipe.to_dict()), Lab(), ["standardize"])
    assert [row["question"] for row in report.rows] == list(Question)
    assert set(report.figures()) == {"threshold"} and not report.tables


def test_a_classifier_that_comes_next_is_told_what_each_fit_loses(recipe_of):
    recipe = AdviceRecipe(**recipe_of(420).to_dict(), use=LINEAR)
    report = advice(recipe, Lab(), ["whiten", "null-top-k:k=3"])
    row = report.row(question=Question.LINEAR)
    (evaluation,) = Lab().evaluate([recipe.base().with_(calibrator="null-top-k:k=3")])
    x = np.concatenate([evaluation.embedded.x_fit, evaluation.embedded.x_texts])
    expected = measures.measure_linear_loss(evaluation.calibrator, x)
    assert row["null-top-k:k=3 rank_lost"] == expected["rank_lost"] == 3
    assert row["null-top-k:k=3 variance_lost"] == pytest.approx(expected["variance_lost"])
    assert "cover a linear classifier" in report.text(Kind.ANSWER)


def test_a_second_model_is_another_model():
    with pytest.raises(InputError, match="minilm"):
        RECIPE.with_(second_model="minilm")


def test_on_stsb_the_middle_is_a_cone_and_the_output_is_not(data_dir):
    pairs = load_dataset("stsb", data_dir=data_dir)
    every = slice(None, None, 14)
    columns = ("first", "second", "targets", "subsets")
    few = replace(pairs, **{name: getattr(pairs, name)[every] for name in columns})
    lab = Lab(tables={"stsb": (few, corpus_of(few))})
    for layers, expected in (("layer:4", Advice.GO), ("last", Advice.STOP)):
        recipe = RECIPE.with_(dataset="stsb", layers=layers)
        found = judged(next(lab.embedded([recipe])), {})
        assert [row["verdict"] for row in found] == [
            expected,
            Advice.CAUTION,  # fewer sentences than features
            Advice.NEUTRAL,  # the fit corpus is what is scored
            Advice.NEUTRAL,  # nobody says that a classifier comes next
        ]


# Scores of every layer, against single evaluations.


def test_each_row_is_what_an_evaluation_of_that_place_gives_and_the_best_is_the_highest(
    tiny_bert, tmp_path
):
    table = write_pairs(tmp_path / "pairs.csv", 60)
    model = declare(tiny_bert, tmp_path / "bert")
    recipe = tiny_recipe(model, table, layers="last2")
    report = advice(AdviceRecipe(**recipe.to_dict()), Lab(), ["standardize"])
    table = report.tables[-1]
    assert table.title == TITLE
    names = [row["layers"] for row in table.rows]
    layers = [f"layer:{k}" for k in range(4) for _ in range(2)]
    assert names == ["model", *layers, "last2", "last2", "model"]
    first, plain = report.rows[0], table.rows[0]["score"]
    assert "to_plain" not in table.rows[0]
    specs, inside = ["identity", "standardize"], [name for name in names if name != "model"]
    of_layers = recipe.each(layers=inside, calibrators=specs)
    evaluations = Lab().evaluate([*of_layers, *recipe.plain.each(calibrators=specs)])
    found = {(evaluation.recipe.layers, evaluation.spec): evaluation for evaluation in evaluations}
    for row in table.rows:
        evaluation = found[row["layers"], row["calibrator"]]
        expected = spearmanr(evaluation.similarity, evaluation.embedded.data.gold).statistic
        assert row["score"] == pytest.approx(expected, abs=1e-9)
        assert row["score_low"] <= row["score"] <= row["score_high"]
        if "to_plain" in row:
            assert row["to_plain"] == pytest.approx(row["score"] - plain, abs=1e-4)
    same = ("model", "identity"), ("layer:3", "identity")  # equal up to the length of the vectors
    others = [row for row in table.rows if (row["layers"], row["calibrator"]) not in same]
    best = max(others, key=lambda row: row["score"])
    assert (first["best_layers"], first["best_calibrator"]) == (best["layers"], best["calibrator"])
    assert first["best"] == best["score"]
    assert {row["calibrator"] for row in gains_of(report)} == {"standardize"}
    (gain,) = gains_of(report)
    before, after = (found["last2", spec].rho for spec in specs)
    assert (gain["before"], gain["after"]) == pytest.approx((before, after))
    of_evaluate = evaluate_study(EvaluateRecipe.of(recipe), Lab(), specs, [*dict.fromkeys(inside)])
    for row in of_evaluate.rows:
        same = row_of_table(table, row["layers"], row["calibrator"])
        ends = ("score_low", "score_high", "to_plain_low", "to_plain_high")
        assert [row.get(name) for name in ends] == [same.get(name) for name in ends]


@pytest.fixture
def two_models(tiny_bert, tmp_path):
    return [str(declare(tiny_bert, tmp_path / pooling, pooling)) for pooling in ("mean", "cls")]


def test_the_answers_have_the_numbers_of_evaluate_and_of_thresholds(two_models, tmp_path):
    one, other = two_models
    recipe = tiny_recipe(one, write_pairs(tmp_path / "pairs.csv", 450)).plain
    asked = AdviceRecipe(**recipe.to_dict(), second_model=other)
    report = advice(asked, Lab(), ["standardize"])
    good, better, calibrate, threshold = answers_of(report)
    axes = EvaluateRecipe.of(recipe, models=(one, other))
    rows = evaluate_study(axes, Lab(), ["standardize"], ["model"])
    first, second = (rows.row(model=name, calibrator="identity") for name in two_models)
    for name in ("score", "score_low", "score_high"):
        assert good[name] == first[name]
    assert (better["a"], better["b"]) == (first["score"], second["score"])
    keys = {"difference": "to_first", "low": "to_first_low", "high": "to_first_high"}
    assert {key: better[key] for key in keys} == {key: second[keys[key]] for key in keys}
    assert better["p"] == second["to_first_p"]
    alone = evaluate_study(EvaluateRecipe.of(recipe), Lab(), ["standardize"], ["model"])
    row = alone.row(calibrator="standardize")
    assert {gain["after"] for gain in gains_of(report)} == {row["score"]}
    rule = thresholds(ThresholdRecipe(**recipe.to_dict()), Lab(), ["identity"]).rows[0]
    for key in ("threshold", "precision", "recall", "curve"):
        assert threshold[key] == rule[key]
    assert set(report.figures()) == {"models", "pair", "places", "gains", "threshold"}
    for each in answers_of(report):
        words = each["text"].replace(" %", "%").split()
        assert len(words) <= 15
    assert json.loads(report.write("json"))["answers"] == json.loads(json.dumps(answers_of(report)))
    assert calibrate["question"] == "Calibrate?"


def test_a_fit_on_too_few_sentences_is_no_result(tiny_bert, tmp_path):
    model = str(declare(tiny_bert, tmp_path / "bert"))
    recipe = tiny_recipe(model, write_pairs(tmp_path / "pairs.csv", 450)).plain
    report = advice(AdviceRecipe(**recipe.to_dict()), Lab(), ["flow", "standardize"])
    assert report.facts["unfitted"] == ["flow"]
    assert [row["calibrator"] for row in gains_of(report)] == ["standardize"]
    assert not any(row.get("calibrator") == "flow" for row in report.tables[-1].rows)
    alone = advice(AdviceRecipe(**recipe.to_dict()), Lab(), ["flow"])
    assert gains_of(alone) == [] and alone.facts["verdict"] == Advice.NEUTRAL
    assert "flow" in alone.text(Kind.WARNING)


def row_of_table(table, layers, calibrator):
    found = (
        row for row in table.rows if (row["layers"], row["calibrator"]) == (layers, calibrator)
    )
    return next(found)


def test_few_pairs_have_no_verdict_and_are_told_how_many_would_do():
    def warning(n):
        return too_few(0.45, embedded(X, X[:n], X[:n], gold=np.arange(n) % 6).data, RHO)

    assert warning(3).startswith("With only 3 pairs") and not warning(400)
    half = RHO.half_width(0.45, np.arange(40) % 6)
    assert f"about {100 * half:.0f} points" in warning(40)
    assert "40 pairs of toy are too few" in warning(40) and "About 300 such pairs" in warning(40)
    assert half * np.sqrt(40 / 300) <= 0.1  # the width falls as 1 / sqrt(n)
