"""Cosines of pairs beside their edit distances: how closely they follow words, and meaning."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import normalised_distances
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import Difference
from bertflow_core.evaluation.rank_matrix import N_DRAWS, Estimate, RankMatrix
from bertflow_core.linalg import FloatArray, Rows, average_ranks
from bertflow_core.recipe import Recipe

__all__ = [
    "DEFAULT_THRESHOLD",
    "DISTANCE",
    "GOLD",
    "LENGTH",
    "NORMALISED",
    "Distance",
    "Fooled",
    "LexicalBias",
]

GOLD, DISTANCE = "gold", "edit_distance"
NORMALISED, LENGTH = "normalised_edit_distance", "length"

DEFAULT_THRESHOLD = 4
"""Edit distance up to which the paper's Figure 2 calls a pair close."""

_COMMAND = "bertflow-lab analyse lexical"


class Distance(StrEnum):
    """How far apart the words of a pair are; both are always correlated, one is shown."""

    EDITS = "edits"
    """The edit distance, as in the paper."""

    NORMALISED = "normalised"
    """The edit distance over the tokens of the longer side, from 0 to 1."""

    @property
    def column(self) -> str:
        """Its name among the columns that are correlated."""
        return DISTANCE if self is Distance.EDITS else NORMALISED

    @property
    def label(self) -> str:
        """Its name for people."""
        return self.column.replace("_", " ")


class Fooled(StrEnum):
    """Pairs whose words and meaning disagree."""

    NEAR_WORDS = "near in words, far in meaning"
    """At most the threshold of edits apart, and gold in the lower half of the scale."""

    FAR_WORDS = "far in words, near in meaning"
    """More edits apart than half of all pairs, and gold in the upper half of the scale."""


@dataclass(frozen=True, eq=False)
class LexicalBias:
    """Cosines of N pairs, with their edit distances.

    Attributes:
        recipe: What all numbers share; it ignores calibrator and aggregation.
        unit: What one edit changes, one of `UNITS`.
        threshold: Largest edit distance of a close pair.
        pairs: The pairs.
        similarities: Cosine of each pair, shape (N,), by calibrator's spec.
        distances: Edit distance of each pair, shape (N,).
        lengths: Tokens of the longer side of each pair, shape (N,).
        n_draws: Requested number of resamples.
        every: Rank correlations over all pairs: gold if known, each spec, edit distance, the
            normalised one, length.
        close: Over the close pairs: gold if known, each spec, edit distance; None where fewer than
            two pairs are close.
        gains: By spec, its change of rho with gold from the first; empty without gold, and where
            the pairs are too few for an interval.
        shown: Which distance tables and figures lead with.
    """

    recipe: Recipe
    unit: str
    threshold: int
    pairs: SentencePairs = field(repr=False)
    similarities: dict[str, FloatArray] = field(repr=False)
    distances: npt.NDArray[np.int64] = field(repr=False)
    lengths: npt.NDArray[np.int64] = field(repr=False)
    n_draws: int
    every: RankMatrix = field(repr=False)
    close: RankMatrix | None = field(repr=False)
    gains: dict[str, Difference] = field(default_factory=dict, repr=False)
    shown: Distance = Distance.EDITS

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(self.similarities)

    @property
    def is_close(self) -> npt.NDArray[np.bool_]:
        """Whether each pair is close, shape (N,)."""
        near: npt.NDArray[np.bool_] = self.distances <= self.threshold
        return near

    @property
    def apart(self) -> FloatArray:
        """The distance of each pair that is shown, shape (N,)."""
        if self.shown is Distance.EDITS:
            return self.distances.astype(np.float64)
        return normalised_distances(self.distances, self.lengths)

    def given_gold(self, spec: str) -> Estimate | None:
        """Return the partial rho of cosine and distance, given gold; None without gold."""
        return (
            None if self.pairs.gold is None else self.every.partial(spec, self.shown.column, GOLD)
        )

    def given_length(self, name: str) -> Estimate:
        """Return the partial rho of a similarity and edit distance, given the pair's length.

        See `RankMatrix.partial`; the length is the longer side's number of tokens, which no edit
        distance is above.
        """
        return self.every.partial(name, DISTANCE, LENGTH)

    def change(self, spec: str, to: str) -> Estimate:
        """Return the change of rho with `to` (gold or edit distance) from the first calibrator."""
        if to == GOLD and spec in self.gains:
            gain = self.gains[spec]
            return Estimate(gain.rho, gain.interval.low, gain.interval.high)
        return self.every.change(spec, self.specs[0], to)

    def fooled(self, kind: Fooled) -> Rows:
        """Return the rows of the pairs of one kind, rising.

        Raises:
            InputError: The pairs have no gold scores.
        """
        if self.pairs.gold is None:
            raise InputError("which pairs fool cosine needs gold scores: name their column")
        half = sum(self.pairs.scale) / 2
        if kind is Fooled.NEAR_WORDS:
            chosen = self.is_close & (self.pairs.gold < half)
        else:
            chosen = (self.distances > np.median(self.distances)) & (self.pairs.gold > half)
        return np.flatnonzero(chosen)

    def errors(self, spec: str) -> FloatArray:
        """Return (rank by cosine - rank by gold) / N, shape (N,); above 0 the pair is too similar.

        Raises:
            InputError: The pairs have no gold scores.
        """
        if self.pairs.gold is None:
            raise InputError("ranks by gold need gold scores: name their column")
        less: FloatArray = average_ranks(self.similarities[spec]) - average_ranks(self.pairs.gold)
        return less / len(less)

    def improvement(self, spec: str) -> FloatArray:
        """Return by how much each pair's rank error shrinks from the first calibrator's, (N,)."""
        gained: FloatArray = np.abs(self.errors(self.specs[0])) - np.abs(self.errors(spec))
        return gained

    def columns(self) -> dict[str, Any]:
        """Return what every number depends on, as columns of a table; see `Recipe.columns`."""
        own = {"unit": self.unit, "threshold": self.threshold, "distance": str(self.shown)}
        return self.recipe.columns() | own

    def command(self) -> str:
        """Return the command that makes these numbers again, quoted for a shell."""
        options: list[tuple[str, object]] = [
            ("--unit", self.unit),
            ("--threshold", self.threshold),
        ]
        if self.shown is not Distance.EDITS:
            options.append(("--distance", self.shown))
        if self.n_draws != N_DRAWS:
            options.append(("--bootstrap", self.n_draws))
        return self.recipe.to_command(self.specs, command=_COMMAND, options=options)
