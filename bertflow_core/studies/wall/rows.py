"""The rows of a wall, sentences or words, the columns that describe them, and their vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from bertflow_core.analysis.loadings import words_of
from bertflow_core.datasets import SentencePairs
from bertflow_core.datasets.word_counts import VOCABULARY, load_word_counts
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, Rows, distinct_rows, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.parts import (
    LOG_OF_RANK,
    Column,
    category_column,
    column_of,
    number_column,
)
from bertflow_core.studies.wall.recipe import Pane, WallRecipe
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import ranks_text

if TYPE_CHECKING:
    from bertflow_core.studies.words.prepared import PreparedWords

MAX_MORE = 30
"""Most columns that are taken over from a visitor's table."""

_TAKEN = {"id", "text", "recipe", "norm", "log-density", "kept neighbours"}
"""Names that selections, files and panes use themselves."""


@dataclass(frozen=True, eq=False)
class WallRows:
    """The rows of a wall.

    Attributes:
        ids: Index of each row among all rows of the data set, rising, shape (N,); sampling does
            not change it.
        texts: The sentence or word of each row.
        columns: Properties of the rows, the same in every pane.
        description: Which rows these are, without a full stop.
    """

    ids: Rows = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    columns: tuple[Column, ...] = field(repr=False)
    description: str

    @property
    def names(self) -> list[str]:
        """What names each row in a payload."""
        return [f"{place}: {text}" for place, text in zip(self.ids, self.texts, strict=True)]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Uncalibrated vectors of one model and layer set or table.

    Attributes:
        x_fit: What calibrators are fitted on, shape (M, D).
        x: The rows that are shown, shape (N, D).
        share: The part of a larger corpus that `x_fit` is.
    """

    x_fit: FloatArray = field(repr=False)
    x: FloatArray = field(repr=False)
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Source:
    """Where a wall's rows and vectors come from.

    Attributes:
        rows: The rows that are shown.
        fitted_on: One sentence that says what calibrators are fitted on.
        dim: Returns the number of features of a pane's vectors, before any work.
        vectors: Returns the vectors of a pane's model and layer set or table.
    """

    rows: WallRows
    fitted_on: str
    dim: Callable[[Pane], int]
    vectors: Callable[[Pane], Vectors]


def sample(n_total: int, most: int, what: str, *, seed: int) -> tuple[Rows, str]:
    """Return which of n rows are shown, rising, and say so: all, or a sample of the most."""
    ids = sample_rows(n_total, most, seed=seed)
    if len(ids) == n_total:
        return ids, f"all {n_total:,} {what}"
    return ids, f"a sample of {len(ids):,} of {n_total:,} {what}, seed {seed}"


def sentence_source(wall: WallRecipe, lab: Lab, more: Mapping[str, Sequence[object]]) -> Source:
    """Load the distinct sentences of a wall's pairs, in order of first appearance.

    `more` holds other columns of the pairs by name, one cell per pair.
    """
    base = cast("Recipe", wall.base)
    pairs, corpus = data = lab.load(base)
    recipes = dict(zip(wall.panes, wall.sentence_recipes(), strict=True))
    tables = {**lab.tables, base.dataset: data}
    at_hand = replace(lab, tables=tables, ahead=tuple(recipes.values()))
    every = pairs.sentences()
    places = distinct_rows(every)
    what = f"different sentences of {pairs.name}, {pairs.split}"
    ids, description = sample(len(places), wall.max_rows, what, seed=base.seed)
    shown = places[ids]
    pair, side = np.divmod(shown, 2) if pairs.is_paired else (shown, np.zeros_like(shown))
    texts = tuple(every[place] for place in shown)

    def vectors(pane: Pane) -> Vectors:
        prepared = at_hand.prepare(recipes[pane])
        x = prepared.x_first[pair]
        x[side == 1] = prepared.x_second[pair[side == 1]]
        return Vectors(prepared.x_fit, x, corpus.share)

    columns = _columns_of_pairs(pairs, pair, side)
    columns += _columns_of_words(wall, texts)
    taken = {column.name for column in columns} | _TAKEN
    others = [
        column_of(f"{name} (of the table)" if name in taken else name, [cells[i] for i in pair])
        for name, cells in more.items()
    ]
    columns += [column for column in others if column is not None][:MAX_MORE]
    return Source(
        WallRows(ids, texts, tuple(columns), description),
        f"Fitted on {corpus.description}",
        dim=lambda pane: lab.encoder(recipes[pane]).dim,
        vectors=vectors,
    )


def _columns_of_pairs(pairs: SentencePairs, pair: Rows, side: Rows) -> list[Column]:
    """Return what is known of the pair that each row first stands in."""
    columns = []
    if len(pairs.subset_names) > 1:
        columns.append(category_column("subset", [pairs.subsets[i] for i in pair]))
    if pairs.gold is not None:
        low, high = pairs.scale
        gold = pairs.gold[pair]
        columns.append(number_column("gold of its first pair", gold, f"{low:g} to {high:g}"))
    if pairs.is_paired:
        columns.append(category_column("side", [("first", "second")[i] for i in side]))
    return columns


def _columns_of_words(wall: WallRecipe, texts: Sequence[str]) -> list[Column]:
    """Return how long sentences are and, where a source is named, how frequent their words are."""
    words = [[word for word in words_of(text) if word[0].isalnum()] for text in texts]
    columns = [number_column("length", [len(each) for each in words], "words")]
    if wall.counts is not None:
        logs = _log_frequencies(wall.counts, wall.recipe_of(wall.panes[0]))
        means = [_mean_known(each, logs) for each in words]
        by_rank = wall.counts == VOCABULARY
        unit = LOG_OF_RANK if by_rank else f"log10, {Path(wall.counts).name}"
        columns.append(number_column("mean frequency of its words", means, unit))
    return columns


def _log_frequencies(counts: str, recipe: Recipe | WordRecipe) -> dict[str, float]:
    """Return log10 of the frequency of every word; the vocabulary is that of a recipe's model."""
    if counts == VOCABULARY:
        table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
        listed = load_word_counts(counts, table.words, np.flatnonzero(table.whole))
    else:
        listed = load_word_counts(counts)
    return dict(zip(listed.words, np.log10(listed.frequencies).tolist(), strict=True))


