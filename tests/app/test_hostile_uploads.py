"""Tables made to harm, or spoilt by accident: one sentence each, and the next table works."""

import csv
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from app_pages import button, clear_server, finish, go, open_page, texts, use_table

GOOD = b"sentence1,sentence2,score\na cat,a dog,1\nred,blue,3\nsun,moon,2\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(50)
HEADER = b"sentence1,sentence2\n"


def bomb():
    """A few kilobytes of parquet that unpack to 600 MB of text."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 60_000, pa.int32()), ["x" * 10_000])
    stream = io.BytesIO()
    pq.write_table(pa.table({"sentence1": text, "sentence2": text}), stream, compression="zstd")
    return stream.getvalue()


REFUSED = {
    "a bomb of parquet": ("b.parquet", bomb, "too large: expected at most 500 MB"),
    "a picture named csv": ("picture.csv", PNG, "is no UTF-8"),
    "short rows": ("a.csv", HEADER + b"a\n" * 1000, "1,000 of 1,000 rows cannot"),
}
"""A fault of the columns, of the file, and of its rows; tests/datasets/test_tables.py has all."""


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


@pytest.fixture
def page():
    return open_page("data")


def use(page, name, content):
    use_table(page, name, content() if callable(content) else content)
    assert not page.error


def rows_read(page):
    return {metric.label: metric.value for metric in page.metric}.get("Rows read")


def shown(page):
    """Return the tables of the page, by their columns."""
    return {tuple(found.value): found.value for found in page.dataframe}


def test_a_bad_table_is_one_sentence_and_a_good_one_works_afterwards(page):
    for case, (name, content, words) in REFUSED.items():
        use(page, name, content)
        assert rows_read(page) is None, case
        (said,) = [text.value for text in page.text if words in text.value]
        assert "\n" not in said, case
        assert len(said) < 400, case
        assert "Traceback" not in said, case
        has_columns = case != "a picture named csv"
        assert ("Choose other columns" in texts(page)) is has_columns, case
        use(page, "good.csv", GOOD)
        assert rows_read(page) == "3", case
        assert any("gold scale: 0 to 5" in text.value for text in page.text), case


def test_a_table_of_other_columns_takes_the_place_of_the_one_before(page):
    use(page, "odd.csv", b"left;right;points;none\na;b;1;x\nc;d;2;y\n")
    page.selectbox(key="score").set_value("points").run()
    use(page, "other.csv", b"links;rechts;none\na;b;1\nc;d;2\n")
    recipe = page.session_state["recipe"]
    assert (recipe.sentence1, recipe.sentence2, recipe.score) == ("links", "rechts", None)
    assert page.selectbox(key="score").options == ["(none)", "links", "rechts", "none"]
    page.selectbox(key="score").set_value("none").run()
    assert page.session_state["recipe"].score == "none"
    assert rows_read(page) == "2"


def test_formulas_are_guarded_in_every_table_that_can_be_saved_as_csv(page):
    formulas = ["=cmd|'/c calc'!A1", "+1", "-1", "@SUM(A1)", "\t=1"]
    stream = io.StringIO()
    csv.writer(stream).writerows([["=a", "+b", "@c"], *([cell, cell, 1] for cell in formulas)])
    stream.write("@x,y,=z\n")
    use(page, "=1.csv", stream.getvalue().encode())
    page.selectbox(key="score").set_value("@c").run()
    table = shown(page)["First", "Second", "Gold"]
    assert list(table["First"]) == list(table["Second"]) == [f"'{cell}" for cell in formulas]
    assert list(shown(page)["Row", "Why"]["Why"]) == ["'@c is not a number: '=z'"]


def test_the_longest_sentence_is_not_sent_whole_to_the_browser(page):
    use(page, "a.tsv", b"sentence1\tsentence2\n" + b"x" * 100_000 + b"\ty\n")
    assert rows_read(page) == "1"
    assert shown(page)["First", "Second"]["First"].str.len().max() == 500


SENTENCES = {
    "ledger": {"ledger_after": "standardize"},
    "lexical": {"calibrators": "standardize"},
    "playground": {"play_calibrators": "standardize"},
    "sentences": {"space_calibrators": "standardize"},
    "wall": {"wall_calibrators": "standardize"},
    "data": {},
}
"""The views that show sentences of a table by themselves, and choices that are quick."""
MARKUP = ("markdown", "caption", "info", "success", "warning", "error", "metric")


def test_a_strangers_sentence_is_read_as_markup_by_no_view(page):
    evil = "![x](http://evil.example/evil.png)"
    words = ("cats", "dogs", "ships", evil)
    lines = (
        f"{words[i % 4]} eat | {words[i % 3]} like {words[i % 2]} | {i % 5}" for i in range(40)
    )
    page.text_area(key="typed_pairs").set_value("\n".join(lines)).run()
    button(page, "Use these sentences").click().run()
    for view, choices in SENTENCES.items():
        for name, choice in choices.items():
            page.query_params[name] = choice
        finish(go(page, view))
        assert not page.exception, view
        read = [element for kind in MARKUP for element in page.get(kind)]
        assert not any(evil in str(element.proto) for element in read), view
