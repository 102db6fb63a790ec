"""The one operation: recipes are embedded together, fitted and scored, and finished cells are kept.

A grid is a list of recipes. Recipes that differ only in split, metric or aggregation share a fit,
so dev and test are scored under the same one. A long run can be cancelled and shows its progress.
With `lab.cells` it goes on where it stopped.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.arrays.moments import SharedMoments
from bertflow_core.datasets import Corpus, Texts
from bertflow_core.datasets.vectors import check_same_rows
from bertflow_core.encoders.given import OWN
from bertflow_core.encoders.rows import RowVectors
from bertflow_core.errors import InputError, NothingLeftError
from bertflow_core.evaluation import Metric, Score, metric_of
from bertflow_core.evaluation.comparison import average, pair_scores
from bertflow_core.lab.cells import Cell, cell_key
from bertflow_core.lab.embedding import AnyEncoder
from bertflow_core.lab.evaluation import Embedded, Evaluation, Scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import OF_TABLE, Recipe
from bertflow_core.runtime import context
from bertflow_core.wording import quoted

K = TypeVar("K", bound=Hashable)
Measure = Callable[[Evaluation], Mapping[str, Any]]
"""A module's function that returns further numbers of a fit; its name is part of a cell's key."""

_OF_VIEW = ("split", "metric", "aggregation", "similarity")
"""Fields that do not change a fit."""


@dataclass(frozen=True)
class Grid:
    """Scored recipes: the cell of each, and the data that it was scored on."""

    cells: Mapping[Recipe, Cell] = field(repr=False)
    data: Mapping[Recipe, Texts] = field(repr=False)

    def metric(self, recipe: Recipe) -> Metric:
        """Return the metric of the data of a recipe."""
        return metric_of(self.data[recipe].metric)

    def scores(self, rows: Mapping[K, Sequence[Recipe]]) -> dict[K, Score]:
        """Return the score of each row on the same data: the mean over its recipes."""
        fits = {row: [self.cells[each] for each in own] for row, own in rows.items()}
        first = next(iter(rows.values()))[0]
        return mean_over_fits(fits, self.data[first], first)


def mean_over_fits(
    fits: Mapping[K, Sequence[Scored]], data: Texts, recipe: Recipe
) -> dict[K, Score]:
    """Return the score of each row on the same data, the mean over its fits with several seeds."""
    every = {(row, i): fit for row, own in fits.items() for i, fit in enumerate(own)}
    how = recipe.aggregation
    found = pair_scores(
        {key: fit.unit_values for key, fit in every.items()},
        np.zeros(data.n_units) if data.targets is None else data.targets,
        data.subsets,
        aggregation=how,
        metric=metric_of(data.metric),
        seed=recipe.seed,
        values={key: getattr(fit.scores.main, how) for key, fit in every.items()},
    )
    return {row: average([found[row, i] for i in range(len(own))]) for row, own in fits.items()}


def fits_of(row: Recipe, seeds: int) -> tuple[Recipe, ...]:
    """Return a row's recipes: one, or one per seed if its calibrator is random."""
    n_fits = seeds if row.spec.takes_seed else 1
    return tuple(row.with_(seed=row.seed + i) for i in range(n_fits))


def scored(
    recipes: Iterable[Recipe],
    lab: Lab,
    *,
    measure: Measure | None = None,
    measured: Iterable[Recipe] | None = None,
) -> Grid:
    """Score every recipe; what cannot be used is refused before anything is embedded.

    A recipe whose calibrator leaves nothing to compare has a cell without a score. `measure` gives
    further numbers of the fits of `measured`, by default of all.
    """
    asked = tuple(dict.fromkeys(recipes))
    for spec in dict.fromkeys(each.spec for each in asked):
        spec.build()  # refuses a calibrator whose package is not installed
    encoders = _opened(asked, lab)
    settled = {each: each.with_(revision=encoders[_vectors_key(each)][0]) for each in asked}
    data = _read(asked, lab)
    measures = dict.fromkeys(asked if measured is None else measured, measure)
    keys = {
        each: cell_key(
            settled[each],
            encoders[_vectors_key(each)][1],
            *(part.fingerprint for part in data[each]),
            _name(measures.get(each)),
        )
        for each in asked
    }
    kept = {each: lab.cells.get(key) for each, key in keys.items()} if lab.cells else {}
    cells = {each: replace(cell, recipe=settled[each]) for each, cell in kept.items() if cell}
    todo = {each: settled[each] for each in asked if each not in cells}
    context.report(len(cells), len(asked), "cells")
    for each, cell in _computed(todo, data, lab, measures, len(asked)):
        cells[each] = cell
        if lab.cells:
            lab.cells.put(keys[each], cell)
    return Grid({each: cells[each] for each in asked}, {each: data[each][0] for each in asked})


def _opened(recipes: Sequence[Recipe], lab: Lab) -> dict[Recipe, tuple[str | None, str]]:
    """Return the revision and the fingerprint of the encoder of each kind of vectors."""
    encoders: dict[Recipe, AnyEncoder] = {}
    for each in recipes:
        if _vectors_key(each) not in encoders:
            found = encoders[_vectors_key(each)] = lab.encoder(each)
            found.chosen(each.layers, each.tokens)
    check_sides(encoders.values())
    return {key: (each.model.revision, each.fingerprint) for key, each in encoders.items()}


