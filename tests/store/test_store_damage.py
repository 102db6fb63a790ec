"""Stored blocks that are torn, altered, renamed or gone: noticed, said, and computed again."""

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

from bertflow_core.errors import ResourceError
from bertflow_core.store import EmbeddingStore, StoreWarning

SENTENCES = [f"sentence {i}" for i in range(12)]
EXPECTED = np.array([vector("fake", s, 2, "mean", 4) for s in SENTENCES])


@pytest.fixture
def store(tmp_path) -> EmbeddingStore:
    """A store of four blocks of three sentences."""
    store = EmbeddingStore(tmp_path / "store")
    store.embed(FakeEncoder(), SENTENCES, layers="last")
    assert len(files_of(store)) == 4
    return store


def files_of(store: EmbeddingStore) -> list[Path]:
    return sorted(store.root.glob("*/*.safetensors"))


def ask(store: EmbeddingStore) -> FakeEncoder:
    """Ask for all sentences, check the result, and return the encoder that had to help."""
    encoder = FakeEncoder()
    np.testing.assert_array_equal(store.embed(encoder, SENTENCES, layers="last").x, EXPECTED)
    return encoder


def edit_header(path: Path, change: Callable[[dict], None]) -> None:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + size :])


def edit_digests(path: Path, digests: str) -> None:
    edit_header(path, lambda header: header["__metadata__"].update(digests=digests))


def flip(path: Path, tensor: str) -> None:
    """Flip the lowest bit of a tensor's first byte."""
    content = bytearray(path.read_bytes())
    size = int.from_bytes(content[:8], "little")
    start = 8 + size + json.loads(content[8 : 8 + size])[tensor]["data_offsets"][0]
    content[start] ^= 1
    path.write_bytes(content)


DAMAGES = {
    "torn": lambda p: p.write_bytes(p.read_bytes()[:-10]),
    "torn in its header": lambda p: p.write_bytes(p.read_bytes()[:50]),
    "empty": lambda p: p.write_bytes(b""),
    "garbage": lambda p: p.write_bytes(b"\xff" * 700),
    "another header": lambda p: p.write_bytes(b"x" * 100 + p.read_bytes()[100:]),
    "an altered vector": lambda p: flip(p, "layer.2.mean"),
    "altered keys": lambda p: flip(p, "keys"),
    "altered token counts": lambda p: flip(p, "n_tokens"),
    "an altered cut": lambda p: flip(p, "cut"),
    "renamed": lambda p: p.rename(p.with_name("0" * 32 + ".safetensors")),
    "another block's content": lambda p: shutil.copy(files_of_folder(p)[-1], p),
    "no digests": lambda p: edit_header(p, lambda header: header.pop("__metadata__")),
    "other digests": lambda p: edit_digests(p, "{}"),
    "digests as a list": lambda p: edit_digests(p, "[1]"),
    "digests as nothing": lambda p: edit_digests(p, "null"),
    "digests without end": lambda p: edit_digests(p, "[" * 100_000),
    "vectors as integers": lambda p: edit_header(
        p, lambda header: header["layer.2.mean"].update(dtype="I32")
    ),
    "vectors of another shape": lambda p: edit_header(
        p, lambda header: header["layer.2.mean"].update(shape=[4, 3])
    ),
    "vectors of a strange type": lambda p: edit_header(
        p, lambda header: header["layer.2.mean"].update(dtype="F8_E4M3", shape=[12, 4])
    ),
    "token counts of another type": lambda p: edit_header(
        p, lambda header: header["n_tokens"].update(dtype="F32")
    ),
}  # fmt: skip


def files_of_folder(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.safetensors"))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_block_is_noticed_and_computed_again(store, damage):
    DAMAGES[damage](files_of(store)[0])
    with pytest.warns(StoreWarning, match="is damaged .* embedded again"):
        encoder = ask(store)
    assert len(encoder.computed) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ask(store).computed == []


@pytest.mark.parametrize("damage", ["torn", "an altered vector", "empty"])
def test_however_many_blocks_are_damaged_one_request_repairs_them(store, damage):
    for path in files_of(store):
        DAMAGES[damage](path)
    with pytest.warns(StoreWarning) as said:
        encoder = ask(store)
    assert len(said) == 4
    assert sorted(encoder.computed) == sorted(SENTENCES)


def test_wherever_a_bit_flips_no_number_is_wrong(tmp_path):
    store = EmbeddingStore(tmp_path / "store")
    store.embed(FakeEncoder(per_block=12), SENTENCES, layers="last")
    (path,) = files_of(store)
    whole = path.read_bytes()
    for place in range(0, len(whole), 101):
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


def test_a_lost_block_is_computed_again(store):
    files_of(store)[0].unlink()
    assert len(ask(store).computed) == 3


def test_a_lost_folder_is_computed_again(store):
    shutil.rmtree(store.root)
    assert len(ask(store).computed) == 12


@pytest.mark.parametrize("call", [0, 4], ids=["for its keys", "for its vectors"])
def test_a_block_that_goes_before_it_is_opened_is_computed_again(store, monkeypatch, call):
    original, opened = safetensors.safe_open, []

    def lose_one(path: Path, **options: str) -> object:
        if len(opened) == call:
            path.unlink()
        opened.append(path)
        return original(path, **options)

    monkeypatch.setattr(safetensors, "safe_open", lose_one)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ask(store).computed) == 3


def test_a_block_that_goes_while_entries_are_listed_is_left_out(store):
    files_of(store)[0].unlink()
    (entry,) = store.entries()
    assert entry.n_sentences == 9


def test_blocks_that_never_last_end_in_an_error(store, monkeypatch):
    replace = os.replace

    def damage(source: Path, target: Path) -> None:
        if target.suffix == ".safetensors":
            flip(source, "layer.2.mean")
        replace(source, target)

    store.clear()
    monkeypatch.setattr(os, "replace", damage)
    with (
        pytest.warns(StoreWarning),
        pytest.raises(ResourceError, match="keep getting damaged"),
    ):
        store.embed(FakeEncoder(), SENTENCES, layers="last")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are those of Unix")
def test_a_block_that_is_no_regular_file_is_not_opened(store, tmp_path):
    linked, piped, folder, _ = files_of(store)
    outside = linked.rename(tmp_path / "outside.safetensors")
    linked.symlink_to(outside)
    piped.unlink()
    os.mkfifo(piped)
    folder.unlink()
    description = folder.with_name("encoder.json")
    description.unlink()
    os.mkfifo(description)
    assert [(e.n_sentences, e.description) for e in store.entries()] == [(3, {})]
    before = outside.read_bytes()
    assert len(ask(store).computed) == 9
    assert outside.read_bytes() == before
    assert not linked.is_symlink()
    assert ask(store).computed == []


def test_half_written_files_are_swept_by_the_next_computation(store):
    scratch = files_of(store)[0].with_name(".bertflow-1234abcd")
    scratch.mkdir()
    (scratch / "new").write_bytes(b"half")
    ask(store)
    store.embed(FakeEncoder(), ["new"], layers="last")
    assert not scratch.exists()


def test_a_damaged_description_costs_nothing_but_itself(store):
    description = files_of(store)[0].with_name("encoder.json")
    description.write_bytes(b"\xff")
    assert ask(store).computed == []
    assert [entry.description for entry in store.entries()] == [{}]
    store.embed(FakeEncoder(), ["new"], layers="last")
    assert [entry.description for entry in store.entries()] == [{"model": "fake"}]
