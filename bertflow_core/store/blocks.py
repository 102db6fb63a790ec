"""Blocks of vectors on disk: their files, their content, and which are deleted first.

A block is a `.safetensors` file that is written once and never changed. For some sentences it holds
their keys, their numbers of tokens, whether they were cut, and one or more kinds of vectors. A kind
is a layer with a token pooling. Each array has a digest. If a folder exceeds its size limit, the
least recently used blocks are deleted first, by modification time. Processes may share a folder.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from filelock import FileLock

from bertflow_core.arrays.saved import SAVED
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.errors import InputError
from bertflow_core.runtime.files import SCRATCH, atomic_write
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.encoders.running import Block

_KEY_BYTES = 16
KEYS = f"S{_KEY_BYTES}"
"""The dtype of an array of keys."""

_ABOUT = ("keys", "n_tokens", "cut")
_DEFAULT_GIGABYTES, _MOST_GIGABYTES = 20.0, 1e6


class StoreWarning(UserWarning):
    """A stored block was damaged and is computed again."""


def key_of(sentence: str) -> bytes:
    """Return the key of a sentence's exact text."""
    return hashlib.sha256(sentence.encode()).digest()[:_KEY_BYTES]


class BlockFile(NamedTuple):
    """A block with some of the wanted sentences: their positions, and their rows in the block."""

    path: Path
    wanted: Rows
    rows: Rows
    kinds: Collection[str]


class Stored:
    """The stored vectors of N wanted sentences in an encoder's folder."""

    def __init__(self, folder: Path, wanted: Collection[bytes]) -> None:
        self.folder = folder
        self.n_tokens, self.cut = np.zeros(len(wanted), np.int32), np.zeros(len(wanted), bool)
        self._keys = np.array(list(wanted), KEYS)
        self._order = np.argsort(self._keys)
        self._blocks: list[BlockFile] = []
        for path in block_files(folder):
            found = read_block(path, _ABOUT)
            if found is not None:
                self._note(path, *found)

    def _note(self, path: Path, about: Sequence[np.ndarray], kinds: Collection[str]) -> None:
        keys, n_tokens, cut = about
        keys = keys.view(KEYS).ravel()
        nearest = np.searchsorted(self._keys, keys, sorter=self._order)
        wanted = self._order[np.minimum(nearest, len(self._keys) - 1)]
        rows = np.flatnonzero(self._keys[wanted] == keys)
        if len(rows):
            wanted = wanted[rows]
            self.n_tokens[wanted], self.cut[wanted] = n_tokens[rows], cut[rows]
            self._blocks.append(BlockFile(path, wanted, rows, kinds))

    def write(self, wanted: Rows, block: "Block", kinds: Sequence[str]) -> None:
        """Write the vectors of some wanted sentences as a block, all or nothing."""
        from safetensors.numpy import save

        named = block.named(kinds).items()
        tensors = {name: np.ascontiguousarray(x, np.float32) for name, x in named}
        keys = self._keys[wanted]
        about = keys.view(np.uint8).reshape(-1, _KEY_BYTES), block.n_tokens, block.cut
        types = np.uint8, np.int32, np.uint8
        tensors |= {n: x.astype(t) for n, x, t in zip(_ABOUT, about, types, strict=True)}
        digests = {name: _digest(array) for name, array in tensors.items()}
        named_for = keys.tobytes() + "".join(f" {kind}" for kind in sorted(kinds)).encode()
        path = self.folder / f"{hashlib.sha256(named_for).hexdigest()[:32]}{SAVED}"
        with atomic_write(path) as scratch:
            scratch.write_bytes(save(tensors, metadata={"digests": json.dumps(digests)}))
        self._note(path, about, kinds)

    def of_kind(self, kind: str) -> list[BlockFile]:
        """Return the blocks with this kind of vector."""
        return [block for block in self._blocks if kind in block.kinds]

    def has(self, kind: str) -> np.ndarray:
        """Tell for each sentence whether it has this kind of vector, shape (N,)."""
        has = np.zeros(len(self._keys), bool)
        for block in self.of_kind(kind):
            has[block.wanted] = True
        return has

    def lacking(self, kinds: Sequence[str]) -> Rows:
        """Return the positions of sentences that lack at least one of these kinds of vectors."""
        return np.flatnonzero(~np.all([self.has(kind) for kind in kinds], axis=0))

    def mean(self, kinds: Sequence[str]) -> FloatArray | None:
        """Return each sentence's mean over these kinds of vectors; None if a block is gone."""
        total: FloatArray | None = None
        is_whole = True
        for kind in kinds:
            x: FloatArray | None = None
            for block in self.of_kind(kind):
                found = read_block(block.path, (kind,))
                if found is None:
                    is_whole = False  # check the others too, so that one pass replaces all
                    continue
                (vectors,), _ = found
                if x is None:
                    x = np.empty((len(self._keys), vectors.shape[1]), np.float32)
                x[block.wanted] = vectors[block.rows]
            if x is not None:
                total = x if total is None else np.add(total, x, dtype=np.float64)
        if total is None or not is_whole:
            return None
        if len(kinds) > 1:
            total /= len(kinds)
        return total.astype(np.float32, copy=False)


