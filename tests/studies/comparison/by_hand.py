"""Grids filled from similarities that a test makes."""

import numpy as np

from bertflow_core.cells import Cell
from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.evaluation import score_pairs
from bertflow_core.evaluation.sts import Correlations, StsScores
from bertflow_core.studies.grid import CompareRecipe, Comparison, Grid, row_name

SOURCE = Provenance("A table.", "not stated", "table", (), (("main", 3),))


def grid_of(calibrators, *, layers=("last",), datasets=("a.csv",), **choices):
    return Grid(CompareRecipe(datasets=datasets, **choices), calibrators, layers)


def row_of(grid, name):
    """Return the row of a name, whose model is minilm."""
    return {row_name(row).removeprefix("minilm "): row for row in grid.rows}[
        name.removeprefix("minilm ")
    ]


def filled(grid, gold, similarity):
    """Return a grid whose cells hold `similarity(recipe)`, or a rho of hand-made scores."""
    cells = {}
    for row, dataset, recipe in grid.cells():
        values = similarity(recipe)
        is_rho = values is None or isinstance(values, float)
        both = Correlations(values, values, values, {"main": values}) if is_rho else None
        n = len(gold[dataset])
        told = gold[dataset], [""] * n
        scores = StsScores(n, both, both) if is_rho else score_pairs(values, *told)
        is_null = recipe.calibrator.startswith("null")
        cell = Cell(
            recipe=recipe,
            scores=scores,
            similarity=np.zeros(n) if is_rho else values,
            random_cosine=0.125,
            rank_lost=int(is_null),
            round_trip=None if is_null else 2e-7,
            fitted_on="6 sentences.",
            n_cut=0,
            n_sentences=6,
            notes=("=note",),
            seconds={"fit": 0.5},
        )
        cells.setdefault((row, dataset), []).append(cell)
    pairs = {name: pairs_of(gold[name]) for name in grid.datasets}
    return Comparison(grid, pairs, {place: tuple(fits) for place, fits in cells.items()})


def pairs_of(known, **changes):
    words, n = tuple(map(str, range(len(known)))), len(known)
    values = {"second": words, "gold": known, "scale": (0, 5), **changes}
    shared = {"split": "test", "subsets": ("main",) * n, "provenance": SOURCE}
    return SentencePairs("p", first=words, **shared, **values)
