"""Where finished fits are kept, in memory or on disk, so that none is done twice."""

import hashlib
import json
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Protocol

import numpy as np

from bertflow_core.cache import BoundedFolder
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.cell import Cell

__all__ = ["CellFolder", "CellMemory", "CellStore", "cell_key"]

FORMAT = "bertflow-cell-1"


def cell_key(recipe: Recipe, *inputs: str) -> str:
    """Return the key of a fit: SHA-256 of its recipe, its software and its inputs.

    The aggregation is left out: a cell holds all of them.

    Args:
        recipe: With the hub commit of the model.
        inputs: Fingerprints of encoder, pairs and fit corpus.
    """
    text = json.dumps([recipe.with_(aggregation=Recipe.aggregation).fingerprint(), *inputs])
    return hashlib.sha256(text.encode()).hexdigest()


class CellStore(Protocol):
    """Where cells of finished fits are kept."""

    def get(self, key: str) -> Cell | None:
        """Return the cell under a key, or None."""
        ...

    def put(self, key: str, cell: Cell) -> None:
        """Keep a cell under a key."""
        ...


class CellMemory:
    """Cells in memory; the least recently used are dropped first. Safe to share between threads.

    Args:
        max_bytes: Limit on all similarities together; the newest cell is always kept.
    """

    def __init__(self, max_bytes: int = 256 << 20) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cells: OrderedDict[str, Cell] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Cell | None:
        """Return the cell under a key, or None."""
        with self._lock:
            if key in self._cells:
                self._cells.move_to_end(key)
            return self._cells.get(key)

    def put(self, key: str, cell: Cell) -> None:
        """Keep a cell under a key."""
        with self._lock:
            old = self._cells.pop(key, None)
            self._cells[key] = cell
            self._bytes += cell.similarity.nbytes - (old.similarity.nbytes if old else 0)
            while self._bytes > self._max_bytes and len(self._cells) > 1:
                self._bytes -= self._cells.popitem(last=False)[1].similarity.nbytes


class CellFolder:
    """Cells on disk, one folder per cell, so that a stopped comparison can be resumed."""

    def __init__(self, root: Path) -> None:
        self._folder = BoundedFolder(root, FORMAT)

    def get(self, key: str) -> Cell | None:
        """Return the cell under a key, or None; a damaged cell counts as missing."""
        entry = self._folder.get(key)
        if entry is None:
            return None
        try:
            cell = Cell.from_dict(entry[0], np.asarray(entry[1]["similarity"], np.float64))
        except (InputError, KeyError):
            return None
        return cell if cell.similarity.shape == (cell.scores.n_pairs,) else None

    def put(self, key: str, cell: Cell) -> None:
        """Write a cell, whole or not at all.

        Raises:
            ResourceError: The disk failed.
        """
        self._folder.put(key, cell.to_dict(), {"similarity": cell.similarity})
