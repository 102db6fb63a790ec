"""Words without a browser: Table 1 of the embedded model, by the order of its vocabulary."""

import pytest
from app_pages import check, open_page, press, table

from bertflow_core.lab import Lab
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words


def test_table_one_and_the_neighbours_of_a_word_are_what_the_core_measures():
    report = words(WordRecipe(bins=(0, 100, 500)), Lab(), ["standardize"])
    page = open_page("words", bins="0,100,500", word_calibrators="standardize")
    check(page)
    page = press(page, "Measure the words")
    check(page, pictures=6)
    found = table(page, "mean_norm")
    for name in ("mean_norm", "knn_l2_3", "knn_dot_7"):
        assert list(found[name]) == pytest.approx([row[name] for row in report.rows], abs=1e-6)
    space, _ = report.live["spaces"]
    row = int(space.prepared.rows[0])
    tokens = [token for _, token, _ in space.neighbours_of(row, 10)]
    assert list(table(page, "Token")["Token"]) == tokens
    assert sum("Token" in found.value for found in page.dataframe) == 2
    listed, places = space.prepared.words, space.prepared.rows
    linked = open_page("words", bins="0,100,500", word_calibrators="standardize", word=listed[7])
    tokens = [token for _, token, _ in space.neighbours_of(int(places[7]), 10)]
    assert list(table(linked, "Token")["Token"]) == tokens


def test_a_list_of_counts_is_named_by_its_file_and_no_path_is_taken(tmp_path, monkeypatch):
    (tmp_path / "word_counts").mkdir()
    (tmp_path / "word_counts" / "mine.txt").write_text("the 100\nof 50\nand 20\n")
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    page = open_page("words", counts="/etc/passwd")
    assert page.selectbox(key="counts").options == ["mine.txt", "order of the vocabulary"]
    assert page.selectbox(key="counts").value == "mine.txt"
