"""A user's own tables: every format gives the same good and the same refused rows."""

import csv
import hashlib
import io
import re
import sys
import tracemalloc
import warnings
import zipfile
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bertflow_core.datasets import (
    RawFile,
    TableColumns,
    Texts,
    load_corpus,
    load_dataset,
    read_sentences,
    read_table,
    read_vectors,
)
from bertflow_core.datasets.own_table import other_columns, propose_columns
from bertflow_core.datasets.tables import open_table
from bertflow_core.errors import InputError

HEAD = "sentence1,sentence2,score\n"
SIDES = {"sentence1": ["a b", "c"], "sentence2": ["d", "e"]}
CELLS = st.text(st.sampled_from("ab \"',;\t\n\\\u2028é"), min_size=1).filter(
    lambda text: text.strip() and not text.startswith("'")
)
ROWS = st.lists(st.tuples(CELLS, CELLS, st.sampled_from([0.0, 2.5, 5.0])), min_size=1, max_size=6)


def parquet(columns, **options):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


WRITERS = {
    "csv": lambda frame: frame.to_csv(index=False).encode(),
    "tsv": lambda frame: frame.to_csv(index=False, sep="\t", quoting=csv.QUOTE_ALL).encode(),
    "jsonl": lambda frame: frame.to_json(orient="records", lines=True).encode(),
    "parquet": lambda frame: parquet(
        frame.astype(object).where(frame.notna(), None).to_dict("list"), row_group_size=2
    ),
}
FORMS = pytest.mark.parametrize("form", WRITERS)


def raw(form, **columns):
    return RawFile(f"mine.{form}", WRITERS[form](pd.DataFrame(columns)))


def text(content, ending="csv"):
    return RawFile(f"t.{ending}", content if isinstance(content, bytes) else content.encode())


@FORMS
@settings(max_examples=15)
@given(ROWS)
def test_what_pandas_writes_is_read_as_it_was(form, rows):
    first, second, score = (list(column) for column in zip(*rows, strict=True))
    pairs = read_table(raw(form, sentence1=first, sentence2=second, score=score)).data
    assert (list(pairs.first), list(pairs.second), list(pairs.gold)) == (first, second, score)


