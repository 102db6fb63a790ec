"""Which of several models agrees best with people? Sentences, a table and a picture."""

from collections.abc import Sequence

from bertflow_core.encoders.given import short_names
from bertflow_core.evaluation.comparison import Comparison, draws_for
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Table
from bertflow_core.studies.grid import AVERAGE, GridResult
from bertflow_core.wording import counted

_MOST_TOLD = 3
"""Largest number of data sets whose results the summary gives one by one."""
_COLUMNS = (
    Column("model"),
    Column("against"),
    Column("dataset", "data set"),
    Column("score", "score x 100", ".2f", "score of this model", times=100),
    Column("other_score", "other x 100", ".2f", "score of the first model", times=100),
    Column(
        "change",
        "difference",
        "+z.2f",
        "this model's score minus the first's",
        times=100,
        ends=True,
    ),
    Column("change_p_holm", "p", "p", "of the difference, Holm-adjusted over the table"),
)


def models_table(comparison: GridResult) -> Table:
    """Return a row for each further model and data set: its score minus the first model's."""
    (first, *_), names = comparison.grid.models, short_names(comparison.grid.models)
    rows = [
        {
            "model": row.model,
            "against": first,
            "dataset": column,
            "score": tested.after,
            "other_score": tested.before,
            **tested.columns("change"),
        }
        for (row, column), tested in comparison.between_models.items()
    ]
    title = f"Differences from {names[first]}"
    return Table(_COLUMNS, rows, title, _about(comparison))


def models_finding(comparison: GridResult) -> str:
    """Say on which data set which model is better, by how much, and how sure that is.

    If there are more than three data sets, count those with a significant difference, and give only
    the difference between the averages.
    """
    first, names = comparison.grid.models[0], short_names(comparison.grid.models)
    is_long, said = len(comparison.grid.datasets) > _MOST_TOLD, list[str]()
    by_model: dict[Recipe, dict[str, Comparison]] = {}
    for (row, column), tested in comparison.between_models.items():
        by_model.setdefault(row, {})[column] = tested
    for row, found in by_model.items():
        if is_long:
            parts = [each for column, each in found.items() if column != AVERAGE]
            said.append(_counts(parts, names[row.model], names[first]))
        said += [
            _sentence(tested, names[row.model], names[first], _where(column))
            for column, tested in found.items()
            if column == AVERAGE or not is_long
        ]
    return " ".join(said)


def models_figure(comparison: GridResult) -> Figure:
    """Draw each further model's score minus the first's, a line for each data set."""
    names = short_names(comparison.grid.models)
    first, *others = (names[model] for model in comparison.grid.models)
    known = {place: each for place, each in comparison.between_models.items() if each.p is not None}
    labels = [(names[row.model], comparison.heading(column)) for row, column in known]
    tested = [*known.values()]
    # A comparison with a p has a difference and both ends of its interval.
    numbers = zip(*((e.shown or 0, e.low or 0, e.high or 0) for e in tested), strict=True)
    minuend = others[0] if len(others) == 1 else "model"
    return interval_forest(
        [heading if len(others) == 1 else f"{name}, {heading}" for name, heading in labels],
        *numbers,
        title=f"{comparison.scores_title}<br>{minuend} minus {first}",
        reference=0.0,
        apart=[each.significant for each in tested],
    )


def _counts(parts: Sequence[Comparison], model: str, first: str) -> str:
    proven = [each.shown or 0.0 for each in parts if each.significant]
    better, worse = sum(each > 0 for each in proven), sum(each < 0 for each in proven)
    return (
        f"Of {len(parts)} data sets, {model} is significantly better than {first} on {better} and "
        f"significantly worse on {worse}."
    )


def _where(column: str) -> str:
    return "on average" if column == AVERAGE else f"on {column}"


def _sentence(change: Comparison, model: str, first: str, where: str) -> str:
    if not change.shown:
        how, is_close = "scores as high as", True
    else:
        better = "better" if change.shown > 0 else "worse"
        how = f"is {'' if change.significant else 'not significantly '}{better} than"
        is_close = abs(change.shown) < 0.001
    digits = 2 if is_close else 1
    after, before = (f"{100 * (each or 0):.{digits}f}" for each in (change.after, change.before))
    ends = change.interval_text(times=100, digits=digits)
    within = f", 95 % interval {ends}" if ends else ""
    text = change.text(times=100, digits=digits)
    return f"{model} {how} {first} {where}: {after} against {before} ({text}{within})."


def _about(comparison: GridResult) -> list[Remark]:
    """Describe the compared outputs and their test."""
    n = len(comparison.between_models)
    return remarks_of(
        Kind.METHOD,
        f"The models' {PLAIN}s are compared by a paired bootstrap ({draws_for(n):,} resamples, "
        f"Holm-adjusted over {counted(n, 'difference')}).",
        *(
            f"{comparison.grid.short_name(row)} stands in for a missing {PLAIN}."
            for row in comparison.grid.own_outputs
            if row != row.plain
        ),
    )
