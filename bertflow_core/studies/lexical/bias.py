"""Cosines of pairs beside their edit distances: how closely they follow words, and meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.change import Change
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import Difference
from bertflow_core.evaluation.rank_matrix import N_DRAWS, Estimate, RankMatrix, rank_matrix
from bertflow_core.linalg import FloatArray, Rows, average_ranks
from bertflow_core.params import param
from bertflow_core.published import printed_table
from bertflow_core.recipe import Recipe
from bertflow_core.report import Row
from bertflow_core.space import Space
from bertflow_core.studies.pairs import UNITS, WordPairs, word_pairs
from bertflow_core.wording import quoted

GOLD, DISTANCE = "gold", "edit_distance"
NORMALISED, LENGTH = "normalised_edit_distance", "length"


@dataclass(frozen=True, kw_only=True)
class LexicalRecipe(Recipe):
    """The choices that decide how closely cosine follows the words."""

    unit: str = param(
        "treebank",
        "What one edit changes: treebank and whitespace words in lower case, character the text as "
        "it is, wordpiece the encoder's tokens; treebank gives the paper's number for gold.",
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
        "edits, as in the paper, or normalised: over the tokens of the longer side.",
        choices=("edits", "normalised"),
        title="Distance",
    )
    n_draws: int = param(
        N_DRAWS, "Resamples for the intervals.", low=100, high=100_000, flags=("--bootstrap",)
    )

    @property
    def column(self) -> str:
        """The distance among the columns that are correlated."""
        return DISTANCE if self.distance == "edits" else NORMALISED

    @property
    def label(self) -> str:
        """The distance, for people."""
        return self.column.replace("_", " ")


class Fooled(StrEnum):
    """Pairs whose words and meaning disagree."""

    NEAR_WORDS = "near in words, far in meaning"
    """At most the threshold of edits apart, and gold in the lower half of the scale."""

    FAR_WORDS = "far in words, near in meaning"
    """More edits apart than half of all pairs, and gold in the upper half of the scale."""


@dataclass(frozen=True, eq=False)
class LexicalBias:
    """Cosines of N pairs, with their edit distances."""

    recipe: LexicalRecipe  # what all numbers share
    words: WordPairs  # the pairs, with the distances of their words
    similarities: dict[str, FloatArray] = field(repr=False)  # by spec, the baseline first, (N,)
    every: RankMatrix = field(repr=False)  # of gold, specs, distances and length, over all pairs
    close: RankMatrix | None = field(default=None, repr=False)  # over close ones, if two
    gains: dict[str, Difference] = field(default_factory=dict, repr=False)  # of rho with gold

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(self.similarities)

    @property
    def names(self) -> tuple[str, ...]:
        """What is compared with the words: gold if known, and each calibrator."""
        return (*([] if self.gold is None else [GOLD]), *self.specs)

    @property
    def gold(self) -> FloatArray | None:
        """What people gave, shape (N,); None where they gave nothing."""
        return self.words.pairs.gold

    @property
    def is_close(self) -> npt.NDArray[np.bool_]:
        """Whether each pair is close, shape (N,)."""
        near: npt.NDArray[np.bool_] = self.words.distances <= self.recipe.threshold
        return near

    @property
    def apart(self) -> FloatArray:
        """The distance of each pair that is shown, shape (N,)."""
        words = self.words
        raw = self.recipe.column == DISTANCE
        return words.distances.astype(np.float64) if raw else words.normalised

    def given_gold(self, spec: str) -> Estimate:
        """Return the partial rho of cosine and distance, given gold."""
        return self.every.partial(spec, self.recipe.column, GOLD)

    def given_length(self, name: str) -> Estimate:
        """Return the partial rho of a similarity and edit distance, given the pair's length."""
        return self.every.partial(name, DISTANCE, LENGTH)

    def change(self, spec: str, to: str) -> Change:
        """Return rho with `to` (gold or a distance) from the first calibrator to this one."""
        before, after = (self.every.rho(each, to).value for each in (self.specs[0], spec))
        if to == GOLD and spec in self.gains:
            within = self.gains[spec].change
            return Change(before, after, within.low, within.high)
        found = self.every.change(spec, self.specs[0], to)
        return Change(before, after, found.low, found.high)

    def change_in_size(self, name: str, other: str, to: str) -> Change:
        """Return |rho| with `to` from one column to another: which follows it more closely."""
        sizes = (self.every.rho(each, to).value for each in (other, name))
        before, after = (None if size is None else abs(size) for size in sizes)
        found = self.every.change_in_size(name, other, to)
        return Change(before, after, found.low, found.high)

    def fooled(self, kind: Fooled) -> Rows:
        """Return the places of the pairs of one kind, rising; refused without gold scores."""
        gold, distances = self._known_gold(), self.words.distances
        half = sum(self.words.pairs.scale) / 2
        if kind is Fooled.NEAR_WORDS:
            return np.flatnonzero(self.is_close & (gold < half))
        return np.flatnonzero((distances > np.median(distances)) & (gold > half))

    def errors(self, spec: str) -> FloatArray:
        """Return (rank by cosine - rank by gold) / N, shape (N,); above 0 it is too similar."""
        gold = average_ranks(self._known_gold())
        less: FloatArray = average_ranks(self.similarities[spec]) - gold
        return less / len(less)

    def improvement(self, spec: str) -> FloatArray:
        """Return by how much each pair's rank error shrinks from the first calibrator's, (N,)."""
        gained: FloatArray = np.abs(self.errors(self.specs[0])) - np.abs(self.errors(spec))
        return gained

    def pair_rows(self, places: Rows) -> list[Row]:
        """Return pairs with the cosine and the rank error of each calibrator.

        A rank error is the rank by cosine less that by gold, in % of the pairs.
        """
        errors = {} if self.gold is None else {s: 100 * self.errors(s) for s in self.specs}
        return [
            {
                **self.words.row(int(i)),
                **{f"cosine {s}": round(float(z[i]), 4) for s, z in self.similarities.items()},
                **{f"rank error {s} (%)": round(float(e[i]), 1) for s, e in errors.items()},
            }
            for i in places
        ]

    def _known_gold(self) -> FloatArray:
        if self.gold is None:
            raise InputError("which pairs fool cosine needs gold scores: name their column")
        return self.gold