@FORMS
def test_good_rows_are_kept_and_the_others_refused_with_their_numbers(form, monkeypatch):
    monkeypatch.setattr("bertflow_core.datasets.parquet.BATCH_ROWS", 3)
    source = raw(
        form,
        sentence1=["good", " ", "a", "a", "a", "a", "a", "a", "a", "last\none"],
        sentence2=["pair", "b", None, "b", "b", "b", "b", "b", "b", "pair"],
        score=["3", "3", "3", None, "three", "NaN", "-inf", "5.5", "3", "4"],
        subset=["x", "x", "x", "x", "x", "x", "x", "x", " ", "y"],
        year=["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
    )
    reading = read_table(source)
    assert reading.data.first == ("good", "last\none")
    assert {*reading.data.subsets} == {"x", "y"}
    assert (reading.data.name, reading.n_rows) == ("mine", 10)
    after_header = 1 + (form in ("csv", "tsv"))
    assert [(each.row - after_header, each.reason) for each in reading.refused] == [
        (1, "sentence1 is blank"),
        (2, "sentence2 is blank"),
        (3, "score is blank"),
        (4, "score is not a number: 'three'"),
        (5, "score is not finite: 'NaN'"),
        (6, "score is not finite: '-inf'"),
        (7, "score 5.5 is off the scale: expected 0 to 5, or set the scale"),
        (8, "subset is blank"),
    ]
    assert other_columns(source, reading) == {"year": ("1", "10")}
    texts = RawFile("t.csv", b"text,topic\na,x\nb,y\nc,x\n,y\nd,y\ne,x\nf,y\n")
    assert other_columns(texts, read_table(texts)) == {"topic": ("x", "y", "x", "y", "x", "y")}
    with pytest.raises(InputError, match=r"8 of 10 rows cannot be used .*\.\.\..*remove them"):
        load_dataset(source, strict=True)
    with pytest.warns(UserWarning, match="8 of 10 rows cannot be used .*left out"):
        assert load_dataset(source).fingerprint == reading.data.fingerprint


@FORMS
def test_sentences_alone_and_pairs_without_scores(form, tmp_path):
    source = raw(form, id=["1", "2"], Text=["b c", "d"])
    texts = read_table(source).data
    assert (type(texts), texts.texts, texts.size) == (Texts, ("b c", "d"), "2 sentences")
    assert read_sentences(source) == ("b c", "d")
    assert read_sentences(source, "id") == ("1", "2") or form == "parquet"
    path = tmp_path / f"Pairs.{form.upper()}"
    path.write_bytes(raw(form, text1=["a", "a"], text2=["b", "c"], sentence=["x", "y"]).content)
    pairs = load_dataset(path)
    assert (pairs.gold, pairs.subsets, pairs.provenance.layout) == (None, ("Pairs",) * 2, "table")
    uploaded = load_dataset(RawFile(path.name, path.read_bytes()))
    assert (uploaded.fingerprint, uploaded.provenance) == (pairs.fingerprint, pairs.provenance)
    assert load_corpus(path, "target").sentences == pairs.sentences() == ("a", "b", "a", "c")
    with pytest.raises(InputError, match="no dev split"):
        load_dataset(path, split="dev")


def test_well_known_columns_are_recognised():
    for header, expected in {
        "id,sentence_A,sentence_B,relatedness_score": (1, 2, 3),
        "Text1,Text2,Similarity,subset": (0, 1, 2, 3),
        "Grade,First Sentence,second-sentence": (1, 2, 0),
        "sent_1,sent_2,gold score": (0, 1, 2),
        "sentence,text1,text2": (1, 2),
    }.items():
        names = header.split(",")
        source = text(f"{header}\n{','.join('1' * len(names))}\n")
        columns, proposed = read_table(source).columns, propose_columns(open_table(source))
        assert columns.names == tuple(names[i] for i in expected) == proposed.names


def test_of_other_columns_a_form_proposes_the_first_and_a_user_names_them(refuses):
    for header, expected in {
        "rating,links,rechts,subset": ("links", "rechts", "rating", "subset"),
        "links,Punkte": ("links", "Punkte"),
        "score,subset": ("score",),
    }.items():
        names = header.split(",")
        words = text(f"{header}\n{','.join('x' * len(names))}\n")
        assert propose_columns(open_table(words)).names == expected
        source = text(f"sentence1,sentence2,{header}\na,b,{','.join('3' * len(names))}\n")
        named = read_table(source, TableColumns(*expected), scale=(0, 5))
        assert named.columns.names == expected
        others = {"sentence1", "sentence2", *names} - {*expected}
        assert set(other_columns(source, named)) == others
        with refuses(f"'{expected[0]}s'", "t.csv", f"did you mean {expected[0]}"):
            read_table(source, TableColumns(f"{expected[0]}s"))
    with refuses("must differ", "'a', 'a'"):
        TableColumns("a", "a")


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ({"Bewertung": "1,5 4 2 2.5".split()}, "Bewertung"),
        ({"Note": "1.5 4 2 9".split()}, "Note"),
        ({"same?": "yes no no yes".split()}, "same?"),
        ({"is_duplicate": "yes no no yes".split(), "votes": list("1123")}, "is_duplicate"),
        ({"id": list("1234")}, None),
        ({"votes": list("1123"), "stars": list("3321")}, None),
        ({"year": "2019 2020 2020 2021".split()}, None),
        ({"language": "de en en de".split()}, None),
    ],
)
def test_the_only_column_that_can_be_the_score_of_pairs_is_the_score(cells, found):
    sides = {"sentence1": list("abcd"), "sentence2": list("efgh")}
    frame = pd.DataFrame({**sides, **cells})
    source = RawFile("t.csv", frame.to_csv(index=False).encode())
    reading = read_table(source)
    assert reading.columns.score == found == propose_columns(open_table(source)).score
    named = read_table(source, TableColumns("sentence1", "sentence2"))
    assert named.columns.score is None and named.data.targets is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [("3,5", 3.5), ("0,125", 0.125), (",5", 0.5), ("1,234", None), ("1,2,3", None)],
)
def test_a_decimal_comma_in_quotes_is_read_unless_it_may_part_thousands(cell, value):
    source = text(f'sentence1,sentence2,score\na,b,4\nc,d,"{cell}"\ne,f,2\n')
    reading = read_table(source)
    assert len(reading.refused) == (value is None)
    if value is not None:
        assert reading.data.gold.tolist() == [4, value, 2]


