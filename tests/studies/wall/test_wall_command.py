"""The command that makes a wall again, and where there is none."""

import pytest

from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import Pane, Picture, WallRecipe
from bertflow_core.studies.wall.command import PAGE_ROWS, panes_of, wall_command
from bertflow_core.studies.words.recipe import WordRecipe

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


def test_settings_of_umap_do_not_count_for_others():
    assert command(picture=Picture(min_dist=0.3)) == command()


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
