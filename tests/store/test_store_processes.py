"""The store between processes and threads: killed, raced and cleared while it works."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_encoder import FakeEncoder, vector
from waiting import PATIENCE, wait_for

from bertflow_core import context
from bertflow_core.errors import Cancelled
from bertflow_core.store import EmbeddingStore

SENTENCES = [f"sentence {i}" for i in range(12)]
EXPECTED = np.array([vector("fake", s, 2, "mean", 4) for s in SENTENCES])
CHILD = """
import json, os, sys, time
from pathlib import Path
from fake_encoder import FakeEncoder
from bertflow_core import context
from bertflow_core.errors import Cancelled
from bertflow_core.store import EmbeddingStore

root, log, options = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
flush, n_flushed = os.fsync, 0

def flush_or_hang(handle):
    global n_flushed
    n_flushed += 1
    if n_flushed > options["hang_at"]:
        time.sleep(3600)
    flush(handle)

def report(done, total, unit):
    with log.with_suffix(f".{os.getpid()}").open("a") as stream:
        print(done, total, unit, file=stream)
    if done >= options["pause_at"]:
        time.sleep(3600)

os.fsync = flush_or_hang
encoder = FakeEncoder(seconds=options["seconds"], log=log)
with context.reporting(report):
    found = EmbeddingStore(root).embed(encoder, options["sentences"], layers="last")
print(json.dumps(found.x.tolist()))
"""
Start = Callable[..., subprocess.Popen]


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def log(tmp_path) -> Path:
    return tmp_path / "computed.jsonl"


@pytest.fixture
def start(root, log) -> Iterator[Start]:
    """Start a process that embeds all sentences, three a block."""
    running = []

    def begin(seconds: float = 0.0, hang_at: int = 1000, pause_at: int = 1000) -> subprocess.Popen:
        """Hang in a write, or pause between two of them, or work on; slowly, if so wished."""
        options = {"seconds": seconds, "hang_at": hang_at, "pause_at": pause_at}
        options["sentences"] = SENTENCES
        command = [sys.executable, "-c", CHILD, str(root), str(log), json.dumps(options)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def result_of(process: subprocess.Popen) -> np.ndarray:
    x = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert process.returncode == 0
    return np.array(x, np.float32)


def has_content(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except FileNotFoundError:  # it was renamed meanwhile
        return False


def wait_for_file(folder: Path, pattern: str) -> None:
    """Wait until a file below a folder has a name of this pattern and content."""
    wait_for(lambda: any(map(has_content, folder.glob(pattern))))


def computed(log: Path) -> list[str]:
    return sorted(map(json.loads, log.read_text().splitlines()))


def kill(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_after_a_kill_only_what_was_missing_is_computed(start, root):
    process = start(pause_at=6)
    wait_for(lambda: len(list(root.glob("*/*.safetensors"))) >= 2)
    kill(process)
    encoder = FakeEncoder()
    result = EmbeddingStore(root).embed(encoder, SENTENCES, layers="last")
    np.testing.assert_array_equal(result.x, EXPECTED)
    assert len(encoder.computed) == len(SENTENCES) - 6


def test_a_kill_in_the_middle_of_a_write_leaves_nothing_that_counts(start, root):
    process = start(hang_at=4)  # two a file: the description, the first block
    wait_for_file(root, "*/*.safetensors")
    wait_for_file(root, "*/.bertflow-*")
    kill(process)
    encoder = FakeEncoder()
    result = EmbeddingStore(root).embed(encoder, SENTENCES, layers="last")
    np.testing.assert_array_equal(result.x, EXPECTED)
    assert len(encoder.computed) == len(SENTENCES) - 3
    assert not list(root.glob("*/.bertflow-*"))


def test_two_processes_at_once_compute_once_and_agree(start, log):
    processes = [start(seconds=0.2), start(seconds=0.2)]
    results = [result_of(process) for process in processes]
    assert computed(log) == sorted(SENTENCES)
    for x in results:
        np.testing.assert_array_equal(x, EXPECTED)


def test_who_waits_reports_what_the_other_did_and_takes_over_when_it_dies(start, root, log):
    first = start(hang_at=6)  # two a file: the description and two blocks
    wait_for(lambda: len(list(root.glob("*/*.safetensors"))) == 2)
    wait_for_file(root, "*/.bertflow-*")
    second = start()
    reports = f"{log.stem}.{second.pid}"
    wait_for_file(log.parent, reports)
    assert (log.parent / reports).read_text().startswith("6 12 sentences\n")
    assert second.poll() is None
    kill(first)
    np.testing.assert_array_equal(result_of(second), EXPECTED)
    assert set(computed(log)) == set(SENTENCES)
    assert len(computed(log)) <= len(SENTENCES) + 3, "what was written is not computed again"


def test_waiting_for_another_can_be_cancelled(root):
    embedding, cancelled = threading.Event(), threading.Event()

    def hold(done: int, total: int, unit: str) -> None:
        embedding.set()
        assert cancelled.wait(PATIENCE)

    def cancel(done: int, total: int, unit: str) -> None:
        raise Cancelled("stopped")

    def embed_slowly() -> None:
        with context.reporting(hold):
            EmbeddingStore(root).embed(FakeEncoder(), SENTENCES, layers="last")

    holder = threading.Thread(target=embed_slowly)
    holder.start()
    assert embedding.wait(PATIENCE)
    store, unused = EmbeddingStore(root), FakeEncoder(is_broken=True)
    with pytest.raises(Cancelled), context.reporting(cancel):
        store.embed(unused, SENTENCES, layers="last")
    cancelled.set()
    holder.join()
    np.testing.assert_array_equal(store.embed(unused, SENTENCES, layers="last").x, EXPECTED)


def test_two_threads_at_once_compute_once_and_agree(root):
    encoder, results = FakeEncoder(seconds=0.02), []

    def embed() -> None:
        results.append(EmbeddingStore(root).embed(encoder, SENTENCES, layers="last").x)

    threads = [threading.Thread(target=embed) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(encoder.computed) == sorted(SENTENCES)
    for x in results:
        np.testing.assert_array_equal(x, EXPECTED)


def test_clearing_while_another_process_embeds_corrupts_nothing(start, root):
    process = start(seconds=0.1)
    wait_for_file(root, "*/*.safetensors")
    store = EmbeddingStore(root)
    assert store.clear() > 0
    np.testing.assert_array_equal(result_of(process), EXPECTED)
    np.testing.assert_array_equal(store.embed(FakeEncoder(), SENTENCES, layers="last").x, EXPECTED)
