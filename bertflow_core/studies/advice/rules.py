"""The four rules of the check, as data; each makes a row from numbers and their thresholds.

A row has the question, the `verdict`, the `finding` in sentences and every number under its own
key. `units` gives the units of these numbers, and `sources` the origin of each threshold.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any

from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.report.report import Row
from bertflow_core.runtime.shipped import resource


class Advice(StrEnum):
    """The possible verdicts of a row, from the most to the least favourable."""

    GO = "go"
    NEUTRAL = "neutral"  # neither for nor against calibrating
    CAUTION = "caution"
    STOP = "stop"


def worst_of(*verdicts: str) -> Advice:
    """Return the least favourable verdict."""
    return max(map(Advice, verdicts), key=list(Advice).index)


class Question(StrEnum):
    """The questions that the rules answer."""

    CONE = "Is there a cone to correct?"
    SIZE = "Are there enough sentences to fit on?"
    SHIFT = "Does the fit corpus differ from the sentences that are calibrated?"
    LINEAR = "Is the next step a linear classifier?"


UNITS = {
    **{"random_cosine": "mean cosine", "top_share": "share of variance"},
    **{"effective_rank": "directions", "n_features": "features"},
    **{"n_sentences": "distinct sentences", "n_per_d": "sentences per feature"},
    "held_out_variance": "variance; 1 is ideal",
    **{"n_fit": "distinct sentences", "n_used": "distinct sentences"},
    **{"shared": "share of the scored sentences", "auc": "area under the curve; 0.5 is chance"},
    **{"rank_lost": "directions", "variance_lost": "share of variance"},
}
"""Unit of each number by key; keys of table rows may have a calibrator's name in front."""


@dataclass(frozen=True)
class Threshold:
    """A number that decides a verdict, derived from measurements that ship with the package."""

    value: float
    low: float | None  # end of its 95 % interval; None if there are too few measurements
    high: float | None
    unit: str
    meaning: str  # what the measurements show at this value
    n: int  # number of measurements

    @property
    def source(self) -> str:
        """Sentences that say where the threshold comes from."""
        interval = ""
        if self.low is None or self.high is None:
            interval = " (too few kinds of data for an interval)"
        elif self.low < self.high:  # both ends are equal if all resamples agree
            interval = f" (95 % interval {self.low:.3g} to {self.high:.3g})"
        made = f"{_file()['recipe']['model']} alone, {_file()['date']}"
        return (
            f"Threshold: {self.unit} {self.value:.3g}{interval}. {self.meaning[0].upper()}"
            f"{self.meaning[1:]}, in {self.n} measurements on {made}."
        )


def threshold(name: str) -> Threshold:
    """Return a threshold by its question, measure and verdict, such as `shift.auc.stop`."""
    entry = _file()["thresholds"][name]
    return Threshold(**{each.name: entry[each.name] for each in fields(Threshold)})


def fact(name: str) -> dict[str, float]:
    """Return the median, smallest and largest measured change that a finding quotes, in points."""
    change: dict[str, float] = _file()["facts"][name]
    return change


@cache
def _file() -> dict[str, Any]:
    file: dict[str, Any] = json.loads(resource("thresholds.json").read_text(encoding="utf-8"))
    return file


@dataclass(frozen=True)
class Rule:
    """What a number means: its thresholds, and the sentences of a finding.

    In sentences, braces hold numbers, other words, `stop`, `go` and `enough` (the thresholds), and
    `points`, measured changes of scores.
    """

    number: str  # the name of the number that decides
    stop: str  # the name of the threshold beyond which calibrating does harm
    finding: str
    go: str = ""  # the threshold up to which calibrating helps; without one the verdict is caution
    is_high_good: bool = False  # whether a larger number is in favour of calibrating
    enough: tuple[str, str] | None = None  # a second number, and the threshold that it must reach
    remedy: str = ""  # follows unless the verdict is go
    unmeasured: Mapping[str, tuple[Advice, str]] = field(default_factory=dict)  # by the reason


