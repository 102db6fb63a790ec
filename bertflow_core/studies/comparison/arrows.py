"""Is each change of a comparison's table larger than the noise of its pairs?

An arrow joins a row to identity on the same vectors. Its test joins the same two, whichever row the
tests of significance take as their baseline.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.inference import MAX_UNDEFINED, N_DRAWS, holm, two_sided_p
from bertflow_core.evaluation.sts import strata
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.comparison.grid import Row
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.text_table import percent

__all__ = ["ALPHA", "AVERAGE", "Arrow", "Arrows", "Place", "arrows_of"]

ALPHA = 0.05
AVERAGE = None
"""Stands for the column of averages where a place names a data set."""

_DRAWS_AN_ARROW = 100
"""So that Holm's smallest p, 2 m / (draws + 1) of m arrows, is 0.02."""

Place = tuple[Row, str | None]


@dataclass(frozen=True)
class Arrow:
    """One change of a score: of rho, or of AUC.

    Attributes:
        change: Score of the row less that of its baseline, as the table shows them.
        p: Two-sided, never 0; None where too few resamples have a score.
        p_adjusted: By Holm over the arrows of the table.
        significant: `p_adjusted` is at most `ALPHA`.
    """

    change: float
    p: float | None
    p_adjusted: float | None
    significant: bool


@dataclass(frozen=True)
class Arrows:
    """The arrows of a table.

    Attributes:
        tested: By row and data set, `AVERAGE` for the mean over data sets.
        n_draws: Resamples of each data set's pairs.
    """

    tested: Mapping[Place, Arrow] = field(repr=False)
    n_draws: int

    def get(self, row: Row, dataset: str | None) -> Arrow | None:
        """Return an arrow; None where a score is undefined, does not change, or is a baseline's."""
        return self.tested.get((row, dataset))

    @property
    def n_significant(self) -> int:
        """How many arrows are significant."""
        return sum(arrow.significant for arrow in self.tested.values())


def arrows_of(comparison: Comparison) -> Arrows:
    """Test every change against the row's own baseline, by a paired bootstrap, Holm over all.

    The pairs of each data set are resampled, within subsets as the aggregation demands; a score is
    the mean over seeds, as in the table. An average is tested for these data sets, not for others.

    Args:
        comparison: A filled grid.
    """
    changes = dict(_changes(comparison))
    n_draws = max(N_DRAWS, _DRAWS_AN_ARROW * len(changes))
    drawn = {
        dataset: _draws(comparison, dataset, n_draws)
        for dataset in comparison.grid.datasets
        if any(place[1] == dataset for place in changes)
    }
    p = {(row, dataset): _p_value(comparison, row, dataset, drawn) for row, dataset in changes}
    known = {place: value for place, value in p.items() if value is not None}
    adjusted = dict(zip(known, holm([*known.values()]), strict=True))
    tested = {
        place: Arrow(
            change=change,
            p=p[place],
            p_adjusted=float(adjusted[place]) if place in adjusted else None,
            significant=bool(place in adjusted and adjusted[place] <= ALPHA),
        )
        for place, change in changes.items()
    }
    return Arrows(tested, n_draws)


def _changes(comparison: Comparison) -> Iterator[tuple[Place, float]]:
    """Yield every change that the table draws an arrow for."""
    datasets = comparison.grid.datasets
    for row in comparison.grid.rows:
        found: dict[str | None, float | None] = {}
        found |= {dataset: comparison.change(row, dataset) for dataset in datasets}
        if len(datasets) > 1:
            found |= {AVERAGE: comparison.average_change(row)}
        for dataset, change in found.items():
            if change is not None and _is_shown(comparison, row, dataset):
                yield (row, dataset), change


def _is_shown(comparison: Comparison, row: Row, dataset: str | None) -> bool:
    """Tell whether a score differs from its baseline's by the digits that the table shows."""
    before, after = (
        comparison.average(each) if dataset is AVERAGE else comparison.score(each, dataset)
        for each in (row.baseline, row)
    )
    return percent(before) != percent(after)


def _draws(comparison: Comparison, dataset: str, n_draws: int) -> dict[Row, FloatArray]:
    """Return the score of each row, the mean over seeds, on resamples of the pairs, (B,) each."""
    pairs, rows = comparison.pairs[dataset], comparison.grid.rows
    fits = [comparison.fits(row, dataset) for row in rows]
    source = PairedBootstrap(
        (cell.similarity for cells in fits for cell in cells),
        np.asarray(pairs.judged, np.float64),
        strata(pairs.subsets, comparison.aggregation),
        seed=comparison.grid.protocol.seed,
        metric=comparison.metric(dataset),
    )
    drawn = source.draw(n_draws)
    edges = np.cumsum([0, *map(len, fits)])
    means = (drawn[:, start:end].mean(axis=1) for start, end in pairwise(edges))
    return dict(zip(rows, means, strict=True))


def _p_value(
    comparison: Comparison,
    row: Row,
    dataset: str | None,
    drawn: Mapping[str, Mapping[Row, FloatArray]],
) -> float | None:
    names = comparison.grid.datasets if dataset is AVERAGE else (dataset,)
    changes = [drawn[name][row] - drawn[name][row.baseline] for name in names]
    if dataset is AVERAGE:
        # Data sets of one size have the same resamples under one seed, and are independent.
        shuffle = np.random.default_rng(comparison.grid.protocol.seed).permutation
        changes = [shuffle(each) for each in changes]
    change: npt.NDArray[np.float64] = np.mean(changes, axis=0)
    if np.isnan(change).mean() > MAX_UNDEFINED:
        return None
    return two_sided_p(change)
