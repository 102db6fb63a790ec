"""What the server tells the wall's canvas, read by another parser."""

import json
import struct
from itertools import pairwise

import numpy as np
import pytest

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic
from bertflow_core.errors import InputError
from bertflow_core.studies.wall.payload import PanePicture, encode, header_of
from bertflow_core.studies.wall.spaces import Column

TEXTS = ["plain", "<img src=x onerror=alert(1)>", "déjà \U0001f600", "\ud800 torn", "x" * 2_000]
N = len(TEXTS)


def pane(title="raw", n=N, shift=0.0, **more):
    where = np.arange(n * 2, dtype=np.float64).reshape(n, 2) + shift
    return PanePicture(title, f"{title} space", ("x", "y"), where, **more)


COLUMNS = (
    Column("frequency", np.array([0.5, np.nan, 2, 3, 4]), unit="per million"),
    Column("hubness", np.arange(2 * N).reshape(2, N) * 1.5),
    Column("topic", np.array([0, 1, np.nan, 1, 0]), ("news", "forum")),
)


def wall(panes=None, columns=COLUMNS, ids="abcde", **more):
    panes = panes or [pane(), pane("flow", shift=100)]
    return encode(panes, columns, TEXTS, ids=list(ids), **more)


def parsed(payload):
    """Read a payload by the format's description alone: header, and a reader of its arrays."""
    length = int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4 : 4 + length].decode("ascii"))
    body = payload[4 + length :]

    def array(offset, n=None, code="f"):
        assert (4 + length + offset) % 4 == 0  # typed arrays refuse any other place
        return struct.unpack_from(f"<{n or header['n']}{code}", body, offset)

    return header, array, body


def test_everything_comes_back_from_where_the_header_says():
    rows, values = (
        np.array([[1, 2], [0, 3], [4, 1], [2, 0], [3, 1]]),
        np.arange(10).reshape(5, 2) / 4,
    )
    topic = Topic(2, ("dog", "x" * 90), (0.5, -1.0), 7)
    panes, near = [pane(topics=(topic,)), pane("flow", shift=100)], Neighbours("dot", rows, values)
    header, array, body = parsed(wall(panes, neighbours=[near]))
    assert header["n"] == N
    raw, flow = header["panes"]
    assert (raw["name"], flow["badge"]) == ("raw", "flow space")
    assert array(raw["planes"][1]) == (1, 3, 5, 7, 9)
    assert array(flow["planes"][0]) == (100, 102, 104, 106, 108)
    assert raw["topics"] == [{"zoom": 2, "text": f"dog, {'x' * 24}", "place": [0.5, -1.0]}]
    assert flow["topics"] == []
    frequency, hubness, topics = header["columns"]
    assert frequency["unit"] == "per million"
    missing = array(frequency["rows"][0])
    assert missing[0] == 0.5 and np.isnan(missing[1])
    assert array(hubness["rows"][1])[-1] == 13.5
    assert topics["labels"] == ["news", "forum"]
    (near,) = header["neighbours"]
    assert near["k"] == 2
    assert array(near["rows"], 10, "I") == tuple(rows.ravel())
    assert array(near["values"], 10) == tuple(values.ravel())
    ends, start = array(header["text_offsets"], N + 1, "I"), header["text_bytes"]
    found = [body[start + a : start + b].decode() for a, b in pairwise(ends)]
    assert found == [*TEXTS[:3], "? torn", "x" * 499 + "…"]


def test_equal_input_gives_equal_bytes_and_other_input_another_digest():
    assert wall() == wall()
    first, moved, renamed = (
        parsed(each)[0]
        for each in (wall(), wall([pane(), pane("flow", shift=101)]), wall(ids="abcdf"))
    )
    assert first["content"] != moved["content"]
    assert first["ids"] == moved["ids"] != renamed["ids"]
    joined = [encode([pane(n=2)], (), ["", ""], ids=ids) for ids in (["ab", "c"], ["a", "bc"])]
    assert header_of(joined[0])["ids"] != header_of(joined[1])["ids"]


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
