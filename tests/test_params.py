"""Parameters survive every form they are written in; a recipe's fingerprint and command."""

import json
from dataclasses import fields
from math import inf, nan

import pytest
from any_recipes import recipes
from hypothesis import given

from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.lab.recipe import COMMAND, OF_PLAIN, Recipe
from bertflow_core.params import Params, parameters_of
from bertflow_core.studies.reproduce.items import PaperParams
from bertflow_core.studies.words.recipe import WordRecipe


def test_the_options_of_the_flow_are_those_of_its_configurations():
    for config in (GlowConfig, TrainingConfig):
        declared = {each.name: each for each in parameters_of(config)}
        shared = [each for each in parameters_of(FlowCalibrator) if each.name in declared]
        assert len(shared) >= 5
        for each in shared:  # the default of the seed is the recipe's
            assert each == declared[each.name] or each.name == "seed"


PICTURE = Picture(method="umap", metric="l2", n_neighbors=9, min_dist=0.5, seed=4)
RECIPE = Recipe(
    model="m", revision="r", layers="last", tokens="cls", max_length=32, precision="bfloat16",
    template="a {text}", query_template="b {text}",
    dataset="d.csv", split="dev", sentence1="a", sentence2="b", score="c", subset="e",
    scale="0,1", roles="symmetric", metric="auc", similarity="dot", calibrator="whiten",
    fit_on="train", seed=1, aggregation="mean",
)  # fmt: skip
WORDS = WordRecipe(
    model="m", revision="r", counts="c.txt", bins=(0, 7, 9), k=(2, 4), table="layer-norm",
    words="any", ranks="list", digits="drop", neighbours="whole", itself="include",
    calibrator="whiten", seed=3,
)  # fmt: skip
WALL = WallRecipe(max_rows=9, counts="c.txt", models=("m",))
PAPER = PaperParams(item="table5", models=("bert-base",), seed=3, seeds=2)
MODEL = Recipe(
    layers="model", prompt="query", query_prompt="q: ", document_prompt="d: ", truncate_dim=8
)
PANES = {"base", "layers", "calibrators"}
"""Fields of a wall that are no parameters: its command makes them of its options."""
CHANGED = [RECIPE, MODEL, WORDS, PICTURE, WALL, PAPER]


KINDS = [each for each in Params.__subclasses__() if each.__module__.startswith("bertflow")]


@pytest.mark.parametrize("params", CHANGED, ids=lambda each: type(each).__name__)
def test_parameters_come_back_from_their_dictionary_and_from_their_options(params):
    kind = type(params)
    declared = {each.name for each in parameters_of(kind)}
    values = {name: value for name, value in params.to_dict().items() if name in declared}
    assert kind.from_dict(json.loads(json.dumps(values))) == params
    assert kind().changes() == {}
    options = {each.option: each for each in parameters_of(kind)}
    words = iter(params.to_args())
    named = {each.name: getattr(params, each.name) for each in options.values() if each.positional}
    read = {options[word].name: options[word].parse(next(words)) for word in words}
    assert kind(**named, **read) == params


@pytest.mark.parametrize("kind", KINDS, ids=lambda each: each.__name__)
def test_every_parameter_is_described_changed_in_these_tests_and_guarded(kind):
    changed = {name for each in CHANGED if isinstance(each, kind) for name in each.changes()}
    assert changed == {each.name for each in parameters_of(kind)}
    others = PANES if kind is WallRecipe else set()
    assert {each.name for each in fields(kind)} - others == changed
    for each in parameters_of(kind):
        assert each.help.endswith(".")
        for wrong in (3j, "", "\n", True, inf, nan, 10**400):
            with pytest.raises(InputError, match=each.name):
                kind(**{each.name: wrong})
    with pytest.raises(InputError, match="no field"):
        kind.from_dict({"undeclared": 1})
    with pytest.raises(InputError, match="no field"):
        kind().with_(undeclared=1)


PLAIN, PROMPTS = {"layers": "model"}, ("prompt", "query_prompt")


def test_every_field_and_the_versions_of_what_computes_change_the_fingerprint(monkeypatch):
    changes = {name: getattr(RECIPE, name) for name in RECIPE.changes()}
    declared = {name: getattr(MODEL, name) for name in OF_PLAIN}
    assert {*changes, *declared} == set(Recipe().to_dict())
    found = [Recipe(), *(Recipe(**{name: value}) for name, value in changes.items())]
    found += [Recipe(layers="model", **{name: value}) for name, value in declared.items()]
    found.append(Recipe(layers="model"))
    assert len({each.fingerprint() for each in found}) == len(found)
    before = Recipe().fingerprint()
    monkeypatch.setattr("bertflow_core.lab.recipe.version_of", lambda name: "0.0.0")
    assert Recipe().fingerprint() != before


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"template": "no place"}, r"\{text\} exactly once.* got 0"),
        ({"template": "{text} {text}"}, "exactly once.* got 2"),
        ({"query_template": "b"}, r"\{text\} exactly once"),
        ({"template": "{text}" + "a" * 1000}, "at most 1,000 characters, got 1,006"),
        ({"template": "{text}\n"}, "template must be a text .*printable"),
        ({"template": ""}, "template must be a text of 1"),
        ({"template": "{text}", "prompt": "query", **PLAIN}, "template cannot be combined"),
        ({"prompt": "a", "query_template": "b {text}", **PLAIN}, "template cannot be combined"),
        ({"query_prompt": "a: ", "template": "{text}", **PLAIN}, "template cannot be combined"),
        ({"template": "{text}", "model": "glove:a.txt"}, "no network that reads a template"),
        ({"layers": "last", "model": "glove:a.txt"}, "no layers"),
        ({"tokens": "mean-contents"}, "token pooling.*mean-content"),
        *(({"layers": "last", name: "q"}, f"no {name} with layers last") for name in PROMPTS),
        ({"layers": "last", "truncate_dim": 8}, "truncate_dim"),
        ({"layers": "last", "tokens": "model"}, "token pooling 'model'"),
        ({"tokens": "cls", **PLAIN}, "tokens"),
        ({"max_length": 32, **PLAIN}, "max_length"),
        ({"truncate_dim": -1, **PLAIN}, "truncate_dim"),
        ({"roles": "query"}, "one of query,document, document,query, symmetric"),
        ({"similarity": "l1"}, "one of cosine, dot.* got 'l1'"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_refused_in_one_sentence(wrong, words):
    with pytest.raises(InputError, match=words) as caught:
        Recipe(**wrong)
    assert "\n" not in str(caught.value) and not str(caught.value).endswith(".")


def test_auto_is_settled_at_once():
    assert Recipe(precision="auto").precision in ("float32", "bfloat16", "float16")


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
