"""A wall of sentences: the distinct ones of a data set's pairs, and what is known of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.loadings import words_of
from bertflow_core.datasets import SentencePairs
from bertflow_core.datasets.word_counts import VOCABULARY, load_word_counts
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.lab import Lab
from bertflow_core.linalg import Rows, distinct_rows
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.parts import (
    LOG_OF_RANK,
    Column,
    category_column,
    column_of,
    number_column,
)
from bertflow_core.studies.wall.recipe import WallRecipe, space_of
from bertflow_core.studies.wall.spaces import PaneSpace, Wall, WallRows, check_size, sample

MAX_MORE = 30
"""Most columns that are taken over from a visitor's table."""

_TAKEN = {"id", "text", "recipe", "norm", "log-density", "kept neighbours"}
"""Names that selections, files and panes use themselves."""


def sentence_wall(recipe: WallRecipe, lab: Lab, more: Mapping[str, Sequence[object]]) -> Wall:
    """Build the wall of the distinct sentences of pairs, in order of first appearance.

    Args:
        recipe: The choices.
        lab: Where data and vectors are found.
        more: Other columns of the pairs by name, one cell per pair.
    """
    base = cast("Recipe", recipe.base)
    pairs, corpus = data = lab.load(base)
    lab = replace(lab, tables={**lab.tables, base.dataset: data})
    every = pairs.sentences()
    places = distinct_rows(every)
    what = f"different sentences of {pairs.name}, {pairs.split}"
    ids, description = sample(len(places), recipe.max_rows, what, seed=base.seed)
    shown = places[ids]
    pair, side = np.divmod(shown, 2) if pairs.is_paired else (shown, np.zeros_like(shown))
    texts = tuple(every[place] for place in shown)
    columns = _columns_of_pairs(pairs, pair, side) + _columns_of_words(recipe, texts)
    columns += _columns_of_table(more, pair, {column.name for column in columns})
    rows = WallRows(ids, texts, tuple(columns), description)
    return Wall(
        rows, _spaces(recipe, lab, pair, side == 1), recipe, f"Fitted on {corpus.description}"
    )


def _spaces(recipe: WallRecipe, lab: Lab, pair: Rows, is_second: Rows) -> tuple[PaneSpace, ...]:
    """Fit every pane, and map the sides of pairs that are shown."""
    recipes = cast("Sequence[Recipe]", recipe.panes)
    check_size(len(pair), [lab.encoder(each).dim for each in recipes])
    of_model = {each.model: each for each in recipes}.values()
    layers = tuple(dict.fromkeys(each.layers for each in recipes))
    specs = tuple(dict.fromkeys(each.calibrator for each in recipes))
    found = [lab.spaces(each, layers, specs) for each in of_model]
    spaces = (space for each in found for space in each)
    shown = []
    for place, (name, pane) in enumerate(zip(recipe.names, recipes, strict=True)):
        with context.in_space(place, len(recipes)):
            space = next(spaces)
            x = space.prepared.x_first[pair]
            x[is_second] = space.prepared.x_second[pair[is_second]]
            shown.append(PaneSpace.of(name, space_of(pane), space.calibrator, x, density=True))
    return tuple(shown)


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


def _columns_of_words(recipe: WallRecipe, texts: Sequence[str]) -> list[Column]:
    """Return how long sentences are and, where a source is named, how frequent their words are."""
    words = [[word for word in words_of(text) if word[0].isalnum()] for text in texts]
    columns = [number_column("length", [len(each) for each in words], "words")]
    if recipe.counts is not None:
        logs = _log_frequencies(recipe.counts, cast("Recipe", recipe.panes[0]))
        known = [[logs[word] for word in each if word in logs] for each in words]
        means = [float(np.mean(each)) if each else np.nan for each in known]
        by_rank = recipe.counts == VOCABULARY
        unit = LOG_OF_RANK if by_rank else f"log10, {Path(recipe.counts).name}"
        columns.append(number_column("mean frequency of its words", means, unit))
    return columns


def _log_frequencies(counts: str, recipe: Recipe) -> dict[str, float]:
    """Return log10 of the frequency of every word; the vocabulary is that of a recipe's model."""
    if counts == VOCABULARY:
        table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
        listed = load_word_counts(counts, table.words, np.flatnonzero(table.whole))
    else:
        listed = load_word_counts(counts)
    return dict(zip(listed.words, np.log10(listed.frequencies).tolist(), strict=True))


def _columns_of_table(
    more: Mapping[str, Sequence[object]], pair: Rows, taken: set[str]
) -> list[Column]:
    """Return the other columns of a table that say something, under names of their own."""
    taken = taken | _TAKEN
    found = (
        column_of(f"{name} (of the table)" if name in taken else name, [cells[i] for i in pair])
        for name, cells in more.items()
    )
    return [column for column in found if column is not None][:MAX_MORE]
