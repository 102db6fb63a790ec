"""Word frequencies from each source, and what is refused of a file."""

import sys
from types import ModuleType

import numpy as np
import pytest

from bertflow_core.datasets import word_counts
from bertflow_core.datasets.word_counts import (
    SPELLED_DIGITS,
    load_word_counts,
    read_counts,
    vocabulary_order,
)
from bertflow_core.errors import InputError

TABLE = ("[CLS]", "cat", "the", "dog", "##s", "zebra", "one")


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch):
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "counts.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_file_in_order_keeps_it_ties_included(write):
    counts = read_counts(write("the 50\none 20\ndog\t20\nant 20\ncat 3\n\n"))
    assert counts.words == ("the", "one", "dog", "ant", "cat")
    assert counts.frequencies.tolist() == [50, 20, 20, 20, 3]
    assert counts.file.name == "counts.txt"
    assert "equal count" in counts.note
    assert counts.to_dict()["n_tied"] == 2
    assert counts.to_dict()["file"]["lines"] == 6


def test_a_file_out_of_order_is_put_in_order(write):
    counts = read_counts(write("ant 3\nthe 50.5\nbee 3\ndog 1e2\n"))
    assert counts.words == ("dog", "the", "ant", "bee")
    assert counts.frequencies.tolist() == [100, 50.5, 3, 3]


def test_covered_words_come_in_the_lists_order_with_their_ranks(write):
    counts = read_counts(write("the 50\none 40\nox 30\ndog 20\ncat 3\n"))
    result = counts.cover(TABLE, [1, 2, 3, 5, 6])
    assert result.rows.tolist() == [2, 6, 3, 1]
    assert result.ranks.tolist() == [0, 1, 3, 4]
    assert result.frequencies.tolist() == [50, 40, 20, 3]
    assert counts.cover(TABLE, [3]).rows.tolist() == [3]


def test_of_rows_with_one_word_the_first_is_taken(write):
    counts = read_counts(write("cat 2\n"))
    assert counts.cover(("cat", "cat"), [1, 0]).rows.tolist() == [1]


def test_without_digits_the_words_after_them_move_up(write):
    counts = read_counts(write("the 50\none 40\ndog 20\n")).without(SPELLED_DIGITS)
    assert counts.words == ("the", "dog")
    assert counts.cover(TABLE, range(7)).ranks.tolist() == [0, 1]
    assert len(SPELLED_DIGITS) == 10


def test_a_list_that_knows_no_word_is_refused(write):
    with pytest.raises(InputError, match="knows none of the model's 2 words"):
        read_counts(write("chat 2\n")).cover(TABLE, [1, 2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the 5\nold dog 3\n", "line 2: expected a word and its count"),
        ("the\n", "line 1"),
        ("the five\n", "line 1"),
        ("the -5\n", "line 1"),
        ("the nan\n", "line 1"),
        ("the inf\n", "line 1"),
        ("the 1_000\n", "line 1"),
        ("the \u0663\n", "line 1"),
        ("the 0\n", "above 0"),
        ("the 5\nthe 3\n", "line 2: 'the' was counted before"),
        ("\n \n", "is empty"),
        ("x" * 201 + " 5\n", "line 1"),
        ("9" * 300 + " " + "9" * 300, "line 1"),
        (b"caf\xe9 3\n", "not UTF-8"),
        (b"the\x00 3\n", "NUL"),
        (b"PK\x03\x04", "zip archive"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_line(write, text, words):
    with pytest.raises(InputError, match=words):
        read_counts(write(text))


def test_a_file_that_is_not_there_or_too_large_is_refused(write, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="does not exist"):
        read_counts(tmp_path / "none.txt")
    path = write("the 5\ndog 3\n")
    monkeypatch.setattr(word_counts, "_MAX_LINES", 1)
    with pytest.raises(InputError, match="2 lines: expected at most 1"):
        read_counts(path)
    monkeypatch.setattr(word_counts, "_MAX_BYTES", 5)
    with pytest.raises(InputError, match="too large"):
        read_counts(path)


def test_a_file_of_the_data_folder_is_known_by_its_name_and_no_name_leads_out(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for place in ("data/word_counts/deeper", "data/outside", "word_counts"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "data/word_counts/mine.txt").write_text("ours 5\n")
    (tmp_path / "data/word_counts/deeper/its.txt").write_text("ours 5\n")
    (tmp_path / "data/outside.txt").write_text("ours 5\n")
    (tmp_path / "word_counts/own.txt").write_text("own 5\n")
    assert word_counts.counts_files() == []
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "data"))
    assert word_counts.counts_files() == ["word_counts/mine.txt"]
    found = load_word_counts("word_counts/mine.txt")
    assert (found.words, found.file.name) == (("ours",), "mine.txt")
    assert load_word_counts("word_counts/own.txt").words == ("own",)  # as before: where one stands
    for name in ("word_counts/../outside.txt", "word_counts/deeper/its.txt", "outside.txt"):
        with pytest.raises(InputError, match="does not exist"):
            load_word_counts(name)
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "nowhere"))
    assert word_counts.counts_files() == []


def test_wordfreq_is_asked_for_and_its_ties_are_alphabetical(monkeypatch):
    library = ModuleType("wordfreq")
    library.get_frequency_dict = lambda language: {
        "en": {"the": 0.05, "dog": 1e-4, "ant": 1e-4, "never": 0.0}
    }[language]
    monkeypatch.setitem(sys.modules, "wordfreq", library)
    counts = load_word_counts("wordfreq")
    assert counts.words == ("the", "ant", "dog")
    assert counts.frequencies.tolist() == [0.05, 1e-4, 1e-4]
    assert "wordfreq" in counts.source
    assert "rounded" in counts.note
    assert counts.file is None


def test_without_wordfreq_one_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(InputError, match="pip install wordfreq"):
        load_word_counts("wordfreq")


def test_the_order_of_a_vocabulary_follows_zipf_and_leaves_out_single_characters():
    counts = vocabulary_order(["!", "a", "the", "of", "the", "1999"])
    assert counts.words == ("the", "of", "1999")
    np.testing.assert_allclose(counts.frequencies, [1, 1 / 2, 1 / 3])
    assert "Zipf" in counts.note
    assert load_word_counts("vocabulary", TABLE, [1, 3]).words == ("cat", "dog")
