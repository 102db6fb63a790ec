"""Pairs as rows of a table: their sentences, what people gave them, how far their words are."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import (
    Tokenize,
    Unit,
    edit_distances,
    normalised_distances,
    pair_lengths,
)
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import resolve_model
from bertflow_core.errors import InputError, check_name
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Row
from bertflow_core.wording import quoted

__all__ = ["PAIR_COLUMNS", "UNITS", "WORDPIECE", "WordPairs", "word_pairs"]

WORDPIECE = "wordpiece"
UNITS = (*map(str, Unit), WORDPIECE)
"""What one edit changes; `wordpiece` is a token of the recipe's model."""

PAIR_COLUMNS = (Column("first", format=".60"), Column("second", format=".60"), Column("gold"))
"""How a table of pairs begins."""


@dataclass(frozen=True, eq=False)
class WordPairs:
    """N pairs with the distances of their words.

    Attributes:
        pairs: The pairs.
        distances: Edit distance of each pair, shape (N,).
        lengths: Units of the longer side of each pair, shape (N,).
    """

    pairs: SentencePairs = field(repr=False)
    distances: npt.NDArray[np.int64] = field(repr=False)
    lengths: npt.NDArray[np.int64] = field(repr=False)

    @property
    def normalised(self) -> FloatArray:
        """The edit distance over the units of the longer side, from 0 to 1, shape (N,)."""
        return normalised_distances(self.distances, self.lengths)

    def row(self, place: int) -> Row:
        """Return what is known of a pair, counted from 1."""
        pairs = self.pairs
        return {
            "pair": place + 1,
            "subset": pairs.subsets[place],
            "first": pairs.first[place],
            "second": pairs.second[place],
            "gold": None if pairs.gold is None else float(pairs.gold[place]),
            "edit_distance": int(self.distances[place]),
            "length": int(self.lengths[place]),
        }


def word_pairs(pairs: SentencePairs, recipe: Recipe, unit: str = Unit.TREEBANK) -> WordPairs:
    """Return pairs with the distances of their words.

    Args:
        pairs: The pairs.
        recipe: Names the model whose tokens are the units of `wordpiece`.
        unit: What one edit changes, one of `UNITS`.

    Raises:
        InputError: Single sentences, or an unknown unit.
    """
    if not pairs.is_paired:
        raise InputError(
            f"{quoted(pairs.name)} holds single sentences: an edit distance needs pairs of "
            "sentences"
        )
    divider = _divider(unit, recipe)
    return WordPairs(
        pairs,
        edit_distances(pairs.first, pairs.second, unit=divider),
        pair_lengths(pairs.first, pairs.second, unit=divider),
    )


def _divider(unit: str, recipe: Recipe) -> Unit | Tokenize:
    """Return what divides a sentence into units."""
    check_name(unit, UNITS, "unit")
    if unit != WORDPIECE:
        return Unit(unit)
    from bertflow_core.encoders.loading import whole_text_tokenizer

    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).tokens