def test_repeated_pairs_are_counted_and_read():
    source = text("sentence1,sentence2,score\na,b,4\nc,d,1\na,b,3\n")
    reading = read_table(source)
    assert len(reading.data) == 3
    assert sum("1 pair of 3 repeated" in each for each in reading.data.provenance.assumed) == 1


@pytest.mark.parametrize(
    ("header", "columns", "unread"),
    [
        ("text,more,Label", TableColumns("text"), "'Label'"),
        ("sentence1,sentence2,gold", TableColumns("sentence1", "sentence2"), "'gold'"),
        ("sentence1,sentence2,gold", TableColumns("sentence1"), ""),
        ("text,more,label", TableColumns("text", score="label"), ""),
        ("text,more,label", None, ""),
    ],
)
def test_a_column_of_labels_that_was_not_named_is_pointed_out(header, columns, unread):
    rows = "".join(f"text {n},z,{'ab'[n % 2]}\n" for n in range(6))
    said = read_table(text(f"{header}\n{rows}"), columns).data.provenance.assumed
    pointed_out = f"column {unread} is not read.*--label .in Python, score"
    assert (len(said), all(re.search(pointed_out, each) for each in said)) == (bool(unread), True)


def test_csv_in_every_dialect():
    for mark, cut, end in (b"", ",", "\n"), (b"\xef\xbb\xbf", ";", "\r\n"), (b"", ";", "\r"):
        cells = ('"a, ""b""; c"', " d "), ("'=x", f'"two{end}lines"'), ()
        rows = end.join(map(cut.join, (("sentence1", "sentence2"), *cells)))
        pairs = read_table(text(mark + rows.encode())).data
        assert pairs.sentences() == ('a, "b"; c', " d ", "=x", f"two{end}lines")


GERMAN = pd.DataFrame(
    {
        "sentence1": ["Die Straße … nass", "„Ja“, 3,5 Grad", "Bäume"],
        "sentence2": ["über", "10 €; 20 €", "Äste"],
        "score": [3.5, 1.25, 4.0],
    }
)
WINDOWS = "read as Windows-1252, since it is not UTF-8"
COMMAS = "numbers with a decimal comma, such as 3,5, are read as 3.5"


@pytest.mark.parametrize(
    ("encoding", "dialect", "said"),
    [
        ("utf-8-sig", {}, []),
        ("utf-16", {}, ["read as UTF-16, since it is not UTF-8"]),
        ("cp1252", {}, [WINDOWS]),
        ("utf-8", {"sep": ";"}, []),
        ("utf-8", {"sep": ";", "decimal": ","}, [COMMAS]),
        ("cp1252", {"sep": ";", "decimal": ","}, [WINDOWS, COMMAS]),
    ],
)
def test_text_of_spreadsheets_is_read_and_what_was_assumed_is_said(encoding, dialect, said):
    content = GERMAN.to_csv(index=False, **dialect).encode(encoding)
    expected = pd.read_csv(io.BytesIO(content), encoding=encoding, **dialect)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        pairs = load_dataset(text(content))
    assert pairs.first == tuple(expected.sentence1)
    assert pairs.second == tuple(expected.sentence2)
    assert pairs.gold.tolist() == expected.score.tolist()
    assumed = tuple(f"'t.csv': {each}." for each in said)
    assert pairs.provenance.assumed == tuple(str(each.message) for each in warned) == assumed
    assert pairs.provenance.files[0].sha256 == hashlib.sha256(content).hexdigest()


def test_sentences_of_a_table_are_read_in_the_same_way_and_those_of_a_text_are_not(refuses):
    with pytest.warns(UserWarning, match=WINDOWS):
        assert read_sentences(text("text\nGrün\n".encode("cp1252"))) == ("Grün",)
    with refuses("not UTF-8", "save it as text in UTF-8"):
        read_sentences(text("Grün\n".encode("cp1252"), "txt"))


def workbook(*frames, **options):
    stream = io.BytesIO()
    with pd.ExcelWriter(stream, engine="openpyxl") as writer:
        for number, frame in enumerate(frames, start=1):
            frame.to_excel(writer, sheet_name=f"Blatt {number}", index=False, **options)
    return stream.getvalue()


