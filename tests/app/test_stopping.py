"""Who may stop shared work, and that a stop is felt at once."""

import threading

import pytest
from bertflow_app.jobs import Registry, State
from waiting import PATIENCE, wait_for


class Held:
    """Work that goes on until it is let go, and only then looks whether it was stopped."""

    def __init__(self):
        self.started, self.released = threading.Event(), threading.Event()

    def __call__(self, progress):
        self.started.set()
        self.released.wait(PATIENCE)
        progress(1, 2, "steps")
        return "done"


@pytest.fixture
def registry():
    registry = Registry(workers=1)
    yield registry
    registry.shutdown()


@pytest.fixture
def held(registry):
    work = Held()
    job = registry.submit("held", work)
    assert work.started.wait(PATIENCE)
    yield job, work
    work.released.set()


def test_a_visitor_whose_page_is_gone_does_not_hold_the_work(registry, held):
    job, _ = held
    job.watch("before the reload")
    registry.forget("before the reload")
    assert job.is_wanted
    job.watch("after the reload")
    assert job.leave("after the reload")
    assert not job.is_wanted


def test_leaving_says_whether_the_work_was_stopped(held):
    job, _ = held
    job.watch("one")
    job.watch("two")
    assert not job.leave("one")
    assert job.is_wanted
    assert job.leave("two")


def test_stopping_what_waits_in_the_queue_ends_it_at_once_and_it_never_starts(registry, held):
    work = Held()
    job = registry.submit("waiting", work)
    job.watch("me")
    job.leave("me")
    assert job.watch("me").state is State.CANCELLED
    held[1].released.set()
    last = registry.submit("last", lambda progress: progress(1, 1, ""))
    wait_for(lambda: not last.is_live)
    assert not work.started.is_set()
    assert job.state is State.CANCELLED


def test_who_asks_for_work_that_is_being_stopped_gets_it_done_again(registry, held):
    stopping, work = held
    stopping.watch("me")
    stopping.leave("me")
    again = registry.submit("held", lambda progress: 42)
    assert again is not stopping
    work.released.set()
    wait_for(lambda: not again.is_live)
    assert again.result == 42
    assert stopping.state is State.CANCELLED


def test_a_stop_after_the_end_does_not_undo_the_result(registry):
    job = registry.submit("a", lambda progress: 1)
    wait_for(lambda: not job.is_live)
    job.watch("me")
    job.leave("me")
    assert registry.submit("a", lambda progress: 2) is job
    assert job.result == 1
