"""A cell of a comparison, and a folder of cells, so that no fit is repeated."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bertflow_core.arrays.saved import read_saved, write_saved
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.evaluation.metrics import PairScores, read_scores
from bertflow_core.lab.evaluation import Scored
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.files import digest_of

FORMAT = "bertflow-cell-3"


@dataclass(frozen=True)
class Cell(Scored):
    """The numbers of one fitted calibrator on one data set."""

    recipe: Recipe  # the recipe, with the hub commit of the model
    scores: PairScores  # agreement of cosine with gold scores or labels, every aggregation
    unit_values: FloatArray = field(repr=False)  # as `Evaluation.unit_values`
    random_cosine: float  # mean cosine of 10,000 random pairs of the scored sentences
    rank_lost: int  # dimensions of the embeddings that the map discards
    round_trip: float | None  # largest relative error of the inverse, if there is one
    fitted_on: str  # description of the fit corpus
    n_cut: int  # distinct sentences that were longer than the maximum length
    n_sentences: int  # distinct sentences
    notes: tuple[str, ...]  # on the fit, one sentence each
    seconds: dict[str, float]  # to embed, fit and transform
    chat_remark: str = ""  # as `Embedded.chat_remark`

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the values of the units, JSON-able."""
        values = asdict(self)
        del values["unit_values"]
        return values | {"recipe": self.recipe.to_dict(), "notes": list(self.notes)}


def cell_key(recipe: Recipe, *inputs: str) -> str:
    """Return the key of a fit: SHA-256 of its recipe and of the fingerprints of its inputs.

    The aggregation is left out, since a cell has the scores under every aggregation.
    """
    return digest_of([recipe.with_(aggregation=Recipe.aggregation).fingerprint(), *inputs])


class CellStore(Protocol):
    """A store for cells of finished fits: a folder, or the memory of the dashboard's server."""

    def get(self, key: str) -> Cell | None: ...  # noqa: D102
    def put(self, key: str, cell: Cell) -> None: ...  # noqa: D102


class CellFolder:
    """Cells on disk, so that a stopped comparison can be resumed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def get(self, key: str) -> Cell | None:
        """Return the cell under a key, or None; a damaged cell counts as missing."""
        try:
            values, arrays = read_saved(self._root / key)
            if (values.pop("format"), values.pop("key")) != (FORMAT, key):
                return None
            read = {
                "recipe": Recipe.from_dict(values["recipe"]),
                "scores": read_scores(values["scores"]),
                "notes": tuple(values["notes"]),
                "unit_values": np.asarray(arrays["unit_values"], np.float64),
            }
            cell = Cell(**{**values, **read})
        except (InputError, OSError, KeyError, TypeError, AttributeError):
            return None
        return cell if cell.unit_values.shape[:1] == (cell.scores.n_pairs,) else None

    def put(self, key: str, cell: Cell) -> None:
        """Write a whole cell or none."""
        values = {**cell.to_dict(), "format": FORMAT, "key": key}
        write_saved(self._root / key, values, {"unit_values": cell.unit_values})
