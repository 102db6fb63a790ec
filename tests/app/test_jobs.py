"""Jobs: shared, bounded, stopped by those who wait for them; what is kept stays within bounds."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from app_pages import endless
from bertflow_app.work import jobs
from bertflow_app.work.jobs import Busy, Job, Registry, State
from bertflow_app.work.kept import Kept, size_of
from waiting import PATIENCE, wait_for

from bertflow_core.datasets import RawFile, read_table
from bertflow_core.datasets.tables import Refusal
from bertflow_core.errors import InputError
from bertflow_core.report.report import Column, Table


class Endless:
    """Work that goes on until it is stopped, and counts how often it was started."""

    def __init__(self):
        self.starts = 0

    def __call__(self):
        self.starts += 1
        endless()


@pytest.fixture
def registry():
    registry = Registry(Kept(), workers=1, max_live=3)
    yield registry
    registry.shutdown()


@pytest.fixture
def running(registry):
    """A job of two visitors that runs, and keeps the only worker."""
    job = registry.submit("a", Endless(), "one")
    assert registry.submit("a", Endless(), "two") is job
    wait_for(lambda: job.done)
    return job


def ended(registry, work, key="b"):
    job = registry.submit(key, work, "me")
    job.wait(PATIENCE)
    assert not job.is_live
    wait_for(lambda: registry.kept.get(key) is job)
    return job


def test_a_job_is_computed_once_and_found_again(registry):
    job = ended(registry, lambda: 42)
    assert (job.state, job.result) == (State.DONE, 42)
    job.leave("me")  # too late: the result stays
    assert registry.submit("b", Endless(), "you") is registry.get("b") is job
    assert registry.get("c") is None


def test_progress_and_time_left_are_of_the_present_stage(running, monkeypatch):
    assert (running.done, running.total, running.unit) == (1, 4, "steps")
    now = [100.0]
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now[0])
    job = Job("b", list, state=State.RUNNING)
    job.report(0, 10, "sentences")
    now[0] += 4
    job.report(2, 10, "sentences")
    assert job.seconds_left == pytest.approx(16)
    job.report(2, 100, "sentences")
    assert job.seconds_left is None  # less than 5 % is done
    job.report(0, 50, "steps")
    assert job.seconds_left is None


def test_it_ends_when_the_last_visitor_leaves_and_begins_again_when_asked(registry, running):
    assert not running.leave("one")
    assert running.is_wanted
    assert running.leave("two")
    again = registry.submit("a", lambda: "done", "one")
    again.wait(PATIENCE)
    assert (running.state, again.state) == (State.CANCELLED, State.DONE)


def test_who_closed_the_page_does_not_keep_a_job_going():
    here = {"one", "two"}
    registry = Registry(Kept(), is_connected=here.__contains__)
    job = registry.submit("a", Endless(), "one")
    job.watch("two")
    here.remove("two")
    assert job.leave("one")
    wait_for(lambda: job.state is State.CANCELLED)


def test_two_may_wait_and_what_is_left_in_the_queue_ends_at_once_and_never_starts(
    registry, running
):
    work = Endless()
    job = registry.submit("b", work, "me")
    assert job.state is State.QUEUED
    other = registry.submit("d", work, "d")
    with pytest.raises(Busy, match="try again"):
        registry.submit("e", work, "e")
    other.stop()
    job.leave("me")
    job.wait(PATIENCE)
    assert job.state is State.CANCELLED
    running.stop()
    ended(registry, list, "c")
    assert work.starts == 0


def test_two_run_at_once_and_the_third_waits():
    registry = Registry(Kept())
    one, two, three = (registry.submit(key, Endless(), key) for key in "abc")
    wait_for(lambda: one.state is two.state is State.RUNNING)
    assert three.state is State.QUEUED
    one.stop()
    wait_for(lambda: three.state is State.RUNNING)
    registry.shutdown()
    wait_for(lambda: two.state is three.state is State.CANCELLED)


def test_work_that_does_not_stop_leaves_its_place_to_another(registry, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 0.01)
    until, n_before = threading.Event(), n_workers()
    held = registry.submit("a", until.wait, "one")  # such as a long call into a library
    wait_for(lambda: held.state is State.RUNNING)
    held.stop()
    assert ended(registry, lambda: 42).result == 42
    assert (held.state, n_workers()) == (State.CANCELLED, n_before + 1)
    until.set()
    wait_for(lambda: n_workers() == n_before)
    assert ended(registry, lambda: 43, "c").result == 43
    assert (held.state, held.result) == (State.CANCELLED, None)


def n_workers():
    return sum(thread.name == "job" for thread in threading.enumerate())


def test_what_went_wrong_is_known_and_memory_a_sentence_with_the_rest_in_the_log(registry, logged):
    def refuse():
        raise InputError("k must be smaller")

    def break_down():
        raise KeyError("secret")

    assert str(ended(registry, refuse).error) == "k must be smaller"
    for work in (lambda: np.zeros(1 << 50), lambda: torch.zeros(1 << 50)):
        assert "too little memory" in str(ended(registry, work).error)
    of_numpy, of_torch = (record.exc_info[1] for record in logged)
    assert isinstance(of_numpy, MemoryError) and isinstance(of_torch, RuntimeError)
    broken = ended(registry, break_down)
    assert broken.state is State.FAILED
    assert isinstance(broken.error, KeyError)


def test_what_was_stopped_or_failed_lets_go_of_what_it_worked_on(registry):
    held = [np.zeros(100_000)]
    watched = weakref.ref(held[0])

    def fail():
        mine = held[0].copy()
        raise KeyError(mine.shape)

    error = ended(registry, fail).error
    registry.submit("c", lambda kept=held[0]: kept, "me").stop()
    ended(registry, list, "d")
    held.clear()
    gc.collect()
    assert watched() is None
    inner = error.__traceback__.tb_next
    assert "mine" not in inner.tb_frame.f_locals


def test_threads_that_ask_at_once_share_one_run(registry):
    work = Endless()
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda i: registry.submit("a", work, str(i)), range(8))]
    wait_for(lambda: work.starts)
    assert len({*found}) == work.starts == 1


def there(kept, keys):
    return [key for key in keys if kept.get(key) is not None]


def test_the_least_recently_used_goes_first_and_what_holds_too_much_but_for_the_latest():
    kept = Kept(2)
    for key in "ab":
        kept.put(key, key)
    assert kept.get("a") == "a"
    kept.put("c", "c")
    assert there(kept, "abc") == ["a", "c"]

    kept = Kept(8, most_bytes=10_000)
    for key in "ab":
        kept.put(key, RawFile(key, bytes(6_000)))
    assert there(kept, "ab") == ["b"]
    kept.put("c", bytes(50_000))
    assert there(kept, "bc") == ["c"]
    kept.put("c", bytes(5_000))
    kept.put("d", np.zeros(4_000, np.int8))
    assert there(kept, "cd") == ["c", "d"]


def test_arrays_are_counted_once_wherever_they_lie():
    x = np.zeros((10, 4), np.float32)
    table = Table([Column("a")], [{"a": x, "b": x[:5]}])
    job = Job("key", work=list, result=[table, {"again": x.T}, RawFile("a.csv", bytes(50_000))])
    assert x.nbytes + 50_000 < size_of(job) < x.nbytes + 55_000
    size = size_of(job)
    job.result[-1] = job
    assert size_of(job) < size - 50_000


@pytest.mark.parametrize("column", ["sentence1", "sentence2", "subset"])
def test_the_texts_of_a_table_are_counted_in_every_column(column):
    cells = {name: ["1", "2", "3"] for name in ("sentence1", "sentence2", "score", "subset")}
    cells[column] = ["x" * 50_000, "y" * 50_000, "y" * 50_000]
    lines = [",".join(row) for row in zip(*cells.values(), strict=True)]
    content = "\n".join([",".join(cells), *lines]).encode()
    assert 100_000 < size_of(read_table(RawFile("a.csv", content))) < 165_000


def test_the_reasons_of_refused_rows_are_counted():
    refused = tuple(Refusal(i, f"{i}" * 1_000) for i in range(10))
    assert 10_000 < size_of([refused]) < 15_000
