"""The rows of a wall and their columns: distinct sentences of pairs, or words of tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from bertflow_core.analysis.loadings import lower_words
from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets import Pairs, Texts
from bertflow_core.datasets.word_counts import VOCABULARY, load_word_counts
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.recipe import WallRecipe, space_of
from bertflow_core.exhibits.wall.spaces import (
    LOG_OF_RANK,
    Axis,
    PaneSpace,
    Wall,
    category_column,
    check_size,
    column_of,
    sample,
)
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.wording import ranks_text

if TYPE_CHECKING:
    from bertflow_core.studies.words.prepared import PreparedWords
    from bertflow_core.studies.words.recipe import WordRecipe

MAX_MORE = 30  # largest number of columns from a visitor's table
_TAKEN = {"id", "text", "recipe", "norm", "log-density", "kept neighbours"}
"""Names reserved for selections, files and panes."""

Fits = Iterator[tuple[Calibrator, FloatArray]]
"""For each pane its fitted calibrator and the uncalibrated vectors of the rows."""


def build_wall(
    recipe: WallRecipe, lab: Lab, *, more: Mapping[str, Sequence[object]] | None = None
) -> Wall:
    """Embed the rows and fit the calibrators; `more` has further columns with a cell per pair."""
    wall, fits = _words(recipe, lab) if recipe.of_words else _sentences(recipe, lab, more or {})
    panes, spaces = recipe.panes, []
    for place, (name, pane) in enumerate(zip(recipe.names, panes, strict=True)):
        with context.in_space(place, len(panes)):
            spaces.append(PaneSpace.of(name, space_of(pane), *next(fits), density=True))
    return replace(wall, spaces=tuple(spaces))


def _sentences(
    recipe: WallRecipe, lab: Lab, more: Mapping[str, Sequence[object]]
) -> tuple[Wall, Fits]:
    base, recipes = cast("Recipe", recipe.base), cast("Sequence[Recipe]", recipe.panes)
    pairs, corpus = data = lab.load(base)
    lab = replace(lab, tables={**lab.tables, base.dataset: data})
    every = pairs.sentences()
    places = distinct_rows(every)
    what = f"different sentences of {pairs.title}"
    ids, description = sample(len(places), recipe.max_rows, what, seed=base.seed)
    shown = places[ids]
    pair, side = np.divmod(shown, 2) if isinstance(pairs, Pairs) else (shown, 0 * shown)
    texts = tuple(every[place] for place in shown)
    check_size(len(texts), [lab.encoder(each).dim for each in recipes])
    columns = _columns_of_pairs(pairs, pair, side) + _columns_of_words(recipe, texts)
    taken = _TAKEN | {column.name for column in columns}
    found = [
        column_of(f"{name} (of the table)" if name in taken else name, [cells[i] for i in pair])
        for name, cells in more.items()
    ]
    columns += [column for column in found if column is not None][:MAX_MORE]

    def fits() -> Fits:
        layers = tuple(dict.fromkeys(pane.layers for pane in recipes))
        specs = tuple(dict.fromkeys(pane.calibrator for pane in recipes))
        for own in {each.model: each for each in recipes}.values():
            for space in lab.evaluations(own.each(layers=layers, calibrators=specs)):
                yield space.calibrator, space.embedded.x_texts[pair + side * len(pairs)]

    fitted_on = f"Fitted on {corpus.description}"
    return Wall(ids, texts, tuple(columns), description, (), recipe, fitted_on), fits()


def _columns_of_pairs(pairs: Texts, pair: Rows, side: Rows) -> list[Axis]:
    columns = []
    if len({*pairs.subsets}) > 1:
        columns.append(category_column("subset", [pairs.subsets[i] for i in pair]))
    if isinstance(pairs, Pairs):
        if pairs.gold is not None:
            gold, (low, high) = pairs.gold[pair], pairs.scale
            columns.append(Axis("gold score of its first pair", gold, unit=f"{low:g} to {high:g}"))
        columns.append(category_column("side", [("first", "second")[i] for i in side]))
    return columns


def _columns_of_words(recipe: WallRecipe, texts: Sequence[str]) -> list[Axis]:
    """Return the lengths of sentences and, if a source is given, the frequency of their words."""
    words = [[word for word in lower_words(text) if word[0].isalnum()] for text in texts]
    columns = [Axis("length", np.array([len(each) for each in words]), unit="words")]
    if recipe.counts is not None:
        logs = _log_frequencies(recipe.counts, cast("Recipe", recipe.panes[0]))
        known = [[logs[word] for word in each if word in logs] for each in words]
        means = [float(np.mean(each)) if each else np.nan for each in known]
        by_rank = recipe.counts == VOCABULARY
        unit = LOG_OF_RANK if by_rank else f"log10, {Path(recipe.counts).name}"
        columns.append(Axis("mean frequency of its words", np.array(means), unit=unit))
    return columns


def _log_frequencies(counts: str, recipe: Recipe) -> dict[str, float]:
    """Return log10 of every word's frequency in a list; `vocabulary` is that of the model."""
    if counts == VOCABULARY:
        table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
        listed = load_word_counts(counts, table.words, np.flatnonzero(table.whole))
    else:
        listed = load_word_counts(counts)
    return dict(zip(listed.words, np.log10(listed.frequencies).tolist(), strict=True))


