import json

from any_recipes import recipes
from hypothesis import given
from test_params import MODEL, RECIPE

from bertflow_core.recipe import COMMAND, Recipe


def test_every_field_changes_the_fingerprint():
    changes = {name: getattr(RECIPE, name) for name in RECIPE.changes()}
    declared = {name: getattr(MODEL, name) for name in ("prompt", "truncate_dim")}
    assert {*changes, *declared} == set(Recipe().to_dict())
    found = [Recipe(), *(Recipe(**{name: value}) for name, value in changes.items())]
    found += [Recipe(layers="model", **{name: value}) for name, value in declared.items()]
    found.append(Recipe(layers="model"))
    assert len({each.fingerprint() for each in found}) == len(found)


def test_auto_is_settled_at_once_and_an_older_recipes_name_of_it_is_read():
    assert Recipe(precision="auto").precision in ("float32", "bfloat16", "float16")
    old = {**Recipe().to_dict(), "dtype": "bfloat16"}
    del old["precision"]
    assert Recipe.from_dict(old) == Recipe(precision="bfloat16")


def test_the_fingerprint_knows_the_versions_of_what_computes(monkeypatch):
    before = Recipe().fingerprint()
    monkeypatch.setattr("bertflow_core.recipe.version_of", lambda name: "0.0.0")
    assert Recipe().fingerprint() != before


def test_a_command_has_what_is_not_default_and_options_of_its_own():
    assert Recipe().to_command() == f"{COMMAND} --calibrator identity"
    assert Recipe(layers="last").to_args() == ["--layers", "last"]
    assert Recipe(dataset="-x.csv").to_args() == ["--dataset=-x.csv"], "it stays a value"
    compared = Recipe(seed=1, calibrator="flow").to_command(["identity", "whiten"])
    assert compared == f"{COMMAND} --seed 1 --calibrator identity --calibrator whiten"
    lexical = "bertflow-lab analyse lexical"
    own = Recipe(seed=1).to_command(command=lexical, options=[("--unit", "-odd"), ("--n", 4)])
    assert own == f"{lexical} --seed 1 --unit=-odd --n 4 --calibrator identity"


IGNORED = ("layers", "calibrator", "aggregation")


@given(recipes, recipes)
def test_an_ignored_field_decides_nothing(a, b):
    same = a.with_(**{name: getattr(b, name) for name in IGNORED})
    one, other = a.without(*IGNORED), same.without(*IGNORED)
    assert one == other
    assert Recipe.from_dict(json.loads(json.dumps(a.to_dict()))) == a
    assert one.fingerprint() == other.fingerprint()
    assert one.caption() == other.caption()
    assert one.columns() == other.columns()
    assert one.to_command() == other.to_command()
    assert one.columns().keys() == a.columns().keys() - {f"recipe_{name}" for name in IGNORED}
