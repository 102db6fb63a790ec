"""Addresses: each leads to its view; what one asks for is used, or named with what is instead."""

from urllib.parse import parse_qs

import pytest
from app_pages import check, go, new_page, open_page, texts
from bertflow_app import uploads
from bertflow_app.navigation import PAGES, VIEWS, page_of

from bertflow_core.lab.recipe import Recipe


def opened(**query):
    """A page that computes nothing, on the default data, as an address opens it."""
    return go(new_page(**query), "plane")


def refused(page):
    """The lines about the address, which stand before all else."""
    return [text.value for text in page.text if "cannot be used" in text.value]


def test_start_leads_to_the_comparison_that_it_shows(smollm2):
    links = open_page("start").get("page_link")
    (asked,) = (each.proto for each in links if each.proto.label.startswith("Compute this here"))
    page = go(new_page(**parse_qs(asked.query_string)), "scores")
    check(page)
    (choices,) = (each.label for each in page.expander if each.label.startswith("Choices"))
    for name in ("smollm2, minilm", "null-top-k:k=0, whiten, flow"):
        assert name in choices


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_with_its_controls_explained_and_only_its_tab_is_drawn(view):
    page = open_page(view)
    check(page)
    assert len(page.title) == 1
    drawn = [tab for tab in page.tabs if len(tab.children)]
    others = PAGES[page_of(view)].views
    titles = {tab.label for tab in drawn} & {*others.values()}
    assert titles == ({others[view]} if others else set())


@pytest.mark.parametrize(
    ("view", "asked", "used"),
    [
        ("tune", {"tune_parameter": "k"}, ("baselines and flow",)),
        ("scores", {"n_seeds": "1e999"}, ("1",)),
        ("lexical", {"threshold": "nan"}, ("4",)),
        (
            "plane",
            {"layers": "layer:99", "aggregation": "median", "seed": "1.5"}
            | {"precision": "float8", "dataset": "upload:0123", "fit_on": "nowhere"},
            ("model", "all", "1", "float32", "captions", "target"),
        ),
        (
            "plane",
            {"layers": "LAYER:2", "dataset": "<b>bold</b>", "seed": ["1", "2"]},
            ("model", "captions", "2"),
        ),
        ("plane", {"seed": ["2", "inf"]}, ("0",)),
    ],
)
def test_what_cannot_be_used_is_named_and_what_is_used_instead(view, asked, used):
    page = open_page(view, **asked)
    assert not page.exception
    values = {key: [value] if isinstance(value, str) else value for key, value in asked.items()}
    texts = ["&".join(f"{key}={each}" for each in values[key]) for key in asked]
    assert set(refused(page)) == {
        f"{text} cannot be used here; {value} is used."
        for text, value in zip(texts, used, strict=True)
    }
    assert tuple(str(page.session_state[key]) for key in asked) == used


def test_some_of_many_choices_that_are_not_there_are_named():
    page = open_page("wall", wall_rows="words", wall_tables=["raw", "nope"])
    assert refused(page) == ["wall_tables=raw&wall_tables=nope cannot be used here; raw is used."]
    assert max(len(text.value) for text in opened(layers="x" * 5_000).text) < 200


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("scores", "calibrators"), ("wall", "wall_calibrators"), ("ledger", "ledger_after")],
)
def test_a_calibrator_that_is_none_gets_one_sentence(name, parameter):
    page = open_page(name, **{parameter: "foo"})
    assert not page.exception
    assert texts(page).count("unknown calibrator 'foo'") == 1
    assert texts(page).count("foo") == 1


def test_the_line_stays_until_the_box_is_changed():
    page = opened(layers="layer:99", seed="inf")
    assert len(refused(page)) == 2
    go(page, "check")
    assert len(refused(page)) == 2
    page.selectbox(key="layers").set_value("last").run()
    assert refused(page) == ["seed=inf cannot be used here; 0 is used."]
    page.number_input(key="seed").set_value(3).run()
    assert refused(page) == []
    assert page.session_state["recipe"].seed == 3


def test_a_link_changes_the_boxes_of_the_sidebar_which_are_on_every_page():
    page = opened(model="bert-base", second_model="minilm", layers="layer:3", seed="4")
    followed = {"model": ["bert-base", "minilm"], "layers": "layer:2", "seed": "5"}
    for name, value in {**followed, "second_model": ["minilm", ""]}.items():
        page.query_params[name] = value  # the browser puts the values of the boxes first
    go(page, "check")
    assert page.session_state["recipe"] == Recipe(layers="layer:2", seed=5)
    assert page.session_state["second_model"] is None
    assert refused(page) == []
    page.selectbox(key="layers").set_value("last").run()
    assert page.session_state["recipe"].layers == "last"


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


def test_a_recipe_goes_through_the_address_and_back():
    table = uploads.add("mine.csv", b"left,right,points\na cat,a dog,1\nred,blue,4\n")
    columns = {"sentence1": "right", "sentence2": "left", "score": "points"}
    for recipe in (
        Recipe(layers="first-last", tokens="cls", seed=10_000, aggregation="wmean"),
        Recipe(model="bert-large", layers="layer:24"),
        Recipe(layers="model", dataset=table, scale="0,4", **columns),
    ):
        names = ("model", "layers", "seed", "aggregation")
        written = {key: str(getattr(recipe, key)) for key in names}  # a default is no fault
        for query in (recipe.changes(), recipe.changes() | written):
            page = opened(**query)
            assert page.session_state["recipe"] == recipe
            assert refused(page) == []
