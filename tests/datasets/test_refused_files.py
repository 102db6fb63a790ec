"""Files that are refused, one row for each fault: one sentence that names the file."""

import io
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from test_tables import HEAD, parquet

from bertflow_core.datasets import RawFile, load_dataset, read_sentences, read_table
from bertflow_core.datasets.collection import MAX_UNPACKED
from bertflow_core.errors import InputError

MOST_BYTES = 100_000_000
WIDE = ",".join(f"c{i}" for i in range(1001))
LISTS = b'{"text": "a", "more": [' + b"[]," * 300_000 + b"[]]}\n"
HEADER = "query-id\tcorpus-id\tscore\n"
GOOD = {
    "corpus.jsonl": '{"_id": "d", "text": "A cat."}\n{"_id": "e", "text": "A dog."}\n',
    "queries.jsonl": '{"_id": "q", "text": "Which animal?"}\n',
    "qrels/test.tsv": f"{HEADER}q\td\t2\nq\te\t0\n",
}
NONE = dict.fromkeys(GOOD)


def zipped(n=0, method=zipfile.ZIP_DEFLATED, **changes):
    """Return a collection with these changes, None leaves a table out, and `n` empty files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in {**GOOD, **changes}.items():
            if content is not None:
                archive.writestr(name, content)
        for number in range(n):
            archive.writestr(zipfile.ZipInfo(str(number)), b"")
    return stream.getvalue()


def dated(kind, number):
    """Return a parquet table of labels that are times, of which one is this number."""
    cells = pa.array(np.array([number, 0], f"int{kind.bit_width}")).view(kind)
    return parquet({"text": ["a", "b"], "label": cells})


def labels(*names):
    return "text,label\n" + "".join(f"text {i},{name}\n" for i, name in enumerate(names))


NO_TABLES = [
    *((f"t.{form}", b"", "empty") for form in ("csv", "tsv", "jsonl", "parquet")),
    ("t.csv", HEAD + "\n\n", "no rows"),
    ("t.parquet", parquet({"text": pa.array([], pa.string())}), "no rows"),
    ("t.csv", "sentence1\na\n", "no known sentence column among .sentence1."),
    ("t.csv", "a,a,b\n1,2,3\n", "more than one column named 'a'"),
    ("t.csv", f"{WIDE}\n{WIDE}\n", "too many columns: expected at most 1,000, got 1,001"),
    ("t.csv", HEAD.encode() + b"\x81\xe9,b,1\n", "not UTF-8 text .*0x81.*save.*CSV in UTF-8"),
    ("t.csv", HEAD.encode("utf-16-le"), "a NUL byte.*save.*CSV in UTF-8"),
    ("t.csv", HEAD + 'a,b,1\na,"b"c,1\n', "from row 3.*quotation marks"),
    ("t.csv", HEAD + 'a,"' + "b" * 200_000, "row 2.*131072"),
    ("t.csv", b"PK\x03\x04\x14\0", "a NUL byte.*may be binary"),
    ("t.parquet", HEAD, "is not a parquet file"),
    ("t.parquet", parquet({"text": ["a b", "c"]})[:200], "damaged.*write it again"),
    ("t.xls", b"", "not a table.*'.csv', '.tsv', '.jsonl', '.parquet', '.xlsx'"),
    ("t.xlsx", b"\xd0\xcf\x11\xe0", "cannot be .* .xlsx .*not a zip file.*save.*CSV in UTF-8"),
    ("t.jsonl", "{}\n", "no keys"),
    ("t.csv", HEAD + "a,b,red\na,b,blue\n", "'blue', 'red'.*unclear"),
    ("t.csv", HEAD + "a,b,yes\na,b,yes\n", "not a number"),
]
NO_LABELS = [
    ("t.csv", labels(*"xx"), "has only the label 'x': expected at least two"),
    ("t.csv", labels(*"xxxyy"), "has fewer than three texts with the label 'y'"),
    ("t.csv", labels(*"xxxyy") + "text 0,y\n", "has fewer than three texts with the label 'y'"),
    ("t.csv", labels(*"xyz"), "has 3 labels for its 3 texts, as in a column of ids or of numbers"),
    ("t.csv", labels("4.8", 1, 1, 0), "has 3 labels for its 4 texts, as in a column of ids"),
    ("t.csv", labels(*range(1001), *range(1001)), "has 1,001 labels: expected at most 1,000"),
]
NO_COLLECTIONS = [
    ("t.zip", zipped(**{"queries.jsonl": None}), "has no queries as .jsonl, .csv"),
    ("t.zip", zipped(**{"qrels/test.tsv": None}), "has no qrels/test or qrels as"),
    ("t.zip", zipped(**NONE), "has no corpus"),
    ("t.zip", zipped(**{"/etc/passwd.csv": "a"}), "cannot be read as .zip.*absolute"),
    ("t.zip", zipped(**{"qrels/test.tsv": f"{HEADER}q\tx\t1\n"}), "row 2.*no document 'x'"),
    ("t.zip", zipped(**{"corpus.jsonl": '{"_id": "d", "text": "A."}\n{"_id'}), "row 2: not a JSON"),
    ("t.zip", zipped(**{"corpus.jsonl": b'{"_id": "d"}\n{"text": "\xe9"}'}), "not UTF-8.*line 2"),
    ("t.zip", zipped(method=zipfile.ZIP_BZIP2), "a method other than deflate"),
    ("t.zip", zipped()[:-30], "cannot be read as .zip.*zip the folder again"),
    (
        "t.zip",
        lambda: zipped(**{"more.csv": b" " * (MAX_UNPACKED + 1)}),
        "too large.*at most 67 MB",
    ),
]
TO_HARM = [  # large ones are made in their test, not by every worker
    ("t.csv", lambda: b"," * 20_000_000, "row 1 on .more than 1,048,576 characters"),
    (
        "t.csv",
        lambda: b'text\n"' + b'\n","' * 5_000_000,
        "row 2 on .more than 1,048,576 characters",
    ),
    ("t.csv", b"text\r" + b"a\r" * 3_001, "at most 3,000 lines and 9,000 cells"),
    ("t.csv", b"a,b,c,d\n" + b"1,2,3,4\n" * 2_500, "at most 3,000 lines and 9,000 cells"),
    ("t.tsv", lambda: b"\t" * 20_000_000, "row 1: more than 1,048,576 characters"),
    ("t.tsv", b"a\tb\n" + b"1\t2\n" * 3_000, "at most 3,000 lines and 9,000 cells"),
    ("t.jsonl", lambda: LISTS * 2 + LISTS.strip() + LISTS, "row 3: more than 1,048,576 characters"),
    ("t.jsonl", b"{}\n" * 3_000 + b"{}", "at most 3,000 lines and 9,000 cells"),
    ("t.jsonl", lambda: b"{}\n" * 10_000_001 + b"{}", "more than 10,000,000 lines"),
    ("t.txt", lambda: b"\n" * 10_000_001, "more than 10,000,000 lines"),
    (
        "t.zip",
        lambda: zipped(**NONE, **{"corpus.csv": b"," * 20_000_000}),
        "row 1 on .more than 1,048,576 characters",
    ),
    ("t.zip", lambda: zipped(10_001), "more than 10,000 entries.*zip the folder again"),
    ("t.xlsx", lambda: zipped(10_001), "more than 10,000 entries.*save the sheet as CSV"),
    ("t.parquet", dated(pa.date32(), 2**31 - 1), "damaged"),
    ("t.parquet", dated(pa.timestamp("us"), -(2**62)), "damaged"),
    ("t.parquet", dated(pa.duration("s"), 2**62), "damaged"),
]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [*NO_TABLES, *NO_LABELS, *NO_COLLECTIONS, *TO_HARM],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_one_sentence_and_little_memory(name, content, words, monkeypatch):
    monkeypatch.setattr("bertflow_core.datasets.tables.MAX_ROWS", 3_000)
    monkeypatch.setattr("bertflow_core.datasets.tables._MAX_CELLS", 9_000)
    read = {"zip": load_dataset, "txt": read_sentences}.get(name[2:], read_table)
    content = content() if callable(content) else content
    source = RawFile(name, content if isinstance(content, bytes) else content.encode())
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=rf"^'(t|corpus|test)\b[^\n]*{words}[^\n]*(?<![.])$"):
            read(source)
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


def test_no_damage_is_more_than_a_sentence():
    whole, rng = zipped(), np.random.default_rng(0)
    assert load_dataset(RawFile("own.zip", whole)).size == (
        "2 documents, 1 queries, 1 relevant pairs"
    )
    for _ in range(400):
        content = bytearray(whole)
        for place in rng.integers(len(whole), size=3):
            content[place] = rng.integers(256)
        try:
            load_dataset(RawFile("own.zip", bytes(content)))
        except ValueError as error:
            assert "\n" not in str(error)
