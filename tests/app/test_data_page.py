"""Your data: dropped, pasted and fetched; how models and calibrators are shown."""

import pytest
from app_pages import button, clear_server, go, open_page, press, table, texts, use_table
from bertflow_app.pages.data import more
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE

from bertflow_core import context

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\tA cat.\tA dog.\t3.5\n2\tA.\tB.\t1\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    clear_server()
    yield tmp_path
    clear_server()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def picker(page, label):
    return next((each for each in page.sidebar.selectbox if each.label == label), None)


def test_what_is_missing_is_fetched_for_every_page(data, monkeypatch):
    def get_data(name):
        context.report(1, 2, "MB of the data set")
        for split in ("train", "trial", "test_annotated"):
            write(data / f"senteval/SICK/SICK_{split}.txt", SICK)
        return 2_000_000

    monkeypatch.setattr(more, "get_data", get_data)
    page = open_page("data")
    choice = next(each for each in page.selectbox if each.label == "Data set to fetch")
    assert {"stsb", "sts15", "sickr", "qnli", "snli", "mnli"} <= set(choice.options)
    choice.select("sickr").run()
    assert "CC BY-NC-SA 3.0" in texts(page)
    press(page, "Fetch")
    assert "sickr is here: 2.0 MB at revision e145e8b" in page.success[0].value
    button(page, "Models, data sets and calibrators").click().run()
    sizes = table(page, "Pairs").set_index("Name").Pairs
    assert sizes["sickr"] == "train 2, dev 2, test 2"
    assert "sickr" in picker(page, "Data").options


def test_why_a_data_set_cannot_be_fetched_is_said():
    page = press(open_page("data"), "Fetch")  # the tests' process may not ask the hub
    assert "HF_HUB_OFFLINE" in texts(page)
    assert "choose the data set captions" in texts(page)
    assert button(page, "Fetch")


def test_a_model_trained_for_sentences_is_shown_first_as_its_makers_declare_it():
    page = open_page("data")
    for model, layers in [("bge-base", "model"), ("bert-base", "layer:4"), ("e5-base", "model")]:
        picker(page, "Model").select(model).run()
        assert not page.exception
        assert (picker(page, "Layers").value, page.session_state["recipe"].layers) == (layers,) * 2
    picker(page, "Layers").select("layer:3").run()  # the visitor's choice stays
    page.run()
    assert page.session_state["recipe"].layers == "layer:3"
    assert open_page("data", model="bge-base").session_state["recipe"].layers == "layer:4"


@pytest.mark.parametrize(
    ("name", "formula", "parameters"),
    [
        ("null-top-k", "(I - U_k U_k^T) (x - mean)", ["k"]),
        ("whiten", "L_n^(-1/2) U_n^T (x - mean)", ["n_components", "shrinkage"]),
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
    from bertflow_app.pages.data.catalogue import calibrators

    calibrators()


PASTED = "a cat sleeps | a cat is asleep\nhe runs | rain"


@pytest.mark.parametrize("text", [PASTED, PASTED.replace(" | ", "\t"), "one\ntwo\n\nthree"])
def test_what_is_pasted_is_used_and_shown(text):
    page = paste(open_page("data"), text)
    assert page.selectbox(key="dataset").value.startswith("typed-pairs.csv (")
    n_rows = len([line for line in text.splitlines() if line])
    assert {m.label: m.value for m in page.metric}["Rows read"] == str(n_rows)
    assert page.selectbox(key="fit_on").value == "teaching"


def paste(page, text):
    page.text_area(key="typed_pairs").set_value(text).run()
    button(page, "Use these sentences").click().run()
    assert not page.exception
    return page


def test_a_table_stays_at_hand_where_other_data_are_chosen():
    page = use_table(open_page("data"), "mine.csv", b"sentence1,sentence2\na b,c d\ne f,g h\n")
    mine = page.session_state["recipe"].dataset
    go(page, "calibrate")
    assert page.session_state["recipe"].dataset == mine
    picker(page, "Data").select("captions").run()
    assert mine in picker(page, "Data").options
