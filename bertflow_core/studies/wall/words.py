"""A wall of words: the rows of word tables that every model has, and what is known of each."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.frequency import runs_text
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, Rows, spearman
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.parts import LOG_OF_RANK, Column, category_column, number_column
from bertflow_core.studies.wall.recipe import WallRecipe, space_of
from bertflow_core.studies.wall.spaces import PaneSpace, Wall, WallRows, check_size, sample
from bertflow_core.wording import ranks_text

if TYPE_CHECKING:
    from bertflow_core.studies.words.prepared import PreparedWords
    from bertflow_core.studies.words.recipe import WordRecipe


def word_wall(recipe: WallRecipe, lab: Lab) -> Wall:
    """Build the wall of the words in the bins that all models have; it needs only the lab's device.

    Order, ranks and frequencies are those of the first pane's model; the most frequent comes first.
    """
    from bertflow_core.studies.words.prepared import prepare_words  # late: it brings scipy

    panes, seed = cast("Sequence[WordRecipe]", recipe.panes), recipe.base.seed
    of_table = {pane.with_(calibrator=Recipe.calibrator): pane for pane in panes}
    prepared = {table: prepare_words(pane) for table, pane in of_table.items()}
    first, *others = prepared.values()
    known = [set(each.words) for each in others]
    shared = [word for word in dict.fromkeys(first.words) if all(word in words for words in known)]
    if len(shared) < 2:
        raise InputError(
            f"the models of this wall share {len(shared)} words in the bins: expected at least "
            "two, so take wider bins or models of one language and case"
        )
    several = len({pane.model for pane in panes}) > 1
    what = "words in the bins" + (" that every model has" if several else "")
    ids, description = sample(len(shared), recipe.max_rows, what, seed=seed)
    texts = tuple(shared[i] for i in ids)

    tables = [prepared[pane.with_(calibrator=Recipe.calibrator)] for pane in panes]
    check_size(len(texts), [table.x.shape[1] for table in tables])
    spaces = []
    for place, (name, pane, own) in enumerate(zip(recipe.names, panes, tables, strict=True)):
        with context.in_space(place, len(panes)):
            calibrator = build_calibrator(pane.calibrator, seed=seed, device=lab.device)
            calibrator.fit(own.x)
            x = own.x[own.rows[_places(own, texts)]]
            spaces.append(PaneSpace.of(name, space_of(pane), calibrator, x, density=True))
    rows = WallRows(ids, texts, _columns(first, texts), description)
    return Wall(rows, tuple(spaces), recipe, "Fitted on every row of each model's word table.")


def _columns(prepared: "PreparedWords", texts: Sequence[str]) -> tuple[Column, ...]:
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


def frequency_finding(wall: Wall) -> str:
    """Say how the norm goes with frequency in each pane; nothing where one of them does not vary.

    Of words also how it goes from frequent to rare ones, which one correlation does not tell.
    """
    from bertflow_core.studies.words.study import over_all

    columns = {column.name: column for column in wall.columns}
    known = [column for name, column in columns.items() if "frequency" in name]
    if not known:
        return ""
    names = [space.name for space in wall.spaces]
    norms = columns["norm"].values
    rhos = [_rho(known[0].values, norm) for norm in norms]
    found = [rho for rho in rhos if rho is not None]
    if len(found) < len(rhos):
        return ""
    named = ", ".join(f"{rho:+.2f} ({name})" for name, rho in zip(names, found, strict=True))
    if not wall.of_words:
        return (
            f"{_where('Sentences of frequent words', found)}: over all {len(wall.rows):,} rows the "
            f"rank correlation of norm and frequency is {named}."
        )
    courses: dict[str, list[str]] = {}
    bins = columns["bin"].values
    for name, norm in zip(names, norms, strict=True):
        means = [float(norm[bins == place].mean()) for place in np.unique(bins)]
        courses.setdefault(runs_text(means), []).append(name)
    alike = next(iter(courses)) if len(courses) == 1 else ""
    said = "; ".join(f"{course} in {' and '.join(of)}" for course, of in courses.items())
    if alike:
        said = f"{alike} in every pane" if len(names) > 1 else alike
    return (
        f"From frequent to rare words, the mean norm {said}. "
        f"{over_all(len(wall.rows), alike, found)} {named}. The page Words shows the trend by rank."
    )


def _where(what: str, rhos: list[float]) -> str:
    """Say where frequent rows lie, if that is the same in every pane."""
    if min(rhos) > 0:
        return f"{what} lie farther from the origin"
    if max(rhos) < 0:
        return f"{what} lie nearer to the origin"
    return f"{what} lie farther from the origin in some spaces (above 0) and nearer in others"


def _rho(frequency: FloatArray, norm: FloatArray) -> float | None:
    is_known = ~np.isnan(frequency)
    return spearman(frequency[is_known], norm[is_known])
