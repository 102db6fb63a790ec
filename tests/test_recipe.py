import json
import shlex
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bertflow_core.errors import InputError
from bertflow_core.recipe import COMMAND, Recipe

names = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1)
optional = st.none() | names
specs = st.sampled_from(
    ["identity", "null-top-k:k=6", "standardize+null-top-k:k=6", "flow:lr=1e-3,epochs=1"]
)
recipes = st.builds(
    Recipe,
    model=names,
    revision=optional,
    layers=st.sampled_from(["last", "last2", "first-last", "layer:0", "layer:12"]),
    tokens=st.sampled_from(["mean", "cls", "max"]),
    max_length=st.integers(3, 10_000),
    dtype=st.sampled_from(["float32", "bfloat16"]),
    dataset=names,
    layout=optional,
    split=names,
    sentence1=optional,
    sentence2=optional,
    score=optional,
    subset=optional,
    scale=optional,
    calibrator=specs,
    fit_on=names,
    seed=st.integers(0, 2**32 - 1),
    aggregation=st.sampled_from(["all", "mean", "wmean"]),
)


@given(recipes)
def test_json_gives_the_recipe_back(recipe):
    assert Recipe.from_json(recipe.to_json()) == recipe


@given(recipes)
def test_the_query_string_gives_the_recipe_back(recipe):
    assert Recipe.from_query(recipe.to_query()) == recipe
    assert Recipe.from_query("?" + recipe.to_query()) == recipe or recipe == Recipe()


@given(recipes)
def test_the_shell_command_gives_the_recipe_back(recipe):
    words = shlex.split(recipe.to_command())
    assert words[:2] == COMMAND.split()
    assert Recipe.from_args(words[2:]) == recipe


@given(recipes, recipes)
def test_fingerprints_are_equal_exactly_where_recipes_are(a, b):
    assert (a.fingerprint() == b.fingerprint()) == (a == b)


def test_every_field_changes_the_fingerprint():
    changed = {
        "model": "x/y", "revision": "abc", "layers": "last", "tokens": "cls", "max_length": 32,
        "dtype": "bfloat16", "dataset": "stsb", "layout": "glue", "split": "dev",
        "sentence1": "a", "sentence2": "b", "score": "c", "subset": "d", "scale": "0,1",
        "calibrator": "whiten", "fit_on": "train", "seed": 1, "aggregation": "mean",
    }  # fmt: skip
    assert set(changed) == set(Recipe().to_dict())
    prints = {Recipe().with_(**{name: value}).fingerprint() for name, value in changed.items()}
    assert len(prints | {Recipe().fingerprint()}) == len(changed) + 1


def test_the_fingerprint_knows_the_versions_of_what_computes(monkeypatch):
    before = Recipe().fingerprint()
    monkeypatch.setattr("bertflow_core.recipe.version", lambda name: "0.0.0")
    assert Recipe().fingerprint() != before


def test_defaults_are_left_out_of_the_url_and_the_command():
    assert Recipe().to_query() == ""
    assert Recipe().to_command() == f"{COMMAND} --calibrator identity"
    assert Recipe(layers="last").to_query() == "layers=last"


def test_a_command_may_compare_several_calibrators():
    command = Recipe(seed=1, calibrator="flow").to_command(["identity", "whiten"])
    assert command == f"{COMMAND} --seed 1 --calibrator identity --calibrator whiten"


def test_a_value_that_starts_with_a_dash_stays_a_value():
    assert Recipe(dataset="-x.csv").to_args() == ["--dataset=-x.csv"]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"layers": "layer:-1"}, "unknown layer set"),
        ({"tokens": "sum"}, "unknown token pooling"),
        ({"calibrator": "flw"}, "did you mean flow"),
        ({"calibrator": "null-top-k:k=x"}, "k must be a whole number"),
        ({"dtype": "float16"}, "expected one of float32, bfloat16"),
        ({"aggregation": "median"}, "expected one of all, mean, wmean"),
        ({"max_length": 2}, "at least 3"),
        ({"max_length": "64"}, "whole number"),
        ({"seed": -1}, "seed must be from 0"),
        ({"seed": True}, "whole number"),
        ({"model": ""}, "1 to 4096 characters"),
        ({"model": None}, "1 to 4096 characters"),
        ({"model": "a\nb"}, "control characters"),
        ({"layer": "last"}, "did you mean layers"),
    ],
)
def test_a_wrong_value_gets_a_sentence(values, words):
    with pytest.raises(InputError, match=words):
        Recipe.from_dict(values)


@pytest.mark.parametrize("text", ["", "[]", "{", '"x"', json.dumps({"seed": 1.5})])
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(InputError):
        Recipe.from_json(text)


@pytest.mark.parametrize("query", ["seed=1&seed=2", "seed=x", "colour=red", "layers"])
def test_what_is_no_query_of_a_recipe_is_refused(query):
    with pytest.raises(InputError):
        Recipe.from_query(query)


def test_importing_the_recipe_is_light():
    code = (
        "import sys, bertflow_core.recipe; "
        "print([m for m in ('torch', 'scipy', 'sklearn', 'pandas') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
