"""What the server tells the wall's canvas, read by another parser."""

import json
import struct
from itertools import pairwise

import numpy as np
import pytest

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic
from bertflow_core.errors import InputError
from bertflow_core.studies.wall.payload import Scatter, encode, shape_of
from bertflow_core.studies.wall.spaces import Column

TEXTS = ["plain", "<img src=x onerror=alert(1)>", "déjà \U0001f600", "\ud800 torn", "=1+1"]
N = len(TEXTS)


def pane(title="raw", n=N, shift=0.0):
    where = np.arange(n * 2, dtype=np.float64).reshape(n, 2) + shift
    return Scatter(title, f"{title} space", ("x", "y"), where)


COLUMNS = (
    Column("frequency", np.array([0.5, np.nan, 2, 3, 4]), unit="per million"),
    Column("hubness", np.arange(2 * N).reshape(2, N) * 1.5),
    Column("topic", np.array([0, 1, np.nan, 1, 0]), ("news", "forum")),
)


def wall(panes=None, columns=COLUMNS, texts=TEXTS, ids="abcde"):
    return encode(panes or [pane(), pane("flow", shift=100)], columns, texts, ids=list(ids))


def parsed(payload):
    """Read a payload by the format's description alone: header, and a reader of its arrays."""
    length = int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4 : 4 + length].decode("ascii"))
    body = payload[4 + length :]

    def array(offset, n=None, code="f"):
        assert (4 + length + offset) % 4 == 0  # typed arrays refuse any other place
        return struct.unpack_from(f"<{n or header['n']}{code}", body, offset)

    return header, array, body


def test_coordinates_and_columns_come_back_from_where_the_header_says():
    header, array, _ = parsed(wall())
    assert header["n"] == N
    assert [p["name"] for p in header["panes"]] == ["raw", "flow"]
    assert header["panes"][1]["badge"] == "flow space"
    assert array(header["panes"][0]["planes"][1]) == (1, 3, 5, 7, 9)
    assert array(header["panes"][1]["planes"][0]) == (100, 102, 104, 106, 108)
    frequency, hubness, topic = header["columns"]
    assert frequency["unit"] == "per million"
    missing = array(frequency["rows"][0])
    assert missing[0] == 0.5 and np.isnan(missing[1])
    assert array(hubness["rows"][1])[-1] == 13.5
    assert topic["labels"] == ["news", "forum"]


def test_texts_come_back_whatever_they_hold_and_long_ones_are_cut():
    texts = [*TEXTS[:4], "x" * 2_000]
    header, array, body = parsed(wall(texts=texts))
    ends = array(header["text_offsets"], N + 1, "I")
    start = header["text_bytes"]
    found = [body[start + a : start + b].decode() for a, b in pairwise(ends)]
    assert found[:3] == TEXTS[:3]
    assert found[3] == "? torn"
    assert found[4] == "x" * 499 + "…"


def near(rows, values=None, n=N):
    rows = np.asarray(rows).reshape(n, -1)
    return Neighbours("dot", rows, np.ones(rows.shape) if values is None else values)


def test_neighbours_come_back_row_by_row():
    rows = [[1, 2], [0, 3], [4, 1], [2, 0], [3, 1]]
    values = np.arange(10).reshape(5, 2) / 4
    header, array, _ = parsed(
        encode([pane()], (), TEXTS, ids=list("abcde"), neighbours=[near(rows, values)])
    )
    (found,) = header["neighbours"]
    assert found["k"] == 2
    assert array(found["rows"], 10, "I") == (1, 2, 0, 3, 4, 1, 2, 0, 3, 1)
    assert array(found["values"], 10) == tuple(values.ravel())
    assert parsed(wall())[0]["neighbours"] == []


def test_topics_come_back_by_pane_and_their_words_are_cut():
    topic = Topic(2, ("dog", "x" * 90), (0.5, -1.0), 7)
    header, _, _ = parsed(
        encode([pane(), pane("flow")], (), TEXTS, ids=list("abcde"), topics=[(topic,), ()])
    )
    (found,) = header["panes"][0]["topics"]
    assert found == {"zoom": 2, "text": f"dog, {'x' * 24}", "place": [0.5, -1.0]}
    assert header["panes"][1]["topics"] == []


def test_equal_input_gives_equal_bytes_and_other_input_another_digest():
    assert wall() == wall()
    first, _, _ = parsed(wall())
    moved, _, _ = parsed(wall([pane(), pane("flow", shift=101)]))
    renamed, _, _ = parsed(wall(ids="abcdf"))
    assert first["content"] != moved["content"]
    assert first["ids"] == moved["ids"] != renamed["ids"]


def test_ids_that_only_join_alike_are_other_rows():
    a = encode([pane(n=2)], (), ["", ""], ids=["ab", "c"])
    b = encode([pane(n=2)], (), ["", ""], ids=["a", "bc"])
    assert shape_of(a).ids != shape_of(b).ids


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"panes": [pane(shift=np.nan)]}, "pane 'raw' has numbers that are not finite"),
        ({"panes": [pane(shift=1e300)]}, "not finite"),
        ({"columns": [Column("c", np.full(N, np.inf))]}, "column 'c' has numbers"),
    ],
)
def test_what_float32_cannot_hold_is_refused_in_a_sentence(change, what):
    with pytest.raises(InputError, match=what):
        wall(**change)
