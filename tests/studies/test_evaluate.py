"""The table of `evaluate` against scipy and numpy: rows, differences, seeds, models and tasks."""

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, spearmanr
from tiny_models import MAX_TOKENS, WORDS, declare, save_tiny_model
from tiny_pairs import pair_rows, write_collection, write_pairs

from bertflow_core.evaluation import RHO
from bertflow_core.evaluation.comparison import average, compare
from bertflow_core.evaluation.significance import holm
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.verdict import Outcome
from bertflow_core.report.remark import Kind, texts_of
from bertflow_core.studies.evaluate.axes import REFERENCES, EvaluateRecipe, full_name
from bertflow_core.studies.evaluate.board import AVERAGE
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.ledger import LedgerRecipe, ledger

FLOW = "flow:initialization=random,epochs=5,batch_size=8,lr=0.05"
SPECS = ("null-top-k:k=2", "whiten", FLOW)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A model that declares mean pooling, and one with fewer layers that declares cls."""
    folder = tmp_path_factory.mktemp("models")
    bert = save_tiny_model(folder / "bert", "bert")
    small = save_tiny_model(folder / "small", "bert", num_hidden_layers=2)
    return str(declare(bert, folder / "A")), str(declare(small, folder / "B", pooling="cls"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return tuple(
        str(write_pairs(folder / name, pair_rows(90)[start:]))
        for name, start in (("one.csv", 0), ("two.csv", 15))
    )


@pytest.fixture(scope="module")
def params(models, tables):
    return EvaluateRecipe(models=models, datasets=tables, max_length=MAX_TOKENS, seeds=2)


@pytest.fixture(scope="module")
def report(params):
    return evaluate(params, Lab(device="cpu"), SPECS, ("layer:1", "last"))


@pytest.fixture(scope="module")
def board(report):
    return report.objects["board"]


def rho_of(row, dataset, seed=0):
    """Return Spearman's rho of a recipe, computed by scipy."""
    (found,) = Lab(device="cpu").evaluate([row.on(dataset).with_(seed=seed)])
    return spearmanr(found.similarity, found.embedded.data.gold).statistic


# Rows.


def test_a_row_is_a_point_of_every_axis_and_each_models_plain_output_comes_first():
    axes = {"templates": ("{text}", "say {text}"), "poolings": ("mean", "max")}
    params = EvaluateRecipe(models=("minilm", "bert-base-uncased"), datasets=("a.csv",), **axes)
    rows = params.rows(("last", "model"), ("identity", "whiten"))
    counts = Counter((row.model, row == row.plain) for row in rows)
    # Two templates, poolings and calibrators at the last layer; the plain output has no pooling.
    assert counts == {
        (model, own): 11 if not own else 1 for model, own in product(params.models, (0, 1))
    }
    assert [row.model for row in rows[::12]] == [*params.models]
    assert all(row == row.plain for row in rows[::12])
    assert len({full_name(row) for row in rows}) == len(rows) == 24


def test_every_similarity_is_an_axis_and_the_plain_output_is_compared_by_cosine():
    params = EvaluateRecipe(similarities=("cosine", "dot"))
    rows = params.rows(("last", "model"), ("identity", "whiten"))
    assert [(row.similarity, row.calibrator) for row in rows[1:5]] == [
        *product(("cosine", "dot"), ("identity", "whiten"))
    ]
    assert [row.similarity for row in rows if row == row.plain] == ["cosine"]
    assert len({full_name(row) for row in rows}) == len(rows) == 8


def test_columns_of_a_table_and_a_prompt_belong_to_what_has_them():
    own = {"score": "points", "sentence1": "a", "sentence2": "b", "metric": "auc"}
    params = EvaluateRecipe(datasets=("mine.csv", "stsb"), seed=7, **own)
    row = params.rows(("last",), ("whiten",))[-1]
    chosen = {"seed": 7, "layers": "last", "calibrator": "whiten"}
    assert row == Recipe(dataset="mine.csv", **own, **chosen)
    assert row.on("stsb") == Recipe(dataset="stsb", **chosen)
    wide = EvaluateRecipe(layers="model", truncate_dim=8).rows(("model",), ("identity", "flow"))
    assert [row.truncate_dim for row in wide] == [0, 8, 8]


