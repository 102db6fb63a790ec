"""The scores of every layer under every calibrator, beside the plain output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bertflow_core.datasets import Texts
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.evaluation import Comparison, Metric, Score, compare, metric_of
from bertflow_core.figures import Figure, scores_by_layer
from bertflow_core.lab.grid import Grid
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import doubt_of_score
from bertflow_core.lab.verdict import Outcome, Verdict, outcome_of, verdict
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.studies.advice.rules import Advice
from bertflow_core.studies.evaluate.axes import Rows

TITLE = "Every layer"

OF_OUTCOME = {
    Outcome.GAIN: Advice.GO,
    Outcome.NONE: Advice.CAUTION,
    Outcome.LOSS: Advice.STOP,
    Outcome.TOO_FEW: Advice.NEUTRAL,
}
"""The advice that follows from a tested difference."""

_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("score", "", ".2f", "95 % interval in brackets", times=100, ends=True),
    Column("change", f"to {PLAIN}", "+.2f", f"difference from the score of the {PLAIN}", times=100),
    Column("change_p_holm", "p", "p", "of the difference, Holm-adjusted over all rows"),
)


@dataclass(frozen=True)
class Scores:
    """The scored points of the check; the first is the reference of all."""

    grid: Grid
    points: Sequence[Recipe]
    own: Sequence[Recipe]  # those of the vectors that were asked for, uncalibrated first
    data: Texts

    @property
    def metric(self) -> Metric:
        """The metric of the data."""
        return metric_of(self.data.metric)

    @cached_property
    def _scores(self) -> dict[Recipe, Score]:
        return self.grid.scores({point: [point] for point in self.points})

    def name(self, point: Recipe) -> str:
        """Return the name of a point in a sentence."""
        return Rows(tuple(self.points)).spoken(point)

    def sentence(self, found: Verdict[Recipe]) -> str:
        """Return a verdict in a sentence."""
        return found.sentence(self.data.title, self.metric, self.name)

    @cached_property
    def verdict(self) -> Verdict[Recipe] | None:
        """The best point beside the plain output or, without one, the uncalibrated vectors."""
        return self._best(self.points)

    @cached_property
    def own_verdict(self) -> Verdict[Recipe] | None:
        """The best calibrator of the vectors that were asked for."""
        return self._best(self.own)

    def _best(self, points: Sequence[Recipe]) -> Verdict[Recipe] | None:
        scores = {point: self._scores[point] for point in points}
        doubt = doubt_of_score(scores[points[0]].value, self.data, self.metric)
        return verdict(scores, points[0], doubt=doubt)

    def _changes(self, points: Sequence[Recipe]) -> Mapping[Recipe, Comparison]:
        """Compare points with the first; those with another score are tested, as in a verdict."""
        first, *others = (self._scores[point] for point in points)
        changes = {
            point: Comparison(first.value, score.value)
            for point, score in zip(points[1:], others, strict=True)
            if score.value is not None
        }
        shown = [point for point, change in changes.items() if change.shown]
        return changes | compare({point: (first, self._scores[point]) for point in shown})

    @property
    def _has_plain(self) -> bool:
        return self.points[0] == self.points[0].plain

    @property
    def beside(self) -> list[Row]:
        """A row that says whether anything beats the plain output, if there is one."""
        found = self.verdict
        if found is None or not self._has_plain:
            return []
        change = found.change
        return [
            {
                "question": f"Does anything beat the {PLAIN}?",
                "verdict": str(OF_OUTCOME[found.outcome]),
                "finding": self.sentence(found),
                **{"plain": change.before, "best": change.after},
                **{"best_layers": found.best.layers, "best_calibrator": found.best.calibrator},
                **{"low": change.low, "high": change.high},
            }
        ]

    @property
    def gains(self) -> list[Row]:
        """A row for the change of the own score under each calibrator, the best first."""
        header, word = self.metric.header, self.metric.word
        rows: list[Row] = [
            {
                "question": f"Does {point.spec} raise {word}?",
                "metric": word,
                "verdict": str(OF_OUTCOME[outcome_of(change)]),
                "finding": change.sentence(f"Under {point.spec}, {header}", times=100),
                "calibrator": point.calibrator,
                **{name: getattr(change, name) for name in ("before", "after", "low", "high")},
                "significant": change.significant,
                "n_pairs": self.data.n_units,
            }
            for point, change in self._changes(self.own).items()
            if change.before is not None
        ]
        return sorted(rows, key=lambda row: -row["after"])

    @property
    def tables(self) -> list[Table]:
        """A table of every point with a score, if there is a plain output."""
        first = self._scores[self.points[0]]
        if not self._has_plain or first.value is None:
            return []
        changes = self._changes(self.points)
        rows: list[Row] = []
        for point in (self.points[0], *changes):
            score = self._scores[point]
            low, high = score.interval()
            is_plain = point == self.points[0]
            change = {} if is_plain else changes[point].columns("change")
            row = {"vectors": PLAIN if is_plain else point.layers.replace(PLAIN_LAYERS, "output")}
            row |= {"layers": point.layers, "calibrator": point.calibrator}
            rows.append(
                {**row, "score": score.value, "score_low": low, "score_high": high, **change}
            )
        header = self.metric.header
        columns = [replace(c, label=header) if c.key == "score" else c for c in _COLUMNS]
        return [Table(columns, rows, TITLE)]


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
                [names.index(row["layers"]) for row in found],
                [[row[key] for row in found] for key in ("score", "score_low", "score_high")],
            )
            for spec, found in curves.items()
        },
        [name.removeprefix("layer:").replace(PLAIN_LAYERS, "output") for name in names],
        plain["score"],
        title=table.column("score").header,
    )
