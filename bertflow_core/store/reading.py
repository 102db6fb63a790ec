"""Reading a store's blocks: rows gathered from many, and damaged ones dropped with a warning."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bertflow_core.files import delete
from bertflow_core.store import blocks
from bertflow_core.store.blocks import BlockFile, DamagedBlockError

__all__ = ["Embeddings", "Index", "StoreWarning", "gather", "open_or_drop"]


class StoreWarning(UserWarning):
    """Something stored was damaged and is computed again.

    Example:
        >>> import warnings
        >>> from bertflow_core.store import StoreWarning
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", StoreWarning)  # stop rather than compute again
    """


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


class Index:
    """Where the vectors of some sentences lie.

    Args:
        wanted: `sentence_key` of the sentences; others in a block are passed over.
    """

    def __init__(self, wanted: Iterable[bytes]) -> None:
        self._places: dict[bytes, list[tuple[BlockFile, int]]] = {key: [] for key in wanted}

    def add(self, block: BlockFile) -> None:
        """Note the sentences that a block holds."""
        for row, key in enumerate(block.keys):
            if key in self._places:
                self._places[key].append((block, row))

    def lacking(self, kinds: Sequence[str]) -> list[bytes]:
        """Return the sentences that lack a vector of one of these kinds, in their order."""
        return [key for key in self._places if not self._holds(key, kinds)]

    def common(self, keys: Iterable[bytes]) -> frozenset[str]:
        """Return the kinds of vectors that each of these sentences, at least one, has."""
        stored = ([block.kinds for block, _ in self._places[key]] for key in keys)
        return frozenset.intersection(*(frozenset().union(*each) for each in stored))

    def place(self, key: bytes, kind: str) -> tuple[BlockFile, int]:
        """Return the block and the row of a sentence's vector, which is there."""
        return next(place for place in self._places[key] if kind in place[0].kinds)

    def used(self, kinds: Sequence[str]) -> set[Path]:
        """Return the files that hold these kinds of every sentence."""
        return {self.place(key, kind)[0].path for key in self._places for kind in kinds}

    def _holds(self, key: bytes, kinds: Sequence[str]) -> bool:
        places = self._places[key]
        return all(any(kind in block.kinds for block, _ in places) for kind in kinds)


def gather(index: Index, keys: Sequence[bytes], kinds: Sequence[str]) -> Embeddings | None:
    """Read rows block by block, averaging these kinds; None where a block did not last."""
    places = [tuple(index.place(key, kind) for kind in kinds) for key in keys]
    groups: dict[tuple[Path, ...], list[int]] = {}
    for position, each in enumerate(places):
        groups.setdefault(tuple(block.path for block, _ in each), []).append(position)
    n_tokens, cut = np.empty(len(keys), np.int32), np.empty(len(keys), bool)
    x: np.ndarray | None = None
    is_whole = True
    for chosen in groups.values():
        stored = [block for block, _ in places[chosen[0]]]
        rows = np.array([[row for _, row in places[position]] for position in chosen]).T
        tensors = [_read_or_drop(block, kind) for block, kind in zip(stored, kinds, strict=True)]
        vectors = [t[at] for t, at in zip(tensors, rows, strict=True) if t is not None]
        if len(vectors) < len(kinds):
            is_whole = False  # and look at the others too, so that one pass finds all damage
            continue
        mean = np.mean(vectors, axis=0, dtype=np.float64)
        if x is None:
            x = np.empty((len(keys), mean.shape[1]), np.float32)
        x[chosen] = mean
        n_tokens[chosen], cut[chosen] = stored[0].n_tokens[rows[0]], stored[0].cut[rows[0]]
    return Embeddings(x, n_tokens, cut) if is_whole and x is not None else None


def _read_or_drop(block: BlockFile, kind: str) -> np.ndarray | None:
    try:
        return block.read(kind)
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