def block_files(folder: Path) -> list[Path]:
    """List an encoder's blocks; only regular files, so that no link or pipe is followed."""
    found = sorted(folder.glob(f"*{SAVED}"))
    return [path for path in found if path.is_file() and not path.is_symlink()]


def read_block(path: Path, names: Sequence[str]) -> tuple[list[np.ndarray], Collection[str]] | None:
    """Return arrays of a block and its kinds of vectors; None if it is gone or damaged.

    A damaged block is deleted with a warning.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            digests = dict(json.loads((stream.metadata() or {})["digests"]))
            arrays = [stream.get_tensor(name) for name in names]
        for name, array in zip(names, arrays, strict=True):
            if digests.get(name) != _digest(array):
                raise ValueError(f"the digest of {name} does not match")
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
    return arrays, digests.keys() - set(_ABOUT)


def _digest(array: np.ndarray) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def cache_limit() -> int:
    """Return the size limit of stored embeddings in bytes: `BERTFLOW_CACHE_GB`, or 20 GiB."""
    named = os.environ.get("BERTFLOW_CACHE_GB") or str(_DEFAULT_GIGABYTES)
    try:
        value = float(named)
    except ValueError:
        value = -1.0
    if not 0 < value < _MOST_GIGABYTES:
        raise InputError(
            f"BERTFLOW_CACHE_GB must be a number of gigabytes above 0, got {quoted(named)}"
        )
    return int(value * (1 << 30))


def sweep_scratch(folder: Path) -> None:
    """Delete unfinished files of killed processes in a folder; the caller holds its lock."""
    for path in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):  # files of other users stay
            path.unlink()


def tidy(blocks: Iterable[Path], limit_bytes: int, *, used: Collection[Path] = ()) -> None:
    """Mark the blocks `used` as just used, and delete others until all fit the size limit.

    The least recently used blocks are deleted first. Read-only files and locked folders are
    skipped.
    """
    for path in used:
        with suppress(OSError):
            os.utime(path)
    stored = []
    with suppress(OSError):
        for path in blocks:
            with suppress(FileNotFoundError):  # another process may delete it in the meantime
                status = path.stat()
                stored.append((status.st_mtime, status.st_size, path))
        n_bytes = sum(size for _, size, _ in stored)
        for _, size, path in sorted(stored):
            if n_bytes > limit_bytes and path not in used:
                with suppress(OSError), FileLock(path.with_name(".lock"), timeout=0):
                    delete(path)
                    n_bytes -= size


def delete(path: Path) -> int:
    """Delete a file that may be gone already; return the number of bytes freed."""
    try:
        size = path.stat().st_size
        path.unlink()
    except FileNotFoundError:
        return 0
    return size