def _read(recipes: Sequence[Recipe], lab: Lab) -> dict[Recipe, tuple[Texts, Corpus]]:
    """Load the data of each recipe, each data set and each fit corpus once."""
    # Given vectors without a table are a data set only for the model `vectors`.
    readers = {_view_key(each): each for each in reversed(recipes)}
    readers |= {_view_key(each): each for each in recipes if each.model == OWN}
    texts = {view: lab.data(each) for view, each in readers.items()}
    firsts = (group[0] for group in _grouped(recipes, _corpus_key))
    corpora = {
        _corpus_key(each): lab.corpus(readers[_view_key(each)].with_(fit_on=each.fit_on))
        for each in firsts
    }
    data = {each: (texts[_view_key(each)], corpora[_corpus_key(each)]) for each in recipes}
    for each, (own, _) in data.items():
        if each.source.has_words and not own.has_words:
            raise InputError(
                f"{quoted(each.model)} cannot be compared with the vectors of "
                f"{quoted(each.dataset)}, which has no sentences to embed: add columns of "
                "sentences, or leave the model out"
            )
    return data


def _computed(
    todo: Mapping[Recipe, Recipe],
    data: Mapping[Recipe, tuple[Texts, Corpus]],
    lab: Lab,
    measures: Mapping[Recipe, Measure | None],
    total: int,
) -> Iterator[tuple[Recipe, Cell]]:
    """Yield the cell of each recipe; `todo` has the recipes with their revisions."""
    done = total - len(todo)
    for of_corpus in _grouped(todo, _corpus_key):
        by_vectors = _grouped(of_corpus, _vectors_key)
        adjacent = [each for group in by_vectors for each in group]
        streams = {
            _view_key(group[0]): replace(lab, tables={group[0].dataset: data[group[0]]}).embedded(
                [todo[each] for each in group], skip_corpus=True
            )
            for group in _grouped(adjacent, _view_key)
        }
        for of_vectors in by_vectors:
            views = {
                view: next(streams[view]) for view in dict.fromkeys(map(_view_key, of_vectors))
            }
            moments = {view: SharedMoments(each.x_fit) for view, each in views.items()}
            for of_fit in _grouped(of_vectors, _fit_key):
                with context.repeating(done, total, "cells"):
                    view = _view_key(of_fit[0])
                    with moments[view].used():
                        evaluation = _evaluated(views[view], todo[of_fit[0]], lab)
                        cells = [
                            _cell(
                                evaluation, views[_view_key(each)], todo[each], measures.get(each)
                            )
                            for each in of_fit
                        ]
                yield from zip(of_fit, cells, strict=True)
                done += len(of_fit)
            context.report(done, total, "cells")


def _evaluated(embedded: Embedded, recipe: Recipe, lab: Lab) -> Evaluation | str:
    """Fit a recipe's calibrator; return why there is nothing to score, if so."""
    if is_one_point(embedded.x_fit):
        return "all sentences of the fit corpus have the same vector"
    try:
        return replace(embedded, recipe=recipe).under(recipe.calibrator, device=lab.device)
    except NothingLeftError as error:
        return str(error)


def _cell(
    fitted: Evaluation | str, embedded: Embedded, recipe: Recipe, measure: Measure | None
) -> Cell:
    own = replace(embedded, recipe=recipe)
    if isinstance(fitted, str):
        return Cell.without_score(own, fitted)
    same = fitted.embedded.data is embedded.data
    same &= fitted.recipe.similarity == recipe.similarity
    evaluation = replace(fitted, recipe=recipe) if same else fitted.on(own)
    return Cell.of(evaluation, {} if measure is None else measure(evaluation))


def check_sides(encoders: Iterable[AnyEncoder]) -> None:
    """Refuse given vectors whose rows differ from those of the first given vectors."""
    given = [each.sides for each in encoders if isinstance(each, RowVectors)]
    of_pairs = [sides for sides in given if len(sides) == 2]
    for sides in of_pairs[1:]:
        for one, other in zip(of_pairs[0], sides, strict=True):
            check_same_rows(one, other)


def _name(measure: Measure | None) -> str:
    return "" if measure is None else f"{measure.__module__}.{measure.__qualname__}"


def _vectors_key(recipe: Recipe) -> Recipe:
    """Return the fields that decide the vectors of the texts and of the fit corpus."""
    return recipe.without("calibrator", "seed", *_OF_VIEW)


def _fit_key(recipe: Recipe) -> Recipe:
    return recipe.without(*_OF_VIEW)


def _corpus_key(recipe: Recipe) -> tuple[object, ...]:
    """Return the fields that decide the fit corpus."""
    return tuple(getattr(recipe, name) for name in ("dataset", "fit_on", *OF_TABLE))


def _view_key(recipe: Recipe) -> tuple[object, ...]:
    """Return the fields that decide the scored data."""
    return tuple(getattr(recipe, name) for name in ("dataset", "split", "metric", *OF_TABLE))


def _grouped(
    recipes: Iterable[Recipe], key: Callable[[Recipe], Hashable]
) -> Iterable[list[Recipe]]:
    groups: dict[Hashable, list[Recipe]] = {}
    for each in recipes:
        groups.setdefault(key(each), []).append(each)
    return groups.values()
