"""The store's size bound, the disk's end, and its entries."""

import errno
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors
from fake_encoder import FakeEncoder, vector

from bertflow_core.errors import ResourceError
from bertflow_core.store import EmbeddingStore

OLD, MIDDLE, NEW = ([f"{word} {i}" for i in range(3)] for word in ("old", "middle", "new"))
SENTENCES = [f"sentence {i}" for i in range(9)]
KIND_BYTES = 4 * FakeEncoder().dim
"""One kind of vector of one sentence."""


def files_of(store: EmbeddingStore) -> list[Path]:
    return sorted(store.root.glob("*/*.safetensors"))


def size_of(store: EmbeddingStore) -> int:
    return sum(path.stat().st_size for path in files_of(store))


def fill(store: EmbeddingStore, *groups: list[str]) -> None:
    """Embed groups of three sentences, a block each, an hour after one another."""
    for hour, group in enumerate(groups):
        before = set(files_of(store))
        store.embed(FakeEncoder(), group, layers="last")
        (path,) = set(files_of(store)) - before
        os.utime(path, (3600 * hour, 3600 * hour))


def is_known(store: EmbeddingStore, group: list[str]) -> bool:
    return store.missing(FakeEncoder(), group) == 0


def expected(sentences: list[str]) -> np.ndarray:
    return np.array([vector("fake", s, 2, "mean", 4) for s in sentences])


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "store")


def test_the_least_recently_used_block_goes_first(store):
    fill(store, OLD, MIDDLE)
    store.limit_bytes = size_of(store)
    store.embed(FakeEncoder(), NEW, layers="last")
    assert [is_known(store, g) for g in (OLD, MIDDLE, NEW)] == [False, True, True]
    assert size_of(store) <= store.limit_bytes


def test_reading_a_block_makes_it_recent(store):
    fill(store, OLD, MIDDLE)
    store.limit_bytes = size_of(store)
    store.embed(FakeEncoder(is_broken=True), OLD[:1], layers="last")
    store.embed(FakeEncoder(), NEW, layers="last")
    assert [is_known(store, g) for g in (OLD, MIDDLE, NEW)] == [True, False, True]


def test_nothing_goes_while_there_is_room(store):
    fill(store, OLD, MIDDLE, NEW)
    store.limit_bytes = size_of(store)
    store.embed(FakeEncoder(is_broken=True), OLD, layers="last")
    assert len(files_of(store)) == 3


def test_no_more_goes_than_must(store):
    fill(store, OLD, MIDDLE, NEW)
    store.limit_bytes = size_of(store) - 1
    store.embed(FakeEncoder(is_broken=True), NEW, layers="last")
    assert [is_known(store, g) for g in (OLD, MIDDLE, NEW)] == [False, True, True]


def test_the_bound_holds_over_all_encoders(store):
    fill(store, OLD, MIDDLE)
    store.limit_bytes = size_of(store)
    store.embed(FakeEncoder("other"), NEW, layers="last")
    assert [is_known(store, g) for g in (OLD, MIDDLE)] == [False, True]


def test_what_the_request_uses_never_goes(store):
    fill(store, OLD, MIDDLE)
    store.limit_bytes = len(SENTENCES) * KIND_BYTES  # less than their files
    for encoder in (FakeEncoder(), FakeEncoder(is_broken=True)):
        result = store.embed(encoder, SENTENCES, layers="last")
        np.testing.assert_array_equal(result.x, expected(SENTENCES))
    assert [is_known(store, g) for g in (OLD, MIDDLE)] == [False, False]


def test_more_than_the_bound_is_refused_before_anything_is_computed(store):
    store.limit_bytes = len(SENTENCES) * KIND_BYTES - 1
    with pytest.raises(ResourceError, match=r"9 sentences.*raise BERTFLOW_CACHE_GB.*--no-store"):
        store.embed(FakeEncoder(is_broken=True), SENTENCES, layers="last")
    assert not store.root.exists()


