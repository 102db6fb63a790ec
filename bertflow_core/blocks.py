"""Blocks of embeddings on disk: immutable files, each checked when it is read.

A block is a `.safetensors` file that holds, of some sentences, their keys, their numbers of tokens,
whether they were cut, and one or more kinds of vectors, a kind being a layer under a token pooling.
It is named for its keys and kinds, and has a digest of every array in its metadata. One that is
damaged is a miss: it is deleted with a warning. One that is gone, evicted by another process, is a
miss too.
"""

import hashlib
import json
import stat
import warnings
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.cache import delete
from bertflow_core.encoders.block import Block
from bertflow_core.errors import InputError
from bertflow_core.files import SAVED, atomic_write
from bertflow_core.linalg import FloatArray, Rows

_KEY_BYTES = 16
_KEYS = f"S{_KEY_BYTES}"
_ABOUT = ("keys", "n_tokens", "cut")


class StoreWarning(UserWarning):
    """Something stored was damaged and is computed again."""


@dataclass(frozen=True)
class Embeddings:
    """Vectors of sentences, in the order of the request.

    Attributes:
        x: Embeddings in float32, shape (N, D).
        n_tokens: Tokens of each sentence after cutting, shape (N,).
        cut: Whether a sentence was longer than the maximum length, shape (N,).

    Example:
        >>> from bertflow_core import Lab, Recipe
        >>> embeddings = Lab().vectors(Recipe(max_length=8), ["A dog runs.", "rain " * 20])
        >>> embeddings.x.shape, embeddings.n_tokens.tolist(), embeddings.cut.tolist()
        ((2, 384), [6, 8], [False, True])
    """

    x: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray


@dataclass(frozen=True)
class BlockFile:
    """What a block holds but its vectors, which are read when they are needed."""

    path: Path
    keys: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray
    kinds: frozenset[str]


class Index:
    """Where each kind of vector of the wanted sentences lies: a block's number and a row of it."""

    def __init__(self, folder: Path, wanted: Collection[bytes]) -> None:
        self._wanted = list(wanted)
        self._keys = np.array(self._wanted, _KEYS)
        self._order = np.argsort(self._keys)
        self._blocks: list[BlockFile] = []
        self._places: dict[str, Rows] = {}  # (2, N): block, -1 for none, and row
        for path in block_files(folder):
            block = open_block(path)
            if block is not None:
                self.add(block)

    def add(self, block: BlockFile) -> None:
        """Note the wanted sentences that a block holds."""
        nearest = np.searchsorted(self._keys, block.keys, sorter=self._order)
        at = self._order[np.minimum(nearest, len(self._keys) - 1)]
        rows = np.flatnonzero(self._keys[at] == block.keys)
        if len(rows) == 0:
            return
        for kind in block.kinds:
            self._of(kind)[:, at[rows]] = np.full(len(rows), len(self._blocks)), rows
        self._blocks.append(block)

    def lacking(self, kinds: Sequence[str]) -> list[bytes]:
        """Return the sentences that lack a vector of one of these kinds, in their order."""
        lacks = np.any([self._of(kind)[0] < 0 for kind in kinds], axis=0)
        return [self._wanted[i] for i in np.flatnonzero(lacks)]

    def common(self, keys: Sequence[bytes]) -> set[str]:
        """Return the kinds of vectors that each of these sentences has."""
        among = np.isin(self._keys, np.array(keys, _KEYS))
        return {kind for kind, places in self._places.items() if (places[0, among] >= 0).all()}

    def used(self, kinds: Sequence[str]) -> set[Path]:
        """Return the files that hold these kinds of every sentence."""
        return {self._blocks[i].path for kind in kinds for i in np.unique(self._of(kind)[0])}

    def gather(self, at: Rows, kinds: Sequence[str]) -> Embeddings | None:
        """Average these kinds of the sentences at some places; None where a block did not last."""
        blocks, rows = np.array([self._of(kind)[:, at] for kind in kinds]).transpose(1, 0, 2)
        n_tokens, cut = np.empty(len(at), np.int32), np.empty(len(at), bool)
        x: FloatArray | None = None
        is_whole = True
        groups, inverse, counts = np.unique(blocks, axis=1, return_inverse=True, return_counts=True)
        members = np.split(np.argsort(inverse.ravel(), kind="stable"), np.cumsum(counts)[:-1])
        for group, chosen in zip(groups.T, members, strict=True):
            vectors = []
            for each, kind, row in zip(group, kinds, rows[:, chosen], strict=True):
                found = _read(self._blocks[each].path, (kind,))
                if found is not None:
                    vectors.append(found[0][kind][row])
            if len(vectors) < len(kinds):
                is_whole = False  # and look at the others too, so that one pass finds all damage
                continue
            mean = np.mean(vectors, axis=0, dtype=np.float64)
            x = np.empty((len(at), mean.shape[1]), np.float32) if x is None else x
            x[chosen] = mean
            first = self._blocks[group[0]]
            n_tokens[chosen], cut[chosen] = (
                each[rows[0, chosen]] for each in (first.n_tokens, first.cut)
            )
        return Embeddings(x, n_tokens, cut) if is_whole and x is not None else None

    def _of(self, kind: str) -> Rows:
        if kind not in self._places:
            self._places[kind] = np.full((2, len(self._keys)), -1)
        return self._places[kind]


