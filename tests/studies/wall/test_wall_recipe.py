"""The choices of a wall and of a picture: what they refuse, and what they say of themselves."""

import json

import pytest

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Pane, Picture, WallRecipe
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
    assert (said["max_rows"], said["rows"], said["counts"]) == (99, "sentences", None)
    picture = Picture(method="umap", dims=3, metric="l2", seed=8)
    said = json.loads(json.dumps(picture.to_dict()))
    assert Picture(**said) == picture


def test_captions_name_every_pane_and_the_picture():
    caption = WallRecipe(base=Recipe(dataset="stsb"), panes=(IDENTITY, FLOW)).caption()
    assert caption.startswith("layer:4, identity | layer:4, flow; minilm; mean tokens")
    assert "stsb test" in caption
    assert Picture().caption() == "PCA, centred; 2-D; cosine (rows scaled to length 1)"
    assert Picture(method="umap", dims=3, metric="l2", n_neighbors=30, seed=2).caption() == (
        "UMAP, n_neighbors 30, min_dist 0.1, seed 2; 3-D; L2 distance"
    )


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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"method": "tsne"}, "method must be"),
        ({"dims": 4}, "dims must be"),
        ({"metric": "dot"}, "metric must be"),
        ({"n_neighbors": 1}, "n_neighbors"),
        ({"min_dist": 2.0}, "min_dist"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        Picture(**changes)
