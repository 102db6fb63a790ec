"""Rows, columns and the recipe of each cell."""

from itertools import pairwise

import pytest
from by_hand import row_of

from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.grid import CompareRecipe, Grid, row_name, vectors_of

OWN = {"score": "points", "sentence1": "a", "sentence2": "b", "metric": "auc"}


def grid(calibrators=("flow", "whiten"), layers=("layer:4", "last"), **changes):
    choices = {"seed": 7, "datasets": ("mine.csv", "stsb"), **OWN, **changes}
    return Grid(CompareRecipe(**choices), calibrators, layers)


def test_rows_are_grouped_by_encoder_with_the_baseline_first():
    assert [(row.layers, row.calibrator) for row in grid().rows] == [
        ("model", "identity"),
        ("layer:4", "identity"), ("layer:4", "flow"), ("layer:4", "whiten"),
        ("last", "identity"), ("last", "flow"), ("last", "whiten"),
    ]  # fmt: skip
    once = grid(calibrators=("whiten", "identity", "whiten"), layers=("last", "last"))
    assert [row_name(row) for row in once.rows] == [
        "minilm plain output identity", "minilm last identity", "minilm last whiten",
    ]  # fmt: skip


def test_a_recipe_has_the_row_the_column_and_the_rest_of_the_protocol():
    row = row_of(grid(), "last whiten")
    named = {"seed": 7, "layers": "last", "calibrator": "whiten"}
    assert grid().recipes(row, "mine.csv") == (Recipe(dataset="mine.csv", **OWN, **named),)
    # The columns of a table are not used for another data set.
    assert grid().recipes(row, "stsb") == (Recipe(dataset="stsb", **named),)


def test_the_plain_output_is_there_once_without_prompt_width_or_pooling():
    asked = grid(tokens="cls", max_length=9, layers=("last",))
    (recipe,) = asked.recipes(asked.rows[0], "stsb")
    assert recipe == Recipe(seed=7, dataset="stsb", layers="last").plain
    declared = grid(layers=("last", "model"))
    assert [vectors_of(row) for row in declared.rows].count("minilm plain output") == 3
    assert declared.rows[0].plain == declared.rows[0]
    other = Grid(CompareRecipe(layers="model", truncate_dim=8), ("flow", "whiten"), ("model",))
    assert [row.truncate_dim for row in other.rows] == [0, 8, 8, 8]
    assert [other.is_beside(row) for row in other.rows] == [True, False, False, False]
    given = grid(models=("vectors",), layers=("last",))
    assert [given.plain(row) for row in given.rows] == [None] * 3


def test_cells_are_fitted_once_per_seed_if_random_and_those_that_share_vectors_together():
    asked = grid(seeds=3)
    places = [(dataset, row.with_(calibrator=BASELINE)) for row, dataset, _ in asked.cells()]
    assert len(places) == 14 + 2 * 4
    assert len(dict.fromkeys(places)) == 6
    assert sum(a != b for a, b in pairwise(places)) == 5
    for spec, seeds in (("flow", [7, 8, 9]), ("whiten", [7])):
        row = row_of(asked, f"last {spec}")
        assert [recipe.seed for recipe in asked.recipes(row, "stsb")] == seeds


def test_a_grid_without_a_data_set_is_refused():
    with pytest.raises(InputError, match="nothing to compare: name at least one of datasets"):
        grid(datasets=())
