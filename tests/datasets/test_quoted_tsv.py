"""TSV as pandas writes it, against pandas; and as benchmarks write it, where a quote is text."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bertflow_core.datasets import RawFile, read_table

HEAD = "sentence1\tsentence2\tscore\n"
CELLS = st.text(st.sampled_from('ab "\t\n,;\\\u2028é'), min_size=1).filter(str.strip)
PAIRS = st.lists(st.tuples(CELLS, CELLS, st.sampled_from([0.0, 2.5, 5.0])), min_size=1, max_size=6)


def read(text):
    return read_table(RawFile("t.tsv", text.encode())).pairs


@settings(deadline=None, max_examples=80)
@given(PAIRS, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_ALL]))
def test_what_pandas_writes_is_read_as_pandas_reads_it(rows, quoting):
    frame = pd.DataFrame(rows, columns=["sentence1", "sentence2", "score"])
    text = frame.to_csv(sep="\t", index=False, quoting=quoting)
    pairs = read(text)
    again = pd.read_csv(io.StringIO(text), sep="\t", keep_default_na=False, lineterminator="\n")
    assert list(pairs.first) == again.sentence1.astype(str).tolist()
    assert list(pairs.second) == again.sentence2.astype(str).tolist()
    assert list(pairs.first) == [first for first, _, _ in rows]
    assert list(pairs.gold) == again.score.tolist()


@settings(deadline=None, max_examples=80)
@given(st.lists(st.text(st.sampled_from('ab "'), min_size=1).filter(str.strip), min_size=1))
def test_raw_text_stays_as_it_is_beside_one_quotation_mark_within_a_word(sentences):
    """A file in which one mark does not quote a cell is raw throughout."""
    rows = "".join(f"{sentence}\tx\t1\n" for sentence in sentences)
    pairs = read(f'{HEAD}5 " disk\tx\t2\n{rows}')
    assert list(pairs.first[1:]) == sentences


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ('"a\tb"\t1\n', ('"a',)),  # no quoted cell: the row would be too short
        ('"Yes"\tb\t1\n', ('"Yes"',)),  # quoted without need: speech
        ('"Yes, of course"\tb\t1\n"say ""no"""\tb\t1\n', ("Yes, of course", 'say "no"')),
        ('"two\nlines"\tb\t1\n', ("two\nlines",)),
        ('"a\tb"\tb\t1\r\n"c"\td\t2\r\n', ("a\tb", "c")),
        ('"open\tb\t1\n', ('"open',)),
    ],
)
def test_quotation_marks_are_taken_off_only_where_some_cell_needs_them(rows, first):
    assert read(HEAD + rows).first == first


def test_rows_keep_the_line_that_an_editor_shows():
    reading = read_table(RawFile("t.tsv", (HEAD + '"a\n\nb"\tx\t1\nc\t\t1\n').encode()))
    assert [each.row for each in reading.refused] == [5]


def test_a_long_text_full_of_marks_takes_no_time_to_speak_of():
    read(HEAD + '"a""b\t' * 100_000 + "\nx\ty\t1\n")
