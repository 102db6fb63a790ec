"""Does cosine follow shared words or meaning? Table 6 and Figure 2, for any pairs and calibrators.

The cosines of each pair are compared by rank with its edit distance and its gold score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import Tokenize, Unit, edit_distances
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.tokenizer_file import whole_text_tokenizer
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import N_DRAWS
from bertflow_core.evaluation.rank_matrix import Estimate, RankMatrix, rank_matrix
from bertflow_core.evaluation.rho_draws import Difference
from bertflow_core.experiment import Lab
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Result
from bertflow_core.rho_changes import changes_of_rho
from bertflow_core.wording import quoted

__all__ = [
    "DEFAULT_THRESHOLD",
    "DISTANCE",
    "GOLD",
    "N_DRAWS",
    "UNITS",
    "Fooled",
    "LexicalBias",
    "check_unit",
    "compare_with_edits",
    "lexical_bias",
]

GOLD, DISTANCE = "gold", "edit_distance"
WORDPIECE = "wordpiece"
UNITS = (*Unit, WORDPIECE)
"""What one edit changes; `wordpiece` is a token of the recipe's model."""

DEFAULT_THRESHOLD = 4
"""Edit distance up to which the paper's Figure 2 calls a pair close."""

_COMMAND = "bertflow-lab analyse lexical"


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
        n_draws: Requested number of resamples.
        every: Rank correlations over all pairs: gold if known, each spec, edit distance.
        close: The same over the close pairs; None where fewer than two pairs are close.
        gains: By spec, its change of rho with gold from the first; empty without gold, and where
            the pairs are too few for an interval.
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
    gains: dict[str, Difference] = field(default_factory=dict, repr=False)

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(self.similarities)

    @property
    def is_close(self) -> npt.NDArray[np.bool_]:
        """Whether each pair is close, shape (N,)."""
        near: npt.NDArray[np.bool_] = self.distances <= self.threshold
        return near

    def given_gold(self, spec: str) -> Estimate | None:
        """Return the partial rho of cosine and edit distance, given gold; None without gold."""
        return None if self.pairs.gold is None else self.every.partial(spec, DISTANCE, GOLD)

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
        from scipy.stats import rankdata

        if self.pairs.gold is None:
            raise InputError("ranks by gold need gold scores: name their column")
        less: FloatArray = rankdata(self.similarities[spec]) - rankdata(self.pairs.gold)
        return less / len(less)

    def improvement(self, spec: str) -> FloatArray:
        """Return by how much each pair's rank error shrinks from the first calibrator's, (N,)."""
        gained: FloatArray = np.abs(self.errors(self.specs[0])) - np.abs(self.errors(spec))
        return gained

    def columns(self) -> dict[str, Any]:
        """Return what every number depends on, as columns of a table; see `Recipe.columns`."""
        return self.recipe.columns() | {"unit": self.unit, "threshold": self.threshold}

    def command(self) -> str:
        """Return the command that makes these numbers again, quoted for a shell."""
        options = [("--unit", self.unit), ("--threshold", self.threshold)]
        if self.n_draws != N_DRAWS:
            options.append(("--bootstrap", self.n_draws))
        return self.recipe.to_command(self.specs, command=_COMMAND, options=options)


def check_unit(unit: str) -> str:
    """Return a unit's name.

    Raises:
        InputError: It is none of `UNITS`.
    """
    if unit not in UNITS:
        raise InputError(f"unknown unit {quoted(unit)}: expected one of {', '.join(UNITS)}")
    return unit


def compare_with_edits(
    recipe: Recipe,
    lab: Lab,
    calibrators: Sequence[str],
    *,
    unit: str = Unit.TREEBANK,
    threshold: int = DEFAULT_THRESHOLD,
    n_draws: int = N_DRAWS,
    progress: Progress = silent,
) -> LexicalBias:
    """Evaluate calibrators and compare their cosines with the pairs' edit distances.

    Args:
        recipe: Its calibrator and aggregation are ignored.
        lab: Loads and embeds the data.
        calibrators: Specs; the first is the baseline.
        unit: As in `lexical_bias`.
        threshold: As in `lexical_bias`.
        n_draws: As in `lexical_bias`.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Data, a model, a calibrator or a unit that cannot be used.
        ResourceError: The disk or the network failed.
    """
    check_unit(unit)  # before anything is embedded
    results = lab.evaluate(recipe, tuple(dict.fromkeys(calibrators)), progress=progress)
    return lexical_bias(results, unit=unit, threshold=threshold, n_draws=n_draws, progress=progress)


def lexical_bias(
    results: Sequence[Result],
    *,
    unit: str = Unit.TREEBANK,
    threshold: int = DEFAULT_THRESHOLD,
    n_draws: int = N_DRAWS,
    progress: Progress = silent,
) -> LexicalBias:
    """Compare cosines that are known already with the pairs' edit distances.

    Args:
        results: One per calibrator, of one recipe; the first is the baseline.
        unit: What one edit changes, one of `UNITS`.
        threshold: Largest edit distance of a close pair.
        n_draws: Resamples of the pairs for the intervals.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Single sentences, fewer than two pairs, or an unknown unit.
    """
    first = results[0]
    pairs, recipe = first.prepared.pairs, first.prepared.recipe
    if not pairs.is_paired:
        raise InputError(
            f"{quoted(pairs.name)} holds single sentences: an edit distance needs pairs of "
            "sentences"
        )
    if not pairs.has_words:
        raise InputError(
            f"{quoted(pairs.name)} has vectors and no words to compare: add columns of sentences"
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
    recipe = recipe.with_(calibrator=Recipe.calibrator, aggregation=Recipe.aggregation)
    return LexicalBias(
        recipe=recipe.without("calibrator", "aggregation"),
        unit=str(unit),
        threshold=threshold,
        pairs=pairs,
        similarities=similarities,
        distances=distances,
        n_draws=n_draws,
        every=rank_matrix(columns, **options),
        close=rank_matrix(chosen, **options) if len(close) > 1 else None,
        gains=_gains(similarities, pairs, recipe, n_draws, progress),
    )


def _gains(
    similarities: dict[str, FloatArray],
    pairs: SentencePairs,
    recipe: Recipe,
    n_draws: int,
    progress: Progress,
) -> dict[str, Difference]:
    """Return each calibrator's change of rho with gold against the first, where there is one."""
    try:
        found = changes_of_rho(
            similarities,
            pairs,
            recipe,
            baseline=next(iter(similarities)),
            n_draws=n_draws,
            progress=progress,
        )
    except InputError:  # no gold, or too few pairs: the rank matrix says what there is
        return {}
    return {each.name: each for each in found.to_baseline}


def _divider(unit: str, recipe: Recipe) -> Unit | Tokenize:
    """Return what divides a sentence into units."""
    if check_unit(unit) != WORDPIECE:
        return Unit(unit)
    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).tokens
