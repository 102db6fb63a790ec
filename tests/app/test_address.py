"""What an address asks for is used, or named on the page with what is used instead."""

import ast
from pathlib import Path

import bertflow_app
import pytest
from app_pages import MAIN, clear_server, go, open_page, press, texts
from bertflow_app import services
from bertflow_app.address import CHOICES, NUMBERS, SPECS
from bertflow_app.navigation import VIEWS
from bertflow_app.pages.tune.sliders import TURNED
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE

from bertflow_core.params import parameters_of
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import LexicalRecipe
from bertflow_core.studies.newborn.recording import NewbornRecipe
from bertflow_core.studies.wall.recipe import Picture, RowChoices
from bertflow_core.studies.words.recipe import WordRecipe

PAGES = VIEWS
ENDLESS = ("inf", "-inf", "1e999", "nan")


@pytest.fixture(autouse=True)
def fresh_server(monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
    clear_server()


def opened(**query):
    """The first page, as an address opens it."""
    page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE)
    for key, value in query.items():
        page.query_params[key] = value
    return page.run()


def refused(page):
    """The lines about the address, which stand before all else."""
    return [text.value for text in page.text if "cannot be used" in text.value]


def test_no_page_breaks_at_a_seed_without_end():
    page = opened()
    for place, name in enumerate(PAGES):
        page.query_params["seed"] = text = ENDLESS[place % len(ENDLESS)]
        go(page, name)
        assert not page.exception, name
        assert refused(page) == [f"seed={text} cannot be used here; 0 is used."], name
        assert page.number_input(key="seed").value == 0


@pytest.mark.parametrize(
    ("name", "asked", "used"),
    [
        ("knobs", {"flow_seeds": "6"}, (1,)),
        ("sliders", {"turn_depth": "4"}, (3,)),
        ("compare", {"n_seeds": "1e999"}, (1,)),
        ("lexical", {"threshold": "nan"}, (4,)),
    ],
)
def test_a_number_that_cannot_be_is_named_and_the_default_used(name, asked, used):
    page = open_page(name, **asked)
    assert not page.exception
    boxes = {box.key: box.value for box in (*page.number_input, *page.slider, *page.select_slider)}
    assert tuple(boxes[key] for key in asked) == used
    assert set(refused(page)) == {
        f"{key}={text} cannot be used here; {value} is used."
        for (key, text), value in zip(asked.items(), used, strict=True)
    }


@pytest.mark.parametrize(
    ("asked", "used"),
    [
        (
            {"layers": "layer:99", "tokens": "sum", "aggregation": "median", "seed": "1.5"},
            ("layer:4", "mean", "all", "1"),
        ),
        (
            {"model": "/etc/passwd", "dataset": "upload:0123", "fit_on": "nowhere"},
            ("minilm", "captions", "target"),
        ),
        (
            {"layers": "LAYER:2", "dataset": "<b>bold</b>", "seed": ["1", "2"]},
            ("layer:4", "captions", "2"),
        ),
        ({"seed": ["2", "inf"]}, ("0",)),
    ],
)
def test_a_choice_that_a_box_does_not_have_is_named(asked, used):
    page = opened(**asked)
    assert not page.exception
    texts = {
        key: "&".join(f"{key}={each}" for each in ([values] if isinstance(values, str) else values))
        for key, values in asked.items()
    }
    assert set(refused(page)) == {
        f"{text} cannot be used here; {value} is used."
        for text, value in zip(texts.values(), used, strict=True)
    }


def test_some_of_many_choices_that_are_not_there_are_named():
    page = open_page("wall", wall_tables=["raw"], wall_models=["minilm", "nope"])
    assert refused(page) == [
        "wall_models=minilm&wall_models=nope cannot be used here; minilm is used."
    ]


def test_an_unknown_parameter_is_named_with_the_nearest_one():
    page = opened(sead="3", **{"<b>": "1"})
    assert "sead is no parameter of any page; did you mean seed?" in texts(page)
    assert "<b> is no parameter of any page." in texts(page)


@pytest.mark.parametrize(
    ("name", "parameter", "said"),
    [
        ("compare", "calibrators", "unknown calibrator 'foo'"),
        ("wall", "wall_calibrators", "unknown calibrator 'foo'"),
        ("ledger", "ledger_after", "unknown calibrator 'foo'"),
        ("plane", "calibrators", "calibrators=foo is a choice of another page."),
    ],
)
def test_a_calibrator_that_is_none_gets_one_sentence(name, parameter, said):
    page = open_page(name, **{parameter: "foo"})
    assert not page.exception
    assert texts(page).count(said) == 1
    assert texts(page).count("foo") == 1


@pytest.mark.parametrize(
    ("name", "parameter", "label"),
    [
        ("calibrate", "calibrators", "Calibrate"),
        ("layers", "layer_calibrators", "Map the layers"),
        ("sentences", "space_calibrators", "Measure the sentences"),
    ],
)
def test_a_job_that_fails_at_such_a_calibrator_adds_no_second_one(name, parameter, label):
    page = press(open_page(name, **{parameter: "foo"}), label)
    assert texts(page).count("foo") == 1
    later = open_page("lexical", calibrators="foo")  # which finds the job of Calibrate
    assert texts(later).count("foo") == 1


