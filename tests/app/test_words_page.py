"""Words without a browser: Table 1 of the embedded model, by the order of its vocabulary."""

import pytest
from app_pages import check, open_page, press, table, texts
from bertflow_app import services

from bertflow_core.word_recipe import WordRecipe
from bertflow_core.words import compare_words


@pytest.fixture(autouse=True)
def fresh_server(monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    services.registry.clear()


def test_table_one_is_what_the_core_measures():
    page = open_page("words", bins="0,100,500")
    page.multiselect(key="calibrators").set_value(["standardize"]).run()
    check(page)
    page = press(page, "Measure the words")
    check(page, pictures=7)
    results = compare_words(WordRecipe(bins=(0, 100, 500)), ["standardize"])
    found = table(page, "measure")
    norms = found[found["measure"] == found["measure"][1]].set_index("calibrator")
    for result in results:
        shown = [float(norms.loc[result.recipe.calibrator][name]) for name in found.columns[2:]]
        assert shown == pytest.approx([each.mean_norm for each in result.bins], abs=0.0006)


def test_a_word_shows_its_neighbours_in_each_space():
    page = open_page("words", bins="0,50")
    page.multiselect(key="calibrators").set_value(["standardize"]).run()
    page = press(page, "Measure the words")
    (result, _) = compare_words(WordRecipe(bins=(0, 50)), ["standardize"])
    row = int(result.prepared.rows[0])
    tokens = [token for _, token, _ in result.neighbours_of(row, 10)]
    assert list(table(page, "Token")["Token"]) == tokens
    assert sum("Token" in found.value for found in page.dataframe) == 2


def test_bins_that_cannot_be_are_one_sentence():
    page = open_page("words", bins="5,1")
    assert not page.exception
    assert "bins must be" in texts(page)


def test_a_list_of_counts_is_named_by_its_file_and_no_path_is_taken(tmp_path, monkeypatch):
    (tmp_path / "word_counts").mkdir()
    (tmp_path / "word_counts" / "mine.txt").write_text("the 100\nof 50\nand 20\n")
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    page = open_page("words", counts="/etc/passwd")
    assert page.selectbox(key="counts").options == ["mine.txt", "order of the vocabulary"]
    assert page.selectbox(key="counts").value == "mine.txt"