def with_part(content, name, part):
    """Return a zip file with one part replaced."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
            for each in old.namelist():
                new.writestr(each, part if each == name else old.read(each))
    return stream.getvalue()


def with_rows(rows, before=""):
    """Return a workbook whose sheet holds these rows in XML and declares a single cell."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    data = f'<dimension ref="A1"/><sheetData>{rows}</sheetData>'
    sheet = f'{before}<worksheet xmlns="{space}">{data}</worksheet>'
    return with_part(workbook(GERMAN), "xl/worksheets/sheet1.xml", sheet)


def cell(at, words):
    return f'<c r="{at}" t="inlineStr"><is><t>{words}</t></is></c>'


ODD = pd.DataFrame(
    {
        "text1": ["a", None, "c", "d", "e", 2020],
        "text2": ["b", "b", "b", "b", "b", "b"],
        "label": [True, False, True, None, "n/a", False],
    }
)


@pytest.mark.parametrize(("frame", "start"), [(GERMAN, 0), (ODD, 0), (GERMAN, 2)])
def test_the_first_sheet_of_a_workbook_is_read_as_pandas_reads_it(frame, start):
    content = workbook(frame, ODD, startrow=start)
    read = pd.read_excel(io.BytesIO(content), dtype=str, keep_default_na=False, header=start)
    table = open_table(text(content, "xlsx"))
    assert table.header == tuple(read.columns)
    assert [list(table.column(name)) for name in read] == [read[name].tolist() for name in read]
    assert list(table.rows) == list(range(start + 2, start + 2 + len(read)))
    assert table.remarks == ("'t.xlsx': only the first sheet, 'Blatt 1', is read.",)
    assert open_table(text(workbook(frame), "xlsx")).remarks == ()
    source_file = table.files[0].source_file()
    assert (source_file.lines, source_file.sha256) == (None, hashlib.sha256(content).hexdigest())


def test_cells_of_a_workbook_beyond_the_header_refuse_their_row_alone():
    head = "".join(cell(f"{at}1", name) for at, name in zip("AB", ("text1", "text2"), strict=True))
    rows = [cell("A2", "a") + cell("B2", "b") + '<c r="H2"/>', cell("A3", "a") + cell("C3", "b")]
    rows = "".join(f"<row>{cells}</row>" for cells in (head, *rows, cell("B4", "b")))
    reading = read_table(text(with_rows(rows), "xlsx"))
    assert reading.data.sentences() == ("a", "b")
    assert [tuple(each) for each in reading.refused] == [
        (3, "expected 2 cells as in the header, got 3"),
        (4, "text1 is blank"),
    ]


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
    f"<row>{cell('A1', '&b;')}</row>",
)


