"""The clock of a fit: it stands still while code is loaded that later fits find loaded."""

from types import SimpleNamespace

import pytest
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import context
from bertflow_core.flows import compiled
from bertflow_core.flows.fit import TorchDescent
from bertflow_core.lab import Lab


class Hands:
    """A time that only moves when it is told to."""

    now = 0.0

    def move(self, seconds):
        self.now += seconds


@pytest.fixture
def hands(monkeypatch):
    hands = Hands()
    monkeypatch.setattr(context, "time", SimpleNamespace(perf_counter=lambda: hands.now))
    return hands


def test_loading_within_loading_is_left_out_once(hands):
    start = context.seconds()
    hands.move(1)
    with pytest.raises(KeyError), context.loading():
        hands.move(10)
        with context.loading():
            hands.move(100)
        hands.move(1_000)
        raise KeyError
    hands.move(2)
    assert context.seconds() - start == 3


def test_the_time_of_a_fit_is_without_that_of_loading_its_code(
    hands, monkeypatch, tiny_bert, tmp_path
):
    monkeypatch.setattr(compiled, "load", lambda *_: hands.move(1_000))
    monkeypatch.setattr(compiled, "CompiledDescent", TorchDescent)
    prepared = Lab().prepare(tiny_recipe(tiny_bert, write_pairs(tmp_path / "pairs.csv")))
    with context.reporting(lambda *_: hands.move(1)):
        result = prepared.under("standardize+flow:epochs=80", device="cpu")
    assert hands.now > 1_000
    assert result.seconds["fit"] == hands.now - 1_000 > 0


def test_what_is_reported_within_reaches_who_listens_and_nobody_after():
    told = []
    with context.reporting(lambda *report: told.append(report)):
        context.report(1, 3, "sentences")
        with context.repeating(2, 3, "layers"):
            context.report(7, 9, "steps")
        with context.renamed("{}, space 2"):
            context.report(3, 3, "rows")
        with context.reporting(None):
            context.report(4, 4, "pairs")
    context.report(5, 5, "rows")
    assert told == [
        (1, 3, "sentences"),
        (2, 3, "layers"),
        (2, 3, "layers"),
        (3, 3, "rows, space 2"),
        (4, 4, "pairs"),
    ]
