"""A recipe's options are those of the real command: what `to_args` gives, `evaluate` takes."""

import shlex

import pytest
from any_recipes import declared_recipes, recipes
from hypothesis import given, settings

from bertflow_core.cli import main
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe


def seen_by_evaluate(args):
    """Run the command as far as the evaluation; return its recipe and calibrators."""
    found = []

    def spaces(lab, recipe, layers, specs):
        (layers,) = layers
        found.append((recipe.with_(layers=layers), list(specs)))
        raise InputError("seen")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lab, "spaces", spaces)
        with pytest.raises(SystemExit) as left:
            main(["evaluate", *args, "--no-store"])
    assert left.value.code == 2
    return found[0]


@settings(max_examples=40)
@given(recipes | declared_recipes)
def test_the_command_line_gives_the_recipe_back(recipe):
    program, command, *args = shlex.split(recipe.to_command())
    assert (program, command) == ("bertflow-lab", "evaluate")
    found, specs = seen_by_evaluate(args)
    assert found.with_(calibrator=recipe.calibrator) == recipe
    assert specs[0 if recipe.calibrator == "identity" else -1] == recipe.calibrator


def test_every_field_of_a_recipe_is_an_option():
    changed = Recipe(
        model="m", revision="r", layers="last", tokens="cls", max_length=32, precision="bfloat16",
        dataset="d.csv", split="dev", sentence1="a", sentence2="b", score="c",
        subset="e", scale="0,1", calibrator="whiten", fit_on="train", seed=1, aggregation="mean",
        metric="auc",
    )  # fmt: skip
    declared = Recipe(layers="model", prompt="query", truncate_dim=8)
    assert {*changed.changes(), *declared.changes()} == set(changed.to_dict())
    for recipe in (changed, declared):
        found, specs = seen_by_evaluate([*recipe.to_args(), "--calibrator", recipe.calibrator])
        assert found.with_(calibrator=specs[-1]) == recipe
