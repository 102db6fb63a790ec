"""The choices of a wall and of a picture: what they refuse, and what they say of themselves."""

import json

import pytest

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Pane, Picture, WallRecipe
from bertflow_core.studies.wall.recipe import PAGE_ROWS, panes_of, wall_command
from bertflow_core.studies.words.recipe import WordRecipe

IDENTITY, FLOW = Pane("minilm", "layer:4"), Pane("minilm", "layer:4", "flow")


def test_names_show_the_model_only_where_several_are_shown():
    assert WallRecipe(panes=(IDENTITY, FLOW)).names == ("layer:4, identity", "layer:4, flow")
    both = WallRecipe(panes=(IDENTITY, Pane("bert-base", "last")))
    assert both.names == ("minilm, layer:4, identity", "bert-base, last, identity")
    words = WallRecipe(base=WordRecipe(), panes=(Pane("minilm", "layer-norm"),))
    assert words.names == ("after LayerNorm, identity",)


def test_panes_that_are_alike_have_names_that_are_not():
    assert WallRecipe(panes=(IDENTITY,) * 3).names == (
        "layer:4, identity",
        "layer:4, identity (2)",
        "layer:4, identity (3)",
    )


def test_the_recipe_of_a_pane_is_the_base_with_the_panes_choices():
    base = Recipe(model="bert-base", revision="abc", dataset="stsb", seed=3, calibrator="flow")
    wall = WallRecipe(base=base, panes=(IDENTITY, Pane("bert-base", "last", "whiten")))
    first, second = (wall.recipe_of(pane) for pane in wall.panes)
    assert first == base.with_(
        model="minilm", revision=None, layers="layer:4", calibrator="identity"
    )
    assert second == base.with_(layers="last", calibrator="whiten")


def test_the_recipe_of_words_takes_the_table_from_the_pane():
    pane = Pane("minilm", "layer-norm", "whiten")
    wall = WallRecipe(base=WordRecipe(seed=5), panes=(pane,))
    assert wall.of_words
    assert wall.recipe_of(pane) == WordRecipe(table="layer-norm", calibrator="whiten", seed=5)


def test_both_are_json_and_say_all_they_hold():
    wall = WallRecipe(base=Recipe(dataset="stsb"), panes=(IDENTITY, FLOW), max_rows=99)
    said = json.loads(json.dumps(wall.to_dict()))
    assert said["base"] == wall.base.to_dict()
    assert said["panes"][1] == {"model": "minilm", "layers": "layer:4", "calibrator": "flow"}
    assert (said["max_rows"], said["counts"]) == (99, None)
    picture = Picture(method="umap", dims=3, metric="l2", seed=8)
    said = json.loads(json.dumps(picture.to_dict()))
    assert Picture(**said) == picture


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"panes": ()}, "1 to 6 panes, got 0"),
        ({"panes": (IDENTITY,) * 7}, "got 7"),
        ({"max_rows": 1}, "2 to 100,000"),
        ({"max_rows": 100_001}, "2 to 100,000"),
        ({"panes": (Pane("minilm", "layer:x"),)}, "layer:x"),
        ({"panes": (Pane("minilm", "last", "whitten"),)}, "did you mean whiten"),
        ({"panes": (Pane("", "last"),)}, "model must be a text"),
        ({"base": WordRecipe(), "panes": (IDENTITY,)}, "table must be"),
        ({"panes": (Pane("minilm", "raw"),)}, "raw"),
        ({"base": WordRecipe(), "counts": "wordfreq"}, "from the base recipe"),
    ],
)
def test_a_wall_that_cannot_be_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        WallRecipe(**{"panes": (IDENTITY,), **changes})


START = "bertflow-lab analyse wall --out wall.html"
PANES = panes_of("minilm", ("layer:4", "last"), ("identity", "flow"))


def command(base=None, panes=PANES, picture=None, **choices):
    recipe = WallRecipe(base=base or Recipe(), panes=panes, **{"max_rows": PAGE_ROWS, **choices})
    return wall_command(recipe, picture or Picture())


def test_it_names_what_differs_from_the_command_of_nothing():
    spaces = "--layers layer:4 --layers last --calibrator identity --calibrator flow"
    assert command() == f"{START} {spaces}"
    full = command(
        Recipe(dataset="teaching", layers="first-last", aggregation="mean", seed=3),
        picture=Picture(method="umap", dims=3, metric="l2", min_dist=0.3),
        max_rows=500,
        counts="vocabulary",
    )
    assert full == (
        f"{START} --dataset teaching --seed 3 --layers layer:4 --layers last --counts vocabulary "
        "--max-rows 500 --method umap --dims 3 --metric l2 --min-dist 0.3 --calibrator identity "
        "--calibrator flow"
    )


@pytest.mark.parametrize(
    ("base", "panes"),
    [
        (WordRecipe(), (Pane("minilm", "raw"),)),
        (None, (Pane("minilm", "last"), Pane("bert-base", "last"))),
        (None, PANES[:3]),
        (None, PANES[::-1][1:]),
        (None, (PANES[0], PANES[0])),
    ],
)
def test_there_is_none_for_words_several_models_and_what_is_no_grid(base, panes):
    assert command(base, panes) == ""
