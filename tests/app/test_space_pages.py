"""The cone layer by layer, Words by frequency, and Words or meaning? without a browser."""

import pytest
from app_pages import check, command_of, open_page, press, table, texts

from bertflow_core.lab.lab import Lab
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words

SPEC = "standardize"


def test_the_recorded_model_needs_no_run():
    page = open_page("cone", dataset="captions", model="smollm2")
    check(page)
    assert "smollm2 on captions" in texts(page)
    assert not any(each.label == "Measure every layer" for each in page.button)
    assert "--model smollm2" in command_of(page)


def test_the_recorded_layers_are_shown_until_the_chosen_model_is_measured():
    page = open_page("cone")
    check(page)
    assert "smollm2 on captions" in texts(page)
    press(page, "Measure every layer")
    check(page)
    assert "minilm on teaching" in texts(page)
    assert len(table(page, "coordinates")) == 7
    assert command_of(page).startswith("bertflow-lab analyse depth --dataset teaching ")


def test_table_one_and_the_neighbours_of_a_word_are_what_the_core_measures():
    asked = {"bins": "0,100,500", "word_calibrators": SPEC}
    report = words(WordRecipe(bins=(0, 100, 500)), Lab(), [SPEC])
    page = open_page("words", **asked)
    check(page)
    press(page, "Measure the words")
    check(page, pictures=6)
    found = table(page, "mean_norm")
    for name in ("mean_norm", "knn_l2_3", "knn_dot_7"):
        assert list(found[name]) == pytest.approx([row[name] for row in report.rows], abs=1e-6)
    assert sum("Token" in found.value for found in page.dataframe) == 2
    space, _ = report.objects["spaces"]
    linked = open_page("words", **asked, word=space.prepared.words[7])
    for shown, number in ((page, 0), (linked, 7)):
        neighbours = space.neighbours_of(int(space.prepared.rows[number]), 10)
        assert list(table(shown, "Token")["Token"]) == [token for _, token, _ in neighbours]


def test_how_closely_cosine_follows_the_words_is_said():
    page = open_page("lexical", calibrators="whiten", threshold="6")
    press(page, "Compare with edit distance")
    check(page, controls=10, pictures=4)
    row = table(page, "gold_fixed").set_index("similarity").loc["identity"]
    assert f"from {row['edit_distance']:.2f} to" in texts(page)
    assert "at most 6 edits apart" in texts(page)
    fooled = table(page, "kind")
    near = fooled[fooled["kind"].str.startswith("near in words")]
    assert len(near) and (near["edit_distance"] <= 6).all()

    page.radio(key="unit").set_value("character").run()
    press(page, "Compare with edit distance")
    assert "character units" in texts(page)
    assert "--unit character" in command_of(page)
