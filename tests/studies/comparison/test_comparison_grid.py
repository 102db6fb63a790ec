"""Rows, columns and recipes of a grid; cells against single evaluations, and resumed runs."""

import shutil
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from saved_files import change_config
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab.cells import CellFolder
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.studies.grid import CompareRecipe, Grid, fill, row_name, vectors_of

OWN = {"score": "points", "sentence1": "a", "sentence2": "b", "metric": "auc"}


def grid_with(calibrators=("flow", "whiten"), layers=("layer:4", "last"), **changes):
    choices = {"seed": 7, "datasets": ("mine.csv", "stsb"), **OWN, **changes}
    return Grid(CompareRecipe(**choices), calibrators, layers)


def test_rows_are_grouped_by_encoder_with_the_baseline_first():
    asked = [*product(("layer:4", "last"), ("identity", "flow", "whiten"))]
    rows = [(row.layers, row.calibrator) for row in grid_with().rows]
    assert rows == [("model", "identity"), *asked]
    once = grid_with(calibrators=("whiten", "identity", "whiten"), layers=("last", "last"))
    assert [row_name(row) for row in once.rows] == [
        "minilm plain output identity", "minilm last identity", "minilm last whiten",
    ]  # fmt: skip


def test_a_recipe_has_the_row_the_column_and_the_rest_of_the_protocol():
    row = grid_with().rows[-1]
    named = {"seed": 7, "layers": "last", "calibrator": "whiten"}
    assert grid_with().recipes(row, "mine.csv") == (Recipe(dataset="mine.csv", **OWN, **named),)
    # The columns of a table are not used for another data set.
    assert grid_with().recipes(row, "stsb") == (Recipe(dataset="stsb", **named),)


def test_the_plain_output_is_there_once_without_prompt_width_or_pooling():
    asked = grid_with(tokens="cls", max_length=9, layers=("last",))
    (recipe,) = asked.recipes(asked.rows[0], "stsb")
    assert recipe == Recipe(seed=7, dataset="stsb", layers="last").plain
    declared = grid_with(layers=("last", "model"))
    assert [vectors_of(row) for row in declared.rows].count("minilm plain output") == 3
    assert declared.rows[0].plain == declared.rows[0]
    other = Grid(CompareRecipe(layers="model", truncate_dim=8), ("flow", "whiten"), ("model",))
    assert [row.truncate_dim for row in other.rows] == [0, 8, 8, 8]
    assert [other.is_beside(row) for row in other.rows] == [True, False, False, False]
    given = grid_with(models=("vectors",), layers=("last",))
    assert [given.plain(row) for row in given.rows] == [None] * 3


def test_cells_are_fitted_once_per_seed_if_random_and_those_that_share_vectors_together():
    asked = grid_with(seeds=3)
    places = [(dataset, row.with_(calibrator=BASELINE)) for row, dataset, _ in asked.cells()]
    assert len(places) == 14 + 2 * 4
    assert len(dict.fromkeys(places)) == 6
    assert sum(a != b for a, b in pairwise(places)) == 5
    for row, seeds in zip(asked.rows[-2:], ([7, 8, 9], [7]), strict=True):  # flow, then whiten
        assert [recipe.seed for recipe in asked.recipes(row, "stsb")] == seeds


# Grids filled by a tiny encoder.

SPECS = ("null-top-k:k=2", "flow:initialization=random,epochs=5,batch_size=8,lr=0.05")


@pytest.fixture(scope="module")
def grid(tiny_bert, tmp_path_factory):
    folder, rows = tmp_path_factory.mktemp("tables"), pair_rows()
    tables = [write_pairs(folder / "one.csv"), write_pairs(folder / "two.csv", rows[4:])]
    params = CompareRecipe(
        models=(str(tiny_bert),),
        datasets=tuple(map(str, tables)),
        max_length=MAX_TOKENS,
        seed=5,
        seeds=2,
        aggregation="wmean",
    )
    return Grid(params, SPECS, ("layer:1",))


