"""Columns of a batch: what can be used, and why the rest cannot, in every form of a batch."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bertflow_core.errors import InputError
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.scale.columns import outcome, texts, vectors

BAD_TEXTS = [
    (None, "blank"),
    ("  ", "blank"),
    ("a" * (MAX_SENTENCE + 1), "characters"),
    ("a\0b", "NUL"),
]


@pytest.mark.parametrize(("text", "word"), BAD_TEXTS)
@pytest.mark.parametrize("form", [pa.table, pd.DataFrame, dict])
def test_a_text_that_cannot_be_used_has_a_reason(text, word, form):
    column = pa.array(["good", text, "fine"]) if form is pa.table else ["good", text, "fine"]
    sifted = texts(form({"text": column}), "text")
    assert (sifted.values, sifted.rows.tolist()) == (["good", "fine"], [0, 2])
    assert list(sifted.refused) == [1]
    assert word in sifted.refused[1]


def test_a_column_of_numbers_has_no_texts():
    sifted = texts(pa.table({"text": [1, 2]}), "text")
    assert sifted.values == []
    assert "not text" in sifted.refused[1]


def test_bytes_that_are_no_utf8_cost_their_row_alone():
    column = pa.array([b"good", b"\xff\xfe", b"fine"], pa.binary()).view(pa.string())
    sifted = texts(pa.table({"text": column}), "text")
    assert (sifted.values, list(sifted.refused)) == (["good", "fine"], [1])


X = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(list(X), pa.list_(pa.float32())),
        pa.array(list(X), pa.list_(pa.float64(), 3)),
        pa.array(X.astype(int).tolist()),
        pa.chunked_array([pa.array(list(X[:1])), pa.array(list(X[1:]))]),
        X,
        X.astype(np.int64),
    ],
)
def test_vectors_are_read_from_every_kind_of_list(column):
    batch = {"vector": column} if isinstance(column, np.ndarray) else pa.table({"vector": column})
    sifted = vectors(batch, "vector")
    assert sifted.values.dtype == np.float32
    np.testing.assert_array_equal(sifted.values, X)
    assert sifted.refused == {}


@pytest.mark.parametrize("as_arrow", [True, False])
def test_vectors_that_cannot_be_used_have_reasons(as_arrow):
    cells = [None, [1.0, 2.0, 3.0], [1.0], [4.0, 5.0, np.nan], [np.inf, 0.0, 0.0], [7.0, 8.0, 9.0]]
    column = pa.array(cells, pa.list_(pa.float32()))
    batch = pa.table({"vector": column}) if as_arrow else {"vector": np.array(cells, object)}
    sifted = vectors(batch, "vector")
    np.testing.assert_array_equal(sifted.values, [[1, 2, 3], [7, 8, 9]])
    assert sifted.rows.tolist() == [1, 5]
    words = {0: "blank", 2: "1 numbers", 3: "finite", 4: "finite"}
    assert sifted.refused.keys() == words.keys()
    assert all(word in sifted.refused[row] for row, word in words.items())


def test_a_slice_of_a_table_has_its_own_vectors():
    table = pa.table({"vector": pa.array(list(X), pa.list_(pa.float32(), 3))})
    np.testing.assert_array_equal(vectors(table.slice(1, 2), "vector").values, X[1:3])


def test_text_is_no_vector():
    sifted = vectors(pa.table({"vector": ["1,2", "3,4"]}), "vector", width=3)
    assert sifted.values.shape == (0, 3)
    assert "lists of numbers" in sifted.refused[0]


def test_an_unknown_column_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean text"):
        texts({"text": np.array(["a"], object)}, "txt")


def test_an_outcome_keeps_every_row_in_its_place():
    made = outcome(3, X[:2], np.array([0, 2]), {1: "blank"}, {"id": np.arange(3)})
    assert made.column("vector").to_pylist() == [X[0].tolist(), None, X[1].tolist()]
    assert made.column("refused").to_pylist() == [None, "blank", None]
