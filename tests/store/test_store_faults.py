"""What a store loses and when: by its bound, by a full disk, by damage; never a right number."""

import errno
import json
import os
import shutil
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import safetensors
from fake_encoder import FakeEncoder, vector
from safetensors.numpy import load_file

from bertflow_core.errors import ResourceError
from bertflow_core.store import EmbeddingStore
from bertflow_core.store.blocks import StoreWarning

OLD, MIDDLE, NEW = ([f"{word} {i}" for i in range(3)] for word in ("old", "middle", "new"))
SENTENCES = [*OLD, *MIDDLE, *NEW]
EXPECTED = np.array([vector("fake", s, 2, "mean", 4) for s in SENTENCES])
KIND_BYTES = 4 * FakeEncoder().dim
"""One kind of vector of one sentence."""


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "store")


@pytest.fixture
def filled(store) -> EmbeddingStore:
    """A store of three blocks of three sentences, embedded an hour after one another."""
    for hour, group in enumerate((OLD, MIDDLE, NEW)):
        before = set(files_of(store))
        store.embed(FakeEncoder(), group, layers="last")
        (path,) = set(files_of(store)) - before
        os.utime(path, (3600 * hour, 3600 * hour))
    return store


def files_of(store: EmbeddingStore) -> list[Path]:
    return sorted(store.root.glob("*/*.safetensors"))


def size_of(store: EmbeddingStore) -> int:
    return sum(path.stat().st_size for path in files_of(store))


def known(store: EmbeddingStore) -> list[bool]:
    return [store.missing(FakeEncoder(), group) == 0 for group in (OLD, MIDDLE, NEW)]


def ask(store: EmbeddingStore) -> list[str]:
    """Ask for all sentences, check the result, and return what had to be computed."""
    encoder = FakeEncoder()
    np.testing.assert_array_equal(store.embed(encoder, SENTENCES, layers="last").x, EXPECTED)
    return encoder.computed


@pytest.mark.parametrize(
    ("used", "too_much", "left"), [(NEW, 0, [True, True, True]), (OLD, 1, [True, False, True])]
)
def test_the_least_recently_used_go_and_no_more_than_must(filled, used, too_much, left):
    filled.limit_bytes = size_of(filled) - too_much
    filled.embed(FakeEncoder(is_broken=True), used, layers="last")
    assert known(filled) == left
    assert size_of(filled) <= filled.limit_bytes


def test_the_bound_holds_over_all_encoders_and_spares_what_is_asked_for(filled):
    filled.limit_bytes = 3 * KIND_BYTES  # less than their file
    for encoder in (FakeEncoder("other"), FakeEncoder("other", is_broken=True)):
        filled.embed(encoder, NEW, layers="last")
    assert known(filled) == [False] * 3
    assert len(files_of(filled)) == 1


def test_more_than_the_bound_is_refused_before_the_work(store):
    store.limit_bytes = len(SENTENCES) * KIND_BYTES - 1
    with pytest.raises(ResourceError, match=r"9 sentences.*raise BERTFLOW_CACHE_GB.*--no-store"):
        store.embed(FakeEncoder(is_broken=True), SENTENCES, layers="last")
    assert not store.root.exists()


@pytest.mark.parametrize(("step", "call"), [("fsync", 5), ("replace", 3)])
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
    assert len(ask(store)) == 6


def test_a_store_that_may_only_be_read_gives_what_it_has(filled, monkeypatch):
    real_open = os.open

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_to_read(path: object, flags: int, *args: object, **options: object) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse()
        return real_open(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", open_to_read)  # root too may only read then
    for name in ("utime", "mkdir", "rmdir", "unlink", "rename", "replace", "chmod"):
        monkeypatch.setattr(os, name, refuse)
    for limit in (1 << 30, 1):  # within its bound, and above it
        store = EmbeddingStore(filled.root, limit_bytes=limit)
        assert ask(store) == []
    assert store.entries()[0].n_sentences == 9
    with pytest.raises(ResourceError, match=r"Read-only file system.*BERTFLOW_CACHE"):
        EmbeddingStore(filled.root).embed(FakeEncoder(is_broken=True), ["new one"], layers="last")


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of Unix")
def test_what_is_stored_takes_the_umask_so_that_a_group_may_share_it(store):
    before = os.umask(0o002)
    try:
        ask(store)
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in store.root.rglob("*")}
    assert {0o775 if len(name) == 32 else 0o664 for name in modes} == set(modes.values())
    assert ".lock" in modes