def test_what_was_said_beside_a_box_counts_as_said_in_that_run_alone():
    page = open_page("compare", calibrators="foo")
    (sentence,) = page.session_state["said"]
    assert sentence in texts(page)
    page.multiselect(key="calibrators").set_value(["whiten"]).run()
    assert sentence not in texts(page)
    assert page.session_state["said"] == set()


@pytest.mark.parametrize("name", PAGES)
def test_a_choice_of_calibrators_is_another_pages_where_the_page_has_no_such_box(name):
    page = open_page(name, **dict.fromkeys(SPECS, "whiten"))
    named = [text.value for text in page.text if "choice of another page" in text.value]
    held = [key for key in SPECS if key in page.session_state]
    assert named == [
        f"{key}=whiten is a choice of another page." for key in SPECS if key not in held
    ]


@pytest.mark.parametrize("reason", [{"bins": "0,x"}, {"model": "glove:x.txt"}])
def test_a_box_that_a_page_did_not_come_to_is_still_its_own(reason, monkeypatch):
    monkeypatch.setattr(services, "encoders", lambda: ["minilm", "glove:x.txt"])
    page = open_page("words", word_calibrators="whiten", **reason)
    assert "word_calibrators" not in page.session_state
    assert "choice of another page" not in texts(page)


def test_a_long_or_a_crowded_address_takes_a_few_lines():
    page = opened(**{f"a{i}": "b" for i in range(50)}, layers="x" * 5_000)
    lines = [text.value for text in page.text]
    assert max(map(len, lines)) < 200
    assert lines[10] == "And 41 more."


def test_the_line_stays_until_the_box_is_changed():
    page = opened(layers="layer:99", seed="inf")
    assert len(refused(page)) == 2
    go(page, "calibrate")
    assert len(refused(page)) == 2
    page.selectbox(key="layers").set_value("last").run()
    assert refused(page) == ["seed=inf cannot be used here; 0 is used."]
    page.number_input(key="seed").set_value(3).run()
    assert refused(page) == []
    assert page.session_state["recipe"].seed == 3


def test_what_a_page_shows_later_is_looked_at_then():
    page = open_page("plane", inside_epochs="3", after="nothing")
    assert refused(page) == []
    go(page, "fit")
    assert page.radio(key="inside_epochs").value == "3"
    assert not page.exception


def test_a_value_that_is_there_twice_is_one_value():
    page = opened(
        seed=["3", "3"], layers=["last", "last"], calibrators=["flow", "center", "flow", "center"]
    )
    assert refused(page) == []
    once = {"seed": "3", "layers": "last", "calibrators": ["flow", "center"]}
    assert {name: page.query_params[name] for name in once} == once
    assert page.session_state["recipe"] == Recipe(seed=3, layers="last")


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(layers="first-last", tokens="cls", seed=10_000, aggregation="wmean"),
        Recipe(model="bert-large", layers="layer:24"),
    ],
)
def test_a_recipe_goes_through_the_address_and_back(recipe):
    page = opened(**recipe.changes())
    assert page.session_state["recipe"] == recipe
    assert refused(page) == []
    given = {key: str(getattr(recipe, key)) for key in ("model", "layers", "tokens", "seed")}
    explicit = opened(**given, aggregation=recipe.aggregation)  # defaults written out are no fault
    assert explicit.session_state["recipe"] == recipe
    assert refused(explicit) == []


def test_an_uploaded_table_goes_through_the_address_too():
    content = b"left,right,points\na cat,a dog,1\nred,blue,4\n"
    dataset = services.uploads().add("mine.csv", content)
    query = {"sentence1": "right", "sentence2": "left", "score": "points", "scale": "0,4"}
    page = opened(dataset=dataset, **query)
    recipe = page.session_state["recipe"]
    assert {key: getattr(recipe, key) for key in query} == query
    assert refused(page) == []


DECLARES = {
    each.__name__: each
    for each in (LexicalRecipe, NewbornRecipe, Picture, Recipe, RowChoices, WordRecipe)
}


def bound_boxes():
    """Yield of every box that the address holds whether it is of numbers, and its key as written.

    A box is bound by the name of its parameter, or drawn by hand with a key.
    """
    for path in Path(bertflow_app.__file__).parent.rglob("*.py"):
        if path.name == "study_page.py":
            continue  # its boxes are those of any parameters
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            options = {each.arg: each.value for each in getattr(node, "keywords", ())}
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "bound":
                name = ast.unparse(node.args[1]).strip("'")
                declared = parameters_of(DECLARES[node.args[0].id])
                kinds = {each.name: each.kind for each in declared}
                yield kinds.get(name) in (int, float), options.get("key", node.args[1])
            elif isinstance(node, ast.Call) and "bind" in options:
                yield node.func.attr in ("number_input", "slider"), options["key"]


def test_every_parameter_of_every_page_is_known_by_its_kind():
    written = {True: set(), False: set()}
    computed = set()
    for is_number, key in bound_boxes():
        if isinstance(key, ast.Constant):
            written[is_number].add(key.value)
        else:
            computed.add(ast.unparse(key))
    assert written[True] <= NUMBERS
    assert written[False] <= CHOICES
    ours = {"f'knob_{sweep.parameter}'", "f'turn_{each.name}'", "f'words_{each.name}'"}
    assert computed == {"_STEP", "_tab_key(name)", "field", "key", "name", *ours}
    assert {f"turn_{name}" for name in TURNED} <= CHOICES
