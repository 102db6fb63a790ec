"""The share of random pairs of sentences with a cosine above a threshold, and its interval.

Random pairs are all pairs of n distinct sentences except those with a gold score. Let a_i of the
m_i pairs of sentence i lie above the threshold. The rate is r = sum a_i / sum m_i, with the
standard error 2 sd(e_i) / sqrt(n) of a U-statistic, where e_i = n (a_i - r m_i) / sum m_i
(Hoeffding, 1948, https://doi.org/10.1214/aoms/1177730196). The interval is symmetric in the
logarithm and predicts the rate among n new sentences of the same kind. The observed
rate and the new one both vary, so the interval is sqrt(2) times as wide as a confidence interval
for the rate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray

_WIDTH, _FEW, _FOLDS = 1.959964 * 2**0.5, 10, 5
_N_SHOWN = 101  # thresholds of a curve


@dataclass(frozen=True, eq=False)
class RandomPairs:
    """The cosines of all pairs of n sentences except those with a gold score.

    Sentences may form several groups, each with its own fit; pairs across groups are left out.
    `blocks` has an array for each group, (n_i, n_i), with NaN for pairs that are left out.
    """

    blocks: tuple[FloatArray, ...] = field(repr=False)

    @classmethod
    def of(cls, z: FloatArray, together: npt.NDArray[np.bool_] | None = None) -> "RandomPairs":
        """Take all pairs of rows of `z`, (n, K), except those marked in `together`, (n, n)."""
        unit = unit_rows(z).astype(np.float32)
        cosines = unit @ unit.T
        if together is not None:
            cosines[together | together.T] = np.nan
        np.fill_diagonal(cosines, np.nan)
        return cls((cosines,))

    def __or__(self, other: "RandomPairs") -> "RandomPairs":
        """Return the pairs within either set of sentences, without pairs across the two."""
        return RandomPairs((*self.blocks, *other.blocks))

    def only(self, kept: Iterable[npt.NDArray[np.bool_]]) -> "RandomPairs":
        """Return the pairs marked in `kept`, which has a symmetric array for each block."""
        both = zip(self.blocks, kept, strict=True)
        return RandomPairs(tuple(np.where(marked, block, np.nan) for block, marked in both))

    @cached_property
    def falling(self) -> FloatArray:
        """The cosines of all M pairs in descending order, shape (M,)."""
        upper = np.concatenate([each[np.triu_indices(len(each), 1)] for each in self.blocks])
        return np.sort(upper[~np.isnan(upper)])[::-1]

    def threshold(self, rate: float) -> float:
        """Return the cosine that this share of the pairs exceeds."""
        return float(self.falling[min(round(rate * len(self.falling)), len(self.falling) - 1)])

    def rate(self, threshold: float) -> float:
        """Return the share of pairs above a threshold."""
        return float((self.falling > threshold).mean())

    def curve(self) -> dict[str, list[float]]:
        """Return the rate at evenly spaced thresholds, `at`, for a figure."""
        at = np.linspace(self.falling[-1], self.falling[0], _N_SHOWN)
        above = len(self.falling) - np.searchsorted(self.falling[::-1], at, side="right")
        return {"at": at.tolist(), "random pairs above": (above / len(self.falling)).tolist()}

    def interval(self, threshold: float) -> tuple[float, float]:
        """Return the 95 % prediction interval of the share in a new sample of as many sentences."""
        rate, n = self.rate(threshold), sum(map(len, self.blocks))
        if rate in (0, 1):
            few = 6 / n  # the rule of three for n / 2 independent pairs
            return (0.0, few) if rate == 0 else (1 - few, 1.0)
        excess = [(e > threshold).sum(1) - rate * (~np.isnan(e)).sum(1) for e in self.blocks]
        spread = np.concatenate(excess).std(ddof=1) * n / (2 * len(self.falling))
        factor = np.exp(_WIDTH * 2 * spread / n**0.5 / rate)
        is_rare = rate * len(self.falling) < _FEW  # too few pairs for a lower end above 0
        return 0.0 if is_rare else rate / factor, min(1.0, rate * factor)


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """The scored pairs, and cosines by fits that did not see them; empty without gold scores."""

    cosines: FloatArray  # (N,)
    gold: Sequence[float] | FloatArray | None  # None for labels
    alike: npt.NDArray[np.bool_]

    def precision(self, threshold: float) -> dict[str, Any]:
        """Return precision and recall of the pairs above a threshold; empty without pairs."""
        if not len(self.cosines):
            return {}
        above = self.cosines > threshold
        hits, n_above, n_alike = (each.sum() for each in (self.alike & above, above, self.alike))
        shares = {"alike": self.alike.mean(), "precision": hits / n_above if n_above else None}
        return {**shares, "recall": hits / n_alike if n_alike else None}

    def best(self) -> dict[str, float]:
        """Return the threshold with the highest F1, to three decimals, its precision and recall.

        Empty if no threshold can help: without pairs, if all of them or none are alike, or if all
        have one cosine.
        """
        falling = np.argsort(-self.cosines, kind="stable")
        cosines, hits = self.cosines[falling], np.cumsum(self.alike[falling])
        cuts = np.flatnonzero(np.diff(cosines) < 0)  # the last place above each threshold
        if not len(cuts) or hits[-1] in (0, len(hits)):
            return {}
        cut = cuts[np.argmax(2 * hits[cuts] / (cuts + 1 + hits[-1]))]
        best = round(float(cosines[cut] + cosines[cut + 1]) / 2, 3)
        return {"threshold": best} | self.precision(best)

    def reaching(self, precision: float) -> float:
        """Return the lowest threshold, to three decimals, of at least this precision.

        If there is none, it is the lowest one with the highest precision.
        """
        at = np.unique(np.round(self.cosines, 3))
        every, alike = np.sort(self.cosines), np.sort(self.cosines[self.alike])
        n_above, hits = (len(each) - np.searchsorted(each, at, "right") for each in (every, alike))
        shares = np.divide(hits, n_above, out=np.zeros(len(at)), where=n_above > 0)
        wanted = min(precision, shares.max())
        return float(at[np.argmax(shares >= wanted - 1e-12)])

    def curve(self) -> dict[str, list[float | None]]:
        """Return precision and recall at evenly spaced thresholds, `at`, for a figure."""
        at = np.linspace(self.cosines.min(), self.cosines.max(), _N_SHOWN)
        shares = [self.precision(each) for each in at]
        return {"at": at.tolist()} | {
            name: [share[name] for share in shares] for name in ("precision", "recall")
        }

    @property
    def separates(self) -> bool:
        """Whether the pairs that are alike have larger cosines than the others."""
        if self.alike.all() or not self.alike.any():  # also without pairs
            return True  # there is nothing to separate
        from scipy.stats import mannwhitneyu  # late: slow to import

        both = self.cosines[self.alike], self.cosines[~self.alike]
        return bool(mannwhitneyu(*both, alternative="greater").pvalue < 0.05)

    def expected_gold(self, threshold: float, example: float, *, seed: int) -> dict[str, float]:
        """Return the expected gold scores at two cosines, and the regression's held-out error.

        Empty without gold scores.
        """
        if self.gold is None:
            return {}
        from sklearn.isotonic import IsotonicRegression  # late: slow to import
        from sklearn.model_selection import KFold, cross_val_predict

        isotonic = IsotonicRegression(out_of_bounds="clip")
        folds = KFold(_FOLDS, shuffle=True, random_state=seed)
        held_out = cross_val_predict(isotonic, self.cosines, self.gold, cv=folds)
        at, there = isotonic.fit(self.cosines, self.gold).predict([threshold, example]).tolist()
        error = float(np.abs(held_out - self.gold).mean())
        return {"gold": at, "gold_example": there, "gold_error": error}
