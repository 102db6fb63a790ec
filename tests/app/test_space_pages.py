"""Sentences, Words, and Words or meaning? without a browser: they show what the core measures."""

import json

import numpy as np
import pytest
from app_pages import check, open_page, press, table, texts
from bertflow_app import uploads
from plotly_numbers import numbers

from bertflow_core.analysis.measures import MEASURES
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.space.measure import SpaceRecipe, sentences
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words

SPEC = "standardize"


def traces(page, number):
    """Return name and y of each trace of a figure of numbers."""
    found = json.loads(page.get("plotly_chart")[number].proto.spec)["data"]
    return [(each["name"], numbers(each["y"])) for each in found]


def opened(**query):
    return open_page("sentences", space_calibrators=SPEC, **query)


def test_the_page_shows_what_the_core_measures_and_figures_of_the_layer_set_that_is_chosen():
    layers = ("layer:0", "layer:4")
    measured = press(opened(space_layers=[*layers]), "Measure the sentences")
    core = sentences(SpaceRecipe(dataset="teaching"), Lab(), ("identity", SPEC), layers)
    check(measured, controls=16, pictures=5)
    shown = table(measured, "measure").set_index("measure")
    for row in core.rows:
        column = shown[f"{row['layers']} {row['calibrator']}"]
        for measure in MEASURES.values():
            assert column[measure.label] == measure.text(row)
    assert "740 sentences; the calibrators were fitted on" in texts(measured)

    row = core.row(layers="layer:4", calibrator=SPEC)  # the sidebar's layer
    assert len(measured.get("plotly_chart")) == 5  # the second is of both layers
    verdicts = json.loads(measured.get("plotly_chart")[0].proto.spec)["data"]
    cosine = core.row(layers="layer:4", calibrator="identity")["mean_cosine"]
    assert verdicts[0]["text"][0] == f"{cosine:.2f}, a narrow cone"
    _, (name, y) = traces(measured, 2)
    assert name == SPEC
    values = np.array(row["singular_values"])
    np.testing.assert_allclose(y, (values / values[0])[: len(y)])
    assert traces(measured, 4)[0][0] == "real"

    measured.selectbox(key="overlaid").set_value("layer:0").run()
    check(measured)
    values = np.array(core.row(layers="layer:0", calibrator="identity")["singular_values"])
    _, y = traces(measured, 2)[0]
    np.testing.assert_allclose(y, (values / values[0])[: len(y)])


def test_single_sentences_of_an_upload_are_measured_whatever_was_fitted_on():
    lines = [
        f"the {a} {b} {c}"
        for a in ("cat", "dog", "sun")
        for b in ("sees", "eats")
        for c in ("bread", "a red ball", "the moon", "nothing")
    ]
    dataset = uploads.add("*mine* <b>.csv", "\n".join(["text", *lines]).encode())
    page = opened(dataset=dataset, sentence1="text", sentence2="none", fit_on="teaching")
    press(page, "Measure the sentences")
    check(page, pictures=2)
    shown = table(page, "measure").set_index("measure")["layer:4 identity"]
    assert shown["alignment of unit vectors, gold score at least 4/5 of the scale"] == "-"
    assert -4 < float(shown["uniformity of unit vectors"]) < 0
    assert "24 sentences; the calibrators were fitted on" in texts(page)
    assert "'*mine* <b>.csv'" in page.code[-1].value
    assert not [mark for mark in page.markdown if "<b>" in mark.value]


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
    assert "--unit character" in page.code[-1].value
