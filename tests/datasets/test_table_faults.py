import pytest

from bertflow_core.datasets import RawFile, TableColumns, load_pairs, read_table
from bertflow_core.datasets.source import RawFile as AnyFile

CSV = "sentence1,sentence2,score\n"
WIDE = ",".join(f"c{i}" for i in range(1001))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"", ["empty", "header"]),
        ("t.csv", b"\n \n", ["empty", "header"]),
        ("t.tsv", b"", ["empty", "header"]),
        ("t.parquet", b"", ["empty"]),
        ("t.csv", CSV, ["header", "no rows"]),
        ("t.csv", CSV + "\n\n", ["header", "no rows"]),
        ("t.csv", "sentence1\na\n", ["one column", "'sentence1'", "two sentence columns"]),
        ("t.csv", "left,right\na,b\n", ["2 columns", "'left', 'right'", "sentence1"]),
        ("t.csv", "a,a,b\n1,2,3\n", ["more than one column", "'a'", "rename"]),
        ("t.csv", WIDE + "\n" + WIDE + "\n", ["too many columns", "1,000", "1,001"]),
        ("t.csv", CSV.encode() + b"caf\xe9,b,1\n", ["UTF-8", "0xe9", "line 2", "Windows-1252"]),
        ("t.csv", CSV.encode() + b"caf\xc3\xa9,caf\xe9,3\n", ["UTF-8", "0xe9", "line 2"]),
        ("t.csv", CSV.encode() + b"\xed\xa0\x80,b,3\n", ["UTF-8", "0xed", "line 2"]),
        ("t.csv", CSV.encode("utf-16"), ["UTF-16", "UTF-8"]),
        ("t.tsv", CSV.encode("utf-32"), ["UTF-32", "UTF-8"]),
        ("t.csv", CSV.encode("utf-16-le"), ["NUL", "UTF-16", "line 1"]),
        ("t.csv", CSV + "a,b\0,1\n", ["NUL", "line 2"]),
        ("t.csv", CSV + 'a,"b,1\nc,d,2\n', ["row 2", "quotation marks"]),
        ("t.csv", CSV + 'a,b,1\na,"b"c,1\n', ["row 3", "quotation marks"]),
        ("t.csv", CSV + 'a,"' + "b" * 200_000, ["row 2", "131072"]),
        ("t.csv", CSV.replace(",", "\t") + "a\tb\t1\n", ["tabs", ".tsv"]),
        ("t.tsv", CSV + "a,b,1\n", ["no tabs", ".csv"]),
        ("t.csv", b"PAR1...", ["parquet file", "UTF-8 text"]),
        ("t.tsv", b"PK\x03\x04...", ["zip", "Excel"]),
        ("t.csv", b"\x1f\x8b...", ["gzip"]),
        ("t.parquet", CSV, ["not a parquet file"]),
        ("t.parquet", b"PAR1 then nothing PAR1", ["damaged", "write it again"]),
        (
            "t.xlsx",
            b"PK\x03\x04",
            ["not a table", "'.csv', '.tsv', '.jsonl', '.parquet'", "save it"],
        ),
        ("table", CSV, ["not a table", "'.csv'"]),
    ],
)
def test_each_fault_has_its_sentence(write, refuses, name, content, words):
    path = write(name, content)
    raw = RawFile(name, path.read_bytes())
    for source in (path, raw):
        with refuses(repr(name), *words):
            read_table(source)


def test_missing_column_offers_the_nearest(write, refuses):
    path = write("t.csv", "first,second,points\na,b,1\n")
    with refuses("'point'", "t.csv", "did you mean points"):
        load_pairs(path, columns=TableColumns("first", "second", "point"))


def test_one_column_cannot_be_both_sides(refuses):
    with refuses("different", "'a', 'a'"):
        TableColumns("a", "a")


def test_many_columns_are_not_all_listed(write, refuses):
    header = ",".join(f"c{i}" for i in range(30))
    path = write("t.csv", f"{header}\n{header}\n")
    with refuses("30 columns", "'c19' and 10 more"):
        load_pairs(path)


def test_large_upload_is_refused_before_it_is_read(refuses):
    with refuses("big.csv", "too large", "at most 20 MB", "got 20 MB"):
        read_table(RawFile("big.csv", b"\xff" * 20_000_001))


def test_large_file_is_refused_before_it_is_read(write, refuses, monkeypatch):
    path = write("big.csv", CSV + "a,b,1\n")
    monkeypatch.setattr("bertflow_core.datasets.source.MAX_FILE_BYTES", 10)
    monkeypatch.setattr(AnyFile, "text", lambda raw: pytest.fail("it was read"))
    with refuses("big.csv", "too large"):
        load_pairs(path)


def test_a_folder_is_no_table(tmp_path, refuses):
    (tmp_path / "t.csv").mkdir()
    with refuses("t.csv", "folder"):
        load_pairs(tmp_path / "t.csv")
