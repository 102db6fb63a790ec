import pytest

from bertflow_core.datasets import read_sentences


def test_text_has_a_sentence_a_line(write):
    odd = 'ein Satz\u2028 mit "Zeichen", und\tTabulator'
    assert read_sentences(write("a.txt", f"one\n{odd}\nthree\r\n\n\n")) == ("one", odd, "three")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,Sentence\n1,one\n2,two\n"),
        ("a.csv", "text\none\ntwo\n"),
        ("a.tsv", "text\tother\none\tx\ntwo\ty\n"),
    ],
)
def test_table_has_a_well_known_column(write, name, content):
    assert read_sentences(write(name, content)) == ("one", "two")


def test_table_column_may_be_named(write):
    path = write("a.csv", "text,body\nx,one\ny,two\n")
    assert read_sentences(str(path), "body") == ("one", "two")


def test_long_sentences_are_fine(write):
    long = "word " * 10_000
    assert read_sentences(write("a.txt", long)) == (long,)


@pytest.mark.parametrize(
    ("name", "content", "column", "words"),
    [
        ("a.txt", "one\n\nthree\n", None, ["1 of 3 rows", "row 2", "blank"]),
        ("a.txt", "\n \n", None, ["empty"]),
        ("a.txt", "one\n", "text", ["no columns"]),
        ("a.csv", "text\none\na,b\n", None, ["row 3", "cells", "expected 1", "got 2"]),
        ("a.csv", "text,b\none,1\n,2\n", None, ["row 3", "text is blank"]),
        ("a.csv", "a,b\none,1\n", None, ["'sentence'", "'text'", "'a', 'b'"]),
        ("a.csv", "body,b\none,1\n", "bodi", ["'bodi'", "did you mean body"]),
        ("a.docx", "x", None, ["'.txt'", "'.csv'", "save it"]),
    ],
)
def test_what_would_break_the_alignment_is_refused(write, refuses, name, content, column, words):
    path = write(name, content)
    with refuses(name, *words):
        read_sentences(path, column)
