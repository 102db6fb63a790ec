"""Rows, columns and the recipe of each cell."""

from itertools import pairwise

import pytest

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Grid, Row

CHOICES = {
    "protocol": Recipe(
        seed=7, dataset="mine.csv", score="points", sentence1="a", sentence2="b", metric="auc"
    ),
    "models": ("minilm",),
    "layers": ("layer:4", "last"),
    "calibrators": ("flow", "whiten"),
    "datasets": ("mine.csv", "stsb"),
}


def grid(**changes):
    return Grid(**{**CHOICES, **changes})


def test_rows_are_grouped_by_encoder_with_the_baseline_first():
    assert [(row.layers, row.calibrator) for row in grid().rows] == [
        ("model", "identity"),
        ("layer:4", "identity"), ("layer:4", "flow"), ("layer:4", "whiten"),
        ("last", "identity"), ("last", "flow"), ("last", "whiten"),
    ]  # fmt: skip


def test_duplicates_are_compared_once():
    once = grid(calibrators=("whiten", "identity", "whiten"), layers=("last", "last"))
    assert [str(row) for row in once.rows] == [
        "minilm plain output identity", "minilm last identity", "minilm last whiten",
    ]  # fmt: skip


def test_a_recipe_has_the_row_the_column_and_the_rest_of_the_protocol():
    (recipe,) = grid().recipes(Row("minilm", "last", "mean", "whiten"), "mine.csv")
    assert recipe == CHOICES["protocol"].with_(layers="last", calibrator="whiten")


def test_the_plain_output_is_there_once_without_prompt_width_or_pooling():
    asked = grid(protocol=CHOICES["protocol"].with_(tokens="cls", max_length=9), layers=("last",))
    (recipe,) = asked.recipes(asked.rows[0], "stsb")
    assert recipe == Recipe(seed=7, dataset="stsb", layers="last").plain
    declared = grid(layers=("last", "model"))
    assert [row.source for row in declared.rows].count("minilm plain output") == 3
    assert declared.rows[0].plain == declared.rows[0]
    other = grid(layers=("model",), truncate_dim=8)
    assert [row.truncate_dim for row in other.rows] == [0, 8, 8, 8]
    assert [other.is_beside(row) for row in other.rows] == [True, False, False, False]
    given = grid(models=("vectors",), layers=("last",))
    assert [given.plain(row) for row in given.rows] == [None] * 3


def test_the_columns_of_a_table_are_not_used_for_another_data_set():
    (recipe,) = grid().recipes(Row("minilm", "last", "mean", "whiten"), "stsb")
    assert recipe == Recipe(seed=7, dataset="stsb", layers="last", calibrator="whiten")


@pytest.mark.parametrize(
    ("spec", "seeds"),
    [
        ("flow", [7, 8, 9]),
        ("standardize+flow:lr=1e-4", [7, 8, 9]),
        ("flow:seed=none", [7, 8, 9]),
        ("flow:seed=3", [7]),
        ("whiten", [7]),
    ],
)
def test_only_random_calibrators_are_fitted_once_per_seed(spec, seeds):
    recipes = grid(n_seeds=3).recipes(Row("minilm", "last", "mean", spec), "stsb")
    assert [recipe.seed for recipe in recipes] == seeds


def test_cells_of_one_data_set_and_encoder_follow_each_other():
    places = [(dataset, row.encoder) for row, dataset, _ in grid().cells()]
    assert len(places) == 14
    assert len(dict.fromkeys(places)) == 6
    assert sum(a != b for a, b in pairwise(places)) == 5


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"datasets": ()}, "nothing to compare: name at least one of datasets"),
        ({"n_seeds": 0}, "seeds must be from 1 to 50, got 0"),
        ({"calibrators": ("whitten",)}, "unknown calibrator 'whitten'"),
        ({"layers": ("first",)}, "unknown layer set 'first'"),
    ],
)
def test_invalid_grids_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        grid(**changes)


def test_the_command_names_a_tables_columns_with_the_table_first():
    words = grid(datasets=("stsb", "mine.csv"), n_seeds=2).to_command(n_draws=100).split()
    assert words[:2] == ["bertflow-lab", "compare"]
    datasets = [words[i + 1] for i, word in enumerate(words) if word == "--dataset"]
    assert datasets == ["mine.csv", "stsb"]
    for option, value in (("--score", "points"), ("--seed", "7"), ("--seeds", "2")):
        assert words[words.index(option) + 1] == value
    assert words[-2:] == ["--bootstrap", "100"]
    assert "--score" not in grid(datasets=("stsb",)).to_command()


def test_the_protocol_has_defaults_for_what_rows_and_columns_decide():
    others = CHOICES["protocol"].with_(layers="layer:1", calibrator="flow", model="bert-base")
    assert grid(protocol=others) == grid()
    elsewhere = grid(datasets=("stsb",)).protocol
    assert (elsewhere.dataset, elsewhere.score) == ("stsb", None)
    assert grid().protocol.score == "points"
