"""JSON lines as tables of pairs and as lists of sentences, against pandas."""

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bertflow_core.datasets import RawFile, read_sentences, read_table, table_header

TEXTS = st.text(min_size=1, max_size=20).filter(
    lambda text: text.strip() and "\0" not in text and text.isprintable()
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS, st.floats(0, 5)), min_size=1, max_size=5), st.booleans())
def test_what_pandas_writes_is_read_as_it_was(rows, force_ascii):
    frame = pd.DataFrame(rows, columns=["sentence1", "sentence2", "score"])
    text = frame.to_json(orient="records", lines=True, force_ascii=force_ascii, double_precision=15)
    pairs = read_table(RawFile("t.jsonl", text.encode())).pairs
    assert list(pairs.first) == frame.sentence1.tolist()
    assert list(pairs.second) == frame.sentence2.tolist()
    assert pairs.gold == pytest.approx(frame.score.to_numpy(), abs=1e-12)


def test_columns_are_the_keys_of_all_lines(write):
    path = write("t.jsonl", '{"text1": "a", "text2": "b"}\n{"label": 3, "text2": "d"}\n\n')
    assert table_header(path) == ("text1", "text2", "label")


def test_each_bad_line_is_refused_with_its_reason(write):
    lines = [
        '{"sentence1": "a", "sentence2": "b", "score": "3.5"}',
        '{"sentence1": "a", "sentence2": null, "score": 1}',
        '{"sentence1": 7, "sentence2": "b", "score": 1}',
        '{"sentence1": ["a"], "sentence2": "b", "score": 1}',
        '{"sentence1": "a", "sentence2": "b", "score": NaN}',
        '{"sentence1": "a", "sentence2": "b"}',
        "[1, 2]",
        "",
        "{",
        "[" * 100_000,
        '{"sentence1": "\\ud800", "sentence2": "b", "score": 1}',
        '{"sentence1": "a\\u0000", "sentence2": "b", "score": 1}',
        '{"sentence1": "\\ud83d\\ude00", "sentence2": "b", "score": 2}',
        '{"sentence1": "a", "sentence2": "b", "score": ' + "9" * 5000 + "}",
    ]
    reading = read_table(write("t.jsonl", "\n".join(lines)))
    assert reading.pairs.first == ("a", "\U0001f600")
    assert reading.pairs.gold.tolist() == [3.5, 2.0]
    reasons = {each.row: each.reason for each in reading.refused}
    assert list(reasons) == [*range(2, 13), 14]
    for row, words in {
        2: "sentence2 is blank",
        3: "not text: '7'",
        4: "not text",
        5: "not finite",
        6: "score is missing",
        7: "JSON list",
        8: "blank",
        9: "no JSON",
        10: "too deeply",
        11: "half a character",
        12: "NUL",
        14: "no JSON",
    }.items():
        assert words in reasons[row]


@pytest.mark.parametrize(
    ("lines", "column"),
    [
        (['"one"', '"t\\two"'], None),
        (['{"id": 1, "text": "one"}', '{"id": 2, "text": "t\\two"}'], None),
        (['{"body": "one", "text": ""}', '{"body": "t\\two"}'], "body"),
    ],
)
def test_sentences_stand_a_line_each(write, lines, column):
    path = write("s.jsonl", "\n".join(lines) + "\n")
    assert read_sentences(path, column) == ("one", "t\two")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("\n\n", "no rows"),
        ("one\ntwo\n", "no JSON"),
        ("[1]\n", "JSON list"),
        ("{}\n", "no keys"),
        (json.dumps({f"k{i}": 1 for i in range(1001)}), "too many columns"),
        (json.dumps({"a": "x"}), "none are known to hold sentences"),
        (b'{"text": "caf\xe9"}', "UTF-8"),
    ],
)
def test_a_file_that_is_none_is_refused(write, refuses, content, words):
    path = write("t.jsonl", content)
    with refuses("t.jsonl", words):
        read_table(path)


def test_a_blank_sentence_of_a_list_is_refused_for_its_place(write, refuses):
    path = write("s.jsonl", '"one"\n""\n')
    with refuses("row 2", "blank"):
        read_sentences(path)
