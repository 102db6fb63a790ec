"""Word frequencies from each source, and refusals of malformed files."""

import sys
from types import ModuleType

import numpy as np
import pytest

from bertflow_core.datasets import word_counts
from bertflow_core.datasets.word_counts import SPELLED_DIGITS, load_word_counts
from bertflow_core.errors import InputError

TABLE = ("[CLS]", "cat", "the", "dog", "##s", "zebra", "one")


@pytest.fixture
def counts(write):
    return lambda text: load_word_counts(str(write("counts.txt", text)))


def test_words_of_a_file_stand_by_falling_count_ties_as_they_come(counts):
    for text, words, frequencies in [
        ("the 50\none 20\ndog\t20\nant 20\ncat 3\n\n", "the one dog ant cat", [50, 20, 20, 20, 3]),
        ("ant 3\nthe 50.5\nbee 3\ndog 1e2\n", "dog the ant bee", [100, 50.5, 3, 3]),
    ]:
        found = counts(text)
        assert (found.words, found.frequencies.tolist()) == (tuple(words.split()), frequencies)
        told = found.to_dict()
        assert told["n_tied"] == len(frequencies) - len({*frequencies})
        assert (told["file"]["name"], told["file"]["lines"]) == ("counts.txt", text.count("\n"))


def test_covered_words_come_in_the_lists_order_with_their_ranks(counts):
    found = counts("the 50\none 40\nox 30\ndog 20\ncat 3\n")
    result = found.cover(TABLE, [1, 2, 3, 5, 6])
    assert result.rows.tolist() == [2, 6, 3, 1]
    assert result.ranks.tolist() == [0, 1, 3, 4]
    assert result.frequencies.tolist() == [50, 40, 20, 3]
    assert found.cover(("cat", "cat"), [1, 0]).rows.tolist() == [1]  # the first of equal words
    with pytest.raises(InputError, match="knows none of the model's 2 words"):
        counts("chat 2\n").cover(TABLE, [1, 2])
    assert found.without(SPELLED_DIGITS).cover(TABLE, range(7)).ranks.tolist() == [0, 2, 3]


def test_a_file_of_another_form_is_refused_with_its_line(write, refuses):
    for text, words in [
        ("the 5\nold dog 3\n", "line 2: expected a word and its count"),
        *((f"the{number}\n", "line 1") for number in ("", " -5", " nan", " 1_000", " 1 2")),
        ("the 0\n", "above 0"),
        ("the 5\nthe 3\n", "line 2"),
        ("\n \n", "is empty"),
        (b"caf\xe9 3\n", "not UTF-8"),
    ]:
        path = write("counts.txt", text)
        with refuses(words):
            load_word_counts(str(path))


def test_files_of_the_data_folder_are_known_by_their_names_and_no_name_leads_out(
    write, tmp_path, refuses, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    names = "word_counts/mine.txt", "word_counts/deeper/its.txt", "outside.txt"
    for name in names:
        write(f"data/{name}", "ours 5\n")
    write("word_counts/own.txt", "own 5\n")
    assert word_counts.counts_files() == []
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "data"))
    assert word_counts.counts_files() == ["word_counts/mine.txt"]
    assert load_word_counts("word_counts/mine.txt").words == ("ours",)
    assert load_word_counts("word_counts/own.txt").words == ("own",)  # in the working folder
    for name in ("word_counts/../outside.txt", *names[1:]):
        with refuses("does not exist"):
            load_word_counts(name)
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "nowhere"))
    assert word_counts.counts_files() == []


def test_wordfreq_is_asked_for_and_its_ties_are_alphabetical(monkeypatch, refuses):
    library = ModuleType("wordfreq")
    library.get_frequency_dict = lambda language: {
        "en": {"the": 0.05, "dog": 1e-4, "ant": 1e-4, "never": 0.0}
    }[language]
    monkeypatch.setitem(sys.modules, "wordfreq", library)
    found = load_word_counts("wordfreq")
    assert (found.words, found.file) == (("the", "ant", "dog"), None)
    assert found.frequencies.tolist() == [0.05, 1e-4, 1e-4]
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with refuses("pip install wordfreq"):
        load_word_counts("wordfreq")


def test_the_order_of_a_vocabulary_follows_zipf_and_leaves_out_single_characters():
    words = ["!", "a", "the", "of", "the", "1999"]
    found = load_word_counts("vocabulary", words, range(6))
    assert (found.words, found.counted) == (("the", "of", "1999"), False)
    np.testing.assert_allclose(found.frequencies, [1, 1 / 2, 1 / 3])
    assert load_word_counts("vocabulary", TABLE, [1, 3]).words == ("cat", "dog")
