"""The choices of a wall and of a picture: what they refuse, and what they say of themselves."""

from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Picture, WallRecipe, wall_command
from bertflow_core.studies.words.recipe import WordRecipe


def test_names_show_the_model_only_where_several_are_shown_and_no_pane_comes_twice():
    one = WallRecipe(layers=("layer:4",), calibrators=("identity", "flow", "identity"))
    assert one.names == ("layer:4, identity", "layer:4, flow")
    both = WallRecipe(models=("minilm", "bert-base"), layers=("last",), calibrators=("whiten",))
    assert both.names == ("minilm, last, whiten", "bert-base, last, whiten")
    words = WallRecipe(base=WordRecipe(), layers=("layer-norm",), calibrators=("identity",))
    assert words.names == ("after LayerNorm, identity",)


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
