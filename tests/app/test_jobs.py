import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from bertflow_app import jobs
from bertflow_app.jobs import Busy, Registry, State
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


@pytest.fixture
def registry():
    registry = Registry(workers=1, max_live=3, max_kept=2)
    yield registry
    registry.shutdown()


def test_a_job_gives_its_result(registry):
    job = registry.submit("a", lambda progress: 42)
    wait_for(lambda: not job.is_live)
    assert (job.state, job.result) == (State.DONE, 42)


def test_progress_is_shown_while_it_runs(registry):
    job = registry.submit("a", Endless())
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
    first, second = registry.submit("a", work), registry.submit("a", work)
    assert first is second
    wait_for(lambda: first.watch("one").done > 1)
    second.watch("two")
    assert not first.leave("one")
    done = first.watch("two").done
    wait_for(lambda: second.watch("two").done > done + 1)
    assert second.watch("two").is_live
    second.leave("two")
    wait_for(lambda: second.state is State.CANCELLED)
    assert work.starts == 1


def test_a_reload_finds_the_live_and_the_finished_job(registry):
    job = registry.submit("a", lambda progress: 1)
    wait_for(lambda: not job.is_live)
    assert registry.get("a") is job
    assert registry.submit("a", Endless()) is job
    assert registry.get("b") is None


def test_a_cancelled_job_starts_again_when_asked_again(registry):
    job = registry.submit("a", Endless())
    job.watch("me")
    job.leave("me")
    wait_for(lambda: job.state is State.CANCELLED)
    again = registry.submit("a", lambda progress: "done")
    wait_for(lambda: again.state is State.DONE)
    assert again is not job


def test_a_failure_is_one_sentence_for_expected_errors_only(registry):
    def refuse(progress):
        raise InputError("k must be smaller")

    def break_down(progress):
        raise KeyError("secret")

    refused, broken = registry.submit("a", refuse), registry.submit("b", break_down)
    wait_for(lambda: not (refused.is_live or broken.is_live))
    assert refused.watch("me").error == "k must be smaller"
    assert broken.state is State.FAILED
    assert broken.watch("me").error is None


def test_a_job_that_nobody_looks_after_stops(registry, monkeypatch):
    monkeypatch.setattr(jobs, "ABANDONED_AFTER", 0.05)
    job = registry.submit("a", Endless())
    wait_for(lambda: job.state is State.CANCELLED)


def test_too_many_waiting_jobs_are_refused(registry):
    for key in "abc":
        registry.submit(key, Endless())
    with pytest.raises(Busy, match="try again"):
        registry.submit("d", Endless())


def test_only_the_latest_finished_jobs_are_kept(registry):
    for key in "abcd":
        finish(registry, key, None)
    wait_for(lambda: kept(registry, "abcd") == ["c", "d"])


def test_shutdown_stops_the_running_and_the_waiting(registry):
    running, waiting = Endless(), Endless()
    registry.submit("a", running)
    job = registry.submit("b", waiting)
    wait_for(lambda: running.starts == 1)
    registry.shutdown()
    assert running.ended.wait(PATIENCE)
    wait_for(lambda: job.state is State.CANCELLED)
    assert waiting.starts == 0


def test_sigterm_ends_a_process_with_a_running_job():
    code = (
        "import sys, time; from bertflow_app.jobs import Registry\n"
        "def work(progress):\n"
        "    while True: progress(1, 2, 'x'); time.sleep(0.01)\n"
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        "Registry().submit('a', work); print('up', flush=True); time.sleep(3600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "up\n"
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


def test_what_pages_still_look_at_is_kept_longest(registry):
    for key in ("a", "b"):
        finish(registry, key, None)
    registry.get("a")
    finish(registry, "c", None)
    wait_for(lambda: kept(registry, "abc") == ["a", "c"])


def finish(registry, key, result):
    job = registry.submit(key, lambda progress: result)
    wait_for(lambda: job.state is State.DONE)
    return job


def kept(registry, keys):
    return [key for key in keys if key in registry._jobs]


def test_results_that_hold_too_much_go_first_come_first_go():
    registry = Registry(workers=1, max_kept=9, max_bytes=100_000)
    for key, size in (("a", 60), ("b", 30), ("c", 30)):
        finish(registry, key, bytes(1_000 * size))
    wait_for(lambda: kept(registry, "abc") == ["b", "c"])
    finish(registry, "d", bytes(500_000))  # kept whatever it holds, as the latest
    wait_for(lambda: kept(registry, "abcd") == ["d"])
    finish(registry, "e", b"")
    wait_for(lambda: kept(registry, "abcde") == ["e"])
    registry.shutdown()


@pytest.mark.parametrize("wrap", [tuple, list, lambda rows: {"rows": rows}, dict.fromkeys, iter])
def test_what_lies_in_lists_tuples_and_mappings_counts(wrap):
    registry = Registry(workers=1, max_kept=9, max_bytes=100_000)
    for i, key in enumerate("abcd"):
        finish(registry, key, wrap([bytes(20_000 + i), bytes(20_001 + i)]))
    wait_for(lambda: kept(registry, "abcd") == ["c", "d"])
    assert 80_000 <= registry.nbytes <= 100_000
    registry.shutdown()


def test_what_two_jobs_share_counts_once():
    registry = Registry(workers=1, max_kept=9, max_bytes=100_000)
    shared = np.zeros(10_000)
    for key in "abcd":
        finish(registry, key, [shared[1:], {"all": shared}])
    assert shared.nbytes <= registry.nbytes < 100_000
    assert kept(registry, "abcd") == [*"abcd"]
    finish(registry, "e", bytes(30_000))  # whoever goes, the array stays with the others
    wait_for(lambda: kept(registry, "abcde") == ["e"])
    registry.shutdown()


def test_what_just_ended_is_the_latest_whoever_was_looked_at_meanwhile():
    registry = Registry(workers=1, max_kept=9, max_bytes=100_000)
    finish(registry, "a", bytes(60_000))
    end = threading.Event()
    job = registry.submit("b", lambda progress: end.wait(20) and bytes(90_000))
    assert registry.get("a") is not None
    end.set()
    wait_for(lambda: kept(registry, "ab") == ["b"])
    assert job.result == bytes(90_000)
    registry.shutdown()
