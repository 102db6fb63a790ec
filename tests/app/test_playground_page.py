"""Playground without a browser: what is typed, what the core says of it, and what is refused."""

import csv
import io

import pytest
from app_pages import button, check, open_page, press, table, texts

from bertflow_core.exhibits.playground import build_playground, embed_typed, examples
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

BUTTON = "Compare the sentences"
SPECS = ("identity", "null-top-k:k=1", "standardize")
TYPED = "=cat sleeps\n*a dog* <b>barks</b>\n\nA dog barks!"
LINES = [line for line in TYPED.splitlines() if line]
NEGATION = next(iter(examples().values()))
WRONG = [
    ("alone", "type from 2 to 200 sentences"),
    ("a\n" + "x" * 501, "line 2 has 501 characters"),
]


def opened(section, **query):
    chosen = [spec for spec in SPECS if spec != "identity"]
    return open_page("playground", play_calibrators=chosen, play_section=section, **query)


def text_box(page):
    return page.text_area[0]


def test_every_pair_of_an_example_has_its_numbers():
    page = press(opened("Similarity"), BUTTON)
    check(page, controls=12, pictures=4)
    playground = build_playground(Recipe(dataset="teaching"), Lab(), SPECS)
    pairs = embed_typed(playground, Lab(), NEGATION.sentences)
    shown = table(page, "edit_distance").set_index(["a", "b"])
    assert len(shown) == 15
    for spec in SPECS:
        assert shown.loc[(1, 3), f"cosine {spec}"] == pytest.approx(pairs.cosines[spec][0, 2])
    assert shown.loc[(1, 3), "edit_distance"] == 1
    assert table(page, "Is")["standardize"][0].startswith(("yes", "no"))
    assert "not" in table(page, "Pieces")["Pieces"][2].split(" | ")
    assert "Typed sentences play no part in any fit." in texts(page)
    text_box(page).set_value(TYPED)
    page = press(page, BUTTON)
    assert list(table(page, "Pieces")["Sentence"]) == ["'=cat sleeps", *LINES[1:]]
    assert not any("Is" in found.value for found in page.dataframe)
    assert LINES[1] not in " ".join(m.value for m in page.markdown)


def test_a_file_says_what_its_numbers_depend_on(files):
    press(opened("Similarity", unit="character"), BUTTON)
    line = next(csv.DictReader(io.StringIO(files["typed-pairs.csv"]())))
    assert line["unit"] == "character"
    recipe = {k: str(v) for k, v in Recipe(dataset="teaching").columns().items() if v is not None}
    del recipe["recipe_calibrator"], recipe["recipe_aggregation"]
    assert "recipe_aggregation" not in line
    assert recipe.items() <= line.items()


def test_neighbours_of_a_typed_sentence():
    page = press(opened("Among real sentences", play_sentence="3"), BUTTON)
    check(page, pictures=4)
    assert NEGATION.sentences[2] in texts(page)
    tables = [found.value for found in page.dataframe if "cosine" in found.value]
    assert len(tables) == len(SPECS)
    assert all(list(t["cosine"])[:10] == sorted(t["cosine"][:10], reverse=True) for t in tables)
    assert "came" not in set(tables[0]["Change"])
    for each in tables:
        assert (each["Change"] == "came").sum() == (each["Change"] == "left").sum()


def test_a_text_that_cannot_be_read_gets_a_sentence_and_stays_in_its_box():
    page = opened("Similarity")
    for text, words in WRONG:
        text_box(page).set_value(text).run()
        check(page, controls=4)
        assert words in texts(page)
        assert text_box(page).value == text
        assert BUTTON not in [each.label for each in page.button]


def test_an_example_can_be_started_over_and_each_keeps_its_text():
    page = opened("Similarity")
    assert NEGATION.watch in texts(page)
    text_box(page).set_value(TYPED).run()
    assert NEGATION.watch not in texts(page)
    page.button_group(key="preset").set_value("Swapped roles").run()
    assert examples()["Swapped roles"].watch in texts(page)
    page.button_group(key="preset").set_value("Negation").run()
    assert text_box(page).value == TYPED
    text_box(page).set_value("alone").run()
    button(page, "Start over from the example").click().run()
    assert text_box(page).value == "\n".join(NEGATION.sentences)
    assert button(page, BUTTON)