# Scores and differences.


def test_every_score_is_scipys_and_a_row_is_the_mean_of_its_seeds(board, tables):
    for row in board.rows.every[:4]:
        seeds = (0, 1) if row.calibrator == FLOW else (0,)
        rhos = [rho_of(row, tables[0], seed) for seed in seeds]
        assert board.scores[tables[0]][row].value == pytest.approx(np.mean(rhos), abs=1e-9)


def test_the_rows_of_the_report_hold_the_board(report, board, tables):
    assert len(report.rows) == 3 * len(board.rows.every)  # two tables and their average
    by_place = {
        (row["dataset"], i % len(board.rows.every)): row for i, row in enumerate(report.rows)
    }
    for (name, i), shown in by_place.items():
        row = board.rows.every[i]
        assert shown["score"] == board.scores[name][row].value
        for kind, found in board.comparisons[name].items():
            assert shown.get(f"{kind}_p") == (found[row].p if row in found else None)
    flow = report.where(calibrator=FLOW, dataset=tables[0])[0]
    assert np.mean([*flow["by_seed"].values()]) == pytest.approx(flow["score"])
    assert flow["seeds_sd"] == pytest.approx(np.std([*flow["by_seed"].values()], ddof=1))
    lines = list(csv.DictReader(io.StringIO(report.write("csv"))))
    assert [float(line["score"]) for line in lines] == [row["score"] for row in report.rows]


def test_a_row_is_compared_with_its_own_vectors_its_plain_output_and_the_first_model(board):
    first, other = board.rows.own_outputs
    for row in board.rows.every:
        references = {of.key: board.rows.reference(of, row) for of in REFERENCES}
        raw = row.with_(calibrator="identity")
        assert references["change"] == (None if row == raw else raw)
        assert references["to_plain"] == (None if row == row.plain else row.plain)
        assert references["to_first"] == (first if row == other else None)
        assert references["to_baseline"] is None


def test_a_similarity_is_compared_with_cosine_and_the_best_without_a_fit_is_named(models, tables):
    ways = ("cosine", "manhattan", "spearman")
    asked = EvaluateRecipe(
        models=models[:1], datasets=tables[:1], max_length=MAX_TOKENS, similarities=ways
    )
    report = evaluate(asked, Lab(device="cpu"), ("whiten",), ("layer:1",))
    board, (name,) = report.objects["board"], tables[:1]
    for row, change in board.comparisons[name]["to_cosine"].items():
        assert change.before == pytest.approx(rho_of(row.with_(similarity="cosine"), name))
        assert change.after == pytest.approx(rho_of(row, name))
    assert len(board.comparisons[name]["to_cosine"]) == 4  # two calibrators by two similarities
    raw = {row: board.scores[name][row].value for row in board.rows.every[1:]}
    raw = {row: value for row, value in raw.items() if row.calibrator == "identity"}
    found = board.without_fit(name)
    assert (found.best, found.n_rows) == (max(raw, key=raw.__getitem__), 3)
    assert {row["compared_by"] for row in report.rows} == {*ways}
    own = EvaluateRecipe(models=models[:1], datasets=tables[:1], similarities=("spearman",))
    beside_cosine = evaluate(own, Lab(device="cpu"), ("whiten",), ("model",)).objects["board"]
    assert beside_cosine.without_fit(name).best.similarity == "spearman"


def test_holm_is_over_one_kind_on_one_data_set(board, params, models, tables):
    alone = evaluate(
        params.with_(datasets=tables[:1]), Lab(device="cpu"), SPECS, ("layer:1", "last")
    )
    for kind, found in board.comparisons[tables[0]].items():
        adjusted = holm([each.p for each in found.values()])
        assert [each.p_adjusted for each in found.values()] == pytest.approx(adjusted.tolist())
        again = alone.objects["board"].comparisons[tables[0]][kind]
        assert again.keys() == found.keys()  # another data set beside it changes nothing
        for row, change in found.items():  # a flow is the same up to rounding
            assert again[row].p_adjusted == pytest.approx(change.p_adjusted, abs=0.01)


