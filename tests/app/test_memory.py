"""How much memory a value holds, against what Python, numpy, torch and pandas say themselves."""

import sys
from collections import deque
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import torch
from bertflow_app import memory
from bertflow_app.memory import bytes_together, holdings

from bertflow_core.errors import InputError

SIZE = sys.getsizeof
ARRAY = np.zeros((500, 20))  # 80,000 bytes
TEXT = "a sentence of forty-one characters, about"


@dataclass(frozen=True)
class Held:
    array: np.ndarray = field(repr=False)
    notes: tuple[str, ...] = ()


class Slotted:
    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array


def spent(value):
    """What is held beside the buffer of `ARRAY`."""
    return holdings(value).nbytes - ARRAY.nbytes


@pytest.mark.parametrize("value", [None, 7, 0.5, 2**200, TEXT, b"bytes", np.float64(1)])
def test_a_text_or_number_is_what_python_says(value):
    assert holdings(value).nbytes == SIZE(value)


@pytest.mark.parametrize(
    ("value", "pieces"),
    [
        ([TEXT, 1.5], (TEXT, 1.5)),
        ((TEXT, TEXT), (TEXT,)),
        ({"name": TEXT}, ("name", TEXT)),
        ({1.5: [TEXT]}, (1.5, [TEXT], TEXT)),
        (frozenset([TEXT]), (TEXT,)),
        (deque([TEXT]), (TEXT,)),
    ],
)
def test_a_container_is_itself_and_its_different_pieces(value, pieces):
    assert holdings(value).nbytes == SIZE(value) + sum(map(SIZE, pieces))


@pytest.mark.parametrize(
    "value",
    [
        ARRAY,
        [ARRAY, ARRAY[100:], ARRAY.T, ARRAY[:, 3]],
        (Held(ARRAY), Held(ARRAY[:2], (TEXT,))),
        {"z": {"identity": ARRAY}},
        Slotted(ARRAY),
        partial(print, ARRAY),
        lambda kept=None, held=ARRAY: kept,
        torch.from_numpy(ARRAY),
        [ARRAY, torch.from_numpy(ARRAY)[3:], torch.from_numpy(ARRAY).numpy()],
        np.array([ARRAY, None], dtype=object),
        np.lib.stride_tricks.sliding_window_view(ARRAY, 5, axis=0),
        InputError("refused", ARRAY),
    ],
)
def test_the_buffer_behind_arrays_counts_once_wherever_they_lie(value):
    assert 0 <= spent(value) < 2_000


def test_a_small_buffer_counts_once_too():
    small = np.zeros(memory._LARGE // 16)
    shown = [small, torch.from_numpy(small), torch.from_numpy(small)[3:]]
    assert small.nbytes <= holdings(shown).nbytes < 2 * small.nbytes


def test_a_view_holds_all_of_its_buffer():
    assert spent(ARRAY[:1]) == SIZE(ARRAY[:1])


def test_what_a_function_closes_over_counts():
    held = ARRAY.copy()
    assert ARRAY.nbytes <= holdings(lambda: held).nbytes < ARRAY.nbytes + 1_000


def test_tensors_count_by_their_storage():
    layer = torch.nn.Linear(300, 200)
    weights = 4 * (300 * 200 + 200)
    assert weights <= holdings(layer).nbytes < weights + 5_000
    whole = torch.zeros(50_000)
    assert holdings([whole[:10], whole[20:].reshape(2, -1)]).large[whole.data_ptr()] == 200_000


def test_tables_count_with_their_texts():
    table = pd.DataFrame({"x": np.zeros(3_000), "text": pd.Series([TEXT] * 3_000, dtype=object)})
    assert holdings([table]).nbytes >= 3_000 * 8 + 3_000 * SIZE(TEXT)
    assert holdings(table["x"]).nbytes >= 3_000 * 8
    assert holdings(table.index).nbytes == table.index.memory_usage()


def test_a_figure_counts_with_its_numbers_and_texts():
    empty = holdings(go.Figure()).nbytes
    drawn = go.Figure(go.Scatter(y=np.zeros(10_000), text=["x" * 50_000]))
    assert 130_000 <= holdings(drawn).nbytes - empty < 160_000


def test_a_mapped_file_does_not_count(tmp_path):
    np.save(tmp_path / "x.npy", ARRAY)
    assert holdings(np.load(tmp_path / "x.npy", mmap_mode="r")).nbytes < 2_000


def test_a_circle_ends():
    circle = [ARRAY]
    circle.append({"again": circle})
    assert 0 < spent(circle) < 1_000


def test_classes_and_modules_are_the_programs():
    assert holdings([np, Held, print, sys.modules["bertflow_core"]]).nbytes < 500


def test_a_value_of_very_many_pieces_is_counted_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(memory, "MOST_OBJECTS", 1_000)
    texts = [f"{i:100}" for i in range(5_000)]
    counted = holdings([texts, ARRAY]).nbytes
    assert 990 * SIZE(texts[0]) < counted < 1_010 * SIZE(texts[0]) + SIZE(texts) + ARRAY.nbytes
    deep = None
    for _ in range(5_000):
        deep = [deep]
    assert holdings(deep).nbytes < 1_010 * SIZE([None])


def test_values_together_count_a_shared_buffer_once():
    texts = tuple(f"sentence {i}" for i in range(1_000))
    first, second = Held(ARRAY, texts), [ARRAY[5:], texts, np.ones(10_000)]
    apart = [holdings(first), holdings(second)]
    shared = ARRAY.nbytes + SIZE(texts) + sum(map(SIZE, texts))
    assert bytes_together(apart) == sum(each.nbytes for each in apart) - shared
    assert bytes_together(apart) == pytest.approx(holdings([first, second]).nbytes, abs=200)
    assert bytes_together([]) == 0
