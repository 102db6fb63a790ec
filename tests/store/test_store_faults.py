"""Size limits, full disks, damage and kills cost a store at most blocks; its numbers stay right."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import safetensors
from fake_encoder import POOLINGS, FakeEncoder, expected
from filelock import FileLock
from safetensors.numpy import load_file, save_file
from waiting import PATIENCE, stopping, wait_for

from bertflow_core.errors import Cancelled, ResourceError
from bertflow_core.runtime import context
from bertflow_core.store import EmbeddingStore
from bertflow_core.store.blocks import Stored, StoreWarning

GROUPS = [[f"{word} {i}" for i in range(3)] for word in ("old", "middle", "new")]
OLD, MIDDLE, NEW = GROUPS
SENTENCES = [*OLD, *MIDDLE, *NEW]
EXPECTED = expected(SENTENCES)
LAST = [("last", "mean")]
KIND_BYTES = 4 * FakeEncoder().dim
"""Bytes of one kind of vector of one sentence."""


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "store")


@pytest.fixture
def filled(store) -> EmbeddingStore:
    """A store of three blocks of three sentences, embedded at intervals of an hour."""
    for hour, group in enumerate(GROUPS):
        before = set(files_of(store))
        next(store.embed(FakeEncoder(), group, LAST))
        (path,) = set(files_of(store)) - before
        os.utime(path, (3600 * hour, 3600 * hour))
    return store


def files_of(store: EmbeddingStore) -> list[Path]:
    return sorted(store.root.glob("*/*.safetensors"))


def size_of(store: EmbeddingStore) -> int:
    return sum(path.stat().st_size for path in files_of(store))


def known(store: EmbeddingStore) -> list[bool]:
    return [store.missing(FakeEncoder(), group) == 0 for group in GROUPS]


def ask(store: EmbeddingStore) -> list[str]:
    """Ask for all sentences, check the result, and return what had to be computed."""
    encoder = FakeEncoder()
    np.testing.assert_array_equal(next(store.embed(encoder, SENTENCES, LAST)).x, EXPECTED)
    return encoder.computed


@pytest.mark.parametrize(
    ("used", "too_much", "left"), [(NEW, 0, [True, True, True]), (OLD, 1, [True, False, True])]
)
def test_the_least_recently_used_go_and_no_more_than_must(filled, used, too_much, left):
    filled.limit_bytes = size_of(filled) - too_much
    next(filled.embed(FakeEncoder(is_broken=True), used, LAST))
    assert known(filled) == left
    assert size_of(filled) <= filled.limit_bytes


def test_the_bound_holds_over_all_encoders_and_spares_what_is_asked_for(filled):
    filled.limit_bytes = 3 * KIND_BYTES  # less than one file
    for encoder in (FakeEncoder("other"), FakeEncoder("other", is_broken=True)):
        next(filled.embed(encoder, NEW, LAST))
    assert known(filled) == [False] * 3
    assert len(files_of(filled)) == 1


def test_more_than_the_bound_is_refused_before_the_work(store):
    store.limit_bytes = len(SENTENCES) * KIND_BYTES - 1
    with pytest.raises(ResourceError, match=r"9 sentences.*raise BERTFLOW_CACHE_GB.*--no-store"):
        next(store.embed(FakeEncoder(is_broken=True), SENTENCES, LAST))
    assert not store.root.exists()


@pytest.mark.parametrize(("step", "call"), [("fsync", 5), ("replace", 3)])
def test_a_full_disk_leaves_whole_blocks_and_nothing_half_written(store, monkeypatch, step, call):
    calls, original = [], getattr(os, step)

    def fill_up(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == call:  # for the second block, after the description and the first block
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fill_up)
        with pytest.raises(ResourceError, match=r"No space left on device.*BERTFLOW_CACHE"):
            next(store.embed(FakeEncoder(), SENTENCES, LAST))
    assert len(files_of(store)) == 1
    assert not list(store.root.glob("*/.bertflow-*"))
    assert len(ask(store)) == 6


def test_a_store_that_may_only_be_read_gives_what_it_has(filled, monkeypatch):
    real_open, writing = os.open, os.O_WRONLY | os.O_RDWR | os.O_CREAT

    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_to_read(path: str, flags: int, *args: object, **options: object) -> int:
        return (refuse if flags & writing else real_open)(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", open_to_read)  # so that even root can only read
    for name in ("utime", "mkdir", "rmdir", "unlink", "rename", "replace", "chmod"):
        monkeypatch.setattr(os, name, refuse)
    for limit in (1 << 30, 1):  # within its bound, and above it
        store = EmbeddingStore(filled.root, limit_bytes=limit)
        assert ask(store) == []
    assert store.entries()[0].n_sentences == 9
    with pytest.raises(ResourceError, match=r"Read-only file system.*BERTFLOW_CACHE"):
        next(EmbeddingStore(filled.root).embed(FakeEncoder(is_broken=True), ["new one"], LAST))


def test_what_is_stored_takes_the_umask_so_that_a_group_may_share_it(store):
    before = os.umask(0o002)
    try:
        ask(store)
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in store.root.rglob("*")}
    assert {0o775 if len(name) == 32 else 0o664 for name in modes} == set(modes.values())
    assert ".lock" in modes


def test_entries_tell_what_is_stored_and_clear_frees_that_and_nothing_of_others(filled):
    next(filled.embed(FakeEncoder("other", per_block=2), OLD, LAST))
    other, fake = filled.entries()
    assert (other.description, fake.description) == ({"model": "other"}, {"model": "fake"})
    assert (other.n_sentences, fake.n_sentences) == (3, 9)
    assert other.n_bytes + fake.n_bytes == size_of(filled)
    assert fake.last_used == 7200 < other.last_used
    mine = filled.root / "my-model" / "model.safetensors"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    left = files_of(filled)[0].with_name(".bertflow-1234abcd")
    left.write_bytes(b"half")
    assert filled.clear() == other.n_bytes + fake.n_bytes
    assert files_of(filled) == [mine]
    assert not left.exists()
    assert filled.entries() == []
    assert len(ask(filled)) == 9
    unused = EmbeddingStore(filled.root / "unused")
    found = (unused.entries(), unused.clear(), unused.missing(FakeEncoder(), [*OLD, *OLD]))
    assert found == ([], 0, 3)


def test_what_another_process_computes_is_left_by_who_clears(filled, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("it waits"))
    next(filled.embed(FakeEncoder("other"), OLD, LAST))
    folder = filled.root / FakeEncoder().fingerprint[:32]
    with (
        FileLock(folder / ".lock"),  # as another process holds it
        pytest.raises(ResourceError, match=r"of 1 encoder are being computed.* again later"),
    ):
        filled.clear()
    assert {path.parent for path in files_of(filled)} == {folder}
    assert filled.clear() > 0 == size_of(filled)


def test_two_that_need_more_than_half_of_the_bound_do_not_delete_each_others_work(
    store, monkeypatch
):
    """The other store embeds after this one has computed and before it reads."""
    other, original = EmbeddingStore(store.root), Stored.mean
    next(store.embed(FakeEncoder(), SENTENCES, LAST))
    store.limit_bytes = other.limit_bytes = int(1.5 * size_of(store))
    store.clear()

    def mean_later(stored: Stored, kinds: Sequence[str]) -> np.ndarray | None:
        with monkeypatch.context() as patch:
            patch.setattr(Stored, "mean", original)
            next(other.embed(FakeEncoder("other"), SENTENCES, LAST))
        return original(stored, kinds)

    monkeypatch.setattr(Stored, "mean", mean_later)
    assert len(ask(store)) == len(SENTENCES)
    assert size_of(store) <= store.limit_bytes


def test_damaged_blocks_are_told_and_repaired_by_one_request(filled):
    torn, changed, bare = files_of(filled)
    torn.write_bytes(torn.read_bytes()[:-10])
    keys, others = (load_file(path)["keys"].tobytes() for path in (changed, bare))
    changed.write_bytes(changed.read_bytes().replace(keys, others))
    save_file(load_file(bare), bare)  # without the digests
    with pytest.warns(StoreWarning, match="is damaged .* embedded again") as said:
        assert len(ask(filled)) == 9
    assert len(said) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ask(filled) == []


def test_what_is_lost_is_computed_again_and_what_is_half_written_swept(filled):
    path = files_of(filled)[0]
    path.unlink()
    half = path.with_name(".bertflow-0")
    half.write_bytes(b"half")
    path.with_name("encoder.json").write_bytes(b"\xff")
    assert [entry.description for entry in filled.entries()] == [{}]
    assert len(ask(filled)) == 3
    assert [entry.description for entry in filled.entries()] == [{"model": "fake"}]
    assert not half.exists()
    shutil.rmtree(filled.root)
    assert len(ask(filled)) == 9


def test_wherever_a_bit_flips_no_number_is_wrong(store):
    next(store.embed(FakeEncoder(per_block=9), SENTENCES, LAST))
    (path,) = files_of(store)
    whole = path.read_bytes()
    for place in range(0, len(whole), 301):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with warnings.catch_warnings(action="ignore", category=StoreWarning):
            for layer, pooling in product(range(3), POOLINGS):
                x = next(store.embed(FakeEncoder(), SENTENCES, [(f"layer:{layer}", pooling)])).x
                whole_x = expected(SENTENCES, layer=layer, pooling=pooling)
                np.testing.assert_array_equal(x, whole_x, str(place))
        shutil.rmtree(path.parent)
        path.parent.mkdir()


@pytest.mark.parametrize("call", [0, 3], ids=["for its keys", "for its vectors"])
def test_a_block_that_is_evicted_before_it_is_opened_is_computed_again(filled, monkeypatch, call):
    original, opened = safetensors.safe_open, []

    def lose_one(path: Path, **options: str) -> object:
        if len(opened) == call:
            path.unlink()
        opened.append(path)
        return original(path, **options)

    monkeypatch.setattr(safetensors, "safe_open", lose_one)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ask(filled)) == 3


def test_a_link_among_the_blocks_is_not_followed(filled, tmp_path):
    linked = files_of(filled)[0]
    outside = linked.rename(tmp_path / "outside.safetensors")
    linked.symlink_to(outside)
    before = outside.read_bytes()
    assert len(ask(filled)) == 3
    assert outside.read_bytes() == before
    assert not linked.is_symlink()
    assert ask(filled) == []


CHILD = """
import json, os, sys, time
from pathlib import Path
from fake_encoder import FakeEncoder
from bertflow_core.runtime import context
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
    store, encoder, texts = EmbeddingStore(root), FakeEncoder(log=log), json.loads(sys.argv[4])
    x = next(store.embed(encoder, texts, [("last", "mean")])).x