def test_the_difference_of_two_rows_is_the_same_wherever_it_is_made(board, tables):
    """The interval and the p of a pair do not depend on the rows that stand beside it."""
    scores = board.scores[tables[0]]
    for row, change in board.comparisons[tables[0]]["change"].items():
        both = scores[row.with_(calibrator="identity")], scores[row]
        alone = compare({"": both})[""]
        assert (alone.low, alone.high, alone.p) == (change.low, change.high, change.p)


def test_an_average_is_the_mean_and_has_its_own_resamples(board, tables):
    for row in board.rows.every[:3]:
        parts = [board.scores[name][row] for name in tables]
        whole = board.scores[AVERAGE][row]
        assert whole.value == pytest.approx(np.mean([each.value for each in parts]))
        assert whole.interval() == average(parts, seed=0).interval()
        widths = [np.diff(each.interval())[0] for each in (*parts, whole)]
        assert widths[-1] < min(widths[:-1])


def test_a_baseline_is_compared_with_every_other_row(params, tables, models):
    named = f"{models[0]} layer:1 whiten"
    asked = params.with_(models=models[:1], datasets=tables[:1], baseline=named)
    board = evaluate(asked, Lab(device="cpu"), SPECS, ("layer:1",)).objects["board"]
    (dataset,) = board.datasets
    found = board.comparisons[dataset]["to_baseline"]
    assert len(found) == len(board.rows.every) - 1
    for row, change in found.items():
        expected = rho_of(row, dataset) if row.calibrator != FLOW else None
        assert expected is None or change.after == pytest.approx(expected, abs=1e-9)
        assert change.before == pytest.approx(rho_of(board.rows.baseline, dataset), abs=1e-9)


def test_the_answer_names_the_best_row_and_the_table_has_its_test(report, board):
    first = board.rows.own_outputs[0]
    scores = {row: board.scores[AVERAGE][row].value for row in board.rows.every if row != first}
    found = board.verdict(AVERAGE)
    assert found.best == max(scores, key=lambda row: scores[row])
    answers = texts_of(report.remarks, Kind.ANSWER)
    assert list(answers) == report.facts["answers"]
    assert answers[-1] == board.too_few(AVERAGE)  # ninety pairs are too few
    told = replace(found, outcome=Outcome.NONE).sentence("x", RHO, board.rows.spoken)
    assert board.rows.spoken(found.best) in told
    assert f"{100 * scores[found.best]:.2f} against" in told


def test_arrows_of_several_data_sets_are_in_parentheses_unless_significant(report, board):
    for row, line in zip(board.rows.every, report.text_table.rows, strict=True):
        for column, text in zip(board.columns, line[1:], strict=False):
            change = board.comparisons[column]["change"].get(row)
            assert text.partition(" ")[2] == ("" if change is None else change.mark)


def test_a_spread_of_labels_of_two_metrics_has_no_average(tiny_bert, tmp_path):
    pairs, search = write_pairs(tmp_path / "pairs.csv", 40), write_collection(tmp_path)
    params = EvaluateRecipe(models=(str(tiny_bert),), datasets=(str(pairs), search))
    report = evaluate(params, Lab(device="cpu"), ("null-top-k:k=2",), ("model",))
    assert AVERAGE not in {row["dataset"] for row in report.rows}
    assert len(texts_of(report.remarks, Kind.ANSWER)) == 2


def test_pairs_without_gold_scores_have_no_differences_and_say_why(tiny_bert, tmp_path):
    table = tmp_path / "unscored.csv"
    rows = [row[:2] for row in pair_rows(30)]
    pd.DataFrame(rows, columns=["sentence1", "sentence2"]).to_csv(table, index=False)
    params = EvaluateRecipe(models=(str(tiny_bert),), datasets=(str(table),), max_length=MAX_TOKENS)
    report = evaluate(params, Lab(device="cpu"), ("whiten",), ("layer:1",))
    assert {row["score"] for row in report.rows} == {None}
    assert not any("p" in key.split("_") for row in report.rows for key in row)
    assert report.text(Kind.MISSING)
    assert "scores" not in report.pictures()


# Two models.


