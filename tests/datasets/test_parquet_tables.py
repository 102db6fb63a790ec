import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bertflow_core.datasets import RawFile, TableColumns, load_pairs, read_sentences, read_table
from bertflow_core.errors import InputError

SIDES = {"sentence1": ["a b", "c"], "sentence2": ["d", "e"]}


def parquet(columns, **options):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "score",
    [
        [1.5, 4.0],
        pa.array([1.5, 4.0], pa.float32()),
        [Decimal("1.5"), Decimal("4.0")],
        ["1.5", "4"],
        pa.array(["1.5", "4"]).dictionary_encode(),
    ],
)
def test_scores_of_any_kind_of_number(write, score):
    pairs = load_pairs(write("t.parquet", parquet(SIDES | {"score": score})))
    assert pairs.sentences() == ("a b", "d", "c", "e")
    assert pairs.gold.tolist() == [1.5, 4.0]
    assert pairs.provenance.files[0].lines is None


@pytest.mark.parametrize(
    "kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
)
def test_texts_of_any_kind(write, kind):
    table = SIDES | {"sentence1": pa.array(SIDES["sentence1"]).cast(kind)}
    assert load_pairs(write("t.parquet", parquet(table))).first == ("a b", "c")


def test_columns_with_dots_and_whole_numbers_as_subsets(write):
    path = write("t.parquet", parquet(SIDES | {"my.score": [1, 2], "part": [7, 8]}))
    columns = TableColumns("sentence1", "sentence2", "my.score", "part")
    assert load_pairs(path, columns=columns).subsets == ("7", "8")


def test_rows_count_from_one_and_keep_their_order_over_batches():
    n = 20_000
    table = {
        "sentence1": [f"s {i}" if i != 17_000 else None for i in range(n)],
        "sentence2": ["t"] * n,
        "score": [float("nan") if i == 1 else i % 5 for i in range(n)],
    }
    reading = read_table(RawFile("t.parquet", parquet(table, row_group_size=3_000)))
    told = [(refusal.row, refusal.reason) for refusal in reading.refused]
    assert told == [(2, "score is not finite: 'nan'"), (17_001, "sentence1 is blank")]
    assert reading.pairs.first[-1] == "s 19999"
    assert (len(reading.pairs), reading.n_rows) == (n - 2, n)


def test_plain_sentences(write):
    assert read_sentences(write("t.parquet", parquet({"text": ["x", "y"]}))) == ("x", "y")


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ([[1], [2]], "list"),
        ([b"1", b"2"], "binary"),
        ([{"a": 1}] * 2, "struct"),
        ([True] * 2, "bool"),
    ],
)
def test_nested_and_binary_columns_are_refused(write, refuses, score, kind):
    path = write("t.parquet", parquet(SIDES | {"score": score}))
    with refuses("'score'", kind, "text or numbers"):
        load_pairs(path)


def test_columns_that_are_not_asked_for_may_hold_anything(write):
    path = write("t.parquet", parquet(SIDES | {"vector": [[1.0], [2.0]]}))
    assert len(load_pairs(path)) == 2


def test_numbers_are_no_sentences(write, refuses):
    path = write("t.parquet", parquet(SIDES | {"sentence1": [1, 2]}))
    with refuses("sentence1 is not text", "'1'"):
        load_pairs(path)


def test_no_rows_and_duplicate_names_are_refused(write, refuses):
    empty = pa.table({"sentence1": pa.array([], pa.string())})
    twice = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["x", "x"])
    for table, words in ((empty, "no rows"), (twice, "more than one column")):
        buffer = io.BytesIO()
        pq.write_table(table, buffer)
        path = write("t.parquet", buffer.getvalue())
        with refuses(words):
            load_pairs(path)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.99])
def test_torn_file_is_refused(write, refuses, keep):
    whole = parquet(SIDES)
    path = write("t.parquet", whole[: int(len(whole) * keep)])
    with refuses("t.parquet", "damaged"):
        load_pairs(path)


def test_text_that_is_not_utf8_is_refused(write, refuses):
    bad = pa.array([b"\xff\xfe", b"ok"]).view(pa.string())
    path = write("t.parquet", parquet(SIDES | {"sentence1": bad}))
    with refuses("t.parquet", "damaged"):
        load_pairs(path)


def test_too_many_rows_are_refused_before_they_are_read(write, refuses, monkeypatch):
    path = write("t.parquet", parquet(SIDES))
    monkeypatch.setattr("bertflow_core.datasets.parquet.MAX_ROWS", 1)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_: pytest.fail("it was read"))
    with refuses("too many rows", "at most 1", "got 2"):
        load_pairs(path)


def test_declared_size_is_checked_before_reading(write, refuses, monkeypatch):
    path = write("t.parquet", parquet({**SIDES, "blob": ["x" * 5_000, "y"]}, compression="zstd"))
    monkeypatch.setattr("bertflow_core.datasets.parquet.MAX_FILE_BYTES", 4_000)
    with refuses("unpacked", "too large"):
        load_pairs(path)


def pointing_at_one_long_text(rows, characters):
    long = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * characters])
    raw = parquet({"sentence1": long, "sentence2": ["b"] * rows}, compression="zstd")
    assert len(raw) < rows * characters / 1_000
    return RawFile("bomb.parquet", raw)


def test_a_small_file_cannot_fill_the_memory(monkeypatch):
    """Declared small, 60 MB once each row has its own copy of the text that all point to."""
    monkeypatch.setattr("bertflow_core.datasets.parquet.MAX_FILE_BYTES", 50_000_000)
    bomb = pointing_at_one_long_text(rows=600, characters=100_000)
    before = pa.default_memory_pool().max_memory()
    with pytest.raises(InputError, match=r"^'bomb\.parquet when unpacked' is too large"):
        read_table(bomb)
    assert pa.default_memory_pool().max_memory() - before < 20_000_000


def test_batches_add_up_to_the_size(monkeypatch):
    monkeypatch.setattr("bertflow_core.datasets.parquet.MAX_FILE_BYTES", 5_000_000)
    monkeypatch.setattr("bertflow_core.datasets.parquet.BATCH_ROWS", 100)
    with pytest.raises(InputError, match=r"^'bomb\.parquet when unpacked' is too large"):
        read_table(pointing_at_one_long_text(rows=600, characters=10_000))


def test_nul_in_a_text_is_refused(write, refuses):
    path = write("t.parquet", parquet(SIDES | {"sentence1": ["a\0b", "c"]}))
    with refuses("row 1", "sentence1", "NUL"):
        load_pairs(path, strict=True)
