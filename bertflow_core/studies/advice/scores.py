"""The scores of every layer under every calibrator, beside the plain output."""

from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.evaluation import Comparison, Metric
from bertflow_core.figures import Figure, scores_by_layer
from bertflow_core.lab.recipe import PLAIN
from bertflow_core.lab.verdict import Outcome, Verdict
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.studies.advice.rules import Advice
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.table import change_columns, score_column

TITLE = "Every layer"

OF_OUTCOME = {
    Outcome.GAIN: Advice.GO,
    Outcome.NONE: Advice.CAUTION,
    Outcome.LOSS: Advice.STOP,
    Outcome.TOO_FEW: Advice.NEUTRAL,
}
"""The advice that follows from a tested difference."""


def has_plain(board: Board) -> bool:
    """Tell whether the first row is the plain output."""
    first = board.rows.every[0]
    return first == first.plain


def beside_plain(board: Board) -> list[Row]:
    """Return a row that says whether anything beats the plain output, if there is one."""
    (name,) = board.datasets
    verdict = board.verdict(name)
    if verdict is None or not has_plain(board):
        return []
    change = verdict.change
    return [
        {
            "question": f"Does anything beat the {PLAIN}?",
            "verdict": str(OF_OUTCOME[verdict.outcome]),
            "finding": board.sentence(verdict, name),
            **{"plain": change.before, "best": change.after},
            **{"best_layers": verdict.best.layers, "best_calibrator": verdict.best.calibrator},
            **{"low": change.low, "high": change.high},
        }
    ]


def gains(board: Board) -> list[Row]:
    """Return a row for the change of the score under each calibrator, the best first."""
    (name,), (raw, *others) = board.datasets, board.rows.every
    scores, tested = board.scores[name], board.comparisons[name]["change"]
    metric = board.metric(name)
    rows: list[Row] = []
    for point in others:
        untested = Comparison(scores[raw].value, scores[point].value)
        if untested.difference is None:
            continue
        change = tested.get(point, untested)
        verdict = Verdict.of_one(point, raw, change, len(tested))
        rows.append(
            {
                "question": f"Does {point.spec} raise {metric.word}?",
                "metric": metric.word,
                "verdict": str(OF_OUTCOME[verdict.outcome]),
                "finding": board.sentence(verdict, name),
                "calibrator": point.calibrator,
                **{name: getattr(change, name) for name in ("before", "after", "low", "high")},
                "significant": change.significant,
                "n_pairs": board.data(name).n_units,
            }
        )
    return sorted(rows, key=lambda row: -row["after"])


def layers_table(board: Board) -> list[Table]:
    """Return a table of every row with a score, if one of them is the plain output."""
    (name,), first = board.datasets, board.rows.every[0]
    if not has_plain(board) or board.scores[name][first].value is None:
        return []
    rows = [
        {
            "vectors": PLAIN if row == first else row.layers.replace(PLAIN_LAYERS, "output"),
            **{"layers": row.layers, "calibrator": row.calibrator},
            **board.columns_of(row, name),
        }
        for row in board.rows.every
        if board.scores[name][row].value is not None
    ]
    return [Table(layers_columns(board.metric(name)), rows, TITLE)]


def layers_columns(metric: Metric) -> tuple[Column, ...]:
    """Return the columns of the table of every layer."""
    to_plain = change_columns("to_plain", f"to {PLAIN}", f"the {PLAIN}")
    return Column("vectors"), Column("calibrator"), score_column(metric.header), *to_plain


def layers_figure(table: Table) -> Figure:
    """Draw the score of each layer under each calibrator; the output comes last."""
    plain, *others = table.rows
    names = [*dict.fromkeys(row["layers"] for row in others if row["layers"] != PLAIN_LAYERS)]
    names.append(PLAIN_LAYERS)
    curves: dict[str, list[Row]] = {}
    for row in (*others, plain):
        curves.setdefault(row["calibrator"], []).append(row)
    return scores_by_layer(
        {
            spec: (
                [names.index(row["layers"]) for row in rows],
                [[row[key] for row in rows] for key in ("score", "score_low", "score_high")],
            )
            for spec, rows in curves.items()
        },
        [name.removeprefix("layer:").replace(PLAIN_LAYERS, "output") for name in names],
        plain["score"],
        title=table.column("score").header,
    )