def key_of(sentence: str) -> bytes:
    """Return what identifies a sentence's exact text."""
    return hashlib.sha256(sentence.encode()).digest()[:_KEY_BYTES]


def block_files(folder: Path) -> list[Path]:
    """List an encoder's blocks: regular files, as no link leads out and no pipe blocks."""
    found = []
    for path in sorted(folder.glob(f"*{SAVED}")):
        with suppress(FileNotFoundError):  # another process may evict it meanwhile
            if stat.S_ISREG(path.lstat().st_mode):
                found.append(path)
    return found


def write_block(
    folder: Path, keys: Sequence[bytes], block: Block, kinds: Sequence[str], dtype: np.dtype[Any]
) -> BlockFile:
    """Write a block whole or not at all, named for its keys and kinds."""
    from safetensors.numpy import save

    tensors = {name: np.ascontiguousarray(x, dtype) for name, x in block.named(kinds).items()}
    if dtype == np.float16 and not all(np.isfinite(x).all() for x in tensors.values()):
        raise InputError("these vectors are too large for float16: take a store without half")
    tensors |= {
        "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY_BYTES),
        "n_tokens": block.n_tokens.astype(np.int32),
        "cut": block.cut.astype(np.uint8),
    }
    digests = {name: _digest(array) for name, array in tensors.items()}
    path = folder / f"{_name(b''.join(keys), kinds)}{SAVED}"
    with atomic_write(path) as scratch:
        scratch.write_bytes(save(tensors, metadata={"digests": json.dumps(digests)}))
    return BlockFile(path, np.array(keys, _KEYS), block.n_tokens, block.cut, frozenset(kinds))


def open_block(path: Path) -> BlockFile | None:
    """Read a block but its vectors; None where it is gone or damaged."""
    found = _read(path, _ABOUT)
    if found is None:
        return None
    tensors, names = found
    keys = tensors["keys"].reshape(-1, _KEY_BYTES).view(_KEYS).ravel()
    return BlockFile(
        path, keys, tensors["n_tokens"], tensors["cut"].astype(bool), names.difference(_ABOUT)
    )


def _read(path: Path, names: Sequence[str]) -> tuple[dict[str, np.ndarray], frozenset[str]] | None:
    """Map a block, check and return some of its tensors; and the names of all that it holds.

    None where another process evicted it, or where it is damaged: then it is deleted too.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            digests = dict(json.loads((stream.metadata() or {})["digests"]))
            tensors = {name: stream.get_tensor(name) for name in names}
        for name, array in tensors.items():
            if digests.get(name) != _digest(array):
                raise ValueError(f"the digest of {name} does not match")
        if "keys" in tensors:
            keys, kinds = tensors["keys"].tobytes(), digests.keys() - set(_ABOUT)
            if path.stem not in (_name(keys, kinds), _name(keys, ())):
                raise ValueError("its sentences are not the ones it is named for")
    except FileNotFoundError:
        return None
    except (
        *(SafetensorError, ValueError, KeyError, RecursionError),
        *(AttributeError, TypeError),  # no such dtype
    ) as damage:
        said = f"stored block {path.name} is damaged ({damage}); its sentences are embedded again"
        warnings.warn(said, StoreWarning, stacklevel=2)
        delete(path)
        return None
    return tensors, frozenset(digests)


def _name(keys: bytes, kinds: Collection[str]) -> str:
    """Return what a block is called; older ones, of all kinds, are called by their keys alone."""
    names = "".join(f" {kind}" for kind in sorted(kinds)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(keys + names).hexdigest()[:32]


def _digest(array: np.ndarray) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
