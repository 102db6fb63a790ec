"""Significance of a comparison's differences, from hand-made similarities."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from test_comparison_report import SOURCE

from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, score_pairs
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import Cell, Comparison, Grid, Row, joined, significance

N = 300
IDENTITY = Row("minilm", "last", "mean", "identity")
GOLD = np.random.default_rng(0).uniform(0, 5, N)
NOISE = {"identity": 3.0, "standardize": 3.0, "whiten": 0.5, "flow": 0.6}


def similarity(spec, seed):
    # identity and standardize are one and the same
    rng = np.random.default_rng(7 + seed + (spec in ("whiten", "flow")))
    return GOLD + NOISE[spec] * rng.standard_normal(N)


@pytest.fixture(scope="module")
def comparison():
    grid = Grid(
        protocol=Recipe(dataset="teaching", seed=3),
        models=("minilm",),
        layers=("last",),
        calibrators=("standardize", "whiten", "flow"),
        datasets=("a.csv",),
        n_seeds=3,
    )
    cells = {}
    for row, dataset, recipe in grid.cells():
        values = similarity(row.calibrator, recipe.seed - 3)
        scores = score_pairs(values, GOLD, ["main"] * N)
        cell = Cell(recipe, scores, values, 0.0, 0, None, "", 0, N, (), {"fit": 0.0})
        cells.setdefault((row, dataset), []).append(cell)
    words = tuple(str(i) for i in range(N))
    pairs = SentencePairs("a", "test", words, words, GOLD, (0, 5), ("main",) * N, SOURCE)
    filled = {place: tuple(fits) for place, fits in cells.items()}
    return Comparison(grid, {"a.csv": pairs}, filled)


@pytest.fixture(scope="module")
def records(comparison):
    report = significance(comparison, "a.csv", baseline=IDENTITY, n_draws=500)
    return {record["calibrator"]: record for record in report.rows}


def test_figures_name_rows_by_their_calibrators_where_all_are_of_the_same_vectors(comparison):
    report = significance(comparison, "a.csv", baseline=IDENTITY, n_draws=200)

    def drawn(report):
        for figure in report.figures().values():
            *_, marks = figure.data
            yield [line.split("  ")[0] for line in marks.y], figure.layout.xaxis.title.text

    (changes, title), (intervals, _) = drawn(report)
    calibrators = ["identity", "standardize", "whiten", "flow"]
    every = ["minilm plain output identity", *(f"minilm last {spec}" for spec in calibrators)]
    assert (changes, intervals) == ([every[0], *every[2:]], every)
    assert title.endswith("against minilm last identity")
    _, *rows = report.rows
    (changes, title), (intervals, _) = drawn(replace(report, rows=rows))
    assert (changes, intervals) == (calibrators[1:], calibrators)
    assert title.endswith("against identity")


def test_equal_rows_are_never_significantly_different(records):
    same = records["standardize"]
    assert (same["change"], same["p"], same["significant"]) == (0, 1, False)
    assert same["letters"] == records["identity"]["letters"]


def test_a_large_difference_is_significant_with_its_sign(records):
    whiten = records["whiten"]
    assert whiten["significant"]
    assert 0 < whiten["change_low"] < whiten["change"] < whiten["change_high"]
    shown = round(100 * whiten["rho"], 2) - round(100 * records["identity"]["rho"], 2)
    assert whiten["change"] == pytest.approx(shown / 100)
    assert whiten["difference"] == pytest.approx(whiten["rho"] - records["identity"]["rho"])
    assert not set(whiten["letters"]) & set(records["identity"]["letters"])
    assert "change" not in records["identity"]


def test_a_random_calibrator_is_summarized_over_its_seeds(comparison, records):
    row = next(row for row in comparison.grid.rows if row.calibrator == "flow")
    rhos = comparison.scores(row, "a.csv")
    flow = records["flow"]
    assert flow["n_seeds"] == 3
    assert flow["seeds_mean"] == pytest.approx(np.mean(rhos))
    assert flow["seeds_sd"] == pytest.approx(np.std(rhos, ddof=1))
    assert flow["seeds_median"] == pytest.approx(np.median(rhos))
    assert flow["rho"] == pytest.approx(rhos[0])
    assert "seeds_sd" not in records["whiten"]


def test_the_baseline_can_be_any_row(comparison):
    whiten = next(row for row in comparison.grid.rows if row.calibrator == "whiten")
    report = significance(comparison, "a.csv", baseline=whiten, n_draws=200)
    record = next(r for r in report.rows if r["calibrator"] == "identity")
    assert record["change"] < 0
    assert record["baseline"] == "minilm last whiten"
    assert "--bootstrap 200 --baseline 'minilm last whiten'" in report.command


def test_the_table_has_seeds_only_where_there_are_several_and_states_the_smallest_p(comparison):
    table = significance(comparison, "a.csv", baseline=IDENTITY, n_draws=200).table.as_text()
    assert table.header[-3:] == ("seeds: mean", "seeds: sd", "seeds: median")
    assert f"can give is {2 / 201:.4f}" in " ".join(table.remarks)
    flow = next(row for row in table.rows if row[1].endswith("flow"))
    assert flow[-1] != ""
    assert next(row for row in table.rows if row[1].endswith("whiten"))[-1] == ""


def test_tests_on_several_data_sets_share_one_report(comparison):
    one = significance(comparison, "a.csv", baseline=IDENTITY, n_draws=200)
    other = replace(one, rows=[row | {"dataset": "b.csv"} for row in one.rows])
    report = joined([one, other])
    rows = list(csv.DictReader(io.StringIO(report.write("csv"))))
    assert [row["dataset"] for row in rows] == ["a.csv"] * 5 + ["b.csv"] * 5
    assert len(report.write("latex").split("minilm last flow")) == 3
    document = json.loads(one.write("json"))
    assert document["recipe"]["dataset"] == "a.csv"
    assert [row["significant"] for row in document["rows"][2:]] == [False, True, True]


def test_a_wide_interval_of_labels_is_laid_to_the_rarer_label(comparison):
    pairs = comparison.pairs["a.csv"]
    few = (np.argsort(GOLD) >= N - 6).astype(float)
    labelled = replace(pairs, gold=None, labels=few, scale=(0.0, 1.0))
    found = significance(replace(comparison, pairs={"a.csv": labelled}), "a.csv", n_draws=200)
    assert found.facts["doubt"].startswith("Of these 300 pairs AUC x 100 is known to about")
    auc = found.rows[0]["auc"]
    assert f"about {100 * AUC.half_width(auc, few):.0f} points" in found.facts["doubt"]
    alone = significance(comparison, "a.csv", baseline=IDENTITY, n_draws=200)
    assert alone.facts["doubt"] == ""


def test_one_row_alone_cannot_be_tested(comparison):
    grid = Grid(
        protocol=Recipe(dataset="teaching"),
        models=("minilm",),
        layers=("last",),
        calibrators=("identity",),
        datasets=("a.csv",),
        without_plain=("minilm",),
    )
    alone = Comparison(grid, comparison.pairs, comparison.cells)
    with pytest.raises(InputError, match="needs two rows"):
        significance(alone, "a.csv")
