"""Where a gain changes its sign: the rule that makes a threshold of measurements.

The threshold is the cut of x that leaves the least weight of measurements on the wrong side: below
the level where they should be above it, of weight `share` each, or above it where they should be
below it, of weight 1 - `share`. If the chance of being above the level only rises (or only falls)
with x, this is where it passes `share`: at 0.5, where the median passes the level; at 0.9, where
nine of ten are above it. Of several such cuts the middle one counts. The interval comes from a
bootstrap of whole groups, since measurements of one group (one layer, or one data set) go together.
It is a rough one: the best cut is no smooth function of the measurements.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Crossing", "find_crossing"]

FloatArray = npt.NDArray[np.float64]

_DRAWS = 1_000
_FEWEST_GROUPS = 8
_KNOWN = 0.95  # of the draws must have a crossing before an interval is given


@dataclass(frozen=True)
class Crossing:
    """Where measurements cross a level.

    Attributes:
        value: The cut; None where one side would hold no measurement.
        low: Lower end of the 95 % interval; None without a cut, or where one is too often missing.
        high: Upper end.
        smallest: The smallest x that was measured.
        largest: The largest.
        n: Measurements.
        n_groups: Groups of them.
        n_wrong: Measurements on the wrong side of the cut, or of the end where there is none.
        n_above: Measurements above the level.
    """

    value: float | None
    low: float | None
    high: float | None
    smallest: float
    largest: float
    n: int
    n_groups: int
    n_wrong: int
    n_above: int


def find_crossing(
    x: Sequence[float],
    y: Sequence[float],
    groups: Sequence[str],
    *,
    level: float,
    rises: bool,
    share: float = 0.5,
    seed: int = 0,
) -> Crossing:
    """Find the cut of x at which y crosses a level.

    Args:
        x: What the cut is of, n finite numbers.
        y: What crosses the level, n finite numbers.
        groups: The group of each measurement, n names.
        level: What y crosses.
        rises: y is above the level at large x; else at small x.
        share: The chance of being above the level at the cut, in (0, 1).
        seed: Seed of the bootstrap.

    Raises:
        ValueError: No measurement, unequal lengths, a number that is not finite, or a share that
            is none.
    """
    xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if not len(xs) == len(ys) == len(groups) or len(xs) == 0:
        raise ValueError(
            f"expected one x, y and group each, got {len(xs)}, {len(ys)}, {len(groups)}"
        )
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise ValueError("x and y must be finite")
    if not 0 < share < 1:
        raise ValueError(f"share must lie between 0 and 1, got {share}")
    # Falling is rising seen from the other end.
    xs, above = (xs if rises else -xs), ys > level
    cut, n_wrong = _best_cut(xs, above, share)
    names, members = np.unique(np.asarray(groups), return_inverse=True)
    low, high = (None, None) if cut is None else _interval(xs, above, members, share, seed)
    if not rises:
        xs, cut, low, high = -xs, _negative(cut), _negative(high), _negative(low)
    return Crossing(
        value=cut,
        low=low,
        high=high,
        smallest=float(xs.min()),
        largest=float(xs.max()),
        n=len(xs),
        n_groups=len(names),
        n_wrong=n_wrong,
        n_above=int(above.sum()),
    )


def _best_cut(
    x: FloatArray, above: npt.NDArray[np.bool_], share: float
) -> tuple[float | None, int]:
    """Return the cut with the least weight wrong, and how many are; no cut if one side is empty."""
    order = np.argsort(x, kind="stable")
    x, above = x[order], above[order]
    # Cut i leaves i measurements on the left, which should be below the level.
    wrong_left = np.concatenate([[0], np.cumsum(above)])
    wrong_right = np.concatenate([np.cumsum(~above[::-1])[::-1], [0]])
    weight = np.round((1 - share) * wrong_left + share * wrong_right, 9)
    possible = np.concatenate([[True], x[1:] > x[:-1], [True]])  # equal x stay together
    best = np.flatnonzero(possible & (weight == weight[possible].min()))
    i = int(best[(len(best) - 1) // 2])
    n_wrong = int(wrong_left[i] + wrong_right[i])
    return (None if i in (0, len(x)) else float((x[i - 1] + x[i]) / 2)), n_wrong


def _interval(
    x: FloatArray,
    above: npt.NDArray[np.bool_],
    members: npt.NDArray[np.intp],
    share: float,
    seed: int,
) -> tuple[float | None, float | None]:
    """Return the percentiles of the cuts of resampled groups; none of too few groups."""
    if members.max() + 1 < _FEWEST_GROUPS:
        return None, None
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(members == group) for group in range(members.max() + 1)]
    cuts = []
    for _ in range(_DRAWS):
        drawn = np.concatenate([rows[group] for group in rng.integers(len(rows), size=len(rows))])
        cut, _ = _best_cut(x[drawn], above[drawn], share)
        if cut is not None:
            cuts.append(cut)
    if len(cuts) < _KNOWN * _DRAWS:
        return None, None
    low, high = np.quantile(cuts, [0.025, 0.975])
    return float(low), float(high)


def _negative(number: float | None) -> float | None:
    return None if number is None else -number
