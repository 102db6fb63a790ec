"""Does similarity measure words or meaning: Table 6 and Figure 2, for any pairs and calibrators.

A pair's similarities stand beside its edit distance. Whatever follows is about their ranks.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.lexical import Tokenize, Unit, edit_distances
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.tokenizer_file import whole_text_tokenizer
from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import Estimate, RankMatrix, rank_matrix
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Result

__all__ = ["DISTANCE", "GOLD", "UNITS", "Fooled", "LexicalBias", "check_unit", "lexical_bias"]

GOLD, DISTANCE = "gold", "edit_distance"
WORDPIECE = "wordpiece"
UNITS = (*Unit, WORDPIECE)
"""What an edit may change: the last is a token of the recipe's model."""

DEFAULT_DRAWS = 2_000
"""Resamples for the intervals."""

DEFAULT_THRESHOLD = 4
"""Edit distance up to which the paper's Figure 2 calls a pair close."""

_Rows = npt.NDArray[np.int64]


class Fooled(StrEnum):
    """Pairs in which words and meaning disagree."""

    NEAR_WORDS = "near in words, far in meaning"
    """At most the threshold of edits apart, and gold in the lower half of the scale."""

    FAR_WORDS = "far in words, near in meaning"
    """More edits apart than half of all pairs, and gold in the upper half of the scale."""


@dataclass(frozen=True, eq=False)
class LexicalBias:
    """Similarities of N pairs beside their edit distances.

    Attributes:
        recipe: What all share; its calibrator is a recipe's default.
        unit: What an edit changes, one of `UNITS`.
        threshold: Pairs at most so far apart are close.
        pairs: The pairs.
        similarities: Cosine of each pair by calibrator's spec, shape (N,) each.
        distances: Edit distance of each pair, shape (N,).
        n_draws: Resamples that were asked for.
        every: Ranks of all pairs: gold where known, each spec, edit distance.
        close: The same within the close pairs, N_close rows; None where fewer than two are close.
    """

    recipe: Recipe
    unit: str
    threshold: int
    pairs: SentencePairs = field(repr=False)
    similarities: dict[str, FloatArray] = field(repr=False)
    distances: npt.NDArray[np.int64] = field(repr=False)
    n_draws: int
    every: RankMatrix = field(repr=False)
    close: RankMatrix | None = field(repr=False)

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(self.similarities)

    @property
    def is_close(self) -> npt.NDArray[np.bool_]:
        """Which pairs are at most the threshold apart, shape (N,)."""
        near: npt.NDArray[np.bool_] = self.distances <= self.threshold
        return near

    def given_gold(self, spec: str) -> Estimate | None:
        """Return rho of a similarity with edit distance, gold held fixed; None without gold."""
        return None if self.pairs.gold is None else self.every.partial(spec, DISTANCE, GOLD)

    def change(self, spec: str, to: str) -> Estimate:
        """Return how far rho with `to` (gold or edit distance) moved from the first calibrator."""
        return self.every.change(spec, self.specs[0], to)

    def fooled(self, kind: Fooled) -> _Rows:
        """Return the rows of one kind of disagreement, rising.

        Raises:
            InputError: The pairs have no gold scores.
        """
        if self.pairs.gold is None:
            raise InputError("which pairs fool a similarity needs gold scores: name their column")
        half = sum(self.pairs.scale) / 2
        if kind is Fooled.NEAR_WORDS:
            chosen = self.is_close & (self.pairs.gold < half)
        else:
            chosen = (self.distances > np.median(self.distances)) & (self.pairs.gold > half)
        return np.flatnonzero(chosen)

    def errors(self, spec: str) -> FloatArray:
        """Return rank by similarity less rank by gold over N, shape (N,): above 0 is too similar.

        Raises:
            InputError: The pairs have no gold scores.
        """
        from scipy.stats import rankdata

        if self.pairs.gold is None:
            raise InputError("ranks by gold need gold scores: name their column")
        less: FloatArray = rankdata(self.similarities[spec]) - rankdata(self.pairs.gold)
        return less / len(less)

    def mended(self, spec: str) -> FloatArray:
        """Return how much nearer to gold's rank a pair came from the first calibrator, (N,)."""
        gained: FloatArray = np.abs(self.errors(self.specs[0])) - np.abs(self.errors(spec))
        return gained

    def caption(self) -> str:
        """Return the recipe as a line for people; of the calibrators it names the last."""
        return f"{self.recipe.with_(calibrator=self.specs[-1]).caption()}."

    def columns(self) -> dict[str, Any]:
        """Return what every number here depends on as columns of a table; see `Recipe.columns`."""
        columns = self.recipe.columns() | {"unit": self.unit, "threshold": self.threshold}
        del columns["recipe_calibrator"]
        return columns

    def command(self) -> str:
        """Return the command that makes these numbers again, quoted for a shell."""
        args = self.recipe.to_args()
        for spec in self.specs:
            args += ["--calibrator", spec]
        args += ["--unit", self.unit, "--threshold", str(self.threshold)]
        if self.n_draws != DEFAULT_DRAWS:
            args += ["--bootstrap", str(self.n_draws)]
        return shlex.join(["bertflow-lab", "analyse", "lexical", *args])

    def to_dict(self) -> dict[str, Any]:
        """Return recipe, correlations and their intervals, JSON-able."""
        shared = {k: v for k, v in self.recipe.to_dict().items() if k != "calibrator"}
        shared["calibrators"] = list(self.specs)
        close: dict[str, Any] = {"threshold": self.threshold, "n": int(self.is_close.sum())}
        if self.close is not None:
            close |= _nested(self.close)
        found = {
            "recipe": shared | {"unit": self.unit, "threshold": self.threshold},
            "n_pairs": len(self.pairs),
            **_nested(self.every),
            "close": close,
        }
        if self.pairs.gold is not None:
            partial = {spec: self.every.partial(spec, DISTANCE, GOLD) for spec in self.specs}
            found["given_gold"] = {
                spec: {"rho": each.value, "interval": [each.low, each.high]}
                for spec, each in partial.items()
            }
        return found | {
            "confidence": self.every.confidence,
            "n_draws": len(self.every.draws),
            "data": self.pairs.provenance.to_dict(),
        }


