"""The loop over recipes against single evaluations: fits are shared, kept and resumed."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from saved_files import change_config
from tiny_pairs import pair_rows, tiny_recipe, write_pairs, write_stsb

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.evaluation import score_pairs
from bertflow_core.lab.cells import CellFolder
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.grid import fits_of, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import context

FLOW = "flow:initialization=random,epochs=5,batch_size=8,lr=0.05"
SPECS = ("identity", "null-top-k:k=2", FLOW)


@pytest.fixture(scope="module")
def recipes(tiny_bert, tmp_path_factory):
    """Rows on two tables: the plain output, and calibrators at a layer, the flow with two seeds."""
    folder, rows = tmp_path_factory.mktemp("tables"), pair_rows()
    tables = [write_pairs(folder / "one.csv"), write_pairs(folder / "two.csv", rows[4:])]
    found = []
    for table in tables:
        first = tiny_recipe(tiny_bert, table, layers="layer:1", seed=5, aggregation="wmean")
        rows = [first.plain, *(first.with_(calibrator=spec) for spec in SPECS)]
        found += [each for row in rows for each in fits_of(row, 2)]
    return found


@pytest.fixture(scope="module")
def kept(recipes, tmp_path_factory):
    """The filled grid, and the folder of its cells."""
    folder = tmp_path_factory.mktemp("kept") / "cells"
    return scored(recipes, Lab(cells=CellFolder(folder))), folder


@pytest.fixture
def folder(kept, tmp_path):
    return shutil.copytree(kept[1], tmp_path / "cells")


@pytest.fixture
def fits(kept, monkeypatch):
    """The recipes that were fitted, not read from stored cells."""
    seen, under = [], Embedded.under

    def note(embedded, spec, **options):
        seen.append(embedded.recipe.with_(calibrator=spec))
        return under(embedded, spec, **options)

    monkeypatch.setattr(Embedded, "under", note)
    return seen


def test_a_random_calibrator_is_fitted_once_per_seed(recipes):
    assert [each.seed for each in recipes] == [5, 5, 5, 5, 6] * 2


def test_every_cell_is_what_a_single_evaluation_gives(recipes, kept):
    grid, _ = kept
    assert [*grid.cells] == recipes
    for recipe in recipes[::2]:
        alone, cell = Lab().evaluate([recipe])[0], grid.cells[recipe]
        assert cell.recipe == alone.recipe
        assert (cell.scores, cell.random_cosine) == (alone.scores, alone.random_cosine)
        np.testing.assert_array_equal(cell.unit_values, alone.unit_values)
        known = alone.embedded.data
        by_hand = score_pairs(alone.similarity, known.gold, known.subsets).main.wmean
        assert cell.score == pytest.approx(by_hand, abs=1e-12)


def test_the_score_of_a_row_is_the_mean_over_its_seeds(recipes, kept):
    grid, _ = kept
    flows = recipes[3:5]
    found = grid.scores({"flow": flows, "first": flows[:1]})
    both = [grid.cells[each].score for each in flows]
    assert len({*both}) == 2
    assert found["flow"].value == pytest.approx(np.mean(both), abs=1e-12)
    assert found["first"].value == both[0]


def test_dev_and_test_are_scored_under_one_fit(tiny_bert, tmp_path, fits):
    first = tiny_recipe(tiny_bert, Path("stsb"), calibrator="null-top-k:k=1")
    both = [first.with_(split=name) for name in ("dev", "test")]
    lab = Lab(data_dir=write_stsb(tmp_path, 60))
    grid = scored(both, lab)
    assert len(fits) == 1
    for each in both:
        assert grid.cells[each].score == lab.evaluate([each])[0].score
        assert grid.cells[each].document["split"] == each.split


def test_a_stopped_run_is_resumed(recipes, kept, fits, tmp_path):
    cells = CellFolder(tmp_path / "cells")

    def stop(done, total, unit):
        if unit == "cells" and done == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(stop):
        scored(recipes, Lab(cells=cells))
    assert len(fits) == 3
    resumed = scored(recipes, Lab(cells=cells))
    assert len(fits) == len({recipe.fingerprint() for recipe in fits}) == len(recipes)
    for recipe, cell in kept[0].cells.items():
        again = resumed.cells[recipe]
        assert (cell.scores, cell.recipe, cell.notes) == (again.scores, again.recipe, again.notes)
        np.testing.assert_array_equal(cell.unit_values, again.unit_values)


@pytest.mark.parametrize(
    "change", [{"seed": 9}, {"calibrator": "null-top-k:k=1"}, {"template": "say {text}"}]
)
def test_a_stored_cell_serves_its_own_recipe_alone(recipes, folder, fits, change):
    other = recipes[3].with_(**change)
    cell = scored([other], Lab(cells=CellFolder(folder))).cells[other]
    assert len(fits) == 1
    assert cell.recipe.with_(revision=None) == other


def test_another_aggregation_needs_no_new_fit(recipes, folder, fits):
    others = [each.with_(aggregation="mean") for each in recipes]
    found = scored(others, Lab(cells=CellFolder(folder)))
    assert fits == []
    for recipe, cell in found.cells.items():
        assert cell.to_dict()["recipe"] == cell.recipe.to_dict()
        assert cell.recipe.aggregation == "mean"
        assert cell.score == cell.scores.spearman.mean
        assert found.scores({"": [recipe]})[""].value == cell.score


def test_a_changed_table_is_scored_again(recipes, folder, fits):
    table = Path(recipes[0].dataset)
    write_pairs(table, [(a, b, 5 - score, subset) for a, b, score, subset in pair_rows()])
    scored(recipes, Lab(cells=CellFolder(folder)))
    write_pairs(table)
    assert {recipe.dataset for recipe in fits} == {str(table)}
    assert len(fits) == 5


def test_damaged_cells_are_computed_again_once(recipes, folder, fits):
    broken, bare, foreign, whole, *_ = sorted(folder.glob("*.safetensors"))
    broken.write_bytes(b"\0" * 40)
    change_config(bare, scores=None)
    foreign.write_bytes(whole.read_bytes())
    for _ in range(2):
        scored(recipes, Lab(cells=CellFolder(folder)))
        assert len(fits) == 3


def test_a_fit_that_leaves_nothing_has_a_cell_without_a_score(tiny_bert, recipes):
    first = recipes[1].with_(layers="layer:0", tokens="cls", calibrator="whiten")
    grid = scored([first, recipes[1]], Lab())
    cell = grid.cells[first]
    assert (cell.score, cell.random_cosine) == (None, None)
    assert np.isnan(cell.unit_values).all()
    assert cell.notes
    assert grid.cells[recipes[1]].score is not None


def test_measures_of_a_fit_are_kept_with_it(recipes, folder, fits):
    lab = Lab(cells=CellFolder(folder))
    for _ in range(2):
        cell = scored(recipes[:1], lab, measure=width).cells[recipes[0]]
        assert cell.measures == {"width": 16}
        assert len(fits) == 1  # the stored cell has no measures
    cells = scored(recipes[:3], Lab(), measure=width, measured=recipes[1:2]).cells
    assert [bool(cells[each].measures) for each in recipes[:3]] == [False, True, False]


def width(evaluation):
    return {"width": evaluation.embedded.x_fit.shape[1]}


def test_what_cannot_be_used_is_refused_before_any_fit(recipes, fits):
    first = recipes[1]
    wrong = (first.on("nowhere.csv"), "nowhere"), (first.with_(layers="layer:9"), "layer:9")
    for recipe, named in wrong:
        with pytest.raises(InputError, match=named):
            scored([*recipes, recipe], Lab())
    assert fits == []


@pytest.mark.parametrize("order", [1, -1])
def test_each_fit_corpus_is_its_own_in_one_grid(recipes, order):
    first = recipes[2]
    both = [first, first.with_(fit_on="target:20")][::order]
    grid = scored(both, Lab())
    for each in both:
        (alone,) = Lab().evaluate([each])
        assert grid.cells[each].score == alone.score
        fitted_on = grid.cells[each].document["fit_corpus"]
        assert fitted_on == alone.to_dict()["fit_corpus"]
    assert len({cell.score for cell in grid.cells.values()}) == 2
