"""Which of several rows is best, and does it differ from the reference? One sentence per answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Self

from bertflow_core.evaluation import Comparison, Metric, Score
from bertflow_core.evaluation.comparison import K, compare_to
from bertflow_core.wording import counted, percent


class Outcome(StrEnum):
    """The answer to whether the best row differs from the reference."""

    GAIN = "gain"
    NONE = "none"
    LOSS = "loss"
    TOO_FEW = "too few"


_RELATIONS = {
    Outcome.GAIN: "scores significantly higher than",
    Outcome.NONE: "does not differ significantly from",
    Outcome.LOSS: "scores significantly lower than",
}


@dataclass(frozen=True)
class Verdict(Generic[K]):
    """The best row beside the reference."""

    outcome: Outcome
    best: K
    reference: K
    change: Comparison  # of the best row from the reference, Holm-adjusted over `n_tested`
    n_rows: int  # from which the best was chosen; 1 if it was asked for
    n_tested: int  # 1 if dev chose the best
    too_few: str = ""  # why the units are too few

    @classmethod
    def of_one(cls, row: K, reference: K, change: Comparison, n_tested: int) -> Self:
        """Return the verdict on a row that was asked for, one of `n_tested` changes."""
        return cls(outcome_of(change), row, reference, change, 1, n_tested)

    @property
    def kept(self) -> K:
        """The row to use: the best if it gains significantly, else the reference."""
        return self.best if self.outcome is Outcome.GAIN else self.reference

    def sentence(self, data: str, metric: Metric, name: Callable[[K], str]) -> str:
        """Return the answer: which row, how much, how sure, and among how many."""
        if self.outcome is Outcome.TOO_FEW:
            return self.too_few
        best, chosen = name(self.best), "best on dev" if self.n_tested < self.n_rows else "best"
        if self.n_rows > 1:
            best = f"the {chosen} of {self.n_rows:,} other rows, {best},"
        change = self.change
        relation = _RELATIONS[self.outcome] if change.shown else "has the same score as"
        ends = change.interval_text(times=100)
        details = [change.text(times=100), f"95 % interval {ends}" if ends else ""]
        if self.n_tested > 1:
            details.append(f"Holm-adjusted over {counted(self.n_tested, 'difference')}")
        return (
            f"On {data}, {best} {relation} {name(self.reference)}: {metric.header} "
            f"{percent(change.after)} against {percent(change.before)} "
            f"({', '.join(filter(None, details))})."
        )

    def headline(self, metric: Metric, name: Callable[[K], str]) -> str:
        """Return the answer in two scores and, beside the names, at most seven words."""
        best, reference = name(self.best), name(self.reference)
        after, before = percent(self.change.after), percent(self.change.before)
        if self.outcome is Outcome.TOO_FEW:
            text = f"too few {metric.unit} for an answer"
        elif self.outcome is Outcome.GAIN:
            text = f"{best} beats {reference}: {after} against {before}"
        elif self.outcome is Outcome.LOSS and self.n_rows > 1:
            text = f"keep {reference}: {before} against {after} ({best})"
        elif self.outcome is Outcome.LOSS:
            text = f"{best} scores lower than {reference}: {after} against {before}"
        elif self.n_rows > 1:
            text = f"no significant gain over {reference}: {after} against {before}"
        else:
            text = f"{best} and {reference} do not differ significantly: {after} and {before}"
        return f"{text[0].upper()}{text[1:]}."


def verdict(
    scores: Mapping[K, Score],
    reference: K,
    *,
    dev: Mapping[K, float | None] | None = None,
    too_few: str = "",
) -> Verdict[K] | None:
    """Compare the best row with the reference; None if no row's score differs from the reference's.

    With scores on dev, dev chooses the best row, and its difference is the only one that is tested.
    Otherwise the best row is that of the highest score, and Holm's adjustment is over the
    differences of all rows, since the best of many may be best by chance. Without dev, a row whose
    score is shown as the reference's own does not count.

    Args:
        scores: The scores of rows on the same units.
        reference: One of the rows.
        dev: The scores of the rows on dev.
        too_few: A sentence on why the units are too few for an answer, if they are.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import mean_scores
        >>> from bertflow_core.lab.verdict import verdict
        >>> queries = np.linspace(0, 0.5, 50)
        >>> scores = mean_scores({"raw": queries, "flow": queries + 0.1})
        >>> verdict(scores, "raw").outcome
        <Outcome.GAIN: 'gain'>
    """
    others = {row: each for row, each in scores.items() if row != reference}
    changes = {row: Comparison(scores[reference].value, each.value) for row, each in others.items()}
    shown = {
        row: others[row]
        for row, each in changes.items()
        if (each.shown if dev is None else each.difference is not None)
    }
    known = {row: each.value if dev is None else dev.get(row) for row, each in shown.items()}
    chosen = {row: value for row, value in known.items() if value is not None}
    if not chosen:
        return None
    best = max(chosen, key=lambda row: chosen[row])
    tested = shown if dev is None else {best: shown[best]}
    change = compare_to(reference, {reference: scores[reference], **tested})[best]
    outcome = Outcome.TOO_FEW if too_few else outcome_of(change)
    return Verdict(outcome, best, reference, change, len(chosen), len(tested), too_few)


def outcome_of(change: Comparison) -> Outcome:
    """Return the answer that follows from a tested change."""
    if not change.significant:
        return Outcome.NONE
    return Outcome.GAIN if (change.difference or 0) > 0 else Outcome.LOSS