@pytest.fixture(scope="module")
def kept(grid, tmp_path_factory):
    """The filled grid, and the folder of its cells."""
    folder = tmp_path_factory.mktemp("kept") / "cells"
    return fill(grid, Lab(cells=CellFolder(folder))), folder


@pytest.fixture
def folder(kept, tmp_path):
    """A copy of the folder of all cells."""
    return shutil.copytree(kept[1], tmp_path / "cells")


@pytest.fixture
def fits(kept, monkeypatch):
    """The recipes that were fitted, not read from stored cells."""
    seen = []
    evaluate = Embedded.under

    def note(embedded, spec, **options):
        seen.append(embedded.recipe.with_(calibrator=spec))
        return evaluate(embedded, spec, **options)

    monkeypatch.setattr(Embedded, "under", note)
    return seen


def test_every_cell_is_what_a_single_evaluation_gives(grid, kept):
    comparison, _ = kept
    for row, dataset, recipe in [*grid.cells()][::2]:  # each of the five cells once
        (alone,) = Lab().evaluate([recipe])
        cell = next(c for c in comparison.cells[row, dataset] if c.recipe.seed == recipe.seed)
        assert cell.recipe == alone.recipe
        assert (cell.scores, cell.random_cosine) == (alone.scores, alone.random_cosine)
        assert (cell.n_cut, cell.n_sentences) == (alone.embedded.n_cut, alone.embedded.n_sentences)
        np.testing.assert_array_equal(cell.unit_values, alone.similarity)
        is_null = row.calibrator.startswith("null")
        assert cell.rank_lost == (2 if is_null else 0)
        assert cell.round_trip is None if is_null else 0 <= cell.round_trip < 1e-3


def test_a_stopped_comparison_is_resumed(grid, kept, fits, tmp_path):
    comparison, _ = kept
    cells = CellFolder(tmp_path / "cells")

    def stop(done, total, unit):
        if unit == "cells" and done == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(stop):
        fill(grid, Lab(cells=cells))
    assert len(fits) == 3
    resumed = fill(grid, Lab(cells=cells))
    assert len(fits) == 10
    assert len({recipe.fingerprint() for recipe in fits}) == 10
    for place, found in comparison.cells.items():
        for a, b in zip(found, resumed.cells[place], strict=True):
            assert (a.scores, a.recipe, a.notes) == (b.scores, b.recipe, b.notes)
            np.testing.assert_array_equal(a.unit_values, b.unit_values)


def test_another_aggregation_needs_no_new_fit(grid, folder, fits):
    other = replace(grid, params=grid.params.with_(aggregation="mean"))
    by_subset = fill(other, Lab(cells=CellFolder(folder)))
    assert fits == []
    assert {c.recipe.aggregation for found in by_subset.cells.values() for c in found} == {"mean"}
    cell = next(iter(by_subset.cells.values()))[0]
    assert by_subset.score(other.rows[0], grid.datasets[0]) == cell.scores.spearman.mean


def test_a_changed_table_is_scored_again(grid, folder, fits):
    rows = [(a, b, 5 - score, subset) for a, b, score, subset in pair_rows()]
    write_pairs(Path(grid.datasets[0]), rows)
    fill(grid, Lab(cells=CellFolder(folder)))
    write_pairs(Path(grid.datasets[0]))
    assert len(fits) == 5
    assert {recipe.dataset for recipe in fits} == {grid.datasets[0]}


def test_damaged_cells_are_computed_again_once(grid, folder, fits):
    broken, bare, foreign, whole, *_ = sorted(folder.glob("*.safetensors"))
    broken.write_bytes(b"\0" * 40)
    change_config(bare, scores=None)
    foreign.write_bytes(whole.read_bytes())
    for _ in range(2):
        fill(grid, Lab(cells=CellFolder(folder)))
        assert len(fits) == 3


def test_what_cannot_be_read_is_refused_before_any_fit(grid, fits):
    with pytest.raises(InputError, match="nothing to compare: name at least one of datasets"):
        grid_with(datasets=())
    datasets = grid.datasets[0], "nowhere.csv"
    missing = replace(grid, params=grid.params.with_(datasets=datasets))
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        fill(missing, Lab())
    assert fits == []
