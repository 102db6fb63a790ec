"""A cell has the numbers of one fit on one data set. A folder of cells spares repeated fits."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from bertflow_core.arrays.saved import read_saved, write_saved
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.evaluation import metric_of
from bertflow_core.evaluation.metrics import PairScores, StsScores, read_scores, undefined
from bertflow_core.lab.evaluation import Embedded, Evaluation, Scored
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.files import digest_of

FORMAT = "bertflow-cell-4"


@dataclass(frozen=True)
class Cell(Scored):
    """The numbers of one fitted calibrator on one data set."""

    recipe: Recipe  # the recipe, with the hub commit of the model
    scores: PairScores  # agreement of cosine with gold scores or labels, every aggregation
    unit_values: FloatArray = field(repr=False)  # as `Evaluation.unit_values`
    document: dict[str, Any] = field(repr=False)  # `Evaluation.to_dict` of the fit
    about: dict[str, str]  # as `Embedded.about`
    measures: dict[str, Any] = field(default_factory=dict)  # further numbers of the fit

    @classmethod
    def of(cls, evaluation: Evaluation, measures: Mapping[str, Any]) -> Self:
        """Return the cell of an evaluation."""
        return cls(
            evaluation.recipe,
            evaluation.scores,
            evaluation.unit_values,
            evaluation.to_dict(),
            evaluation.embedded.about,
            dict(measures),
        )

    @classmethod
    def without_score(cls, embedded: Embedded, reason: str) -> Self:
        """Return the cell of a fit that leaves nothing to compare."""
        recipe, pairs = embedded.recipe, embedded.data
        subsets = pairs.subsets
        kind = StsScores if pairs.targets is None else metric_of(pairs.metric).kind
        document = {"spec": recipe.calibrator, "recipe": recipe.to_dict(), "notes": [reason]}
        document |= {"dataset": recipe.dataset, "split": recipe.split}
        return cls(
            recipe,
            undefined(kind, len(subsets), subsets),
            np.full(len(subsets), np.nan),
            document,
            embedded.about,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints, under the recipe's own aggregation."""
        own = {"recipe": self.recipe.to_dict(), "fingerprint": self.recipe.fingerprint()}
        return {**self.document, **own, **self.scores_document()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the fit, one sentence each, without full stops."""
        return tuple(self.document["notes"])

    @property
    def random_cosine(self) -> float | None:
        """The mean cosine of 10,000 random pairs of the scored sentences."""
        cosine: float | None = self.document.get("random_cosine")
        return cosine


def cell_key(recipe: Recipe, *inputs: str) -> str:
    """Return SHA-256 of a fit's recipe, without the aggregation, and its inputs' fingerprints."""
    return digest_of([recipe.with_(aggregation=Recipe.aggregation).fingerprint(), *inputs])


class CellStore(Protocol):
    """A store for cells of finished fits: a folder, or the memory of the dashboard's server."""

    def get(self, key: str) -> Cell | None: ...  # noqa: D102
    def put(self, key: str, cell: Cell) -> None: ...  # noqa: D102


class CellFolder:
    """Cells on disk, so that a stopped run can be resumed."""

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
                "unit_values": np.asarray(arrays["unit_values"], np.float64),
            }
            return Cell(**{**values, **read})
        except (InputError, OSError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, cell: Cell) -> None:
        """Write a whole cell or none."""
        values = {"recipe": cell.recipe.to_dict(), "scores": asdict(cell.scores)}
        values |= {name: getattr(cell, name) for name in ("document", "about", "measures")}
        arrays = {"unit_values": cell.unit_values}
        write_saved(self._root / key, {**values, "format": FORMAT, "key": key}, arrays)
