"""Reading a store's blocks: rows gathered from many, and damaged ones dropped with a warning."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bertflow_core.files import delete
from bertflow_core.store import blocks
from bertflow_core.store.blocks import BlockFile, DamagedBlockError

__all__ = ["Embeddings", "StoreWarning", "gather", "open_or_drop"]


class StoreWarning(UserWarning):
    """Something stored was damaged and is computed again."""


@dataclass(frozen=True)
class Embeddings:
    """Vectors of sentences, in the order they were asked for.

    Attributes:
        x: Embeddings in float32, shape (N, D).
        n_tokens: Tokens of each sentence after cutting, shape (N,).
        cut: Whether a sentence was longer than the maximum length, shape (N,).
    """

    x: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray


def gather(
    index: dict[bytes, tuple[BlockFile, int]], keys: Sequence[bytes], names: Sequence[str]
) -> Embeddings | None:
    """Read rows block by block, averaging the named tensors; None where a block did not last."""
    places: dict[Path, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(index[key][0].path, []).append(place)
    n_tokens, cut = np.empty(len(keys), np.int32), np.empty(len(keys), bool)
    x: np.ndarray | None = None
    is_whole = True
    for chosen in places.values():
        block = index[keys[chosen[0]]][0]
        rows = [index[keys[place]][1] for place in chosen]
        tensors = _read_or_drop(block, names)
        if tensors is None:
            is_whole = False  # and look at the others too, so that one pass finds all damage
            continue
        mean = np.mean([tensor[rows] for tensor in tensors], axis=0, dtype=np.float64)
        if x is None:
            x = np.empty((len(keys), mean.shape[1]), np.float32)
        x[chosen] = mean
        n_tokens[chosen], cut[chosen] = block.n_tokens[rows], block.cut[rows]
    return Embeddings(x, n_tokens, cut) if is_whole and x is not None else None


def _read_or_drop(block: BlockFile, names: Sequence[str]) -> list[np.ndarray] | None:
    try:
        return [block.read(name) for name in names]
    except DamagedBlockError as damage:
        _drop(damage.path, str(damage))
    except FileNotFoundError:
        pass  # evicted by another process since it was listed
    return None


def open_or_drop(path: Path) -> BlockFile | None:
    """Open a block; None where it is gone, or damaged and now deleted with a warning."""
    try:
        return blocks.open_block(path)
    except DamagedBlockError as damage:
        _drop(path, str(damage))
    except FileNotFoundError:
        pass  # evicted by another process between listing and opening
    return None


def _drop(path: Path, reason: str) -> None:
    warnings.warn(f"{reason}; its sentences are embedded again", StoreWarning, stacklevel=3)
    delete(path)
