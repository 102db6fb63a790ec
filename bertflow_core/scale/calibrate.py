"""Vectors of a batch through a fitted calibrator: what Ray Data maps, and a shard's stage."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.digest import fitted_digest
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.scale.columns import Batch, column_values, has_column, outcome
from bertflow_core.scale.columns import vectors as vectors_of
from bertflow_core.scale.engines import Need
from bertflow_core.scale.names import ID, TEXT, VECTOR, check_key

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Calibrate"]


class Calibrate:
    """Calibrate the vector of each row of a batch; a row that has none says why.

    Rows stay in their order, and none is lost: where a vector is null, of another width, no list
    of numbers or not finite, the result is null and `refused` holds the reason.

    Args:
        calibrator: A fitted one, or the folder of a saved one.
        column: The vectors, lists of numbers.
        key: A column that is kept, as is `text`, where there is one of that name.

    Example:
        >>> import numpy as np
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import Calibrate
        >>> fitted = build_calibrator("standardize").fit(np.array([[0.0, 1.0], [2.0, 5.0]]))
        >>> Calibrate(fitted)({"vector": [[1.0, 3.0], [2.0, 5.0]]}).column("vector").to_pylist()
        [[0.0, 0.0], [1.0, 1.0]]

    Raises:
        InputError: The folder is no saved calibrator, or the key has the name of another column.
    """

    name: ClassVar[str] = "calibrate"
    need: ClassVar[Need] = Need.CORE

    def __init__(
        self, calibrator: Calibrator | Path | str, *, column: str = VECTOR, key: str = ID
    ) -> None:
        self.fitted_with: Any = None
        if not isinstance(calibrator, Calibrator):
            calibrator, config = load_calibrator(calibrator)
            self.fitted_with = config["recipe"]
        self.calibrator = calibrator
        self.column = column
        self.key = check_key(key, column)

    def __call__(self, batch: Batch) -> "pa.Table":
        """Return a table of `id` and `text` (where there are any), `vector` and `refused`.

        Raises:
            InputError: No such column.
        """
        sifted = vectors_of(batch, self.column, self.calibrator.n_features_in_)
        n = len(sifted.rows) + len(sifted.refused)
        z = self._calibrated(sifted.values)
        kept = {
            name: column_values(batch, name)
            for name in (self.key, TEXT)
            if name != self.column and has_column(batch, name)
        }
        return outcome(n, z, sifted.rows, sifted.refused, kept)

    def describe(self) -> dict[str, Any]:
        """Return what decides the vectors, JSON-able."""
        return {
            "recipe": self.fitted_with,
            "calibrator": self.calibrator.spec,
            "parameters": self.calibrator.resolved_parameters(),
            "digest": fitted_digest(self.calibrator),
            "column": self.column,
            "key": self.key,
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(dict.fromkeys((self.key, TEXT, self.column)))

    @property
    def rows_at_once(self) -> int:
        """Rows of a batch whose numbers take 16 MB."""
        return max(1, (1 << 22) // self.calibrator.n_features_in_)

    def _calibrated(self, x: np.ndarray) -> np.ndarray:
        if len(x):
            return np.asarray(self.calibrator.transform(x), np.float32)
        one = np.zeros((1, self.calibrator.n_features_in_), np.float32)
        return np.asarray(self.calibrator.transform(one), np.float32)[:0]