RULES: Mapping[Question, Rule] = {
    Question.CONE: Rule(
        "random_cosine",
        stop="cone.random_cosine.stop",
        go="cone.random_cosine.go",
        is_high_good=True,
        finding=f"{RANDOM_PAIRS:,} random pairs of the scored sentences have a mean cosine of "
        "{random_cosine:.2f}. In our measurements, most calibrations lowered rho if this cosine "
        "was below {stop:.2f}; nine of ten raised rho if it was at least {go:.2f}. The leading "
        "principal direction holds {top_share:.0%} of the variance; the effective rank is "
        "{effective_rank:.0f} of {n_features}. {training}",
    ),
    Question.SIZE: Rule(
        "held_out_variance",
        stop="size.held_out.stop",
        go="size.held_out.go",
        enough=("n_per_d", "size.n_per_d.go"),
        finding="There are {n_sentences:,} distinct sentences for {n_features:,} features "
        "({n_per_d:.2g} sentences per feature). Held-out sentences have a variance of "
        "{held_out_variance:.3g} per direction under whitening (ideal: 1). In our measurements, "
        "whitening cost at most 1 point of rho x 100 if this variance was at most {go:.3g} and "
        "there were at least {enough:.3g} sentences per feature. Above a variance of {stop:.3g}, "
        "whitening lowered rho more often than it raised it.",
        remedy=" Add sentences, or use a calibrator that needs fewer. The median gain in rho x "
        "100 on other data, over all corpus sizes measured, was {points[size.null_top_k_gain]} "
        "with null-top-k:k=6 and {points[size.ledoit_wolf_gain]} with ledoit-wolf.",
        unmeasured={
            "few": (
                Advice.STOP,
                "There are {n_sentences:,} distinct sentences for {n_features:,} features, too few "
                "to hold some out for the check.",
            )
        },
    ),
    Question.SHIFT: Rule(
        "auc",
        stop="shift.auc.stop",
        go="shift.auc.go",
        finding="A linear classifier tells the sentences of the fit corpus from the scored ones "
        "with an AUC of {auc:.2f} (0.5 is chance; {n_shared:,} of the {n_used:,} distinct scored "
        "sentences are in the fit corpus and were left out). In our measurements with other "
        "corpora, nine of ten calibrations raised rho if the AUC was at most {go:.2f}; above "
        "{stop:.2f}, most lowered it.",
        remedy=" The median gain in rho x 100 from fitting on sentences like the scored ones was "
        "{points[shift.cost]}.",
        unmeasured={
            "same": (Advice.NEUTRAL, "The fit corpus holds all {n_used:,} scored sentences."),
            "few": (
                Advice.CAUTION,
                "{n_shared:,} of the {n_used:,} distinct scored sentences are in the fit corpus; "
                "the others are too few for a comparison.",
            ),
            "few to fit on": (
                Advice.CAUTION,
                "Too few sentences of the fit corpus are not scored, too, for a comparison.",
            ),
        },
    ),
    Question.LINEAR: Rule(
        "smallest_loss",
        stop="linear.variance_lost.stop",
        finding="Yes. An invertible linear map does not change what a linear classifier can "
        "represent, only how its penalty weights the directions. In our measurements, lossless "
        "maps changed accuracy by "
        "{points[linear.lossless_gain_genre]} on single sentences and by "
        "{points[linear.lossless_gain_snli]} on pairs. Where more than {stop:.1%} of the variance "
        "was lost, accuracy fell by more than 1 point. Here {losses}.",
        unmeasured={
            "cosine": (
                Advice.NEUTRAL,
                "No: the vectors are compared by cosine. A linear classifier can undo an "
                "invertible linear map; cosine cannot.",
            )
        },
    ),
}
"""The rule for each question."""


def judge(
    question: Question, numbers: Mapping[str, float], *, unmeasured: str = "", **words: object
) -> Row:
    """Answer a question from its numbers, or from the reason why the deciding one is missing.

    `words` are further parts of the sentences; they may hold the number that decides.
    """
    rule = RULES[question]
    stop, go = threshold(rule.stop), threshold(rule.go) if rule.go else None
    named = {"stop": stop, "go": go}
    if rule.enough is not None:
        named["enough"] = threshold(rule.enough[1])
    used = {name: each for name, each in named.items() if each is not None}
    values: dict[str, Any] = {
        **words,
        **numbers,
        **{name: each.value for name, each in used.items()},
    }
    if unmeasured:
        verdict, text = rule.unmeasured[unmeasured]
    else:
        sign = -1 if rule.is_high_good else 1
        x = sign * values[rule.number]
        verdict = Advice.STOP if x > sign * stop.value else Advice.CAUTION
        if go is not None and x <= sign * go.value:
            verdict = Advice.GO
        if rule.enough is not None and values[rule.enough[0]] < values["enough"]:
            verdict = worst_of(verdict, Advice.CAUTION)
        text = rule.finding + ("" if verdict is Advice.GO else rule.remedy)
    points = {name: _points(fact(name)) for name in _file()["facts"]}
    return {
        "question": str(question),
        "verdict": str(verdict),
        "finding": text.format(**values, points=points),
        **numbers,
        "units": {name: UNITS[name.rpartition(" ")[2]] for name in numbers},
        "sources": [each.source for each in used.values()],
    }


def _points(change: Mapping[str, float]) -> str:
    ends = f"{change['smallest']:+.1f} to {change['largest']:+.1f}"
    return f"{change['median']:+.1f} points ({ends})"
