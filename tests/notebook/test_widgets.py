"""The widgets of a notebook: their payload, their attributes, and refused arguments."""

import sys

import numpy as np
import pandas as pd
import pytest

import bertflow_core as bf
from bertflow_core import notebook
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.payload import header_of
from bertflow_core.lab.recipe import Recipe

pytest.importorskip("anywidget", reason="anywidget is not installed")

RNG = np.random.default_rng(4)
TEXTS = [f"sentence {i} of words" for i in range(30)]
X, Z = RNG.normal(size=(30, 6)), RNG.normal(size=(30, 3))


def test_a_wall_of_own_vectors_holds_panes_columns_and_neighbours():
    widget = bf.wall_of({"before": X, "after": Z}, TEXTS)
    header = header_of(widget.payload)
    assert [pane["name"] for pane in header["panes"]] == ["before", "after"]
    assert [pane["badge"] for pane in header["panes"]] == ["6 dims, cosine", "3 dims, cosine"]
    assert [column["name"] for column in header["columns"]] == ["length", "norm"]
    assert [each["k"] for each in header["neighbours"]] == [10, 10]
    widget.selected = [3, 5]
    assert widget.selected_texts == [TEXTS[3], TEXTS[5]]
    again = bf.wall_of({"before": X, "after": Z}, TEXTS)
    assert again.payload[:-40] == widget.payload[:-40]
    assert again.payload[-40:] != widget.payload[-40:]  # the key: two walls share no view


def frame_of(**columns):
    """Return a DataFrame of the texts, with an index that does not begin at 0."""
    own = {"text": TEXTS, "x": list(X), "z": Z.tolist(), "topic": ["a", None, "b"] * 10}
    return pd.DataFrame(own | columns, index=range(100, 130))


def test_columns_of_a_dataframe_make_the_wall_of_the_same_arrays():
    frame = frame_of()
    spaces = {"before": frame["x"], "after": frame["z"]}
    widget = bf.wall_of(spaces, frame["text"], colour=frame["topic"])
    header, plain = map(header_of, (widget.payload, bf.wall_of({"before": X}, TEXTS).payload))
    assert [(each["name"], each["labels"]) for each in header["columns"][:2]] == [
        ("topic", ["a", "b"]),
        ("length", []),
    ]
    assert [pane["badge"] for pane in header["panes"]] == ["6 dims, cosine", "3 dims, cosine"]
    assert header["panes"][0]["topics"] == plain["panes"][0]["topics"]
    widget.selected = [3]
    assert widget.selected_texts == [TEXTS[3]]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"x": [[1.0] * (2 + i % 2) for i in range(30)]}, "'x' needs finite vectors of one width"),
        ({"x": [None, *X[1:]]}, "'x' needs finite vectors"),
        ({"x": "a"}, "'x' needs finite vectors"),
        ({"text": [None, *TEXTS[1:]]}, r"texts\[0\] must be text, got "),
        ({"topic": None}, "colour: expected 30 numbers, or at most"),
    ],
)
def test_columns_that_make_no_wall_are_refused_in_a_sentence(columns, said):
    frame = frame_of(**columns)
    with pytest.raises(InputError, match=said):
        bf.wall_of({"x": frame["x"]}, frame["text"], colour=frame["topic"])


def test_a_wall_of_a_data_set_has_a_pane_of_each_layer_set_with_each_calibrator():
    recipe, layers = Recipe(dataset="teaching"), ["layer:1", "last"]
    widget = bf.wall(recipe, ["identity", "standardize"], layers=layers, max_rows=20)
    assert [pane["name"] for pane in header_of(widget.payload)["panes"]] == [
        f"{layer}, {spec}" for layer in layers for spec in ("identity", "standardize")
    ]


def test_without_anywidget_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delattr(notebook, "widgets", raising=False)
    monkeypatch.delitem(sys.modules, "bertflow_core.notebook.widgets", raising=False)
    with pytest.raises(
        InputError, match=r'pip install "\.\[notebook\]" in a clone \(for a wheel, '
    ):
        bf.flow_plane()
