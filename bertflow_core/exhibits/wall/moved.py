"""How many of its nearest neighbours each row shares between panes, and which rows moved most."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.exhibits.wall.spaces import Axis

N_COMPARED = 10
"""Nearest neighbours of a row that are compared, or all other rows where there are fewer."""

SHARED = "shared neighbours"
"""The column's name."""


@dataclass(frozen=True, eq=False)
class Moves:
    """What became of the nearest neighbours of N rows between the first of P panes and the others.

    A share is symmetric: the neighbours that a row has in both panes, over those compared.
    """

    k: int  # neighbours compared
    shares: FloatArray = field(repr=False)  # of each pane with the first; there the others' mean
    nearest: Rows = field(repr=False)  # the nearest row in each pane, shape (P, N)

    @property
    def column(self) -> Axis:
        """The shares as a column: two panes have the same."""
        values = self.shares[0] if len(self.shares) == 2 else self.shares
        return Axis(SHARED, values, unit=f"share of {self.k}")

    def most(self, n: int = 10) -> Rows:
        """Return the n rows with the smallest share on average, the smallest first.

        Of equal ones those come first whose nearest row changed in more panes, then the earlier.
        """
        unchanged = (self.nearest[1:] == self.nearest[0]).sum(axis=0)
        counts = np.rint(self.k * self.shares[1:]).sum(axis=0)  # whole: equal ones must be equal
        return np.lexsort((unchanged, counts))[:n]


def moves_between(near: Sequence[Neighbours]) -> Moves:
    """Compare the nearest neighbours of the same rows in at least two panes, shape (N, k) each."""
    first = near[0].rows
    k = first.shape[1]
    others = [
        (first[:, :, None] == each.rows[:, None, :]).sum(axis=(1, 2)) / k for each in near[1:]
    ]
    shares = np.stack([np.mean(others, axis=0), *others])
    return Moves(k, shares, np.stack([each.rows[:, 0] for each in near]))