@pytest.mark.parametrize(
    ("limits", "rows", "words"),
    [
        ({}, LAUGHS, "EntitiesForbidden"),
        ({"_MAX_BYTES": 20_000}, ("", " " * 20_000), "too large when unpacked"),
        ({"_MAX_MARKS": 42_000}, ("", f"<row>{'<c/>' * 2_000}</row>"), "too large when unpacked"),
        ({"MAX_ROWS": 50}, ("", '<row r="60"/>'), "more than 50 rows"),
        (
            {"_MAX_BYTES": 50_000},  # the file holds the text once
            ("", f"<row>{cell('ALL1', 'a')}</row>" + f"<row>{cell('A1', '')}</row>" * 4),
            "the same text in too many cells",
        ),
    ],
)
def test_a_workbook_that_was_made_to_harm_is_one_sentence(monkeypatch, limits, rows, words):
    for name, limit in limits.items():
        monkeypatch.setattr(f"bertflow_core.datasets.workbook.{name}", limit)
    content = with_rows(rows[1], rows[0])
    assert len(content) < 10_000
    with pytest.raises(InputError, match=rf"^'t.xlsx' cannot be read .*{words}.*CSV in UTF-8$"):
        read_table(text(content, "xlsx"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_part_of_a_workbook_that_stands_for_many_sheets_is_not_read_for_each(encoding):
    content = workbook(GERMAN)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        book = archive.read("xl/workbook.xml").decode()
    (sheet,) = re.findall("<sheet [^>]*>", book)
    content = with_part(
        content, "xl/workbook.xml", book.replace(sheet, sheet * 101).encode(encoding)
    )
    with pytest.raises(InputError, match="too large when unpacked"):
        open_table(text(content, "xlsx"))


def test_without_openpyxl_a_sentence_names_the_extra(monkeypatch, refuses):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with refuses("openpyxl", 'pip install ".[app]"', "save the sheet as CSV in UTF-8"):
        open_table(text(b"PK", "xlsx"))


def test_vectors_beside_the_texts_of_a_table_are_noticed():
    vectors = {"emb1": [[0.5, 1.0], [2.0, 3.0]], "n": [1, 2], "emb2": [[1, 2], [3, 4]]}
    pairs = read_table(text(parquet(SIDES | vectors), "parquet")).data
    (said,) = pairs.provenance.assumed
    assert all(words in said for words in ("'t.parquet'", "(emb1, emb2)", "vectors:FILE,FILE"))


def test_marks_in_tsv_are_taken_off_only_where_some_cell_needs_them():
    for rows, first in {
        '"a\tb ""c""\t2\n': ('"a',),  # raw, as GLUE's and SentEval's files are
        '"Yes"\tb\t1\n': ('"Yes"',),  # quoted without need: speech
        '"Yes, of course"\tb\t1\n"say ""no"""\tb\t1\n': ("Yes, of course", 'say "no"'),
        '"two\nlines"\tb\t1\n': ("two\nlines",),
        '"a\tb"\tb\t1\r\n"c"\td\t2\r\n': ("a\tb", "c"),
        '"open\tb\t1\n': ('"open',),
    }.items():
        assert read_table(text(HEAD.replace(",", "\t") + rows, "tsv")).data.first == first
    read_table(text(HEAD.replace(",", "\t") + '"a""b\t' * 100_000 + "\nx\ty\t1\n", "tsv"))  # linear


def test_rows_keep_the_line_that_an_editor_shows():
    for cut, ending in ((",", "csv"), ("\t", "tsv")):
        content = (HEAD + '"a\n\nb",x,1\nc,,1\nd,e,1,2\n\nf,g\n,,\n\n').replace(",", cut)
        reading = read_table(text(content, ending))
        cells = [(6, "expected 3 cells as in the header, got 4"), (7, "got 0"), (8, "got 2")]
        assert [each.row for each in reading.refused] == [5, 6, 7, 8]
        assert all(words in reading.refused[row - 5].reason for row, words in cells)
        assert reading.rows == (2,)


def test_each_bad_line_of_json_is_refused_with_its_reason():
    lines = {
        '{"sentence1": "a", "sentence2": "b", "score": "3.5"}': "",
        '{"sentence1": 7, "sentence2": "b", "score": 1}': "not text: '7'",
        '{"sentence1": "a", "sentence2": "b", "score": NaN}': "not finite",
        '{"sentence1": "a", "sentence2": "b"}': "score is blank",
        '{"sentence1": "a", "sentence2": "b", "score": [3]}': "neither text nor a number: '[3]'",
        '{"sentence1": {}, "sentence2": "b", "score": 3}': "not text: '{}'",
        "[1, 2]": "not a JSON object (list)",
        "{": "not a JSON",
        "[" * 100_000: "not a JSON",
        '{"sentence1": "\\ud800", "sentence2": "b", "score": 1}': "surrogates",
        '{"sentence1": "a\\u0000", "sentence2": "b", "score": 1}': "NUL",
        '{"sentence1": "a", "score": ' + "9" * 5000 + "}": "not a JSON",
        '{"sentence1": "\\ud83d\\ude00", "sentence2": "b", "score": 2, "x": null}': "",
    }
    reading = read_table(text("\n".join(lines) + "\n\n", "jsonl"))
    assert reading.data.first == ("a", "\U0001f600")
    reasons = {each.row: each.reason for each in reading.refused}
    bad = {row: words for row, words in enumerate(lines.values(), start=1) if words}
    assert list(reasons) == list(bad)
    assert all(words in reasons[row] for row, words in bad.items())
    assert open_table(text("\n".join(lines), "jsonl")).header[-1] == "x"


def test_files_on_the_disk_are_bounded_too(write, refuses, monkeypatch):
    path = write("big.csv", HEAD + "a,b,1\n")
    monkeypatch.setattr("bertflow_core.datasets.source.MAX_FILE_BYTES", 10)
    monkeypatch.setattr(RawFile, "text", lambda raw: pytest.fail("it was read"))
    with refuses("big.csv", "too large"):
        load_dataset(path)


def test_the_scale_is_inferred_or_given(refuses):
    for scores, scale in ("0 1 0.5", (0, 1)), ("0 1 1.01", (0, 5)), ("5 4 1", (0, 5)):
        rows = "".join(f"a,b,{score}\n" for score in scores.split())
        assert read_table(text(HEAD + rows)).data.scale == scale
    far = text(HEAD + "a,b,-40\na,b,100\n")
    assert load_dataset(far, scale=(-100, 100)).gold.tolist() == [-40, 100]
    with refuses("2 of 2 rows", "-40", "expected 0 to 5", "set the scale"):
        load_dataset(far)


def test_two_words_are_labels():
    for labels, ones in {
        "entailment not_entailment entailment": [1, 0, 1],
        "neutral entailment": [0, 1],
        "no yes": [0, 1],
        "Ja nein nein": [1, 0, 0],
        "non oui": [0, 1],
        "sí no": [1, 0],
    }.items():
        rows = "".join(f"a,b,{label}\n" for label in labels.split())
        reading = read_table(text(HEAD + rows + "a,b,\n"))
        pairs, (refused,) = reading.data, reading.refused
        assert (pairs.targets.tolist(), pairs.gold, pairs.metric) == (ones, None, "auc")
        assert (refused.row, refused.reason) == (len(ones) + 2, "score is blank")


def test_numbers_are_scores_until_asked_for_labels():
    pairs = read_table(text(HEAD + "a,b,0\nc,d,1\ne,f,1\n")).data
    assert (pairs.gold.tolist(), pairs.metric) == ([0, 1, 1], "rho")
    labelled = pairs.scored_by("auc")
    assert (labelled.targets.tolist(), labelled.gold, labelled.metric) == ([0, 1, 1], None, "auc")
    assert labelled.fingerprint != pairs.fingerprint
    assert labelled.scored_by("rho").fingerprint == pairs.fingerprint
    truth = parquet(SIDES | {"score": [True, False]})
    assert read_table(text(truth, "parquet")).data.targets.tolist() == [1, 0]
    with pytest.raises(InputError, match="3 different scores"):
        read_table(text(HEAD + "a,b,1\nc,d,4\ne,f,2\n")).data.scored_by("auc")


def test_a_text_has_a_sentence_a_line_and_none_may_lose_its_place(refuses):
    for source, column, words in [
        (text("one\n\nthree\n", "txt"), None, ("t.txt", "1 of 3 rows", "row 2", "blank")),
        (text("\n \n", "txt"), None, ("t.txt", "empty")),
        (text("text\none\na,b\n"), None, ("t.csv", "row 3", "expected 1", "got 2")),
        (text("a,b\none,1\n"), None, ("t.csv", "'sentence'", "'text'", "'a', 'b'")),
        (text("body,b\none,1\n"), "bodi", ("t.csv", "'bodi'", "did you mean body")),
    ]:
        with refuses(*words):
            read_sentences(source, column)
    odd, long = 'ein Satz\u2028 mit "Zeichen", und\tTabulator', "word " * 10_000
    source = text(f"one\n{odd}\n{long}\r\n\n\n", "txt")
    assert read_sentences(source) == ("one", odd, long)


def test_kinds_of_parquet_columns():
    for column, values, refused in [
        ("score", pa.array([1.5, 4.0], pa.float32()), ""),
        ("score", [Decimal("1.5"), Decimal("4.0")], ""),
        ("score", pa.array(["1.5", "4"]).dictionary_encode(), ""),
        ("sentence1", pa.array(SIDES["sentence1"]).cast(pa.large_string()), ""),
        ("sentence1", pa.array(SIDES["sentence1"]).cast(pa.string_view()), ""),
        ("vector", [[1.0], [2.0]], ""),  # not requested
        ("score", [[1], [2]], "'score'.*list.*text or numbers"),
        ("score", [b"1", b"2"], "'score'.*binary.*text or numbers"),
        ("sentence1", [1, 2], "sentence1 is not text: '1'"),
        ("sentence1", ["a\0", "b\0"], "row 1: sentence1 holds a NUL"),
        ("sentence1", pa.array([b"\xff\xfe", b"ok"]).view(pa.string()), "damaged"),
    ]:
        source = text(parquet(SIDES | {"score": [1.5, 4.0], column: values}), "parquet")
        if refused:
            with pytest.raises(InputError, match=refused):
                read_table(source)
        else:
            pairs = read_table(source).data
            assert (pairs.first, pairs.gold.tolist()) == (("a b", "c"), [1.5, 4.0])


@FORMS
def test_a_cell_is_bounded_in_every_column(form):
    long = "1" * 100_001
    table = {name: ["1", "1", "1", "1", "1"] for name in ("sentence1", "sentence2", "score")}
    table["subset"] = ["x"] * 5
    for row, cells in enumerate(table.values()):
        cells[row] = long
    reading = read_table(raw(form, **table))
    reasons = [f"{column} has more than 100,000 characters" for column in table]
    assert [each.reason for each in reading.refused] == reasons
    assert len(reading.data) == 1


def test_a_long_text_of_many_rows_is_decoded_neither_whole_nor_more_than_once():
    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(600, np.int32)), ["x" * 500_000])
    table = open_table(text(parquet({"id": long}, compression="zstd"), "parquet"))
    tracemalloc.start()
    cells = table.column("id")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ({*map(len, cells)}, len({*map(id, cells)})) == ({100_001}, 1)
    assert peak < 10_000_000  # of 600 copies 300 MB


