"""Score every row of a grid on every data set."""

from itertools import chain
from typing import Any

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.errors import InputError
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import fits_of, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.studies.evaluate.about import remarks_on
from bertflow_core.studies.evaluate.axes import AXES, EvaluateRecipe, Rows, chosen_baseline
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.pictures import pictures
from bertflow_core.studies.evaluate.table import columns, rows_of, wide_table
from bertflow_core.studies.lexical_baselines import lexical_results
from bertflow_core.studies.published import numbers_beside

_MAX_PUBLISHED = 10


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
    answered, table = answers(board), [*rows_of(board)]
    return Result(
        table,
        remarks_on(board, answered, missing),
        recipes=_settled(board, layers),
        columns=[each for each in columns(board) if any(each.key in row for row in table)],
        tables=_published(board),
        facts={"answers": answered},
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
        more = f"The highest {_MAX_PUBLISHED} of {len(rows)}." if rows[_MAX_PUBLISHED:] else ""
        columns = (Column("source"), Column("method"), Column("value", "x 100", ".2f"))
        remarks = remarks_of(Kind.METHOD, more)
        tables += [Table(columns, rows[:_MAX_PUBLISHED], title, remarks)] if rows else []
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
    sentences = []
    for column in board.summary:
        verdicts = [*filter(None, (*board.between_models(column), board.verdict(column)))]
        sentences += [board.sentence(each, column) for each in verdicts] or [board.too_few(column)]
        if (best := board.without_fit(column)) and not best.too_few:
            sentence = board.sentence(best, column)
            sentences.append(f"Without a calibrator, {sentence[0].lower()}{sentence[1:]}")
    return [*filter(None, sentences)]
