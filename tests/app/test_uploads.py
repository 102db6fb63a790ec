"""Tables of visitors: named, bounded, safe to share; one made to harm is a sentence."""

import csv
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from app_pages import clear_server, finish, go, metrics, paste, table, texts, use_table
from bertflow_app import uploads
from bertflow_app.uploads import is_upload
from bertflow_app.work.registry import kept

from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe

HEADER = b"sentence1,sentence2\n"
CONTENT = HEADER + b"a,b\n"
TAG = " (abcdefgh2345)"


def test_a_table_is_found_by_the_name_it_was_given_until_the_server_forgets_it():
    dataset = uploads.add("mine.csv", CONTENT)
    assert is_upload(dataset)
    assert dataset.startswith("mine.csv (")
    file = uploads.file_of(dataset)
    assert (file.name, file.content) == ("mine.csv", CONTENT)
    kept().put(f"header {dataset}", ("sentence1", "sentence2"))  # which is no table
    assert uploads.file_of(f"header {dataset}") is None
    assert uploads.vectors_of(f"header {dataset}") == ()
    clear_server()
    assert uploads.file_of(dataset) is None
    assert uploads.add("mine.csv", CONTENT) == dataset
    assert len({dataset, uploads.add("a.csv", CONTENT), uploads.add("mine.csv", CONTENT * 2)}) == 3


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\me\\t.csv", "t.csv"),
        ("a\0b\n\x1b[31m\u202e.csv", "ab[31m.csv"),
        ("\ud800.csv", ".csv"),
        ("x" * 500 + ".parquet", "x" * 92 + ".parquet"),
        ("folder/", "table"),
        ("\n", "table"),
    ],
)
def test_a_file_name_is_shown_without_folders_and_control_characters(given, kept):
    assert uploads.file_of(uploads.add(given, CONTENT)).name == kept


@pytest.mark.parametrize(
    "name",
    [
        None,
        "teaching",
        TAG,
        f"a.csv{TAG[:-2]})",
        f"a.csv{TAG[:-1]}a)",
        f"a.csv{TAG}\n",
        f"a\n.csv{TAG}",
        f"a.csv{TAG.upper()}",
        f"a.csv{TAG}.csv",
        "a.csv (" + "../" * 4 + ")",
    ],
)
def test_what_an_address_holds_is_no_upload_unless_it_looks_like_one(name):
    assert not is_upload(name)
    assert is_upload(f"a.csv{TAG}")


def test_a_table_is_read_on_the_scale_that_is_asked_for():
    dataset = uploads.add("scored.csv", b"sentence1,sentence2,score\na,b,0.5\nc,d,1\n")
    asked = (Recipe(dataset=dataset), Recipe(dataset=dataset, scale="0,4"))
    assert [uploads.reading_of(each).data.scale for each in asked] == [(0, 1), (0, 4)]


ROWS = pa.table({"sentence1": [*"abcd"], "sentence2": [*"efgh"], "score": [1, 2, 3, 4]})


def parquet(table):
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.parquet", parquet(ROWS)),
        ("a.csv", HEADER + b"a,b\n" * 4),
        ("a.csv", HEADER.replace(b"\n", b"\r") + b"a,b\r" * 4),
        ("a.jsonl", b"\n" * 4),
    ],
)
def test_rows_are_counted_before_a_table_is_read(monkeypatch, name, content):
    monkeypatch.setattr(uploads, "MAX_ROWS", 3)
    monkeypatch.setattr(uploads, "read_table", lambda *_, **__: pytest.fail("it was read"))
    dataset = uploads.add(name, content)
    with pytest.raises(InputError, match=f"'{name}' has more than 3 rows: upload a part"):
        uploads.reading_of(Recipe(dataset=dataset))
    with pytest.raises(InputError, match="3 rows"):
        uploads.columns_of(dataset)
    with pytest.raises(InputError, match="3 rows"):
        uploads.add_vectors([(name, content), ("x.npy", b""), ("y.npy", b"")])


