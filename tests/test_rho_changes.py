"""One comparison has one interval, whichever part of the project shows it."""

import pytest

from bertflow_core.evaluation import N_DRAWS
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.advice import check
from bertflow_core.studies.comparison import CellMemory, Grid, assess, compare
from bertflow_core.studies.comparison.significance_report import significance_report
from bertflow_core.studies.lexical.bias import GOLD
from bertflow_core.studies.lexical.measure import lexical_bias
from bertflow_core.studies.lexical.report import conclusions

SPEC = "gaussianize"
RECIPE = Recipe(
    dataset="teaching", layers="layer:2"
)  # where its gain on the teaching pairs is hard to tell


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return EmbeddingStore(tmp_path_factory.mktemp("changes") / "store")


@pytest.fixture(scope="module")
def interval(store):
    """The ends of the interval of the change, in points of rho, by what shows it."""
    lab = Lab(store=store)
    prepared = lab.prepare(RECIPE)
    (gain,) = check(prepared, calibrators=[SPEC]).gains
    results = lab.evaluate(RECIPE, ["identity", SPEC])
    words = lexical_bias(results)
    meaning = words.change(SPEC, GOLD)
    assert f"[{100 * meaning.low:.2f}, {100 * meaning.high:.2f}]" in conclusions(words)[0]
    grid = Grid(
        protocol=RECIPE,
        models=(RECIPE.model,),
        layers=(RECIPE.layers,),
        calibrators=("standardize", SPEC),
        datasets=(RECIPE.dataset,),
    )
    tests = assess(compare(grid, lab, cells=CellMemory()), RECIPE.dataset)
    records = significance_report(tests).records()
    row = next(each for each in records if each["calibrator"] == SPEC)
    assert tests.significance.draws.n_draws == N_DRAWS
    return {
        "advice": (gain.low, gain.high),
        "words": (meaning.low, meaning.high),
        "significance": (row["difference_low"], row["difference_high"]),
    }


def test_every_page_shows_one_interval(interval):
    assert len(set(interval.values())) == 1, interval
