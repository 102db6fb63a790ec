"""Check your model: data that are dropped, typed, pasted or fetched; models and calibrators."""

import pytest
from app_pages import (
    button,
    command_of,
    go,
    metrics,
    new_page,
    open_page,
    paste,
    press,
    table,
    texts,
    use_table,
)
from bertflow_app.pages.check import bring
from bertflow_app.pages.check.bring import EXAMPLE, as_table
from filelock import FileLock
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE

from bertflow_core.datasets import RawFile, read_table
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import context

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\tA cat.\tA dog.\t3.5\n2\tA.\tB.\t1\n"


def picker(page, label):
    return next((each for each in page.sidebar.selectbox if each.label == label), None)


@pytest.mark.usefixtures("fresh_server")
def test_what_is_missing_is_fetched_for_every_page(tmp_path, monkeypatch):
    def get_data(name):
        context.report(1, 2, "MB of the data set")
        folder = tmp_path / "senteval" / "SICK"
        folder.mkdir(parents=True)
        for split in ("train", "trial", "test_annotated"):
            (folder / f"SICK_{split}.txt").write_text(SICK)
        return 2_000_000

    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    monkeypatch.setattr(bring, "get_data", get_data)
    page = open_page("check")
    choice = next(each for each in page.selectbox if each.label == "Data set to fetch")
    assert {"stsb", "sts15", "sickr", "qnli", "snli", "mnli"} <= set(choice.options)
    choice.select("sickr").run()
    assert "CC BY-NC-SA 3.0" in texts(page)
    press(page, "Fetch")
    assert "sickr is available: 2.0 MB at revision e145e8b" in page.success[0].value
    button(page, "Models, data sets and calibrators").click().run()
    sizes = table(page, "Size").set_index("Name").Size
    assert sizes["sickr"] == "train 2 pairs; dev 2 pairs; test 2 pairs"
    assert "sickr" in picker(page, "Data").options


def test_why_a_data_set_cannot_be_fetched_is_said():
    page = press(open_page("check"), "Fetch")  # the tests' process may not ask the hub
    assert "HF_HUB_OFFLINE" in texts(page)
    assert "choose the built-in data set captions" in texts(page)
    assert button(page, "Fetch")


def test_every_model_is_shown_first_by_its_own_output_and_a_choice_of_layers_stays():
    page = go(new_page(dataset="teaching"), "check")
    for model in ("bge-base", "bert-base", "minilm"):
        picker(page, "Model").select(model).run()
        assert not page.exception
        assert (picker(page, "Layers").value, page.session_state["recipe"].layers) == ("model",) * 2
    picker(page, "Layers").select("layer:3").run()
    picker(page, "Model").select("bge-base").run()
    assert page.session_state["recipe"].layers == "layer:3"


@pytest.mark.parametrize(
    ("name", "formula", "parameters"),
    [
        ("null-top-k", "(I - U_k U_k^T) (x - mean)", ["k"]),
        ("identity", "x", None),
    ],
)
def test_one_calibrator_is_shown_in_full(name, formula, parameters):
    page = AppTest.from_function(shown_calibrators, default_timeout=PATIENCE).run()
    page.selectbox(key="calibrator_in_full").set_value(name).run()
    assert not page.exception
    assert formula in [each.value for each in page.code]
    tables = [each.value for each in page.table]
    assert [list(each["Parameter"]) for each in tables] == ([parameters] if parameters else [])


def shown_calibrators():
    from bertflow_app.pages.check.catalogue import calibrators

    calibrators()


def shown_cache():
    from bertflow_app.pages.check.catalogue import _cache

    _cache()


def test_the_cache_is_cleared_but_for_what_is_being_computed(monkeypatch, tmp_path):
    monkeypatch.setenv("BERTFLOW_CACHE", str(tmp_path))
    Lab(device="cpu").embed("minilm", ["A dog runs."])
    page = AppTest.from_function(shown_cache, default_timeout=PATIENCE).run()
    (folder,) = tmp_path.iterdir()
    with FileLock(folder / ".lock"):  # as another process holds it
        button(page, "Delete all").click().run()
    assert "are being computed" in texts(page)
    assert list(table(page, "Sentences").Sentences) == [1]
    button(page, "Delete all").click().run()
    assert not page.dataframe


def pairs_of(text):
    return read_table(RawFile("typed.csv", as_table(text))).data


def test_typed_pairs_become_a_table():
    example, plain = pairs_of(EXAMPLE), pairs_of('a, b | c\n\nd | "e"\n')
    assert example.first[0] == "I like this restaurant."
    assert example.gold.tolist() == [1.5, 4.5, 2.0]
    assert (plain.first, plain.second, plain.gold) == (("a, b", "d"), ("c", '"e"'), None)
    single, tabbed = pairs_of("one\ntwo\n\nthree"), pairs_of("a cat\ta dog\nhe runs\train")
    assert single.texts == ("one", "two", "three")
    assert (tabbed.first, tabbed.second) == (("a cat", "he runs"), ("a dog", "rain"))


@pytest.mark.parametrize("mark", [",", "\t"])
def test_a_pasted_table_keeps_its_columns(mark):
    lines = [
        ("sentence1", "sentence2", "score"),
        ("A cat, asleep.", "A dog.", "0.5"),
        ("A cow.", "A hen.", "no grade"),
    ]
    pairs = pairs_of("\n".join(mark.join(f'"{cell}"' for cell in line) for line in lines))
    assert (pairs.first[0], pairs.second[0]) == ("A cat, asleep.", "A dog.")
    assert pairs.gold.tolist() == [0.5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a | b", "at least two sentences"),
        ("a | b\nc", "line 2: expected first | second | gold, got 'c'"),
        ("a | b | 1\nc | d", "line 2: give gold scores in every line or in none"),
        ("a | b | 1\nc | d | six", "line 2: gold must be a number from 0 to 5, got 'six'"),
        ("a | b | 1\nc | d | nan", "line 2: gold must be a number"),
        ("a | | 1\nc | d | 2", "line 1: expected"),
    ],
)
def test_lines_of_another_form_get_a_sentence(text, words):
    with pytest.raises(InputError) as caught:
        as_table(text)
    assert words in str(caught.value)


def test_typed_pairs_are_shown_and_scored_under_what_was_fitted_before():
    page = paste(open_page("check", calibrators="standardize"), EXAMPLE)
    assert page.selectbox(key="dataset").value.startswith("typed-pairs.csv (")
    assert metrics(page)["Rows read"] == "3"
    assert page.selectbox(key="fit_on").value == "teaching"
    press(go(page, "lexical"), "Compare with edit distance")
    assert "fitted on teaching" in texts(page)
    assert "--fit-on teaching" in command_of(page)


def test_a_table_stays_at_hand_where_other_data_are_chosen():
    page = use_table(open_page("check"), "mine.csv", b"sentence1,sentence2\na b,c d\ne f,g h\n")
    mine = page.session_state["recipe"].dataset
    go(page, "scores")
    assert page.session_state["recipe"].dataset == mine
    picker(page, "Data").select("captions").run()
    assert mine in picker(page, "Data").options
