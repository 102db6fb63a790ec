"""By task: each column against `evaluate`, the built-in data, and the answers."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from tiny_models import MAX_TOKENS, WORDS
from tiny_pairs import write_collection, write_pairs

from bertflow_core.errors import InputError
from bertflow_core.evaluation import Comparison
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.studies import tasks as module
from bertflow_core.studies.scores import ScoresRecipe, evaluate
from bertflow_core.studies.tasks import TasksRecipe, tasks

SPECS = ("identity", "null-top-k:k=2", "standardize")
TESTED = ("", "_low", "_high", "_p", "_p_holm", "_significant")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Pairs, a collection and labelled texts, by name."""
    folder = tmp_path_factory.mktemp("tasks")
    rng = np.random.default_rng(0)
    texts = [f"{' '.join(rng.choice(WORDS, 4))} {i}" for i in range(24)]
    labels = ["ham" if " cat" in text or i % 3 else "egg" for i, text in enumerate(texts)]
    table = folder / "tickets.csv"
    pd.DataFrame({"text": texts, "label": labels}).to_csv(table, index=False)
    pd.DataFrame({"text": texts}).to_csv(folder / "unscored.csv", index=False)
    names = {"pairs": write_pairs(folder / "pairs.csv", 60), "texts": table}
    names |= {"unscored": folder / "unscored.csv"}
    return {name: str(path) for name, path in names.items()} | {"search": write_collection(folder)}


@pytest.fixture(scope="module")
def report(tiny_bert, data):
    also = (data["search"], data["texts"])
    recipe = TasksRecipe(model=str(tiny_bert), dataset=data["pairs"], also=also)
    return tasks(recipe, Lab(device="cpu"), SPECS)


@pytest.mark.parametrize(
    ("task", "name", "metric"),
    [
        ("Similarity", "pairs", "rho"),
        ("Search", "search", "ndcg"),
        ("Classification", "texts", "accuracy"),
        ("Clustering", "texts", "v-measure"),
    ],
)
def test_a_column_holds_the_rows_of_evaluate(report, tiny_bert, data, task, name, metric):
    choices = {"model": str(tiny_bert), "dataset": data[name], "layers": "model", "metric": metric}
    rows = evaluate(ScoresRecipe(**choices), Lab(device="cpu"), SPECS).rows
    found = report.where(task=task)
    assert [row["calibrator"] for row in found] == [row["calibrator"] for row in rows]
    for ours, theirs in zip(found, rows, strict=True):
        assert ours["score"] == pytest.approx(theirs["score"], abs=1e-6)
        assert ours["vectors"] == "plain output"
        for end in TESTED if theirs is not rows[0] else ():
            assert ours[f"change{end}"] == pytest.approx(theirs[f"to_plain{end}"], abs=1e-6)


@pytest.mark.parametrize(
    ("name", "choices", "said"),
    [
        ("pairs", {}, "120 of 120 scored sentences are in the fit corpus, without their gold sc"),
        ("texts", {"metric": "v-measure"}, "24 of 24 scored sentences are in .* their labels"),
        ("search", {}, "8 of 16 documents and queries are in .* their relevance judgements"),
        (
            "search",
            {"fit_on": "unscored"},
            "None of the 16 documents and queries is in the fit corp",
        ),
    ],
)
def test_what_a_fit_has_seen_is_named_as_the_data_are(tiny_bert, data, name, choices, said):
    choices = {key: data.get(value, value) for key, value in choices.items()}
    recipe = Recipe(model=str(tiny_bert), dataset=data[name], layers="model", **choices)
    assert re.search(said, next(Lab(device="cpu").embedded([recipe])).seen_remark)


def test_the_picture_has_a_column_of_changes_for_each_task(report):
    marks = [each for each in report.figure("tasks").data if each.text is not None]
    for task, drawn in zip(module.TASKS, marks, strict=True):
        rows = report.where(task=task.title)[1:]
        np.testing.assert_allclose(drawn.x, [100 * row["change"] for row in rows], atol=1e-9)
        lower = [str(symbol).startswith("triangle-down") for symbol in drawn.marker.symbol]
        assert lower == [row["change"] < 0 for row in rows]


def test_tasks_without_own_data_are_filled_or_say_what_they_need(tiny_bert, data, monkeypatch):
    similarity, search, *others = module.TASKS
    filled = similarity._replace(built_in=data["pairs"]), search._replace(built_in="absent")
    monkeypatch.setattr(module, "TASKS", (*filled, *others))
    recipe = TasksRecipe(model=str(tiny_bert), dataset=data["texts"])
    recipe = recipe.with_(layers="layer:1", max_length=MAX_TOKENS)
    report = tasks(recipe, Lab(device="cpu"), SPECS)
    assert [*report.by("task")] == ["Similarity", "Classification", "Clustering"]
    assert [row["vectors"] for row in report.where(task="Clustering")][:2] == [
        *("plain output", "layer:1")
    ]
    assert "'absent'" in report.facts["missing"]["Search"]
    pairs = {"dataset": data["pairs"], "also": (data["pairs"], data["unscored"])}
    alone = tasks(recipe.with_(**pairs), Lab(device="cpu"), SPECS)
    assert "unscored has no gold scores, so no task can use it." in alone.text(Kind.ANSWER)
    assert alone.facts["missing"]["Clustering"] == "Needs a table of texts with labels."
    assert len(alone.rows) == len(alone.by("task")) * (1 + len(SPECS))
    with pytest.raises(InputError, match="at least one calibrator"):
        tasks(recipe.plain, Lab(device="cpu"), ("identity",))


UP = Comparison(0.5, 0.6, 0.05, 0.15, 0.01, 0.02)
DOWN = Comparison(0.5, 0.4, -0.2, -0.05, 0.01, 0.02)
UNSURE = Comparison(0.5, 0.7, -0.1, 0.5, 0.3, 0.3)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"flow": UP, "whiten": UNSURE}, "flow raises it from 50.00 to 60.00 (+10.00, "),
        ({"flow": UP, "whiten": UNSURE}, "+5.00 to +15.00); calibrate."),
        (
            {"flow": DOWN, "whiten": UNSURE},
            "no calibrator raises 50.00 significantly; the best, whiten, gives",
        ),
        ({"flow": DOWN}, "even the best, flow, lowers it from 50.00 to 40.00 (-10.00"),
        ({"flow": DOWN}, "keep the plain output."),
    ],
)
def test_the_answer_names_the_best_significant_gain_or_none(changes, said):
    assert said in module._verdict(changes, "plain output")


def test_the_change_of_similarity_is_that_of_numpy(report, tiny_bert, data):
    lab, table = Lab(device="cpu"), pd.read_csv(data["pairs"])
    sides = [lab.embed(str(tiny_bert), [*table[f"sentence{i}"]]) for i in (1, 2)]
    x = np.concatenate(sides).astype(np.float64)  # the fit corpus: both sides of every pair
    top = np.linalg.svd(x - x.mean(0), full_matrices=False)[2][:2]
    rhos = []
    for each in (x, (x - x.mean(0)) @ (np.eye(x.shape[1]) - top.T @ top)):
        first, second = np.split(each / np.linalg.norm(each, axis=1, keepdims=True), 2)
        rhos.append(spearmanr((first * second).sum(1), table["score"]).statistic)
    row = report.row(task="Similarity", calibrator="null-top-k:k=2")
    assert row["change"] == pytest.approx(rhos[1] - rhos[0], abs=1e-4)  # shown with four digits
    assert row["score"] == pytest.approx(rhos[1], abs=1e-4)
