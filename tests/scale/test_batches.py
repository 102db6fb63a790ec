"""Batches of rows: what can be used, and why the rest cannot; moments of a Ray dataset."""

import numpy as np
import pyarrow as pa
import pytest
from corpora import SENTENCES

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.scale import Calibrate, Embed, moments

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def as_it_is(column):
    """Return the vectors and the reasons of a column, by a calibrator that changes nothing."""
    made = Calibrate(build_calibrator("identity").fit(X))(pa.table({"vector": column}))
    return made.column("vector").to_pylist(), made.column("refused").to_pylist()


def test_texts_become_what_the_encoder_gives_and_the_rest_have_reasons(embed, encode):
    long = " ".join(["red"] * 60)
    flood = "a" * (MAX_SENTENCE + 1)
    bad = [(None, "blank"), (" ", "blank"), ("a\0b", "NUL"), (flood, "characters")]
    texts = [*SENTENCES, *(text for text, _ in bad), long]
    made = embed(pa.table({"id": np.arange(len(texts)), "text": texts, "more": texts}))
    assert made.column_names == ["id", "cut", "vector", "refused"]
    reasons = made.column("refused").to_pylist()
    assert [why is None for why in reasons] == [True] * 5 + [False] * 4 + [True]
    assert all(word in why for (_, word), why in zip(bad, reasons[5:9], strict=True))
    x = np.array(made.column("vector").drop_null().to_pylist())
    np.testing.assert_allclose(x, encode([*SENTENCES, long]), atol=1e-5)
    assert made.column("cut").to_pylist() == [False] * 9 + [True]


def test_a_batch_of_nothing_usable_is_a_batch(embed):
    made = embed(pa.table({"text": pa.array([1.5, 2.5])}))
    assert made.column("vector").type == pa.list_(pa.float32(), 16)
    assert all("not text" in why for why in made.column("refused").to_pylist())
    empty = pa.table({"vector": pa.array([], pa.list_(pa.float32()))})
    assert len(Calibrate(build_calibrator("whiten").fit(X + X**2))(empty)) == 0


def test_vectors_are_read_from_every_kind_of_list():
    for column in (
        pa.array(list(X), pa.list_(pa.float32())),
        pa.array(list(X), pa.list_(pa.float64(), 3)),
        pa.array(list(X.astype(np.float16)), pa.large_list(pa.float16())),
        pa.array(X.astype(int).tolist()),
        pa.chunked_array([pa.array(list(X[:1])), pa.array(list(X[1:]))]),
        pa.array([[9.0] * 3, *X], pa.list_(pa.float32(), 3)).slice(1),
    ):
        assert as_it_is(column) == (X.tolist(), [None] * 4)


def test_vectors_that_cannot_be_used_have_reasons():
    cells = [None, [1.0, 2.0, 3.0], [1.0], [4.0, 5.0, np.nan], [np.inf, 0.0, 0.0], [7.0, 8.0, 9.0]]
    x, reasons = as_it_is(pa.array(cells, pa.list_(pa.float32())))
    assert x == [None, [1, 2, 3], None, None, None, [7, 8, 9]]
    words = {0: "blank", 2: "1 numbers: expected 3", 3: "finite", 4: "finite"}
    assert all(word in reasons[row] for row, word in words.items())
    assert "lists of numbers" in as_it_is(["1,2", "3,4"])[1][0]


def test_what_is_no_batch_or_no_column_is_refused():
    stage = Calibrate(build_calibrator("identity").fit(X))
    with pytest.raises(InputError, match="did you mean vector"):
        stage(pa.table({"vectors": list(X)}))
    with pytest.raises(InputError, match="batch_format"):
        stage({"vector": X})
    with pytest.raises(InputError, match="'vector' cannot be the column of ids"):
        Embed(key="vector")


class Blocks:
    """What `moments` uses of a Ray dataset."""

    def __init__(self, *blocks):
        self.blocks = blocks

    def map_batches(self, make, **_):
        return Blocks(*map(make, self.blocks))

    def iter_rows(self):
        return ({name: block[name][0] for name in block} for block in self.blocks)


def block(vectors):
    return pa.table({"vector": pa.array(vectors, pa.list_(pa.float32()))})


def test_moments_are_those_of_all_rows_that_can_be_used():
    x = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    with pytest.warns(UserWarning, match="2 rows are left out .*expected 3"):
        found = moments(Blocks(block([*x[:9], [5.0] * 4]), block([]), block([[5.0] * 2, *x[9:]])))
    assert found.n == 40
    np.testing.assert_allclose(found.mean, x.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(found.covariance, np.cov(x.T), atol=1e-6)
    with pytest.raises(InputError, match="different widths"):
        moments(Blocks(block(list(x)), block(list(x[:, :2]))))
    with pytest.raises(InputError, match="no row has a usable vector"):
        moments(Blocks(block([None])))
