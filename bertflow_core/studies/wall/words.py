"""The words that every model of a wall has, as its rows, with the columns that describe them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import Rows
from bertflow_core.studies.wall.recipe import Pane, WallRecipe
from bertflow_core.studies.wall.row_properties import (
    LOG_OF_RANK,
    Column,
    category_column,
    number_column,
)
from bertflow_core.studies.wall.rows import Vectors, WallRows, choose_ids, describe_rows
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import ranks_text

if TYPE_CHECKING:
    from bertflow_core.studies.words.prepared import PreparedWords

__all__ = ["WordSource"]


@dataclass(frozen=True, eq=False)
class WordSource:
    """The words in the bins of a recipe that all its panes' models have.

    Order, ranks and frequencies are those of the first pane's model; the most frequent comes first.

    Attributes:
        wall: The choices.
    """

    wall: WallRecipe

    @cached_property
    def _prepared(self) -> dict[tuple[str, str], "PreparedWords"]:
        """The words of each model and table."""
        from bertflow_core.studies.words.prepared import (
            prepare_words,  # late: it brings scipy, which is slow
        )

        prepared: dict[tuple[str, str], PreparedWords] = {}
        for pane in self.wall.panes:
            recipe = self.wall.recipe_of(pane)
            assert isinstance(recipe, WordRecipe)  # a wall of sentences has another source
            if (pane.model, pane.layers) not in prepared:
                prepared[pane.model, pane.layers] = prepare_words(recipe)
        return prepared

    @cached_property
    def _shared(self) -> tuple[str, ...]:
        """The words that every model has, in the order of the first.

        Raises:
            InputError: Fewer than two, of which no wall can be made.
        """
        first, *others = (dict.fromkeys(each.words) for each in self._prepared.values())
        shared = tuple(word for word in first if all(word in other for other in others))
        if len(shared) < 2:
            raise InputError(
                f"the models of this wall share {len(shared)} words in the bins: expected at "
                "least two, so take wider bins or models of one language and case"
            )
        return shared

    @cached_property
    def _ids(self) -> Rows:
        return choose_ids(len(self._shared), self.wall.max_rows, seed=self.wall.base.seed)

    @cached_property
    def rows(self) -> WallRows:
        """The words that are shown."""
        texts = tuple(self._shared[i] for i in self._ids)
        n, several = len(self._shared), len({pane.model for pane in self.wall.panes}) > 1
        what = "words in the bins" + (" that every model has" if several else "")
        return WallRows(
            ids=self._ids,
            texts=texts,
            columns=tuple(self._columns(texts)),
            n_total=n,
            description=describe_rows(len(texts), n, what, seed=self.wall.base.seed),
        )

    def dim(self, pane: Pane) -> int:
        """Return the number of features of a pane's table."""
        return int(self._prepared[pane.model, pane.layers].x.shape[1])

    def vectors(self, pane: Pane) -> Vectors:
        """Return every row of a pane's table, and those of the words that are shown."""
        prepared = self._prepared[pane.model, pane.layers]
        places = _places(prepared, self.rows.texts)
        return Vectors(prepared.recipe, prepared.x, prepared.x[prepared.rows[places]])

    def _columns(self, texts: tuple[str, ...]) -> list[Column]:
        prepared = next(iter(self._prepared.values()))
        places = _places(prepared, texts)
        ranks, piece = prepared.ranks[places], prepared.table.piece[prepared.rows[places]]
        edges = prepared.recipe.bins
        names = [ranks_text(*each) for each in pairwise(edges)]
        places_of_bins = np.searchsorted(edges, ranks, side="right") - 1.0
        unit = "log10" if prepared.counts.counted else LOG_OF_RANK
        bins = Column("bin", places_of_bins, tuple(names), "rank")
        return [
            number_column("rank", ranks + 1),
            number_column("frequency", prepared.log_frequency[places], unit),
            bins,
            number_column("length", [len(text) for text in texts], "characters"),
            category_column("token", [("whole", "piece")[int(each)] for each in piece]),
        ]


def _places(prepared: "PreparedWords", words: Sequence[str]) -> Rows:
    """Return the indices of words among those of one model."""
    places = {word: place for place, word in enumerate(prepared.words)}
    return np.array([places[word] for word in words], np.int64)
