"""Score every row of a grid on every data set."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_COSINE, RHO, V_MEASURE
from bertflow_core.evaluation.significance import summarize_seeds
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.evaluation import Evaluation, Scored
from bertflow_core.lab.grid import fits_of, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.studies.evaluate.about import remarks_on
from bertflow_core.studies.evaluate.axes import AXES, EvaluateRecipe, Rows, chosen_baseline
from bertflow_core.studies.evaluate.board import AVERAGE, Board
from bertflow_core.studies.evaluate.pictures import pictures
from bertflow_core.studies.evaluate.wide import wide_table
from bertflow_core.studies.lexical_baselines import lexical_results
from bertflow_core.studies.published import numbers_beside

NO_LAYERS = "none"
"""What a report shows as vectors and layers of a lexical baseline, which has neither."""

_MOST_PUBLISHED = 10
_SPREAD = Column(
    "v_measure_spread", "spread", ".2f", "standard deviation over the starts of k-means", 100
)


def _columns(board: Board) -> tuple[Column, ...]:
    several = len(board.datasets) > 1
    title = "score x 100" if several else board.metrics[0].header
    first = board.rows.models[0]
    differences = {
        "change": "difference from the uncalibrated vectors",
        "to_plain": f"difference from the {PLAIN}",
        "to_cosine": "difference from the same vectors by cosine",
        "to_first": f"difference from the {PLAIN} of {first}",
        "to_baseline": f"difference from {board.params.baseline}",
    }
    labels = {"change": "change", "to_plain": f"to {PLAIN}", "to_first": f"to {first}"}
    labels["to_cosine"] = "to cosine"
    tested = (
        (
            Column(kind, labels.get(kind, "to baseline"), "+z.2f", words, times=100),
            Column(f"{kind}_p_holm", f"p ({kind.removeprefix('to_')})", "p", "Holm-adjusted"),
        )
        for kind, words in differences.items()
    )
    return (
        *map(Column, ("model", "vectors", "template", "tokens")),
        Column("compared_by", "similarity"),
        Column("calibrator"),
        *([Column("dataset", "data set")] if several else []),
        Column("score", title, ".2f", "95 % interval in brackets", times=100, ends=True),
        Column("letters", help="rows that share a letter do not differ significantly"),
        *chain.from_iterable(tested),
        Column("r", "Pearson", ".2f", times=100),
        Column("seeds_sd", "sd", ".2f", "standard deviation over the seeds", times=100),
        *([_SPREAD] if V_MEASURE in board.metrics else []),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("rank_lost", help="dimensions of the data that the calibrator discards"),
        Column("round_trip", "", ".0e", "relative error of the calibrator's inverse (0: exact)"),
        Column("fit_seconds", "fit s", ".2f"),
    )


@study(
    "evaluate",
    EvaluateRecipe,
    (),
    title="How well does cosine agree with people?",
    figures=pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    plain=True,
    without=AXES,
    command="bertflow-lab evaluate",
    folder=True,
)
def evaluate(params: EvaluateRecipe, lab: Lab, calibrators: Specs, layers: Specs) -> Result:
    """Score the plain output and calibrators, each fitted on sentences alone."""
    rows, missing = _available(params, lab, calibrators, layers)
    baseline = chosen_baseline(rows, params.baseline)
    points = [fits_of(row.on(name), params.seeds) for name in params.datasets for row in rows]
    asked = rows[-1]
    lexical = {
        name: lexical_results(asked.on(name), lab)
        for name in (params.datasets if params.lexical else ())
    }
    grid = scored(chain.from_iterable(points), lab, measure=losses)
    board = Board(params, Rows(rows, baseline), grid, lexical)
    found, table = answers(board), [*_rows(board)]
    return Result(
        table,
        remarks_on(board, found, missing),
        recipes=_settled(board, layers),
        columns=[each for each in _columns(board) if any(each.key in row for row in table)],
        tables=_published(board),
        facts={"answers": found},
        objects={"board": board},
        text_table=wide_table(board) if len(board.datasets) > 1 else None,
    )


def _available(
    params: EvaluateRecipe, lab: Lab, calibrators: Specs, layers: Specs
) -> tuple[tuple[Recipe, ...], list[str]]:
    """Return the rows, and why a plain output is left out that nobody asked for."""
    rows, missing = params.rows(layers, calibrators), list[str]()
    asked = params.rows(layers, calibrators, with_plain=False)
    for row in set(rows).difference(asked):
        try:
            lab.encoder(row)
        except InputError as error:
            rows = tuple(each for each in rows if each != row)
            missing.append(f"There is no {PLAIN} of {row.model}: {error}.")
    return rows, missing


def _published(board: Board) -> list[Table]:
    """Return the highest published numbers of each data set under the same protocol."""
    tables, last = [], board.rows.every[-1]
    for name in board.datasets:
        fitted_on = board.cells(last, name)[0].about["fitted"]
        every = numbers_beside(name, board.params, fitted_on)
        rows = [row for row in every if not row["why not comparable"]]
        title = f"Published numbers on {name} under the same protocol"
        more = f"The highest {_MOST_PUBLISHED} of {len(rows)}." if rows[_MOST_PUBLISHED:] else ""
        columns = (Column("source"), Column("method"), Column("value", "x 100", ".2f"))
        remarks = remarks_of(Kind.METHOD, more)
        tables += [Table(columns, rows[:_MOST_PUBLISHED], title, remarks)] if rows else []
    return tables


def _settled(board: Board, layers: Specs) -> list[EvaluateRecipe]:
    """Return the parameters with the commit of the model, one for each layer set."""
    params = board.params
    if len(board.rows.models) > 1:
        return [params]
    last = board.rows.every[-1]
    revision = board.cells(last, board.datasets[0])[0].recipe.revision
    return [params.with_(revision=revision, layers=name) for name in layers]


def losses(evaluation: Evaluation) -> dict[str, Any]:
    """Measure what a calibrator discards, and the relative error of its inverse, if it has one."""
    from bertflow_core.calibrators.base import rank_lost, round_trip_error  # late: slow

    x = evaluation.embedded.x_fit
    lost, error = (of(evaluation.calibrator, x) for of in (rank_lost, round_trip_error))
    return {"rank_lost": lost, "round_trip": error}


def answers(board: Board) -> list[str]:
    """Say which row is best and which model: on average, or on each data set without an average."""
    found = []
    for column in board.summary:
        names = board.columns[column]
        where = board.data(names[0]).title if len(names) == 1 else f"the {column} of "
        where += " and ".join(names) if len(names) > 1 else ""
        every = (*board.between_models(column), board.verdict(column))
        told = [*filter(None, every)]
        metric, spoken = board.metric(names[0]), board.rows.spoken
        found += [each.sentence(where, metric, spoken) for each in told] or [board.doubt(column)]
        if (best := board.without_fit(column)) and not best.doubt:
            sentence = best.sentence(where, metric, spoken)
            found.append(f"Without a calibrator, {sentence[0].lower()}{sentence[1:]}")
    return [*filter(None, found)]


def _rows(board: Board) -> Iterator[dict[str, Any]]:
    for column in board.columns:
        named = {} if column == AVERAGE else board.letters(column)
        for row in board.rows.every:
            name = board.rows.name(row)
            told: dict[str, Any] = {**board.params.columns_of(row), "layers": row.layers}
            told |= {"calibrator": row.calibrator, "dataset": column}
            if column != AVERAGE:
                told |= _of_fits(board, board.cells(row, column))
            told |= _of_score(board, column, row)
            yield told | ({"letters": named[name]} if name in named else {})
        for each in board.lexical.get(column, ()):
            nowhere = dict.fromkeys(("vectors", "layers"), NO_LAYERS)
            told = nowhere | {"calibrator": each.spec, **each.to_dict()}
            told |= {"random_cosine": None, "fit_seconds": None}
            yield told | _of_pairs(board, each) | _of_score(board, column, each.spec)


def _of_fits(board: Board, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what is known of a row's fits: of the first one, and the scores by seed."""
    first = cells[0]
    told = {**first.to_dict(), **first.measures, "notes": " ".join(f"{n}." for n in first.notes)}
    told |= {"fit_seconds": first.document.get("seconds", {}).get("fit")}
    told |= {"r": first.measure("pearson")} if first.metric is RHO else {}
    known = [cell.score for cell in cells if cell.score is not None]
    if len(cells) > 1:
        told["by_seed"] = {str(cell.recipe.seed): cell.score for cell in cells}
        told["seeds_sd"] = summarize_seeds(known).sd if len(known) > 1 else None
    return told | _of_pairs(board, first)


def _of_pairs(board: Board, fit: Scored) -> dict[str, Any]:
    if not board.params.pairs:
        return {}
    is_known = not np.isnan(fit.unit_values).any()
    return {"similarity": np.round(fit.unit_values, 6).tolist() if is_known else None}


def _of_score(board: Board, column: str, row: Recipe | str) -> dict[str, Any]:
    """Return a row's score, its interval and its differences as columns."""
    told: dict[str, Any] = {**board.scores[column][row].columns}
    for kind, found in board.comparisons[column].items():
        told |= found[row].columns(kind) if row in found else {}
    return told
