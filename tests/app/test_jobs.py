import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import torch
from bertflow_app import jobs
from bertflow_app.jobs import Busy, Registry, State
from bertflow_app.kept import Kept
from waiting import PATIENCE, wait_for

from bertflow_core import context
from bertflow_core.errors import InputError


class Endless:
    """Work that reports until it is stopped, and counts how often it was started."""

    def __init__(self):
        self.starts = 0
        self.ended = threading.Event()

    def __call__(self):
        self.starts += 1
        try:
            for done in itertools.count(1):
                context.report(done, 100_000, "steps")
                time.sleep(0.001)
        finally:
            self.ended.set()


def nothing():
    pass


@pytest.fixture
def registry():
    registry = Registry(Kept(), workers=1, max_live=3)
    yield registry
    registry.shutdown()


def test_a_job_gives_its_result(registry):
    job = registry.submit("a", lambda: 42, "me")
    wait_for(lambda: not job.is_live)
    assert (job.state, job.result) == (State.DONE, 42)


def test_whoever_waits_for_a_job_goes_on_when_it_is_over(registry):
    def fail():
        raise InputError("no")

    for name, work in (("a", nothing), ("b", fail)):
        job = registry.submit(name, work, "me")
        job.wait(PATIENCE)
        assert not job.is_live and job._over.is_set()
    endless, queued = registry.submit("c", Endless(), "me"), registry.submit("d", nothing, "you")
    queued.leave("you")
    queued.wait(PATIENCE)
    assert not queued.is_live and queued._over.is_set()
    endless.wait(0.01)
    assert endless.is_live and not endless._over.is_set()


def test_progress_is_shown_while_it_runs(registry):
    job = registry.submit("a", Endless(), "me")
    wait_for(lambda: job.watch("me").done > 3)
    snapshot = job.watch("me")
    assert snapshot.is_live
    assert (snapshot.total, snapshot.unit) == (100_000, "steps")


def test_time_left_is_estimated_from_the_present_stage(registry, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(jobs.time, "monotonic", lambda: now[0])
    job = jobs.Job("a", lambda: None, _state=State.RUNNING)
    job.report(0, 10, "sentences")
    now[0] += 4
    job.report(2, 10, "sentences")
    assert job.watch("me").seconds_left == pytest.approx(16)
    job.report(0, 50, "steps")
    assert job.watch("me").seconds_left is None


def test_two_visitors_share_one_run_and_one_of_them_may_leave(registry):
    work = Endless()
    first, second = (registry.submit("a", work, visitor) for visitor in ("one", "two"))
    assert first is second
    wait_for(lambda: first.watch("one").done > 1)
    assert not first.leave("one")
    done = first.watch("two").done
    wait_for(lambda: second.watch("two").done > done + 1)
    assert second.watch("two").is_live
    second.leave("two")
    wait_for(lambda: second.state is State.CANCELLED)
    assert work.starts == 1


def test_a_reload_finds_the_live_and_the_finished_job(registry):
    job = registry.submit("a", lambda: 1, "me")
    wait_for(lambda: not job.is_live)
    assert registry.get("a") is job
    assert registry.submit("a", Endless(), "you") is job
    assert registry.get("b") is None


def test_a_cancelled_job_starts_again_when_asked_again(registry):
    job = registry.submit("a", Endless(), "me")
    job.watch("me")
    job.leave("me")
    wait_for(lambda: job.state is State.CANCELLED)
    again = registry.submit("a", lambda: "done", "me")
    wait_for(lambda: again.state is State.DONE)
    assert again is not job


def test_a_failure_is_one_sentence_for_expected_errors_only(registry):
    def refuse():
        raise InputError("k must be smaller")

    def break_down():
        raise KeyError("secret")

    def take_all():
        return np.zeros(1 << 50)

    def take_all_of_torch():
        return torch.zeros(1 << 50)

    def failed(work):
        job = registry.submit(str(work), work, "me")
        wait_for(lambda: not registry._live)
        return job

    refused, broken, *starved = map(failed, (refuse, break_down, take_all, take_all_of_torch))
    assert refused.watch("me").error == "k must be smaller"
    assert all("memory is too small" in each.watch("me").error for each in starved)
    assert broken.state is State.FAILED
    assert broken.watch("me").error is None


def test_too_many_waiting_jobs_are_refused(registry):
    for key in "abc":
        registry.submit(key, Endless(), key)
    with pytest.raises(Busy, match="try again"):
        registry.submit("d", Endless(), "d")


def test_what_was_stopped_or_failed_lets_go_of_what_it_worked_on(registry):
    held = np.zeros(100_000)

    def fail():
        mine = held.copy()
        raise KeyError(mine.shape)

    registry.submit("a", fail, "me")
    registry.submit("b", lambda kept=held: kept, "me").stop()
    wait_for(lambda: not registry._live)
    assert sys.getrefcount(held) == 2  # the cell of this function, and the call
    error = registry.get("a").error
    inner = error.__traceback__.tb_next.tb_next
    assert "mine" not in inner.tb_frame.f_locals


def test_shutdown_stops_the_running_and_the_waiting(registry):
    running, waiting = Endless(), Endless()
    registry.submit("a", running, "me")
    job = registry.submit("b", waiting, "me")
    wait_for(lambda: running.starts == 1)
    registry.shutdown()
    assert running.ended.wait(PATIENCE)
    wait_for(lambda: job.state is State.CANCELLED)
    assert waiting.starts == 0


def test_sigterm_ends_a_process_with_a_running_job():
    code = (
        "import sys, time\nfrom bertflow_app.jobs import Registry\n"
        "from bertflow_app.kept import Kept\n"
        "from bertflow_core import context\n"
        "def work():\n"
        "    while True: context.report(1, 2, 'x'); time.sleep(0.01)\n"
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        "Registry(Kept()).submit('a', work, ''); print('up', flush=True); time.sleep(3600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "up\n"
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


def test_two_jobs_run_at_once_and_the_third_waits():
    registry = Registry(Kept())
    one, two, three = (registry.submit(key, Endless(), key) for key in "abc")
    wait_for(lambda: one.state is two.state is State.RUNNING)
    assert three.state is State.QUEUED
    one.stop()
    wait_for(lambda: three.state is State.RUNNING)
    registry.shutdown()


def test_who_closed_the_page_does_not_keep_a_job_going():
    here = {"one", "two"}
    registry = Registry(Kept(), is_connected=here.__contains__)
    job = registry.submit("a", Endless(), "one")
    job.watch("two")
    here.remove("two")
    assert job.leave("one")
    wait_for(lambda: job.state is State.CANCELLED)
    registry.shutdown()


def test_what_ended_is_kept_as_the_latest():
    kept = Kept(2)
    registry = Registry(kept)
    for key in "abc":
        job = registry.submit(key, lambda key=key: key, "me")
        job.wait(PATIENCE)
        wait_for(lambda key=key: kept.get(key) is not None)
    assert [key for key in "abc" if registry.get(key)] == ["b", "c"]
    registry.shutdown()
