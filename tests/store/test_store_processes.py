"""The store between processes and threads: killed, raced and waited for while it works."""

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
from bertflow_core.store import EmbeddingStore

root, log, hang_at = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
flush, n_flushed = os.fsync, 0

def flush_or_hang(handle):
    global n_flushed
    n_flushed += 1
    if n_flushed > hang_at:
        time.sleep(3600)
    flush(handle)

def report(*each):
    with log.with_suffix(f".{os.getpid()}").open("a") as stream:
        print(*each, file=stream)

os.fsync = flush_or_hang
with context.reporting(report):
    x = EmbeddingStore(root).embed(FakeEncoder(log=log), json.loads(sys.argv[4]), layers="last").x
print(json.dumps(x.tolist()))
"""


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def start(root, tmp_path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a process that embeds all sentences, three a block, and may hang in a write."""
    running = []

    def begin(hang_at: int = 1000) -> subprocess.Popen:
        command = [sys.executable, "-c", CHILD, str(root), str(tmp_path / "computed.jsonl")]
        command += [str(hang_at), json.dumps(SENTENCES)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
        running.append(subprocess.Popen(command, stdout=-1, env=environment, text=True))
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # it was renamed meanwhile
        return False


def test_who_waits_reports_what_the_other_did_and_takes_over_when_it_is_killed(
    start, root, tmp_path
):
    first = start(hang_at=6)  # two a file: the description and two blocks
    wait_for(lambda: len(list(root.glob("*/*.safetensors"))) == 2)
    wait_for(lambda: any(map(has_content, root.glob("*/.bertflow-*"))))
    second = start()
    reports = tmp_path / f"computed.{second.pid}"
    wait_for(lambda: has_content(reports))
    assert reports.read_text().startswith("6 12 sentences\n")
    assert second.poll() is None
    first.send_signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    x = json.loads(second.communicate(timeout=PATIENCE)[0])
    np.testing.assert_array_equal(np.array(x, np.float32), EXPECTED)
    computed = [*map(json.loads, (tmp_path / "computed.jsonl").read_text().splitlines())]
    assert set(computed) == set(SENTENCES)
    assert len(computed) == len(SENTENCES) + 3, "what was written is not computed again"
    assert not list(root.glob("*/.bertflow-*"))


def test_of_threads_at_once_one_computes_and_waiting_can_be_cancelled(root):
    encoder, results = FakeEncoder(), []
    embedding, waiting, go_on = (threading.Event() for _ in range(3))

    def hold(done: int, total: int, unit: str) -> None:
        embedding.set()
        assert go_on.wait(PATIENCE)

    def tell(done: int, total: int, unit: str) -> None:
        waiting.set()

    def cancel(done: int, total: int, unit: str) -> None:
        raise Cancelled("stopped")

    def embed(progress: context.Progress) -> None:
        with context.reporting(progress):
            results.append(EmbeddingStore(root).embed(encoder, SENTENCES, layers="last").x)

    threads = [threading.Thread(target=embed, args=(each,)) for each in (hold, tell)]
    threads[0].start()
    assert embedding.wait(PATIENCE)
    threads[1].start()
    assert waiting.wait(PATIENCE)
    with pytest.raises(Cancelled):
        embed(cancel)
    go_on.set()
    for thread in threads:
        thread.join()
    assert sorted(encoder.computed) == sorted(SENTENCES)
    for x in results:
        np.testing.assert_array_equal(x, EXPECTED)
    assert len(results) == 2