def _mean_known(words: list[str], log_frequency: dict[str, float]) -> float:
    known = [log_frequency[word] for word in words if word in log_frequency]
    return float(np.mean(known)) if known else float("nan")


def word_source(wall: WallRecipe) -> Source:
    """Read the words in the bins that all models of a wall have.

    Order, ranks and frequencies are those of the first pane's model; the most frequent comes first.
    """
    from bertflow_core.studies.words.prepared import prepare_words  # late: it brings scipy

    prepared: dict[tuple[str, str], PreparedWords] = {}
    for pane in wall.panes:
        if (pane.model, pane.layers) not in prepared:
            recipe = cast("WordRecipe", wall.recipe_of(pane))
            prepared[pane.model, pane.layers] = prepare_words(recipe)
    first, *others = prepared.values()
    known = [set(each.words) for each in others]
    shared = [word for word in dict.fromkeys(first.words) if all(word in words for words in known)]
    if len(shared) < 2:
        raise InputError(
            f"the models of this wall share {len(shared)} words in the bins: expected at least "
            "two, so take wider bins or models of one language and case"
        )
    several = len({pane.model for pane in wall.panes}) > 1
    what = "words in the bins" + (" that every model has" if several else "")
    ids, description = sample(len(shared), wall.max_rows, what, seed=wall.base.seed)
    texts = tuple(shared[i] for i in ids)

    def vectors(pane: Pane) -> Vectors:
        of = prepared[pane.model, pane.layers]
        return Vectors(of.x, of.x[of.rows[_places(of, texts)]])

    return Source(
        WallRows(ids, texts, _columns_of_table(first, texts), description),
        "Fitted on every row of each model's word table.",
        dim=lambda pane: int(prepared[pane.model, pane.layers].x.shape[1]),
        vectors=vectors,
    )


def _columns_of_table(prepared: "PreparedWords", texts: Sequence[str]) -> tuple[Column, ...]:
    places = _places(prepared, texts)
    ranks, is_piece = prepared.ranks[places], prepared.table.piece[prepared.rows[places]]
    edges = prepared.recipe.bins
    names = tuple(ranks_text(*each) for each in pairwise(edges))
    unit = "log10" if prepared.counts.counted else LOG_OF_RANK
    return (
        number_column("rank", ranks + 1),
        number_column("frequency", prepared.log_frequency[places], unit),
        Column("bin", np.searchsorted(edges, ranks, side="right") - 1.0, names, "rank"),
        number_column("length", [len(text) for text in texts], "characters"),
        category_column("token", ["piece" if each else "whole" for each in is_piece]),
    )


def _places(prepared: "PreparedWords", words: Sequence[str]) -> Rows:
    """Return the indices of words among those of one model."""
    places = {word: place for place, word in enumerate(prepared.words)}
    return np.array([places[word] for word in words], np.int64)
