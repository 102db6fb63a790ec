"""The distinct sentences of a split as rows of a wall, with the columns that describe them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from bertflow_core.analysis.loadings import words_of
from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.datasets.word_counts import VOCABULARY, load_word_counts
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, Rows, distinct_rows
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Pane, WallRecipe
from bertflow_core.studies.wall.row_properties import (
    LOG_OF_RANK,
    Column,
    category_column,
    column_of,
    number_column,
)
from bertflow_core.studies.wall.rows import Vectors, WallRows, choose_ids, describe_rows
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["SentenceSource", "sentence_source"]

MAX_MORE = 30
"""Most columns that are taken over from a visitor's table."""

_TAKEN = {"id", "text", "recipe", "norm", "log-density", "kept neighbours"}
"""Names that selections, files and panes use themselves."""


@dataclass(frozen=True, eq=False)
class SentenceSource:
    """The distinct sentences of a recipe's pairs, in order of first appearance.

    Attributes:
        wall: The choices.
        pairs: Whose sentences are shown.
        corpus: What calibrators are fitted on.
        log_frequency: log10 of the frequency by word, for a column; none leaves it out.
        more: Other columns of the pairs by name, one cell per pair.
        lab: Where the pairs are embedded.
    """

    wall: WallRecipe
    pairs: SentencePairs
    corpus: Corpus
    log_frequency: dict[str, float] = field(repr=False)
    more: Mapping[str, Sequence[object]] = field(repr=False)
    lab: Lab

    @cached_property
    def _places(self) -> Rows:
        return distinct_rows(self.pairs.sentences())

    @cached_property
    def _ids(self) -> Rows:
        return choose_ids(len(self._places), self.wall.max_rows, seed=self.wall.base.seed)

    @cached_property
    def rows(self) -> WallRows:
        """The sentences that are shown."""
        every = self.pairs.sentences()
        texts = tuple(every[place] for place in self._places[self._ids])
        n, what = len(self._places), f"different sentences of {self.pairs.name}, {self.pairs.split}"
        return WallRows(
            ids=self._ids,
            texts=texts,
            columns=tuple(self._columns(texts)),
            n_total=n,
            description=describe_rows(len(texts), n, what, seed=self.wall.base.seed),
        )

    def dim(self, pane: Pane) -> int:
        """Return the number of features of a pane's model."""
        return self.lab.encoder(self._recipe_of(pane)).dim

    def vectors(self, pane: Pane) -> Vectors:
        """Embed the fit corpus and the sentences with a pane's model and layer set."""
        lab = replace(self.lab, ahead=tuple(map(self._recipe_of, self.wall.panes)))
        prepared = lab.prepare(self._recipe_of(pane))
        pair, side = self._pair_and_side()
        x = prepared.x_first[pair]
        x[side == 1] = prepared.x_second[pair[side == 1]]
        return Vectors(prepared.recipe, prepared.x_fit, x, prepared.corpus.share)

    def _recipe_of(self, pane: Pane) -> Recipe:
        recipe = self.wall.recipe_of(pane)
        assert isinstance(recipe, Recipe)  # a wall of words has another source
        return recipe

    def _pair_and_side(self) -> tuple[Rows, Rows]:
        """Return the pair that each row first stands in, and on which of its sides."""
        places = self._places[self._ids]
        if not self.pairs.is_paired:
            return places, np.zeros_like(places)
        return places // 2, places % 2

    def _log_unit(self) -> str:
        counts = str(self.wall.counts)
        return LOG_OF_RANK if counts == VOCABULARY else f"log10, {Path(counts).name}"

    def _columns(self, texts: tuple[str, ...]) -> list[Column]:
        pairs = self.pairs
        pair, side = self._pair_and_side()
        columns = []
        if len(pairs.subset_names) > 1:
            columns.append(category_column("subset", [pairs.subsets[i] for i in pair]))
        if pairs.gold is not None:
            low, high = pairs.scale
            gold = pairs.gold[pair]
            columns.append(number_column("gold of its first pair", gold, f"{low:g} to {high:g}"))
        if pairs.is_paired:
            columns.append(category_column("side", [("first", "second")[i] for i in side]))
        words = [[word for word in words_of(text) if word[0].isalnum()] for text in texts]
        columns.append(number_column("length", [len(each) for each in words], "words"))
        if self.log_frequency:
            means = [_mean_known(each, self.log_frequency) for each in words]
            columns.append(number_column("mean frequency of its words", means, self._log_unit()))
        taken = {column.name for column in columns} | _TAKEN
        others = [
            column_of(name if name not in taken else f"{name} (of the table)", [v[i] for i in pair])
            for name, v in self.more.items()
        ]
        return columns + [column for column in others if column is not None][:MAX_MORE]


def sentence_source(
    wall: WallRecipe, lab: Lab, more: Mapping[str, Sequence[object]]
) -> SentenceSource:
    """Load the sentences of a wall, once for all panes.

    Args:
        wall: The choices, on a base recipe of sentences.
        lab: Where the data are found.
        more: Other columns of the pairs by name, one cell per pair.

    Raises:
        InputError: Data, or a source of word counts, that cannot be used.
        ResourceError: The disk or the network failed.
    """
    assert isinstance(wall.base, Recipe)  # a wall of words has another source
    data = lab.load(wall.base)
    at_hand = replace(lab, tables={**lab.tables, wall.base.dataset: data})
    logs = _log_frequencies(wall.counts, wall.recipe_of(wall.panes[0])) if wall.counts else {}
    return SentenceSource(wall, *data, logs, more, at_hand)


def _log_frequencies(counts: str, recipe: Recipe | WordRecipe) -> dict[str, float]:
    """Return log10 of the frequency of every word of a source: a name, a path or `vocabulary`.

    The vocabulary is that of the recipe's model.
    """
    if counts == VOCABULARY:
        table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
        listed = load_word_counts(counts, table.words, np.flatnonzero(table.whole))
    else:
        listed = load_word_counts(counts)
    logs: FloatArray = np.log10(listed.frequencies)
    return dict(zip(listed.words, logs.tolist(), strict=True))


def _mean_known(words: list[str], log_frequency: dict[str, float]) -> float:
    known = [log_frequency[word] for word in words if word in log_frequency]
    return float(np.mean(known)) if known else float("nan")
