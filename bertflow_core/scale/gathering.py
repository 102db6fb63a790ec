"""Moments of the vectors of many shards or of a Ray dataset: one pass, D^2 numbers from each."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.moments import Moments
from bertflow_core.scale.columns import Batch
from bertflow_core.scale.columns import vectors as vectors_of
from bertflow_core.scale.names import VECTOR
from bertflow_core.scale.parts import parts_of
from bertflow_core.scale.widths import width_of

__all__ = ["Gather", "Gathered", "moments"]


@dataclass(frozen=True)
class Gathered:
    """The moments of some rows.

    Attributes:
        moments: Of the rows with a usable vector.
        refused: Rows without.
        reason: Of the first of them; empty where there is none.
    """

    moments: Moments
    refused: int
    reason: str

    @classmethod
    def joined(cls, parts: Iterable["Gathered"]) -> "Gathered":
        """Return the moments of all rows of at least one part, merged in their order.

        Raises:
            InputError: The vectors' widths differ.
        """
        whole, refused, reason = Moments.of(np.empty((0, 1))), 0, ""
        for part in parts:
            refused += part.refused
            reason = reason or part.reason
            if part.moments.n:
                whole = whole.merge(part.moments) if whole.n else part.moments
        return cls(whole, refused, reason)

    def checked(self) -> "Gathered":
        """Return this, if any row can be used.

        Raises:
            InputError: None can.
        """
        if self.moments.n == 0:
            raise InputError(f"no row has a usable vector ({self.reason or 'there are no rows'})")
        return self


@dataclass(frozen=True)
class Gather:
    """Takes the moments of a batch.

    Attributes:
        column: The vectors.
        width: D; None takes that of most rows of a batch.
    """

    column: str = VECTOR
    width: int | None = None

    def __call__(self, batch: Batch) -> Gathered:
        """Return the moments of the rows that can be used.

        Raises:
            InputError: There is no such column.
        """
        sifted = vectors_of(batch, self.column, self.width)
        reason = next(iter(sifted.refused.values()), "")
        return Gathered(Moments.of(sifted.values), len(sifted.refused), reason)


def moments(dataset: Any, *, column: str = VECTOR) -> Moments:  # noqa: ANN401 - of Ray, an extra
    """Return the moments of the vectors of a Ray dataset, exact up to rounding.

    Rows without a usable vector are passed over, with a warning that says how many; how wide a
    vector is, most of the first rows decide.

    Args:
        dataset: With a column of vectors.
        column: The vectors.

    Example:
        >>> import ray  # doctest: +SKIP
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import moments
        >>> x = ray.data.read_parquet("vectors")  # doctest: +SKIP
        >>> whiten = build_calibrator("whiten").fit_moments(moments(x))  # doctest: +SKIP

    Raises:
        InputError: No such column, no row can be used, or the vectors' widths differ.
    """
    gather = Gather(column, width_of(dataset, column))
    whole = Gathered.joined(parts_of(dataset, gather)).checked()
    if whole.refused:
        warnings.warn(f"{whole.refused:,} rows are left out ({whole.reason})", stacklevel=2)
    return whole.moments
