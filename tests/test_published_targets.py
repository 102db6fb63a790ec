"""The embedded model on real data: the numbers that README and docs state, times 100.

STS-B is fitted on all of its 17,256 sentences, without labels, and scored on the 1,379 test pairs;
the years on all of their scored pairs. Every layer of every sentence is embedded once.
"""

import pytest

from bertflow_core.recipe import Recipe
from bertflow_core.studies.grid import CompareRecipe, Grid, fill

CLOSED_FORM = 0.15
"""How far a number may lie from its target."""

SPECS = (
    "identity",
    "standardize",
    "null-top-k:k=1",
    "null-top-k:k=6",
    "standardize+null-top-k:k=6",
    "whiten",
    "whiten:n_components=256",
)
TARGETS = {
    "layer:1": (56.73, 59.82, 57.63, 67.86, 67.11, 69.62, 68.37),
    "layer:4": (59.61, 60.92, 65.61, 71.58, 70.00, 71.17, 71.15),
    "last": (82.03, 82.28, 82.60, 80.89, 81.00, 80.27, 80.75),
}
BASELINES = {"first-last": (81.55,), "last2": (80.64,), "layer:0": (55.61,)}
FLOWS = {"layer:1": (69.0, 0.8), "layer:4": (71.8, 0.8), "last": (81.5, 2.5)}
"""Rho, and how far from it a fit may lie; the last layer needs no calibration."""


@pytest.fixture
def rho(real_lab, minilm):
    """Return a function from layers and specs to Spearman's rho, times 100."""

    def run(layers, *specs, seed=0):
        recipe = Recipe(layers=layers, dataset="stsb", seed=seed)
        results = real_lab.evaluate(recipe, specs)
        assert len(results[0].prepared.corpus) == 17_256
        assert results[0].scores.n_pairs == 1_379
        return [100 * result.scores.spearman.all for result in results]

    return run


@pytest.mark.parametrize(("layers", "targets"), [*TARGETS.items(), *BASELINES.items()])
def test_closed_forms(rho, layers, targets):
    assert rho(layers, *SPECS[: len(targets)]) == pytest.approx(targets, abs=CLOSED_FORM)


@pytest.mark.parametrize("layers", FLOWS)
def test_the_flow(rho, layers):
    target, bound = FLOWS[layers]
    for seed in (0, 1, 2) if layers != "last" else (0,):
        found = rho(layers, "flow:lr=1e-3,epochs=1", seed=seed)
        assert found == pytest.approx([target], abs=bound)


YEARS = {
    # by calibrator: wmean, all
    "sts12": ((59.55, 46.44), (63.84, 61.87), (63.96, 54.92), (63.6, 58.4)),
    "sts13": ((61.28, 63.20), (70.91, 74.82), (70.66, 74.98), (70.5, 74.5)),
    "sts14": ((63.02, 53.12), (67.57, 63.18), (67.48, 62.68), (67.8, 63.0)),
}
YEARS_SPECS = ("identity", "null-top-k:k=6", "whiten:n_components=256", "flow:lr=1e-3,epochs=1")
YEARS_BOUNDS = (0.2, 0.2, 0.2, 1.0)


LONG = [pytest.param(year, marks=pytest.mark.campaign) for year in ("sts12", "sts14")]


@pytest.mark.parametrize("year", ["sts13", *LONG])
def test_the_years(real_lab, minilm, year):
    grid = Grid(CompareRecipe(datasets=(year,), seeds=3), YEARS_SPECS, ("layer:4",))
    comparison = fill(grid, real_lab)
    _, *rows = grid.rows  # the plain output comes first
    for row, targets, bound in zip(rows, YEARS[year], YEARS_BOUNDS, strict=True):
        found = [
            100 * comparison.under(how).score(row.with_(aggregation=how), year)
            for how in ("wmean", "all")
        ]
        assert found == pytest.approx(targets, abs=bound), row
        assert len(comparison.cells[row, year]) == (3 if "flow" in row.calibrator else 1)