def with_footer(content, true, said, places):
    """Return a parquet file whose footer has `said` in the first `places` places of `true`."""
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    true, said = (  # as in Thrift: doubled, seven bits per byte, the lowest first
        bytes([2 * n & 127 | 128, n >> 6 & 127 | 128, n >> 13]) for n in (true, said)
    )
    assert content.count(true, start) >= places
    return content[:start] + content[start:].replace(true, said, places)


def test_a_footer_that_counts_other_rows_than_there_are_is_damaged():
    n = 50_000
    content = parquet({"sentence1": ["a"] * n, "sentence2": ["b"] * n})
    for said in (10_000, 60_000):
        with pytest.raises(InputError, match=r"damaged.*number of rows is not the declared"):
            read_table(text(with_footer(content, n, said, 1), "parquet"))
    content = with_footer(parquet({"v": [[1.0, 2.0, 3.0]] * n}), n, 2 * n, 1)
    with pytest.raises(InputError, match=r"damaged.*number of rows is not the declared"):
        read_vectors(text(with_footer(content, 3 * n, 6 * n, 1), "parquet"))


def test_of_many_bad_rows_the_reasons_are_one():
    reading = read_table(text(HEAD + "a,b,1\n" + "\n" * 1_000 + "c,d,2\n"))
    assert len(reading.refused) == 1_000
    assert len({id(each.reason) for each in reading.refused}) == 1