print(json.dumps(x.tolist()))
"""


@pytest.fixture
def start(store, tmp_path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a process that embeds all sentences, three per block, and may hang in a write."""
    running = []

    def begin(hang_at: int = 1000) -> subprocess.Popen:
        command = [sys.executable, "-c", CHILD, str(store.root), str(tmp_path / "computed.jsonl")]
        command += [str(hang_at), json.dumps(SENTENCES)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
        running.append(subprocess.Popen(command, stdout=-1, env=environment, text=True))
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def test_who_waits_reports_what_the_other_did_and_takes_over_when_it_is_killed(
    start, store, tmp_path
):
    first = start(hang_at=6)  # two flushes per file: the description and two blocks
    wait_for(lambda: len(files_of(store)) == 2)
    wait_for(lambda: [*store.root.glob("*/.bertflow-*")])
    second = start()
    reports = tmp_path / f"computed.{second.pid}"
    wait_for(lambda: reports.exists() and reports.stat().st_size > 0)
    assert reports.read_text().startswith("6 9 sentences\n")
    assert second.poll() is None
    first.send_signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    x = json.loads(second.communicate(timeout=PATIENCE)[0])
    np.testing.assert_array_equal(np.array(x, np.float32), EXPECTED)
    computed = [*map(json.loads, (tmp_path / "computed.jsonl").read_text().splitlines())]
    assert set(computed) == set(SENTENCES)
    assert len(computed) == len(SENTENCES) + 3, "what was written is not computed again"
    assert not list(store.root.glob("*/.bertflow-*"))


def test_of_threads_at_once_one_computes_and_waiting_can_be_cancelled(store):
    encoder, embedding, go_on = FakeEncoder(), threading.Event(), threading.Event()

    def hold(done: int, total: int, unit: str) -> None:
        embedding.set()
        assert go_on.wait(PATIENCE)

    def embed() -> None:
        x = next(EmbeddingStore(store.root).embed(encoder, SENTENCES, LAST)).x
        np.testing.assert_array_equal(x, EXPECTED)

    def held() -> None:
        with context.reporting(hold):
            embed()

    thread = threading.Thread(target=held)
    thread.start()
    assert embedding.wait(PATIENCE)
    with pytest.raises(Cancelled), stopping():
        embed()
    go_on.set()
    thread.join()
    embed()
    assert sorted(encoder.computed) == sorted(SENTENCES)