def lexical_bias(spaces: Sequence[Space], recipe: LexicalRecipe) -> LexicalBias:
    """Compare cosines that are known already with the pairs' edit distances.

    The spaces hold the same pairs, the first the baseline. Single sentences, vectors without words
    and fewer than two pairs are refused.
    """
    pairs = spaces[0].prepared.pairs
    words = word_pairs(pairs, recipe, recipe.unit)
    if not pairs.has_words:
        raise InputError(
            f"{quoted(pairs.name)} has vectors and no words to compare: add columns of sentences"
        )
    similarities = {space.spec: space.similarity for space in spaces}
    columns: dict[str, FloatArray] = {
        **({} if pairs.gold is None else {GOLD: pairs.gold}),
        **similarities,
        DISTANCE: words.distances.astype(np.float64),
    }
    near = words.distances <= recipe.threshold
    close = {name: column[near] for name, column in columns.items()}
    columns |= {NORMALISED: words.normalised, LENGTH: words.lengths.astype(np.float64)}
    n, seed = recipe.n_draws, recipe.seed
    return LexicalBias(
        recipe=recipe,
        words=words,
        similarities=similarities,
        every=rank_matrix(columns, n_draws=n, seed=seed),
        close=rank_matrix(close, n_draws=n, seed=seed) if near.sum() > 1 else None,
        gains=_gains(similarities, pairs, recipe),
    )


def _gains(
    similarities: dict[str, FloatArray], pairs: SentencePairs, recipe: LexicalRecipe
) -> dict[str, Difference]:
    """Return each calibrator's change of rho with gold against the first, where there is one."""
    all_pairs, (baseline, *_) = recipe.with_(aggregation=Recipe.aggregation), similarities
    try:
        found = changes_of_rho(similarities, pairs, all_pairs, baseline=baseline)
    except InputError:  # no gold, or too few pairs: the rank matrix says what there is
        return {}
    return {str(each.name): each for each in found.to_baseline}


def printed_for(recipe: LexicalRecipe) -> Mapping[str, Any] | None:
    """Return the paper's Table 6, of BERT, layers not stated, where it is of a recipe's pairs.

    Only `treebank` edits give the printed distances.
    """
    table = printed_table(6)
    own = recipe.dataset, recipe.split, recipe.unit, recipe.column
    named = table["dataset"], table["split"], table["unit"], DISTANCE
    return table if own == named else None


def texts_of(table: Mapping[str, Any]) -> list[str]:
    """Say what the texts of the pairs that are in use give for gold with edit distance."""
    return [
        f"{text['gold_distance']:.2f} on {text['text']} ({text['layout']}; {text['close']} close "
        "pairs)"
        for text in table["texts"]
    ]
