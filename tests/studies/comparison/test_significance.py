"""Tests of a comparison's differences: from similarities made by hand."""

import numpy as np
import pytest
from test_comparison_report import SOURCE

from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import score_pairs
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import Cell, Comparison, Grid, assess

N = 300
GOLD = np.random.default_rng(0).uniform(0, 5, N)
NOISE = {"identity": 3.0, "standardize": 3.0, "whiten": 0.5, "flow": 0.6}


def similarity(spec, seed):
    # identity and standardize are one and the same
    rng = np.random.default_rng(7 + seed + (spec in ("whiten", "flow")))
    return GOLD + NOISE[spec] * rng.standard_normal(N)


@pytest.fixture(scope="module")
def comparison():
    grid = Grid(
        protocol=Recipe(seed=3),
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
    found = {place: tuple(fits) for place, fits in cells.items()}
    return Comparison(grid, {"a.csv": pairs}, found)


@pytest.fixture(scope="module")
def records(comparison):
    return {r["row"].split()[-1]: r for r in assess(comparison, "a.csv", n_draws=500).records()}


def test_equal_rows_are_never_told_apart(records):
    same = records["standardize"]
    assert (same["difference"], same["p"], same["told_apart"]) == (0, 1, False)
    assert same["letters"] == records["identity"]["letters"]


def test_a_large_difference_is_told_apart_with_its_sign(records):
    whiten = records["whiten"]
    assert whiten["told_apart"]
    assert 0 < whiten["difference_low"] < whiten["difference"] < whiten["difference_high"]
    assert whiten["difference"] == pytest.approx(whiten["rho"] - records["identity"]["rho"])
    assert not set(whiten["letters"]) & set(records["identity"]["letters"])
    assert "difference" not in records["identity"]


def test_what_draws_is_summarized_over_its_seeds(comparison, records):
    row = next(row for row in comparison.grid.rows if row.calibrator == "flow")
    rhos = comparison.rhos(row, "a.csv")
    flow = records["flow"]
    assert flow["n_seeds"] == 3
    assert flow["seeds_mean"] == pytest.approx(np.mean(rhos))
    assert flow["seeds_sd"] == pytest.approx(np.std(rhos, ddof=1))
    assert flow["seeds_median"] == pytest.approx(np.median(rhos))
    assert flow["rho"] == pytest.approx(rhos[0])
    assert records["whiten"]["seeds_sd"] is None


def test_the_baseline_can_be_any_row(comparison):
    whiten = next(row for row in comparison.grid.rows if row.calibrator == "whiten")
    found = assess(comparison, "a.csv", baseline=whiten, n_draws=200)
    record = next(r for r in found.records() if r["row"].endswith("identity"))
    assert record["difference"] < 0
    assert record["baseline"] == "minilm last whiten"


def test_the_table_has_seeds_only_where_there_are_several_and_states_the_smallest_p(comparison):
    table = assess(comparison, "a.csv", n_draws=200).table()
    assert table.header[-3:] == ("seeds: mean", "sd", "median")
    found = assess(comparison, "a.csv", n_draws=200).significance.draws
    assert f"cannot be below {2 / (found.n_draws + 1):.4f}" in " ".join(table.remarks)
    flow = next(row for row in table.rows if row[0].endswith("flow"))
    assert flow[-1] != ""
    assert next(row for row in table.rows if row[0].endswith("whiten"))[-1] == ""


def test_one_row_alone_cannot_be_tested(comparison):
    grid = Grid(
        protocol=Recipe(),
        models=("minilm",),
        layers=("last",),
        calibrators=("identity",),
        datasets=("a.csv",),
    )
    alone = Comparison(grid, comparison.pairs, comparison.cells)
    with pytest.raises(InputError, match="needs two rows"):
        assess(alone, "a.csv")