def _words(recipe: WallRecipe, lab: Lab) -> tuple[Wall, Fits]:
    """Return the wall of the words that all models share, ordered by the first model's ranks."""
    from bertflow_core.studies.words.prepared import prepare_words  # late: it imports scipy

    panes = cast("Sequence[WordRecipe]", recipe.panes)
    plain = [pane.with_(calibrator=Recipe.calibrator) for pane in panes]
    prepared = {table: prepare_words(table) for table in dict.fromkeys(plain)}
    first, *others = prepared.values()
    known = [set(each.words) for each in others]
    shared = [word for word in dict.fromkeys(first.words) if all(word in words for words in known)]
    if len(shared) < 2:
        raise InputError(
            f"the models of this wall share {len(shared)} words in the bins: expected at least "
            "two, so choose wider bins, or models of one language and case"
        )
    several = len({pane.model for pane in panes}) > 1
    what = "words in the bins" + (" that every model has" if several else "")
    ids, description = sample(len(shared), recipe.max_rows, what, seed=recipe.base.seed)
    texts = tuple(shared[i] for i in ids)
    tables = [prepared[table] for table in plain]
    check_size(len(texts), [table.x.shape[1] for table in tables])

    def fits() -> Fits:
        for pane, own in zip(panes, tables, strict=True):
            calibrator = Spec(pane.calibrator).build(seed=pane.seed, device=lab.device)
            yield calibrator.fit(own.x), own.x[own.rows[_places(own, texts)]]

    columns = _columns_of_listed(first, texts)
    fitted_on = "Fitted on every row of each model's word table."
    return Wall(ids, texts, columns, description, (), recipe, fitted_on), fits()


def _columns_of_listed(prepared: "PreparedWords", texts: Sequence[str]) -> tuple[Axis, ...]:
    """Return the columns of words from a list of frequencies and a model's table."""
    places = _places(prepared, texts)
    ranks, is_piece = prepared.ranks[places], prepared.table.piece[prepared.rows[places]]
    edges = prepared.recipe.bins
    names = tuple(ranks_text(*each) for each in pairwise(edges))
    unit = "log10" if prepared.counts.counted else LOG_OF_RANK
    return (
        Axis("rank", ranks + 1),
        Axis("frequency", prepared.log_frequency[places], unit=unit),
        Axis("bin", np.searchsorted(edges, ranks, side="right") - 1.0, names, "rank"),
        Axis("length", np.array([len(text) for text in texts]), unit="characters"),
        category_column("token", ["piece" if each else "whole" for each in is_piece]),
    )


def _places(prepared: "PreparedWords", words: Sequence[str]) -> Rows:
    places = {word: place for place, word in enumerate(prepared.words)}
    return np.array([places[word] for word in words], np.int64)


def frequency_finding(wall: Wall) -> str:
    """Say how the norm depends on frequency by pane; empty if norm or frequency is constant."""
    columns = {column.name: column for column in wall.columns}
    frequency = next((each for name, each in columns.items() if "frequency" in name), None)
    if frequency is None:
        return ""
    is_known = ~np.isnan(frequency.values)
    rhos = [spearman(frequency.values[is_known], norm[is_known]) for norm in columns["norm"].values]
    said = [
        f"{rho:+.2f} in {space.name}"
        for space, rho in zip(wall.spaces, rhos, strict=True)
        if rho is not None
    ]
    if len(said) < len(rhos):
        return ""
    rows, course = "rows", ""
    if wall.of_words:
        rows = "words"
        course = " Words by frequency (`bertflow-lab analyse words`) shows the norm by rank."
    return (
        "Do frequent words give longer vectors? Rank correlation of norm and frequency over "
        f"{len(wall.texts):,} {rows}: {'; '.join(said)}.{course}"
    )
