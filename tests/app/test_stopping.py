"""Who may stop shared work, and that a stop is felt at once."""

import threading

import pytest
from bertflow_app.jobs import Registry, State
from bertflow_app.kept import Kept
from waiting import PATIENCE, wait_for

from bertflow_core import context


class Held:
    """Work that goes on until it is let go, and only then looks whether it was stopped."""

    def __init__(self):
        self.started, self.released = threading.Event(), threading.Event()

    def __call__(self):
        self.started.set()
        self.released.wait(PATIENCE)
        context.report(1, 2, "steps")
        return "done"


@pytest.fixture
def registry():
    registry = Registry(Kept(), workers=1)
    yield registry
    registry.shutdown()


@pytest.fixture
def held(registry):
    work = Held()
    job = registry.submit("held", work, "me")
    assert work.started.wait(PATIENCE)
    yield job, work
    work.released.set()


def test_leaving_says_whether_the_work_was_stopped(held):
    job, _ = held
    job.watch("one")
    assert not job.leave("me")
    assert job.is_wanted
    assert job.leave("one")


def test_stopping_what_waits_in_the_queue_ends_it_at_once_and_it_never_starts(registry, held):
    work = Held()
    job = registry.submit("waiting", work, "me")
    job.watch("me")
    job.leave("me")
    assert job.watch("me").state is State.CANCELLED
    held[1].released.set()
    last = registry.submit("last", lambda: context.report(1, 1, ""), "me")
    wait_for(lambda: not last.is_live)
    assert not work.started.is_set()
    assert job.state is State.CANCELLED


def test_who_asks_for_work_that_is_being_stopped_gets_it_done_again(registry, held):
    stopping, work = held
    stopping.watch("me")
    stopping.leave("me")
    again = registry.submit("held", lambda: 42, "me")
    assert again is not stopping
    work.released.set()
    wait_for(lambda: not again.is_live)
    assert again.result == 42
    assert stopping.state is State.CANCELLED


def test_a_stop_after_the_end_does_not_undo_the_result(registry):
    job = registry.submit("a", lambda: 1, "me")
    wait_for(lambda: not job.is_live)
    job.watch("me")
    job.leave("me")
    assert registry.submit("a", lambda: 2, "me") is job
    assert job.result == 1
