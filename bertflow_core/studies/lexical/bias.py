"""Whether the cosines of pairs follow words or meaning, by edit distances and gold scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.correlation import average_ranks
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.evaluation.comparison import Comparison, compare_to, pair_scores
from bertflow_core.evaluation.rank_matrix import N_MATRIX_DRAWS, RankMatrix, rank_matrix
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import RANKS_NOTHING
from bertflow_core.params import param
from bertflow_core.report.report import Row
from bertflow_core.studies.pairs import UNITS, WordPairs, word_pairs
from bertflow_core.studies.published import printed_table
from bertflow_core.wording import quoted

GOLD, DISTANCE = "gold", "edit_distance"
NORMALISED, LENGTH = "normalised_edit_distance", "length"


@dataclass(frozen=True, kw_only=True)
class LexicalRecipe(Recipe):
    """The choices that decide how closely cosine follows the words."""

    unit: str = param(
        "treebank",
        "Unit of an edit: lower-case words (treebank or whitespace), characters, or the encoder's "
        "tokens (wordpiece). treebank reproduces the paper's rho of gold scores.",
        choices=UNITS,
        title="Unit of an edit",
    )
    threshold: int = param(
        4,
        "Largest edit distance of a close pair; 4 in the paper's Figure 2.",
        low=0,
        title="Close: an edit distance up to",
    )
    distance: str = param(
        "edits",
        "edits, as in the paper, or normalised: divided by the longer side's number of tokens.",
        choices=("edits", "normalised"),
        title="Distance",
    )
    n_draws: int = param(
        N_MATRIX_DRAWS,
        "Resamples for the intervals.",
        low=100,
        high=100_000,
        flags=("--bootstrap",),
    )

    @property
    def column(self) -> str:
        """The name of the distance's column."""
        return DISTANCE if self.distance == "edits" else NORMALISED

    @property
    def label(self) -> str:
        """The display name of the distance."""
        return self.column.replace("_", " ")


@dataclass(frozen=True, eq=False)
class LexicalBias:
    """Cosines of N pairs, with their edit distances."""

    recipe: LexicalRecipe
    words: WordPairs  # the pairs, with their edit distances
    similarities: dict[str, FloatArray] = field(repr=False)  # by spec, the baseline first, (N,)
    every: RankMatrix = field(repr=False)  # of gold, specs, distances and length, over all pairs
    close: RankMatrix | None = field(repr=False)  # over close pairs, if there are at least two
    gains: dict[str, Comparison] = field(repr=False)  # tested changes of rho with gold

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(self.similarities)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are correlated with the distance: gold, if known, and calibrators."""
        return (*([] if self.gold is None else [GOLD]), *self.specs)

    @property
    def gold(self) -> FloatArray | None:
        """Gold scores, shape (N,); None where there are none."""
        return self.words.pairs.gold

    @property
    def is_close(self) -> npt.NDArray[np.bool_]:
        """Whether each pair is close, shape (N,)."""
        near: npt.NDArray[np.bool_] = self.words.distances <= self.recipe.threshold
        return near

    @property
    def apart(self) -> FloatArray:
        """The displayed distance of each pair, shape (N,)."""
        if self.recipe.column == NORMALISED:
            return self.words.normalised
        return self.words.distances.astype(np.float64)

    def change(self, spec: str, to: str) -> Comparison:
        """Return how this calibrator changes the rho of cosine and `to` (gold or a distance)."""
        known = self.gains.get(spec) if to == GOLD else None
        return known or self.every.change(spec, self.specs[0], to)

    def change_in_size(self, name: str, other: str, to: str) -> Comparison:
        """Return how |rho| with the column `to` differs between two other columns."""
        return self.every.change(name, other, to, of_size=True)

    def fooled(self, n_rows: int = 10) -> list[Row]:
        """Return pairs whose words and meaning disagree; none without gold scores.

        By words, a pair is near if its edit distance is at most the recipe's threshold, and far if
        the distance exceeds the median. In meaning, it is near in the upper half of the gold scale
        and far in the lower half. Pairs of a kind are sorted by rank error under the first
        calibrator, the largest first.
        """
        if self.gold is None:
            return []
        gold, distances, half = self.gold, self.words.distances, sum(self.words.pairs.scale) / 2
        kinds = {
            "near in words, far in meaning": self.is_close & (gold < half),
            "far in words, near in meaning": (distances > np.median(distances)) & (gold > half),
        }
        ranks, n = average_ranks(gold), len(gold)
        errors = {s: 100 * (average_ranks(z) - ranks) / n for s, z in self.similarities.items()}
        first = np.abs(errors[self.specs[0]])
        return [
            {
                "kind": kind,
                **self.words.row(int(i)),
                **{f"cosine {spec}": float(z[i]) for spec, z in self.similarities.items()},
                **{f"error {spec}": float(error[i]) for spec, error in errors.items()},
            }
            for kind, is_such in kinds.items()
            for i in sorted(np.flatnonzero(is_such), key=lambda i: -first[i])[:n_rows]
        ]


def lexical_bias(evaluations: Sequence[Evaluation], recipe: LexicalRecipe) -> LexicalBias:
    """Compare cosines of the same pairs with their edit distances; the baseline comes first.

    Single sentences, vectors without words and fewer than two pairs are refused.
    """
    pairs = evaluations[0].embedded.data
    words = word_pairs(pairs, recipe, recipe.unit)
    if not pairs.has_words:
        raise InputError(
            f"{quoted(pairs.name)} has vectors and no words to compare: add columns of sentences"
        )
    similarities = {each.spec: each.unit_values for each in evaluations if not each.ranks_nothing}
    if not similarities:
        raise InputError(f"{evaluations[0].spec}: {RANKS_NOTHING}")
    columns: dict[str, FloatArray] = {
        **({} if pairs.gold is None else {GOLD: pairs.gold}),
        **similarities,
        DISTANCE: words.distances.astype(np.float64),
    }
    near = words.distances <= recipe.threshold
    close = {name: column[near] for name, column in columns.items()}
    columns |= {NORMALISED: words.normalised, LENGTH: words.lengths.astype(np.float64)}
    n, seed = recipe.n_draws, recipe.seed
    gains = {}
    if pairs.gold is not None:
        scores = pair_scores(
            similarities, pairs.gold, pairs.subsets, aggregation=Recipe.aggregation, seed=seed
        )
        gains = compare_to(next(iter(scores)), scores)
    return LexicalBias(
        recipe=recipe,
        words=words,
        similarities=similarities,
        every=rank_matrix(columns, n_draws=n, seed=seed),
        close=rank_matrix(close, n_draws=n, seed=seed) if near.sum() > 1 else None,
        gains=gains,
    )


def printed_for(recipe: LexicalRecipe) -> Mapping[str, Any] | None:
    """Return the paper's Table 6 (BERT, layers not stated) if it covers a recipe's pairs.

    The printed distances are reproduced only by edits of Penn Treebank tokens.
    """
    table = printed_table(6)
    own = recipe.dataset, recipe.split, recipe.unit, recipe.column
    named = table["dataset"], table["split"], table["unit"], DISTANCE
    return table if own == named else None


def texts_of(table: Mapping[str, Any]) -> list[str]:
    """Return the rho of gold with edit distance, as text, for each version of the pairs."""
    return [
        f"{text['gold_distance']:.2f} on {text['text']} ({text['layout']}; {text['close']} close "
        "pairs)"
        for text in table["texts"]
    ]
