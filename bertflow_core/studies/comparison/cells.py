"""One fit's numbers, and where those of finished fits are kept so that none is done twice."""

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.evaluation import Correlations, StsScores
from bertflow_core.files import BoundedFolder
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe

__all__ = ["Cell", "CellFolder", "CellMemory", "CellStore", "cell_key"]

FORMAT = "bertflow-cell-1"


@dataclass(frozen=True)
class Cell:
    """What one calibrator, fitted once, makes of one data set.

    Attributes:
        recipe: What decides the numbers, with the hub commit that was found.
        scores: Correlations of cosine with gold, every aggregation.
        similarity: Cosine of each pair, shape (N,).
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences.
        rank_lost: Dimensions of the embeddings that the map discards.
        round_trip: Largest relative error of mapping there and back; None where no way leads back.
        fitted_on: One sentence on the fit corpus.
        n_cut: Distinct sentences that were longer than the maximum length.
        n_sentences: Distinct sentences.
        notes: What the fit met, a sentence each.
        seconds: Time to embed, fit and transform.
    """

    recipe: Recipe
    scores: StsScores
    similarity: FloatArray = field(repr=False)
    random_cosine: float
    rank_lost: int
    round_trip: float | None
    fitted_on: str
    n_cut: int
    n_sentences: int
    notes: tuple[str, ...]
    seconds: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the similarities, JSON-able."""
        values = asdict(self)
        del values["similarity"]
        return values | {"recipe": self.recipe.to_dict(), "notes": list(self.notes)}

    @classmethod
    def from_dict(cls, values: dict[str, Any], similarity: FloatArray) -> "Cell":
        """Read what `to_dict` gave.

        Raises:
            InputError: It is not such a mapping.
        """
        try:
            scores = values["scores"]
            correlations = {name: Correlations(**scores[name]) for name in ("spearman", "pearson")}
            read = {
                "recipe": Recipe.from_dict(values["recipe"]),
                "scores": StsScores(scores["n_pairs"], **correlations),
                "notes": tuple(values["notes"]),
                "similarity": similarity,
            }
            return cls(**{**values, **read})
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"not a stored cell of a comparison ({error!r})") from error


def cell_key(recipe: Recipe, *inputs: str) -> str:
    """Return the name of a fit: SHA-256 of its recipe, its software and what it reads.

    The aggregation is left out: a cell holds all of them.

    Args:
        recipe: With the hub commit that was found.
        inputs: Fingerprints of encoder, pairs and fit corpus.
    """
    text = json.dumps([recipe.with_(aggregation=Recipe.aggregation).fingerprint(), *inputs])
    return hashlib.sha256(text.encode()).hexdigest()


class CellStore(Protocol):
    """Where cells of finished fits are kept."""

    def get(self, key: str) -> Cell | None:
        """Return the cell of that name, if it is there."""
        ...

    def put(self, key: str, cell: Cell) -> None:
        """Keep a cell."""
        ...


class CellMemory:
    """Cells in memory, the least recently used dropped; threads may share it.

    Args:
        max_bytes: Of all similarities together; the newest cell is kept whatever its size.
    """

    def __init__(self, max_bytes: int = 256 << 20) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cells: OrderedDict[str, Cell] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Cell | None:
        """Return the cell of that name, if it is there."""
        with self._lock:
            if key in self._cells:
                self._cells.move_to_end(key)
            return self._cells.get(key)

    def put(self, key: str, cell: Cell) -> None:
        """Keep a cell."""
        with self._lock:
            old = self._cells.pop(key, None)
            self._cells[key] = cell
            self._bytes += cell.similarity.nbytes - (old.similarity.nbytes if old else 0)
            while self._bytes > self._max_bytes and len(self._cells) > 1:
                self._bytes -= self._cells.popitem(last=False)[1].similarity.nbytes


class CellFolder:
    """Cells on disk, all kept, so that a comparison goes on where it was stopped."""

    def __init__(self, root: Path) -> None:
        self._folder = BoundedFolder(root, FORMAT)

    def get(self, key: str) -> Cell | None:
        """Return the cell of that name; a damaged one counts as none and is written anew."""
        entry = self._folder.get(key)
        if entry is None:
            return None
        try:
            cell = Cell.from_dict(entry[0], np.asarray(entry[1]["similarity"], np.float64))
        except (InputError, KeyError):
            return None
        return cell if cell.similarity.shape == (cell.scores.n_pairs,) else None

    def put(self, key: str, cell: Cell) -> None:
        """Keep a cell, whole or not at all.

        Raises:
            ResourceError: The disk refused.
        """
        self._folder.put(key, cell.to_dict(), {"similarity": cell.similarity})