def bomb():
    """A few kilobytes of parquet that unpack to 600 MB of text."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 60_000, pa.int32()), ["x" * 10_000])
    return parquet(pa.table({"sentence1": text, "sentence2": text}))


GOOD = b"sentence1,sentence2,score\na cat,a dog,1\nred,blue,3\nsun,moon,2\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(50)
REFUSED = {
    "b.parquet": (bomb, "too large: expected at most 500 MB"),
    "picture.csv": (lambda: PNG, "is not UTF-8"),
    "short rows.csv": (lambda: HEADER + b"a\n" * 1000, "1,000 of 1,000 rows cannot"),
}
"""A fault of the columns, of the file, and of its rows; tests/datasets/test_tables.py has all."""


def test_a_bad_table_is_one_sentence_and_a_good_one_works_afterwards(data_page):
    for name, (content, words) in REFUSED.items():
        use_table(data_page, name, content())
        assert not data_page.error, name
        assert "Rows read" not in metrics(data_page), name
        (said,) = [text.value for text in data_page.text if words in text.value]
        assert "\n" not in said, name
        assert len(said) < 400, name
        assert "Traceback" not in said, name
        assert ("Choose other columns" in texts(data_page)) is (name != "picture.csv"), name
        use_table(data_page, "good.csv", GOOD)
        assert not data_page.error, name
        assert metrics(data_page)["Rows read"] == "3", name
        assert "gold scale: 0 to 5" in texts(data_page), name


def test_a_table_of_other_columns_takes_the_place_of_the_one_before(data_page):
    use_table(data_page, "odd.csv", b"left;right;points;none\na;b;1;x\nc;d;2;y\n")
    data_page.selectbox(key="score").set_value("points").run()
    use_table(data_page, "other.csv", b"links;rechts;none\na;b;1\nc;d;2\n")
    assert not data_page.error
    recipe = data_page.session_state["recipe"]
    assert (recipe.sentence1, recipe.sentence2, recipe.score) == ("links", "rechts", None)
    assert data_page.selectbox(key="score").options == ["(none)", "links", "rechts", "none"]
    data_page.selectbox(key="score").set_value("none").run()
    assert data_page.session_state["recipe"].score == "none"
    assert metrics(data_page)["Rows read"] == "2"


def test_formulas_are_guarded_in_every_table_that_can_be_saved_as_csv(data_page):
    formulas = ["=cmd|'/c calc'!A1", "+1", "-1", "@SUM(A1)", "\t=1"]
    stream = io.StringIO()
    csv.writer(stream).writerows([["=a", "+b", "@c"], *([cell, cell, 1] for cell in formulas)])
    stream.write("@x,y,=z\n")
    use_table(data_page, "=1.csv", stream.getvalue().encode())
    data_page.selectbox(key="score").set_value("@c").run()
    read = table(data_page, "Gold")
    assert list(read["First"]) == list(read["Second"]) == [f"'{cell}" for cell in formulas]
    assert list(table(data_page, "Why")["Why"]) == ["'@c is not a number: '=z'"]


def test_the_longest_sentence_is_not_sent_whole_to_the_browser(data_page):
    use_table(data_page, "a.tsv", b"sentence1\tsentence2\n" + b"x" * 100_000 + b"\ty\n")
    assert metrics(data_page)["Rows read"] == "1"
    assert table(data_page, "First")["First"].str.len().max() == 500


SENTENCES = {
    "ledger": "ledger_after",
    "lexical": "calibrators",
    "playground": "play_calibrators",
    "wall": "wall_calibrators",
    "check": "calibrators",
}
"""The views that show sentences of a table by themselves, and their choice of calibrators."""
MARKUP = ("markdown", "caption", "info", "success", "warning", "error", "metric")


def test_a_strangers_sentence_is_read_as_markup_by_no_view(data_page):
    evil = "![x](http://evil.example/evil.png)"
    words = ("cats", "dogs", "ships", evil)
    lines = (
        f"{words[i % 4]} eat | {words[i % 3]} like {words[i % 2]} | {i % 5}" for i in range(40)
    )
    page = paste(data_page, "\n".join(lines))
    for view, choice in SENTENCES.items():
        page.query_params[choice] = "standardize"  # which is quick
        finish(go(page, view))
        assert not page.exception, view
        read = [element for kind in MARKUP for element in page.get(kind)]
        assert not any(evil in str(element.proto) for element in read), view
