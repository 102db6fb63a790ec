import pytest

from bertflow_core.datasets import RawFile, TableColumns, load_pairs, other_columns, read_table
from bertflow_core.datasets.columns import propose_columns

TSV = "sentence1\tsentence2\tscore\n"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("sentence1,sentence2,score", ("sentence1", "sentence2", "score", None)),
        ("id,sentence_A,sentence_B,relatedness_score", (*"AB", "relatedness_score", None)),
        ("text1,text2,label", ("text1", "text2", "label", None)),
        ("Text1,Text2,Similarity,subset", ("Text1", "Text2", "Similarity", "subset")),
        ("label,score,sentence2,sentence1", ("sentence1", "sentence2", "score", None)),
        ("question1,question2", ("question1", "question2", None, None)),
        ("first,second,grade", ("first", "second", "grade", None)),
        (
            "Grade,First Sentence,second-sentence",
            ("First Sentence", "second-sentence", "Grade", None),
        ),
        ("sentence_0,sentence_1,sentence_2,label", ("sentence_0", "sentence_1", "label", None)),
        ("sent_1,sent_2,gold score", ("sent_1", "sent_2", "gold score", None)),
    ],
)
def test_well_known_columns_are_guessed(write, header, expected):
    expected = tuple(f"sentence_{name}" if name in ("A", "B") else name for name in expected)
    cells = ",".join("1" for _ in header.split(","))
    columns = read_table(write("t.csv", f"{header}\n{cells}\n")).columns
    assert (columns.sentence1, columns.sentence2, columns.score, columns.subset) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("first,second,grade", ("first", "second", "grade")),
        ("rating,links,rechts,subset", ("links", "rechts", "rating", "subset")),
        ("links,Punkte", ("links", "Punkte")),
        ("score,subset", ("score",)),
        ("text,label", ("text",)),
    ],
)
def test_a_form_proposes_the_first_columns_only_where_no_names_are_known(header, expected):
    assert propose_columns(header.split(",")).names == expected


def test_named_columns_go_before_guessing(write):
    path = write("t.csv", "sentence1,sentence2,links,rechts,note,teil\na,b,c,d,3,x\n")
    pairs = load_pairs(path, columns=TableColumns("links", "rechts", "note", "teil"))
    assert pairs.sentences() == ("c", "d")
    assert (pairs.gold.tolist(), pairs.subsets) == ([3.0], ("x",))


def test_table_without_gold(write):
    pairs = load_pairs(write("mine.csv", "sentence1,sentence2\na,b\n"))
    assert pairs.gold is None
    assert (pairs.name, pairs.split, pairs.subsets) == ("mine", "test", ("mine",))
    assert pairs.provenance.layout == "table"


@pytest.mark.parametrize(
    ("header", "columns"),
    [("id,Sentence", None), ("text,label", None), ("sentence1,x", TableColumns("sentence1"))],
)
def test_a_table_of_single_sentences(write, header, columns):
    text = header + "\n" + ("7,b c\n8, \n9,d\n" if header[0] == "i" else "b c,7\n ,8\nd,9\n")
    reading = read_table(write("mine.csv", text), columns)
    pairs = reading.pairs
    assert (pairs.first, pairs.second, pairs.gold) == (("b c", "d"), (), None)
    assert pairs.sentences() == pairs.first
    assert (len(pairs), pairs.size, pairs.is_paired) == (2, "2 sentences", False)
    assert [refusal.row for refusal in reading.refused] == [3]


def test_columns_of_pairs_go_before_one_of_sentences(write):
    assert load_pairs(write("t.csv", "sentence,text1,text2\na,b,c\n")).sentences() == ("b", "c")


def test_scores_without_second_sentences_are_refused(refuses):
    with refuses("scores belong to pairs", "--sentence2"):
        TableColumns("a", None, "b")


def test_table_has_only_a_test_split(write, refuses):
    path = write("mine.csv", "sentence1,sentence2\na,b\n")
    with refuses("mine", "dev", "'test'"):
        load_pairs(path, split="dev")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_quoting_delimiters_and_line_ends(write, mark, delimiter, end):
    rows = [
        delimiter.join(("sentence1", "sentence2", "score")),
        delimiter.join(('"a, ""b""; c"', "d", "1.5")),
        delimiter.join((" plain ", '"two' + end + 'lines"', "4")),
    ]
    path = write("t.csv", mark + end.join(rows).encode())
    pairs = load_pairs(path)
    assert pairs.first == ('a, "b"; c', " plain ")
    assert pairs.second == ("d", f"two{end}lines")
    assert pairs.gold.tolist() == [1.5, 4.0]


def test_tsv_is_raw_so_that_quotation_marks_are_text(write):
    pairs = load_pairs(write("t.tsv", TSV + '"a\tb ""c""\t2\n\'x\u2028y\tz\t3\r\n'))
    assert pairs.first == ('"a', "'x\u2028y")
    assert pairs.second == ('b ""c""', "z")