def check_unit(unit: str) -> str:
    """Return a unit's name.

    Raises:
        InputError: It is none of `UNITS`.
    """
    if unit not in UNITS:
        raise InputError(f"unknown unit {unit!r}: expected one of {', '.join(UNITS)}")
    return unit


def lexical_bias(
    results: Sequence[Result],
    *,
    unit: str = Unit.TREEBANK,
    threshold: int = DEFAULT_THRESHOLD,
    n_draws: int = DEFAULT_DRAWS,
    progress: Progress = silent,
) -> LexicalBias:
    """Put results on the same pairs beside the pairs' edit distances.

    Args:
        results: One a calibrator, of one recipe; the first is the baseline.
        unit: What an edit changes, one of `UNITS`.
        threshold: Pairs at most so far apart are close.
        n_draws: Resamples of the pairs for the intervals.
        progress: Told of columns; may raise `Cancelled`.

    Raises:
        InputError: Single sentences, fewer than two pairs, or a unit that does not exist.
    """
    first = results[0]
    pairs, recipe = first.prepared.pairs, first.prepared.recipe
    if not pairs.is_paired:
        raise InputError(
            f"{pairs.name!r} holds single sentences: an edit distance needs pairs of sentences"
        )
    distances = edit_distances(pairs.first, pairs.second, unit=_divider(unit, recipe))
    similarities = {result.spec: result.similarity for result in results}
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    columns: dict[str, FloatArray] = {
        **gold,
        **similarities,
        DISTANCE: distances.astype(np.float64),
    }
    close = np.flatnonzero(distances <= threshold)
    chosen = {name: column[close] for name, column in columns.items()}
    options: dict[str, Any] = {"n_draws": n_draws, "seed": recipe.seed, "progress": progress}
    return LexicalBias(
        recipe=recipe.with_(calibrator=Recipe.calibrator, aggregation=Recipe.aggregation),
        unit=str(unit),
        threshold=threshold,
        pairs=pairs,
        similarities=similarities,
        distances=distances,
        n_draws=n_draws,
        every=rank_matrix(columns, **options),
        close=rank_matrix(chosen, **options) if len(close) > 1 else None,
    )


def _divider(unit: str, recipe: Recipe) -> Unit | Tokenize:
    """Return what divides a sentence into units."""
    if check_unit(unit) != WORDPIECE:
        return Unit(unit)
    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).tokens


def _nested(matrix: RankMatrix) -> dict[str, dict[str, dict[str, Any]]]:
    """Return rho of every two columns by name, and their intervals."""
    names = matrix.names
    found = {a: {b: matrix.rho(a, b) for b in names if b != a} for a in names}
    return {
        "spearman": {a: {b: each.value for b, each in row.items()} for a, row in found.items()},
        "intervals": {
            a: {b: [each.low, each.high] for b, each in row.items()} for a, row in found.items()
        },
    }
