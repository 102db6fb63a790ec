"""Files made to harm, one row for each kind: one sentence, and little memory."""

import io
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.datasets import RawFile, load_dataset, read_sentences, read_table

MOST_BYTES = 100_000_000
COMMAS = b"," * 20_000_000
LISTS = b'{"text": "a", "more": [' + b"[]," * 300_000 + b"[]]}\n"


def zipped(n=1, **files):
    """Return a .zip of these files and `n` empty ones."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for number in range(n):
            archive.writestr(zipfile.ZipInfo(str(number)), b"")
    return stream.getvalue()


def dated(kind, number):
    """Return a parquet table of labels that are times, of which one is this number."""
    cells = pa.array(np.array([number, 0], f"int{kind.bit_width}")).view(kind)
    stream = io.BytesIO()
    pq.write_table(pa.table({"text": ["a", "b"], "label": cells}), stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", COMMAS, "row 1 on .more than 1,048,576 characters"),
        ("t.csv", b'text\n"' + b'\n","' * 5_000_000, "row 2 on .more than 1,048,576 characters"),
        ("t.csv", b"text\r" + b"a\r" * 3_001, "at most 3,000 lines and 9,000 cells"),
        ("t.csv", b"a,b,c,d\n" + b"1,2,3,4\n" * 2_500, "at most 3,000 lines and 9,000 cells"),
        ("t.tsv", b"\t" * 20_000_000, "row 1: more than 1,048,576 characters"),
        ("t.tsv", b"a\tb\n" + b"1\t2\n" * 3_000, "at most 3,000 lines and 9,000 cells"),
        ("t.jsonl", LISTS * 2 + LISTS.strip() + LISTS, "row 3: more than 1,048,576 characters"),
        ("t.jsonl", b"{}\n" * 3_000 + b"{}", "at most 3,000 lines and 9,000 cells"),
        ("t.jsonl", b"{}\n" * 10_000_001 + b"{}", "more than 10,000,000 lines"),
        ("t.txt", b"\n" * 10_000_001, "more than 10,000,000 lines"),
        ("t.zip", zipped(**{"corpus.csv": COMMAS}), "row 1 on .more than 1,048,576 characters"),
        ("t.zip", zipped(10_001), "more than 10,000 entries.*zip the folder again"),
        ("t.xlsx", zipped(10_001), "more than 10,000 entries.*save the sheet as CSV"),
        ("t.parquet", dated(pa.date32(), 2**31 - 1), "damaged"),
        ("t.parquet", dated(pa.timestamp("us"), -(2**62)), "damaged"),
        ("t.parquet", dated(pa.duration("s"), 2**62), "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_sentence_and_little_memory(name, content, words, monkeypatch):
    monkeypatch.setattr("bertflow_core.datasets.tables.MAX_ROWS", 3_000)
    monkeypatch.setattr("bertflow_core.datasets.tables._MAX_CELLS", 9_000)
    read = {"zip": load_dataset, "txt": read_sentences}.get(name[2:], read_table)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=rf"^'(t|corpus)\.[^\n]*{words}[^\n]*$"):
            read(RawFile(name, content))
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


def test_lists_beside_a_text_take_no_memory():
    tracemalloc.start()
    pairs = read_table(RawFile("t.jsonl", LISTS * 4)).data
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(pairs), peak < 50_000_000) == (4, True)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
def test_a_long_table_of_short_rows_is_read(name):
    head, row = (b"", b'{"text": "a"}\n') if name == "t.jsonl" else (b"text\n", b"a short row\n")
    assert len(read_table(RawFile(name, head + 100_000 * row)).data) == 100_000