def test_tsv_with_a_quoted_header_is_quoted_throughout(write):
    text = '"sentence1"\t"sentence2"\t"score"\n"a\tb"\t"say ""c"""\t"2"\n'
    pairs = load_pairs(write("t.tsv", text))
    assert pairs.sentences() == ("a\tb", 'say "c"')


@pytest.mark.parametrize(
    ("scores", "scale"),
    [(("0", "1", "0.5"), (0, 1)), (("0", "1", "1.01"), (0, 5)), (("5", "4", "1"), (0, 5))],
)
def test_scale_is_inferred(write, scores, scale):
    text = TSV + "".join(f"a\tb\t{score}\n" for score in scores)
    assert load_pairs(write("t.tsv", text)).scale == scale


def test_scale_may_be_given(write, refuses):
    path = write("t.tsv", TSV + "a\tb\t-40\na\tb\t100\n")
    assert load_pairs(path, scale=(-100, 100)).gold.tolist() == [-40.0, 100.0]
    with refuses("2 of 2 rows", "row 2", "-40", "expected 0 to 5", "pass scale"):
        load_pairs(path)
    with refuses("scale", "(1, 0)"):
        load_pairs(path, scale=(1, 0))


def test_good_rows_are_kept_beside_refused_ones(write):
    text = (
        "sentence1,sentence2,score,subset\n"
        "good,pair,3,x\n"
        " ,b,3,x\n"
        "a,,3,x\n"
        "a,b,,x\n"
        "a,b,three,x\n"
        "a,b,NaN,x\n"
        "a,b,-inf,x\n"
        "a,b,5.5,x\n"
        "a,b\n"
        "a,b,c,3,x\n"
        "\n"
        "a,b,3, \n"
        '"last\none",pair,4,y\n'
        "a,b,x,y\n"
        ",,,\n"
        "\n"
    )
    reading = read_table(write("t.csv", text))
    assert reading.pairs.first == ("good", "last\none")
    assert reading.pairs.subset_names == ("x", "y")
    assert reading.n_rows == 14
    told = {refusal.row: refusal.reason for refusal in reading.refused}
    assert told == {
        3: "sentence1 is blank",
        4: "sentence2 is blank",
        5: "score is missing",
        6: "score is not a number: 'three'",
        7: "score is not finite: 'NaN'",
        8: "score is not finite: '-inf'",
        9: "score 5.5 is off the scale, expected 0 to 5 or pass scale",
        10: "cells: expected 4 as in the header, got 2",
        11: "cells: expected 4 as in the header, got 5",
        12: "cells: expected 4 as in the header, got 0",
        13: "subset is blank",
        16: "score is not a number: 'x'",
    }
    assert list(told) == sorted(told)


def test_strict_reading_counts_and_shows_the_first_three(write, refuses):
    path = write("t.tsv", TSV + "a\tb\t3\n" + "a\t\t3\n" * 4)
    with refuses("t.tsv", "4 of 5 rows", "row 3", "row 4", "row 5", "...", "take them out"):
        load_pairs(path, strict=True)
    with pytest.warns(UserWarning, match="4 of 5 rows cannot be used .row 3: .*left out"):
        assert load_pairs(path).first == ("a",)


def test_long_sentences_are_fine(write):
    long = "wörter " * 10_000
    for name, cut in (("t.csv", ","), ("t.tsv", "\t")):
        text = f"sentence1{cut}sentence2\n{long}{cut}b\n"
        assert load_pairs(write(name, text)).first == (long,)


def test_upload_reads_like_the_file(write):
    content = (TSV + "a\tb\t3\n").encode()
    upload = read_table(RawFile("t.tsv", content))
    assert upload.pairs.fingerprint == load_pairs(write("t.tsv", content)).fingerprint
    assert upload.pairs.provenance == load_pairs(write("t.tsv", content)).provenance


def test_name_may_be_in_capitals(write):
    assert len(load_pairs(write("T.TSV", TSV + "a\tb\t3\n"))) == 1


def test_other_columns_are_those_of_the_good_rows():
    table = (
        b"sentence1,source,sentence2,score,,year\n"
        b"a cat,news,a dog,1,x,2001\n"
        b",forum,no first side,2,x,2002\n"
        b"the sun,,the moon,9,x,2003\n"
        b"red,forum,blue,3,x,\n"
    )
    raw = RawFile("pairs.csv", table)
    reading = read_table(raw)
    assert reading.pairs.first == ("a cat", "red")  # a blank side, and a score off the scale
    result = other_columns(raw, reading)
    assert list(result) == ["source", "year"]
    assert list(result["source"]) == ["news", "forum"]
    assert result["year"][0] == "2001"
    assert not result["year"][1]