def test_two_models_differ_by_their_plain_outputs_on_each_table_and_on_average(board, tables):
    first, other = board.rows.own_outputs
    own = [rho_of(other, name) - rho_of(first, name) for name in tables]
    found = [board.comparisons[name]["to_first"][other] for name in (*tables, AVERAGE)]
    assert [each.difference for each in found] == pytest.approx([*own, np.mean(own)], abs=1e-9)
    assert all(each.low < each.difference < each.high for each in found)
    for name in (*tables, AVERAGE):
        (verdict,) = board.between_models(name)
        assert (verdict.best, verdict.reference, verdict.n_tested) == (other, first, 1)
        assert (verdict.outcome is not Outcome.NONE) == verdict.change.significant


def test_the_picture_of_two_models_has_the_tested_differences(report, board):
    figure = report.figures()["between-models"]
    *_, marks = figure.data
    found = [each for of in board.comparisons.values() for each in of["to_first"].values()]
    for each, x, symbol in zip(found, marks.x, marks.marker.symbol, strict=True):
        assert x == pytest.approx(100 * each.shown)
        assert symbol == ("circle" if each.significant else "circle-open")
    assert not any(folder in str(figure) for folder in board.rows.models)


def test_the_ledger_of_two_models_accounts_for_the_whole_difference(board, models, tables):
    options = {"layers": "model", "after": "identity", "order": "row"}
    recipe = LedgerRecipe(model=models[0], after_model=models[1], dataset=tables[0], **options)
    report = ledger(recipe, Lab(device="cpu"))
    whole = board.comparisons[tables[0]]["to_first"][board.rows.own_outputs[1]].difference
    assert sum(row["share"] for row in report.rows) == pytest.approx(whole, abs=1e-9)
    assert report.facts["rho_after"] - report.facts["rho_before"] == pytest.approx(whole, abs=1e-9)
    ranks = rankdata([row["cosine_after"] for row in report.rows])
    np.testing.assert_array_equal([row["rank_after"] for row in report.rows], ranks)


# Tasks: other metrics, against numpy and against the remarks on the fit.


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


@pytest.mark.parametrize(
    ("name", "choices", "said"),
    [
        ("pairs", {}, "120 of 120 scored sentences are in the fit corpus, without their gold sc"),
        ("texts", {"metric": "v-measure"}, "24 of 24 scored sentences are in .* their labels"),
        ("search", {}, "8 of 16 documents and queries are in .* their relevance judgements"),
        ("search", {"fit_on": "unscored"}, "None of the 16 documents and queries is in the fit co"),
    ],
)
def test_what_a_fit_has_seen_is_named_as_the_data_are(tiny_bert, data, name, choices, said):
    choices = {key: data.get(value, value) for key, value in choices.items()}
    params = EvaluateRecipe(models=(str(tiny_bert),), datasets=(data[name],), **choices)
    report = evaluate(params, Lab(device="cpu"), ("null-top-k:k=2",), ("model",))
    assert re.search(said, report.text(Kind.METHOD))


def test_the_change_of_similarity_is_that_of_numpy(tiny_bert, data):
    lab, table = Lab(device="cpu"), pd.read_csv(data["pairs"])
    sides = [lab.embed(str(tiny_bert), [*table[f"sentence{i}"]]) for i in (1, 2)]
    x = np.concatenate(sides).astype(np.float64)  # the fit corpus: both sides of every pair
    top = np.linalg.svd(x - x.mean(0), full_matrices=False)[2][:2]
    rhos = []
    for each in (x, (x - x.mean(0)) @ (np.eye(x.shape[1]) - top.T @ top)):
        first, second = np.split(each / np.linalg.norm(each, axis=1, keepdims=True), 2)
        rhos.append(spearmanr((first * second).sum(1), table["score"]).statistic)
    params = EvaluateRecipe(models=(str(tiny_bert),), datasets=(data["pairs"],))
    row = evaluate(params, lab, ("null-top-k:k=2",), ("model",)).row(calibrator="null-top-k:k=2")
    assert row["change"] == pytest.approx(rhos[1] - rhos[0], abs=1e-4)  # shown with four digits
    assert row["to_plain"] == row["change"]
    assert row["score"] == pytest.approx(rhos[1], abs=1e-4)