def test_a_small_file_cannot_fill_the_memory(monkeypatch):
    """600 rows share one text of 100,000 characters; copies would take 60 MB."""
    indices = pa.array(np.zeros(600, np.int32))
    long = pa.DictionaryArray.from_arrays(indices, ["x" * 100_000])
    content = parquet({"sentence1": long, "sentence2": ["b"] * 600}, compression="zstd")
    assert len(content) < 100_000
    before = pa.default_memory_pool().max_memory()
    pairs = read_table(text(content, "parquet")).data
    assert len({id(each) for each in pairs.first}) == 1
    assert pa.default_memory_pool().max_memory() - before < 20_000_000
    monkeypatch.setattr("bertflow_core.datasets.parquet.MAX_FILE_BYTES", 50_000_000)
    with pytest.raises(InputError, match=r"when unpacked.*too large"):
        read_table(text(content, "parquet"))


def test_what_parquet_declares_is_checked_before_it_is_read(monkeypatch):
    content = parquet({**SIDES, "blob": ["x" * 5_000, "y"]}, compression="zstd")
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_, **__: pytest.fail("it was read"))
    monkeypatch.setattr("bertflow_core.datasets.parquet._MOST_GROWTH", 2)
    for limit, value, words in [
        ("_SMALL", 4_000, "when unpacked.*too large"),  # of a column that is not requested
        ("MAX_FILE_BYTES", 4_000, "when unpacked.*too large"),
        ("MAX_ROWS", 1, "too many rows: expected at most 1, got 2"),
    ]:
        monkeypatch.setattr(f"bertflow_core.datasets.parquet.{limit}", value)
        with pytest.raises(InputError, match=words):
            read_table(text(content, "parquet"))
