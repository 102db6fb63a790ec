"""A block of a store: a safetensors file of sentences' vectors, with a digest of each tensor."""

import hashlib
import json
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.encoders.block import Block
from bertflow_core.files import atomic_write

__all__ = [
    "DESCRIPTION",
    "BlockFile",
    "DamagedBlockError",
    "free_bytes",
    "open_block",
    "read_description",
    "sentence_key",
    "write_block",
    "write_description",
]

DESCRIPTION = "encoder.json"
_KEY_BYTES = 16
_ABOUT = ("keys", "n_tokens", "cut")


class DamagedBlockError(Exception):
    """A block's file is torn or altered; `path` names it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"stored block {path.name} is damaged ({reason})")
        self.path = path


@dataclass(frozen=True)
class BlockFile:
    """An open block: what it holds, and where to read the vectors when they are needed.

    Attributes:
        path: Its file.
        keys: `sentence_key` of each row.
        n_tokens: Tokens of each sentence after cutting, shape (n,).
        cut: Whether each sentence was cut, shape (n,).
        digests: SHA-256 of each tensor's dtype, shape and bytes, by name.
        kinds: The names of the tensors that hold vectors.
    """

    path: Path
    keys: tuple[bytes, ...]
    n_tokens: np.ndarray
    cut: np.ndarray
    digests: dict[str, str]
    kinds: frozenset[str]

    def read(self, name: str) -> np.ndarray:
        """Map the file, read one tensor, shape (n, D), and check it.

        Raises:
            DamagedBlockError: Its bytes are not those that were written.
        """
        return _read(self.path, [name], self.digests)[name]


def sentence_key(sentence: str) -> bytes:
    """Return 16 bytes that identify a sentence's exact text."""
    return hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def write_block(
    folder: Path, keys: Sequence[bytes], block: Block, kinds: Sequence[str]
) -> BlockFile:
    """Write a block atomically under a name made of its keys and kinds, and flush it to the disk.

    Args:
        folder: Of the encoder.
        keys: `sentence_key` of each row.
        block: What the encoder gave.
        kinds: The names of its vectors.

    Raises:
        OSError: The disk refused; nothing of the block stays.
    """
    from safetensors.numpy import save

    tensors = {name: np.ascontiguousarray(x) for name, x in block.named(kinds).items()}
    tensors |= {
        "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY_BYTES),
        "n_tokens": block.n_tokens.astype(np.int32),
        "cut": block.cut.astype(np.uint8),
    }
    digests = {name: _digest(array) for name, array in tensors.items()}
    path = folder / f"{_block_name(keys, kinds)}.safetensors"
    content = save(tensors, metadata={"digests": json.dumps(digests)})
    with atomic_write(path) as scratch:
        scratch.write_bytes(content)
    return BlockFile(path, tuple(keys), block.n_tokens, block.cut, digests, frozenset(kinds))


def open_block(path: Path) -> BlockFile:
    """Read a block's keys and token counts, leaving its vectors on the disk.

    Raises:
        DamagedBlockError: The file is torn, or its keys are not the ones it was named for.
        FileNotFoundError: It is gone.
    """
    digests = _digests_of(path)
    tensors = _read(path, _ABOUT, digests)
    keys = tuple(row.tobytes() for row in tensors["keys"])
    kinds = frozenset(digests).difference(_ABOUT)
    if path.stem not in (_block_name(keys, kinds), _block_name(keys, ())):
        raise DamagedBlockError(path, "its sentences are not the ones it is named for")
    return BlockFile(path, keys, tensors["n_tokens"], tensors["cut"].astype(bool), digests, kinds)


def write_description(folder: Path, description: dict[str, Any]) -> None:
    """Write beside the blocks, for people, which encoder they come from."""
    text = json.dumps(description, indent=2, sort_keys=True) + "\n"
    with atomic_write(folder / DESCRIPTION) as scratch:
        scratch.write_text(text, encoding="utf-8")


def read_description(folder: Path) -> dict[str, Any]:
    """Read what `write_description` wrote; empty where it is damaged."""
    try:
        description = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return description if isinstance(description, dict) else {}


def free_bytes(root: Path) -> int:
    """Return the free space of the disk that `root` is, or will be, on."""
    existing = next(p for p in (root, *root.absolute().parents) if p.exists())
    return shutil.disk_usage(existing).free


def _block_name(keys: Sequence[bytes], kinds: Collection[str]) -> str:
    """Return what a block is called; older ones, of all kinds, are called by their keys alone."""
    names = "".join(f" {kind}" for kind in sorted(kinds)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(b"".join(keys) + names).hexdigest()[:32]


def _digest(array: np.ndarray) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _digests_of(path: Path) -> dict[str, str]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            digests = json.loads((stream.metadata() or {})["digests"])
    except (SafetensorError, ValueError, KeyError, RecursionError) as error:
        raise DamagedBlockError(path, str(error)) from error
    if not isinstance(digests, dict):
        raise DamagedBlockError(path, "its digests are no JSON object")
    return digests


def _read(path: Path, names: Sequence[str], digests: dict[str, str]) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            tensors = {name: stream.get_tensor(name) for name in names}
    except (SafetensorError, AttributeError, TypeError) as error:  # the last two: no such dtype
        raise DamagedBlockError(path, str(error)) from error
    for name, array in tensors.items():
        if digests.get(name) != _digest(array):
            raise DamagedBlockError(path, f"the digest of {name} does not match")
    return tensors
