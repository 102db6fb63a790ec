"""Does calibration help retrieval? Rank documents for queries, by layer and calibrator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.isotropy import hubness
from bertflow_core.analysis.sides import gap_of_sides
from bertflow_core.arrays.linalg import centred, unit_rows
from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets.collection import BUILT_IN, Collection
from bertflow_core.datasets.corpus import TARGET
from bertflow_core.encoders.given import WORDS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, compare, mean_scores
from bertflow_core.evaluation.retrieval import (
    DEEP,
    MEASURES,
    TOP,
    measured,
    own_rows,
    ranking,
)
from bertflow_core.evaluation.similarities import AS_THEY_ARE, SIMILARITIES
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, Rows, by_similarity
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.study import answers
from bertflow_core.wording import quoted

_NAMED = 5
"""Largest number of queries that are listed as won, and as lost."""


@dataclass(frozen=True, kw_only=True)
class RetrievalRecipe(Recipe):
    """The choices that decide how well documents are found."""

    dataset: str = param(
        BUILT_IN,
        "The built-in questions, or a folder or .zip in BEIR's layout (corpus, queries, "
        "qrels/SPLIT).",
        title="Data",
    )


def _figure(report: Report) -> Figure:
    names = [*report.by("vectors")]
    specs = [*report.by("calibrator")]
    known = {(row["calibrator"], row["vectors"]): row["ndcg"] for row in report.rows}
    scores = {spec: [known.get((spec, name)) for name in names] for spec in specs}
    figure = score_by_dataset(scores, names, specs, title="nDCG@10 x 100")
    return figure.update_xaxes(title="vectors")


_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("ndcg", "nDCG@10", ".2f", times=100, ends=True),
    *(Column(key, label, ".1f", times=100) for key, label in [*MEASURES.items()][1:]),
    Column("change", "", "+.2f", "difference of nDCG@10 from the uncalibrated vectors", 100, True),
    Column("to_plain", f"to {PLAIN}", "+.2f", f"difference of nDCG@10 from the {PLAIN}", 100, True),
    Column("won", help=f"queries whose nDCG@10 is above (won) or below (lost) the {PLAIN}'s"),
    Column("lost"),
    Column(
        "hubness", "hubs", ".1f", "skewness of how often a document is in a top 10 (0: no hubs)"
    ),
    Column("hub", help="the document that is in the largest number of top 10s, and this number"),
)


_OF_SIDES = (
    Column("vectors"),
    Column(
        "squared",
        "gap",
        ".4f",
        "squared distance between the mean query and the mean document, of vectors of length 1 "
        "unless vectors are compared as they are",
    ),
    Column(
        "share",
        "share %",
        ".1f",
        "the gap's share of the mean squared distance between a query and a document",
        100,
    ),
    Column(
        "ndcg",
        "nDCG@10 under centre-sides",
        ".2f",
        "after subtracting the mean of all queries from each query, and the mean of all documents "
        "from each document",
        times=100,
    ),
    Column("change", "", "+.2f", "difference from the uncalibrated vectors", 100, True),
)


@study(
    "retrieval",
    RetrievalRecipe,
    _COLUMNS,
    title="Does it help retrieval?",
    figures=lambda report: {"retrieval": lambda: _figure(report)},
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    every_layer=True,
    plain=True,
    needs=WORDS,
    without=("metric", "aggregation", "sentence1", "sentence2", "score", "subset", "scale"),
)
def retrieval(
    recipe: RetrievalRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]
) -> Result:
    """Rank documents by similarity to each query; calibrators are fitted on documents alone."""
    collection = lab.data(recipe)
    if not isinstance(collection, Collection):
        raise InputError(
            f"{quoted(recipe.dataset)} is not a collection to search: choose questions, or a "
            "folder or .zip in BEIR's layout"
        )
    asked = recipe.each(layers=layers, calibrators=[BASELINE])
    recipes, why_no_plain = lab.with_plain(asked)
    points = [
        each.base().with_(calibrator=spec)
        for each in recipes
        for spec in (calibrators if each in asked else (BASELINE,))
    ]
    grid = scored(points, lab, measure=search)
    cells = [grid.cells[point] for point in points]
    board = Board(EvaluateRecipe.of(recipe.base()), Rows(tuple(points)), grid, {})
    (dataset,), gaps = board.datasets, _gaps(cells)
    best = board.verdict(dataset)
    of_sides = Table(_OF_SIDES, gaps, "The gap between queries and documents")
    tables = [of_sides, *([_named(board, best.best, collection)] if best else [])]
    return Result(
        [_row(board, point) for point in points],
        [
            *remarks_of(Kind.MISSING, why_no_plain),
            *remarks_of(Kind.METHOD, *(cell.about.get("sides") for cell in cells)),
            *fit_remarks(((cell.recipe.calibrator, cell.notes) for cell in cells), recipe),
            *_about(recipe, collection, gaps),
            *remarks_of(Kind.ANSWER, *answers(board)),
        ],
        recipes=[each.with_(revision=cells[0].recipe.revision) for each in recipes],
        tables=[each for each in tables if each.rows],
        facts={
            "n_queries": len(collection.queries),
            "n_documents": len(collection.documents),
            "n_unjudged": collection.n_unjudged,
        },
    )


def search(evaluation: Evaluation) -> dict[str, Any]:
    """Measure a fit: the measures, hubs, and the gap of the sides.

    Nothing has a score if cosines differ only by rounding error. The gap is that of uncalibrated
    vectors.
    """
    collection, similarity = evaluation.embedded.data, evaluation.recipe.similarity
    assert isinstance(collection, Collection)
    ids, grades = [*collection.documents], collection.grades
    own = own_rows(grades, ids)
    z = evaluation.calibrator.transform(evaluation.embedded.x_texts)
    ranked = ranking(*collection.compared(z), similarity, own=own)
    counts = np.bincount(ranked[:, :TOP].ravel(), minlength=len(ids))
    measures: dict[str, Any] = {
        "hubness": hubness(ranked[:, :TOP], len(ids)),
        "hub": f"{ids[int(counts.argmax())]} ({counts.max()})",
    }
    if evaluation.ranks_nothing:
        return measures
    values = measured(ranked, ids, grades)
    measures |= {key: float(each.mean()) for key, each in values.items()}
    if evaluation.recipe.spec == BASELINE and len(grades) > 1:
        exact = z.astype(np.float64) if similarity in AS_THEY_ARE else unit_rows(z)
        q, d = collection.compared(exact)
        apart = measured(ranking(centred(q), centred(d), similarity, own=own), ids, grades)
        measures["gap"] = {**gap_of_sides(q, d)._asdict(), "by_query": apart["ndcg"].tolist()}
    return measures


def _vectors(recipe: Recipe) -> str:
    """Return the name of vectors, with their similarity: the plain output is always by cosine."""
    return f"{recipe.vectors}{by_similarity(recipe)}"


def _row(board: Board, point: Recipe) -> Row:
    """Return the measures of a row, and its differences over the same queries."""
    (dataset,), first, cell = board.datasets, board.rows.every[0], board.grid.cells[point]
    row: dict[str, Any] = {
        "vectors": _vectors(point),
        "layers": point.layers,
        "calibrator": point.calibrator,
        **{key: cell.measures.get(key) for key in (*MEASURES, "hubness", "hub")},
    }
    row["ndcg_low"], row["ndcg_high"] = board.scores[dataset][point].interval()
    if first == first.plain != point and row["ndcg"] is not None:
        gains = cell.unit_values - board.grid.cells[first].unit_values
        row["won"], row["lost"] = (int((side * gains > 0).sum()) for side in (1, -1))
    for key, tested in board.comparisons[dataset].items():
        row |= tested[point].exact_columns(key) if point in tested else {}
    return row


def _gaps(cells: Sequence[Cell]) -> list[Row]:
    """Return the gap between the sides under each layer set, and what centring them changes."""
    gaps: list[Row] = []
    for cell in cells:
        if (gap := cell.measures.get("gap")) is None:
            continue
        both = {"": cell.unit_values, "gap": np.array(gap["by_query"])}
        scores = mean_scores(both, seed=cell.recipe.seed)
        change = compare({"": (scores[""], scores["gap"])})[""]
        gaps.append(
            {
                "vectors": _vectors(cell.recipe),
                **{key: gap[key] for key in ("squared", "share")},
                "ndcg": change.after,
                **change.exact_columns("change"),
            }
        )
    return gaps


def _about(recipe: RetrievalRecipe, collection: Collection, gaps: Sequence[Row]) -> list[Remark]:
    """Say what was ranked and how."""
    n_unjudged, n_own = collection.n_unjudged, len({*collection.queries} & {*collection.documents})
    left = f" ({n_unjudged:,} without a relevant document are left out)" if n_unjudged else ""
    own = (
        f"{n_own:,} queries have the id of a document, which is left out of their ranking, as in "
        "BEIR and MTEB."
    )
    return remarks_of(
        Kind.METHOD,
        f"For {len(collection.queries):,} queries{left}, {len(collection.documents):,} documents "
        f"are ranked by {SIMILARITIES[recipe.similarity]}. Ties are broken by id.",
        own if n_own else "",
        *map(_of_gap, gaps[:1]),
        f"The 95 % intervals use {N_DRAWS:,} resamples of the queries. MAP is computed on the top "
        f"{DEEP}.",
        "Calibrators are fitted on the documents alone." if recipe.fit_on == TARGET else "",
    )


def _of_gap(gap: Row) -> str:
    """Say how far apart the sides are, and what centring them does."""
    low, high = (100 * gap[f"change_{end}"] for end in ("low", "high"))
    return (
        f"In {gap['vectors'].replace(PLAIN, f'the {PLAIN}')}, the gap between queries and "
        f"documents is {100 * gap['share']:.1f} % of their mean squared distance. Subtracting the "
        f"mean of each side (centre-sides) changes nDCG@10 by {100 * gap['change']:+.2f} (95 % "
        f"interval {low:+.2f} to {high:+.2f})."
    )


def _named(board: Board, best: Recipe, collection: Collection) -> Table:
    """Return the queries that gain most and lose most from the first row to the best row."""
    first = board.rows.every[0]
    before, after = (board.grid.cells[row].unit_values for row in (first, best))
    difference = after - before
    order, ids = np.argsort(-difference, kind="stable"), [*collection.queries]
    chosen = dict.fromkeys([*order[:_NAMED], *order[-_NAMED:]])
    titles = [f"{_vectors(each)} {each.calibrator}" for each in (first, best)]
    columns = (
        Column("query"),
        Column("text", format=".60"),
        Column("before", "", ".2f"),
        Column("after", "", ".2f"),
    )
    return Table(
        columns,
        [
            {"query": ids[i], "text": collection.queries[ids[i]]}
            | {"before": float(before[i]), "after": float(after[i])}
            for i in chosen
            if abs(difference[i]) > 0  # not NaN
        ],
        f"Queries won and lost, nDCG@10: {titles[0]} to {titles[1]}",
    )
