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

from bertflow_core.errors import InputError


class Endless:
    """Work that reports until it is stopped, and counts how often it was started."""

    def __init__(self):
        self.starts = 0
        self.ended = threading.Event()

    def __call__(self, progress):
        self.starts += 1
        try:
            for done in itertools.count(1):
                progress(done, 100_000, "steps")
                time.sleep(0.001)
        finally:
            self.ended.set()


def nothing(progress):
    pass


@pytest.fixture
def registry():
    registry = Registry(Kept(1_000_000), max_live=3, max_each=3)
    yield registry
    registry.shutdown()


def test_a_job_gives_its_result(registry):
    job = registry.submit("a", lambda progress: 42, "me")
    wait_for(lambda: not job.is_live)
    assert (job.state, job.result) == (State.DONE, 42)


def test_whoever_waits_for_a_job_goes_on_when_it_is_over(registry):
    def fail(progress):
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
    job = jobs.Job("a", lambda progress: None, _state=State.RUNNING)
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
    job = registry.submit("a", lambda progress: 1, "me")
    wait_for(lambda: not job.is_live)
    assert registry.get("a") is job
    assert registry.submit("a", Endless(), "you") is job
    assert registry.get("b") is None


def test_a_cancelled_job_starts_again_when_asked_again(registry):
    job = registry.submit("a", Endless(), "me")
    job.watch("me")
    job.leave("me")
    wait_for(lambda: job.state is State.CANCELLED)
    again = registry.submit("a", lambda progress: "done", "me")
    wait_for(lambda: again.state is State.DONE)
    assert again is not job


def test_a_failure_is_one_sentence_for_expected_errors_only(registry):
    def refuse(progress):
        raise InputError("k must be smaller")

    def break_down(progress):
        raise KeyError("secret")

    def take_all(progress):
        return np.zeros(1 << 50)

    def take_all_of_torch(progress):
        return torch.zeros(1 << 50)

    def failed(work):
        job = registry.submit(str(work), work, "me")
        wait_for(lambda: not registry._live)
        return job

    refused, broken, *starved = map(failed, (refuse, break_down, take_all, take_all_of_torch))
    assert refused.watch("me").error == "k must be smaller"
    assert all("memory ran out" in each.watch("me").error for each in starved)
    assert broken.state is State.FAILED
    assert broken.watch("me").error is None


def test_a_visitor_holds_two_live_jobs_and_may_join_a_third():
    registry = Registry(Kept(1_000_000))
    for key in "ab":
        registry.submit(key, Endless(), "me")
    registry.submit("c", Endless(), "somebody")
    with pytest.raises(Busy, match="2 computations of yours"):
        registry.submit("d", Endless(), "me")
    registry.submit("c", Endless(), "me")
    for key in "ac":
        registry.get(key).leave("me")
    assert registry.submit("d", Endless(), "me").is_wanted
    registry.shutdown()


def test_too_many_waiting_jobs_are_refused_while_their_visitors_are_there(registry):
    for key in "abc":
        registry.submit(key, Endless(), key)
    with pytest.raises(Busy, match="try again"):
        registry.submit("d", Endless(), "d")


def test_who_comes_takes_the_place_of_who_is_cut_off_and_joins_the_end_of_the_line():
    registry = Registry(Kept(1_000_000), max_live=3, is_connected=lambda who: who != "b")
    jobs = {key: registry.submit(key, Endless(), key) for key in "abc"}
    wait_for(lambda: jobs["a"].state is State.RUNNING)
    assert [registry.place(jobs[key]) for key in "bc"] == [1, 2]
    late = registry.submit("d", Endless(), "d")
    assert jobs["b"].state is State.CANCELLED
    assert [registry.place(job) for job in (jobs["c"], late)] == [1, 2]
    registry.get("c")
    assert registry.place(late) == 2  # to look at a job is not to move it
    registry.shutdown()


def test_a_job_ends_with_the_last_visitor_who_waited_for_it(registry):
    running, waiting = registry.submit("a", Endless(), "one"), registry.submit("b", Endless(), "me")
    running.watch("two")
    registry.forget("one")
    assert running.is_wanted
    for visitor in ("two", "me"):
        registry.forget(visitor)
    wait_for(lambda: not registry._live)
    assert running.state is waiting.state is State.CANCELLED
    assert registry.get("a") is running


def test_what_was_stopped_or_failed_lets_go_of_what_it_worked_on(registry):
    held = np.zeros(100_000)

    def fail(progress):
        mine = held.copy()
        raise KeyError(mine.shape)

    registry.submit("a", fail, "me")
    registry.submit("b", lambda progress, kept=held: kept, "me").stop()
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
        "def work(progress):\n"
        "    while True: progress(1, 2, 'x'); time.sleep(0.01)\n"
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        "Registry(Kept(1)).submit('a', work, ''); print('up', flush=True); time.sleep(3600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "up\n"
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


def finish(registry, key, result):
    job = registry.submit(key, lambda progress: result, "me")
    wait_for(lambda: not registry._live)
    return job


def kept(registry, keys):
    return [key for key in keys if registry._kept.get(key)]


def test_results_that_hold_too_much_go_and_what_pages_look_at_stays():
    registry = Registry(Kept(100_000))
    for key in "ab":
        finish(registry, key, bytes(40_000))
    registry.get("a")
    finish(registry, "c", bytes(40_000))
    assert kept(registry, "abc") == ["a", "c"]
    finish(registry, "d", bytes(500_000))  # kept whatever it holds, as the latest
    assert kept(registry, "abcd") == ["d"]
    registry.shutdown()


def test_what_just_ended_is_the_latest_whoever_was_looked_at_meanwhile():
    registry = Registry(Kept(100_000))
    finish(registry, "a", bytes(60_000))
    end = threading.Event()
    job = registry.submit("b", lambda progress: end.wait(PATIENCE) and bytes(90_000), "me")
    assert registry.get("a") is not None
    end.set()
    wait_for(lambda: kept(registry, "ab") == ["b"])
    assert job.result == bytes(90_000)
    registry.shutdown()
