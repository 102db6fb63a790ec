"""What is told of running work: a clock that leaves the loading of code out, and progress."""

from types import SimpleNamespace

import pytest

from bertflow_core import context


def test_loading_within_loading_is_left_out_once(monkeypatch):
    now = 0
    monkeypatch.setattr(context, "time", SimpleNamespace(perf_counter=lambda: now))
    start = context.seconds()
    now += 1
    with pytest.raises(KeyError), context.loading():
        now += 10
        with context.loading():
            now += 100
        now += 1_000
        raise KeyError
    now += 2
    assert context.seconds() - start == 3


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
