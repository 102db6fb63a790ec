"""Shares of nearest neighbours that rows keep between panes, and the rows that moved most."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.exhibits.wall.spaces import Axis

N_COMPARED = 10  # number of nearest neighbours compared, or all other rows if there are fewer
SHARED = "shared neighbours"  # the column's name


@dataclass(frozen=True, eq=False)
class Moves:
    """Shares of nearest neighbours that N rows keep between the first of P panes and others."""

    k: int  # number of neighbours compared
    shares: FloatArray = field(repr=False)  # of each pane with the first; row 0 has the mean
    nearest: Rows = field(repr=False)  # the nearest row in each pane, shape (P, N)

    @property
    def column(self) -> Axis:
        """The shares as a column; with two panes, both have the same shares."""
        values = self.shares[0] if len(self.shares) == 2 else self.shares
        return Axis(SHARED, values, unit=f"share of {self.k}")

    def most(self) -> Rows:
        """Return the ten rows that keep fewest neighbours; ties by changes of the nearest."""
        unchanged = (self.nearest[1:] == self.nearest[0]).sum(axis=0)
        counts = np.rint(self.k * self.shares[1:]).sum(axis=0)  # integers, so that ties are exact
        return np.lexsort((unchanged, counts))[:10]


def moves_between(near: Sequence[Neighbours]) -> Moves:
    """Compare the nearest neighbours of the same rows in at least two panes, shape (N, k) each."""
    first = near[0].rows
    k = first.shape[1]
    others = [
        (first[:, :, None] == each.rows[:, None, :]).sum(axis=(1, 2)) / k for each in near[1:]
    ]
    shares = np.stack([np.mean(others, axis=0), *others])
    return Moves(k, shares, np.stack([each.rows[:, 0] for each in near]))