def test_entries_tell_what_is_stored_most_recent_first(filled):
    filled.embed(FakeEncoder("other", per_block=2), OLD, layers="last")
    other, fake = filled.entries()
    assert (other.description, fake.description) == ({"model": "other"}, {"model": "fake"})
    assert (other.n_sentences, fake.n_sentences) == (3, 9)
    assert other.n_bytes + fake.n_bytes == size_of(filled)
    assert fake.last_used == 7200 < other.last_used
    unused = EmbeddingStore(filled.root / "unused")
    found = (unused.entries(), unused.clear(), unused.missing(FakeEncoder(), [*OLD, *OLD]))
    assert found == ([], 0, 3)


def test_clear_frees_what_it_says_and_leaves_what_belongs_to_others(filled):
    mine = filled.root / "my-model" / "model.safetensors"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    left = files_of(filled)[0].with_name(".bertflow-1234abcd")
    left.write_bytes(b"half")
    n_bytes = size_of(filled) - len(b"mine")
    assert filled.clear() == n_bytes
    assert files_of(filled) == [mine]
    assert not left.exists()
    assert filled.entries() == []
    assert len(ask(filled)) == 9


def edit_header(path: Path, change: Callable[[dict], None]) -> None:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + size :])


def keys_in(path: Path) -> bytes:
    return load_file(path)["keys"].tobytes()


DAMAGES = {
    "torn": lambda p: p.write_bytes(p.read_bytes()[:-10]),
    "digests without end": lambda p: edit_header(
        p, lambda header: header["__metadata__"].update(digests="[" * 100_000)
    ),
    "vectors of a strange type": lambda p: edit_header(
        p, lambda header: header["layer.2.mean"].update(dtype="F8_E4M3", shape=[12, 4])
    ),
    "another block's keys": lambda p: p.write_bytes(
        p.read_bytes().replace(keys_in(p), keys_in(max(p.parent.glob("*.safetensors"))))
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_block_is_a_miss_that_is_told(filled, damage):
    DAMAGES[damage](files_of(filled)[0])
    with pytest.warns(StoreWarning, match="is damaged .* embedded again"):
        assert len(ask(filled)) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ask(filled) == []


def test_however_many_blocks_are_damaged_one_request_repairs_them(filled):
    for damage, path in zip(DAMAGES.values(), files_of(filled), strict=False):
        damage(path)
    with pytest.warns(StoreWarning) as said:
        assert sorted(ask(filled)) == sorted(SENTENCES)
    assert len(said) == 3


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
    store.embed(FakeEncoder(per_block=9), SENTENCES, layers="last")
    (path,) = files_of(store)
    whole = path.read_bytes()
    for place in range(0, len(whole), 301):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with warnings.catch_warnings(action="ignore", category=StoreWarning):
            for layer, pooling in product(range(3), ("mean", "cls", "max")):
                x = store.embed(FakeEncoder(), SENTENCES, layers=f"layer:{layer}", tokens=pooling).x
                expected = [vector("fake", s, layer, pooling, 4) for s in SENTENCES]
                np.testing.assert_array_equal(x, expected, str(place))
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are those of Unix")
def test_a_block_that_is_no_regular_file_is_not_opened(filled, tmp_path):
    linked, piped, whole = files_of(filled)
    outside = linked.rename(tmp_path / "outside.safetensors")
    linked.symlink_to(outside)
    piped.unlink()
    os.mkfifo(piped)
    description = whole.with_name("encoder.json")
    description.unlink()
    os.mkfifo(description)
    assert [(e.n_sentences, e.description) for e in filled.entries()] == [(3, {})]
    before = outside.read_bytes()
    assert len(ask(filled)) == 6
    assert outside.read_bytes() == before
    assert not linked.is_symlink()
    assert ask(filled) == []
    assert [entry.description for entry in filled.entries()] == [{"model": "fake"}]
