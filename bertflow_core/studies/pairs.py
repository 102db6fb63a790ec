"""Pairs as rows of a table: their sentences, gold score and edit distance."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import (
    Tokenize,
    Unit,
    edit_distances,
    normalised_distances,
)
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Pairs, Texts
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.encoders import resolve_model
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Column, Row

_WORDPIECE = "wordpiece"
UNITS = (*map(str, Unit), _WORDPIECE)
"""The units of an edit; `wordpiece` is a token of the recipe's model."""

PAIR_COLUMNS = (Column("first", format=".60"), Column("second", format=".60"), Column("gold"))
"""The first columns of a table of pairs."""


@dataclass(frozen=True, eq=False)
class WordPairs:
    """N pairs with their edit distances."""

    pairs: Pairs = field(repr=False)
    distances: npt.NDArray[np.int64] = field(repr=False)  # edit distance of each pair, (N,)
    lengths: npt.NDArray[np.int64] = field(repr=False)  # units of the longer side, (N,)

    @property
    def normalised(self) -> FloatArray:
        """The edit distance divided by the longer side's number of units, 0 to 1, shape (N,)."""
        return normalised_distances(self.distances, self.lengths)

    def row(self, place: int) -> Row:
        """Return the row of a pair; pairs are numbered from 1."""
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


def word_pairs(data: Texts, recipe: Recipe, unit: str = Unit.TREEBANK) -> WordPairs:
    """Return pairs with their edit distances; other data are refused.

    The tokens of the recipe's model are the units of `wordpiece`.
    """
    pairs = need_pairs(data, "edit distances")
    divider = _pieces_of(recipe) if unit == _WORDPIECE else Unit(unit)
    return WordPairs(pairs, *edit_distances(pairs.first, pairs.second, unit=divider))


def _pieces_of(recipe: Recipe) -> Tokenize:
    from bertflow_core.encoders.loading import whole_text_tokenizer

    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).tokens