def test_more_than_the_free_space_is_refused_before_anything_is_computed(store, monkeypatch):
    fill(store, OLD)
    disk = SimpleNamespace(free=2 * KIND_BYTES)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: disk)
    with pytest.raises(ResourceError, match=r"3 sentences.*free.*BERTFLOW_CACHE"):
        store.embed(FakeEncoder(is_broken=True), [*OLD, *NEW], layers="last")
    store.embed(FakeEncoder(), [*OLD, *NEW[:2]], layers="last")  # there is room for two


@pytest.mark.parametrize(("step", "call"), [("fsync", 7), ("replace", 3)])
def test_a_full_disk_leaves_whole_blocks_and_nothing_half_written(store, monkeypatch, step, call):
    calls, original = [], getattr(os, step)

    def fill_up(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == call:  # that of the second block, after the description and the first
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fill_up)
        with pytest.raises(ResourceError, match=r"No space left on device.*BERTFLOW_CACHE"):
            store.embed(FakeEncoder(), SENTENCES, layers="last")
    assert len(files_of(store)) == 1
    assert not list(store.root.glob("*/.bertflow-*"))
    encoder = FakeEncoder()
    result = store.embed(encoder, SENTENCES, layers="last")
    np.testing.assert_array_equal(result.x, expected(SENTENCES))
    assert len(encoder.computed) == 6


@pytest.mark.parametrize("below", ["", "below"])
def test_a_root_that_cannot_be_a_folder_gives_a_sentence(tmp_path, below):
    file = tmp_path / "file"
    file.write_text("mine")
    store = EmbeddingStore(file / below)
    with pytest.raises(ResourceError, match=r"cannot be used .*BERTFLOW_CACHE"):
        store.embed(FakeEncoder(), SENTENCES, layers="last")
    assert (store.entries(), store.clear()) == ([], 0)
    assert file.read_text() == "mine"


def test_a_disk_that_cannot_be_read_gives_a_sentence(store, monkeypatch):
    fill(store, OLD)

    def fail(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(safetensors, "safe_open", fail)
    for call in (store.entries, lambda: store.missing(FakeEncoder(), OLD)):
        with pytest.raises(ResourceError, match="Permission denied"):
            call()


def test_entries_tell_what_is_stored_most_recent_first(store):
    fill(store, OLD)
    store.embed(FakeEncoder("other", per_block=2), SENTENCES, layers="last")
    other, fake = store.entries()
    assert (other.description, fake.description) == ({"model": "other"}, {"model": "fake"})
    assert (other.n_sentences, fake.n_sentences) == (9, 3)
    assert other.n_bytes + fake.n_bytes == size_of(store)
    assert fake.last_used == 0 < other.last_used
    assert FakeEncoder().fingerprint.startswith(fake.fingerprint)


def test_a_store_that_was_never_used_is_empty(store):
    assert store.entries() == []
    assert store.clear() == 0
    assert store.missing(FakeEncoder(), [*OLD, *OLD]) == 3


def test_clear_frees_what_it_says_and_leaves_nothing_listed(store):
    fill(store, OLD, MIDDLE)
    store.embed(FakeEncoder("other"), NEW, layers="last")
    left = files_of(store)[0].parent / ".bertflow-1234abcd" / "new"
    left.parent.mkdir()
    left.write_bytes(b"half")
    n_bytes = size_of(store)
    assert store.clear() == n_bytes
    assert files_of(store) == []
    assert not list(store.root.glob("*/.bertflow-*"))
    assert store.entries() == []
    encoder = FakeEncoder()
    np.testing.assert_array_equal(store.embed(encoder, OLD, layers="last").x, expected(OLD))
    assert len(encoder.computed) == 3


def test_files_of_others_below_the_root_are_left_alone(store):
    mine = store.root / "my-model" / "model.safetensors"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    fill(store, OLD)
    store.limit_bytes = size_of(store) - len(b"mine")
    store.embed(FakeEncoder(), NEW, layers="last")
    assert [entry.n_sentences for entry in store.entries()] == [3]
    store.clear()
    assert mine.read_bytes() == b"mine"
