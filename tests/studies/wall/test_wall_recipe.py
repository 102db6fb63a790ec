"""The choices of a wall, what they say of themselves; columns and selected rows."""

import json
from dataclasses import replace

import numpy as np
from tiny_walls import tiny_wall

from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.drawing import draw_wall
from bertflow_core.studies.wall.recipe import Picture, WallRecipe, wall_command
from bertflow_core.studies.wall.spaces import category_column, column_of
from bertflow_core.studies.words.recipe import WordRecipe


def test_names_show_the_model_only_where_several_are_shown_and_no_pane_comes_twice():
    one = WallRecipe(layers=("layer:4",), calibrators=("identity", "flow", "identity"))
    assert one.names == ("layer:4, identity", "layer:4, flow")
    both = WallRecipe(models=("minilm", "bert-base"), layers=("last",), calibrators=("whiten",))
    assert both.names == ("minilm, last, whiten", "bert-base, last, whiten")
    words = WallRecipe(base=WordRecipe(), layers=("layer-norm",), calibrators=("identity",))
    assert words.names == ("layer-norm, identity",)


def test_a_pane_is_the_base_with_its_own_choices():
    base = Recipe(model="bert-base", revision="abc", dataset="stsb", seed=3, calibrator="flow")
    choices = {"layers": ("last",), "calibrators": ("identity", "whiten")}
    wall = WallRecipe(base=base, models=("minilm", "bert-base"), **choices)
    assert wall.panes == (
        base.with_(model="minilm", revision=None, layers="last", calibrator="identity"),
        base.with_(model="minilm", revision=None, layers="last", calibrator="whiten"),
        base.with_(layers="last", calibrator="identity"),
        base.with_(layers="last", calibrator="whiten"),
    )
    words = WallRecipe(base=WordRecipe(seed=5), layers=("layer-norm",), calibrators=("whiten",))
    assert words.panes == (WordRecipe(table="layer-norm", calibrator="whiten", seed=5),)


START = "bertflow-lab analyse wall --out wall.html"


def test_the_command_names_what_differs_from_the_command_of_nothing():
    layers = ("layer:4", "last")
    spaces = "--layers layer:4 --layers last --calibrator identity --calibrator flow"
    assert wall_command(WallRecipe(layers=layers), Picture()) == f"{START} {spaces}"
    base = Recipe(dataset="teaching", layers="first-last", aggregation="mean", seed=3)
    full = WallRecipe(base=base, layers=layers, max_rows=500, counts="vocabulary")
    assert wall_command(full, Picture(method="umap", metric="l2", min_dist=0.3)) == (
        f"{START} --dataset teaching --seed 3 --layers layer:4 --layers last --max-rows 500 "
        "--counts vocabulary --method umap --metric l2 --min-dist 0.3 --calibrator identity "
        "--calibrator flow"
    )


def test_categories_are_labelled_in_order_of_first_appearance():
    column = category_column("subset", ["b", "a", "", "b", "c"])
    assert column.labels == ("b", "a", "c")
    np.testing.assert_array_equal(column.values, [0, 1, np.nan, 0, 2])
    assert column.cells([0, 1, 2, 3, 4]) == ["b", "a", None, "b", "c"]


def test_a_table_s_column_is_of_numbers_if_all_its_cells_are():
    found = column_of("year", ["20231115", "", None, " 1999.5 ", 7, "3.8"])
    assert found.labels == ()
    assert found.cells(range(6)) == [20231115, None, None, 1999.5, 7, 3.8]
    named = column_of("source", ["news", "2001", None, "1e39", "inf"])
    assert named.cells(range(5)) == ["news", "2001", None, "1e39", "inf"]
    for text in ("1e39", "-inf"):  # which float32 does not hold
        assert column_of("size", ["1", text]).labels == ("1", text)
    assert column_of("notes", ["", None]) is None
    assert column_of("notes", [f"text {i}" for i in range(201)]) is None


Z = np.array([[3.0, 4], [0, 1], [0, 2]])


def test_a_report_says_which_wall_and_picture_its_rows_are_of_without_a_path_of_the_server():
    wall = tiny_wall([Z])
    recipe = replace(wall.recipe, counts="/secret/counts.txt")
    report = draw_wall(replace(wall, recipe=recipe), Picture(metric="l2")).report([2, 0])
    document = json.loads(report.write("json"))
    assert [row["id"] for row in document["rows"]] == [6, 0]
    assert "counts.txt" in document["rows"][0]["recipe"]
    assert document["recipe"]["metric"] == "l2"
    assert "secret" not in report.write("json") + report.write("csv") + report.write("markdown")
    header, line, _ = report.write("csv").splitlines()
    assert header.startswith("id,text,length (words),subset,")
    assert line.startswith("6,'=2,2,even,")  # which no spreadsheet takes for a formula
