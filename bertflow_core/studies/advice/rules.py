"""The four rules of the advice: each makes one row of what was measured and its thresholds.

A row has the question, its `verdict`, the `finding` as sentences, every number under its own key,
the `units` of these, and `sources`: where each threshold comes from.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.files import resource
from bertflow_core.report import Row
from bertflow_core.studies.advice.measures import Cone, HeldOut, LinearLoss, Shift

__all__ = [
    *("Question", "Threshold", "Verdict", "fact", "threshold"),
    *("judge_cone", "judge_linear", "judge_shift", "judge_size"),
]


class Verdict(StrEnum):
    """What a row says of calibrating, from the most to the least favourable."""

    GO = "go"
    NEUTRAL = "neutral"  # nothing against it, and nothing for it
    CAUTION = "caution"
    STOP = "stop"

    @property
    def rank(self) -> int:
        """Its place from the most favourable one."""
        return list(Verdict).index(self)


class Question(StrEnum):
    """What the rules answer."""

    CONE = "Is there a cone to correct?"
    SIZE = "Are there enough sentences to fit on?"
    SHIFT = "Does the fit corpus differ from the sentences it is used on?"
    LINEAR = "Is the next step a linear classifier?"


@dataclass(frozen=True)
class Threshold:
    """A number that decides a verdict, from the measurements that the package ships.

    Attributes:
        value: The threshold.
        low: Lower end of its 95 % interval; None where the measurements give none.
        high: Upper end.
        unit: Unit of the threshold.
        meaning: What the measurements show there.
        n: Measurements.
    """

    value: float
    low: float | None
    high: float | None
    unit: str
    meaning: str
    n: int

    @property
    def source(self) -> str:
        """Where the threshold comes from, in sentences."""
        interval = (
            "too few kinds of data for an interval"
            if self.low is None or self.high is None
            else f"95 % interval {self.low:.3g} to {self.high:.3g}"
        )
        made = f"{_file()['recipe']['model']} alone, {_file()['date']}"
        return (
            f"Threshold: {self.unit} {self.value:.3g} ({interval}). {self.meaning[0].upper()}"
            f"{self.meaning[1:]}, in {self.n} measurements on {made}."
        )


def threshold(name: str) -> Threshold:
    """Return a threshold by its question, number and verdict, such as `shift.auc.stop`."""
    entry = _file()["thresholds"][name]
    return Threshold(**{each.name: entry[each.name] for each in fields(Threshold)})


def fact(name: str) -> dict[str, float]:
    """Return median, smallest and largest of measurements that a finding quotes, in points."""
    found: dict[str, float] = _file()["facts"][name]
    return found


@cache
def _file() -> dict[str, Any]:
    file: dict[str, Any] = json.loads(resource("thresholds.json").read_text(encoding="utf-8"))
    return file


def judge_cone(cone: Cone, *, contrastive: bool | None, layers: str) -> Row:
    """Judge how narrow the cloud of embeddings is.

    Args:
        cone: Of the uncalibrated embeddings.
        contrastive: Whether the catalogue knows the model as trained contrastively; None where it
            does not list the model.
        layers: The layer set; contrastive training applies to the last layer only.
    """
    stop, go = threshold("cone.random_cosine.stop"), threshold("cone.random_cosine.go")
    x = cone.random_cosine
    return _row(
        Question.CONE,
        _zone(-x, stop=-stop.value, go=-go.value),
        f"{RANDOM_PAIRS:,} random pairs of the scored sentences have a mean cosine of {x:.2f}. In "
        f"our measurements most calibrations lost below {stop.value:.2f}, and nine of ten gained "
        f"from {go.value:.2f} on. The direction of the largest variance holds "
        f"{100 * cone.top_share:.0f} % of it, and the effective rank is {cone.effective_rank:.0f} "
        f"of {cone.n_features}. {_of_training(contrastive, layers)}",
        {
            "random_cosine": (x, "mean cosine"),
            "top_share": (cone.top_share, "share of variance"),
            "effective_rank": (cone.effective_rank, "directions"),
            "n_features": (cone.n_features, "features"),
        },
        (stop, go),
    )


def _of_training(contrastive: bool | None, layers: str) -> str:
    if contrastive is None:
        return "The catalogue does not list this model; the thresholds were measured on another."
    if not contrastive:
        return "The catalogue does not know this model as trained contrastively."
    is_output = layers in ("last", DECLARED)
    where = "and this is its output" if is_output else f"but {layers} is not its output"
    return f"The model was trained contrastively, to compare sentences, {where}."


def judge_size(
    held_out: HeldOut | None, *, n_rows: int, n_features: int, lost: Collection[str] = ()
) -> Row:
    """Judge whether the corpus is large enough for whitening.

    Args:
        held_out: None where the corpus is too small to hold any of it out.
        n_rows: N, distinct sentences.
        n_features: D.
        lost: Calibrators that gained nothing on the scored pairs: they are not recommended.
    """
    stop, go = threshold("size.held_out.stop"), threshold("size.held_out.go")
    enough = threshold("size.n_per_d.go")
    ratio = n_rows / n_features
    finding = (
        f"{n_rows:,} different sentences for {n_features:,} features: {ratio:.2g} for each feature."
    )
    evidence = {
        "n_sentences": (n_rows, "distinct sentences"),
        "n_features": (n_features, "features"),
        "n_per_d": (ratio, "sentences a feature"),
    }
    if held_out is None:
        verdict = Verdict.STOP
        finding += " That is too few to hold some out for the check."
    else:
        verdict = _zone(held_out.variance, stop=stop.value, go=go.value)
        if ratio < enough.value:
            verdict = max(verdict, Verdict.CAUTION, key=lambda each: each.rank)
        evidence["rank_kept"] = (held_out.rank, "directions")
        evidence["held_out_variance"] = (held_out.variance, "variance; 1 is ideal")
        doubt = (
            "1 is ideal"
            if n_rows > n_features
            else f"along the {held_out.rank:,} directions in which they vary; with no more "
            "sentences than features even 1 is no sign of a good fit"
        )
        finding += (
            " Whitening was fitted without some of them, and these then have a variance of "
            f"{held_out.variance:.3g} ({doubt}). In our measurements whitening on so many cost at "
            f"most 1 point of rho x 100 where that was at most {go.value:.3g} and there were "
            f"{enough.value:.3g} sentences for each feature, and lost more often than it gained "
            f"above {stop.value:.3g}."
        )
        finding += "" if verdict is Verdict.GO else f" {_remedy(lost)}"
    return _row(Question.SIZE, verdict, finding, evidence, (stop, go, enough))


def _remedy(lost: Collection[str]) -> str:
    """Name calibrators that need fewer sentences, with what they gained in our measurements."""
    gained = {
        "null-top-k:k=6": fact("size.null_top_k_gain"),
        "ledoit-wolf": fact("size.ledoit_wolf_gain"),
    }
    tried = " and ".join(spec for spec in gained if spec in lost)
    here = f" On the scored pairs {tried} gained nothing." if tried else ""
    left = [f"{spec} gained {_points(gained[spec])}" for spec in gained if spec not in lost]
    if not left:
        return f"Add sentences.{here}"
    return (
        "Add sentences, or use a calibrator that needs fewer: over all sizes measured, on other "
        f"data, {' and '.join(left)} of rho x 100.{here}"
    )


def judge_shift(shift: Shift | None, *, n_fit: int, n_used: int, n_shared: int) -> Row:
    """Judge whether the fit corpus differs from the sentences that are calibrated.

    Args:
        shift: Between the sentences that only one side has; None where they are too few.
        n_fit: Distinct sentences of the fit corpus.
        n_used: Distinct sentences that are calibrated.
        n_shared: Sentences in both.
    """
    stop, go, cost = threshold("shift.auc.stop"), threshold("shift.auc.go"), fact("shift.cost")
    shared = f"{n_shared:,} of the {n_used:,} distinct scored sentences are in the fit corpus"
    evidence = {
        "n_fit": (n_fit, "distinct sentences"),
        "n_used": (n_used, "distinct sentences"),
        "shared": (n_shared / n_used, "share of the used sentences"),
    }
    if shift is not None:
        evidence["auc"] = (shift.auc, "area under the curve; 0.5 is alike")
        evidence["auc_floor"] = (shift.floor, "95 % of permuted labels stay below")
        verdict = _zone(shift.auc, stop=stop.value, go=go.value)
        finding = (
            "A linear classifier tells the sentences of the fit corpus from the scored ones with "
            f"an AUC of {shift.auc:.2f}: 0.5 is a guess, and chance reaches {shift.floor:.2f}. In "
            "our measurements with other corpora nine of ten calibrations gained up to "
            f"{go.value:.2f}, and most lost above {stop.value:.2f}."
        )
        if verdict is not Verdict.GO:
            finding += (
                " Fitted on the scored kind of sentence instead, rho x 100 was higher by a median "
                f"of {cost['median']:.1f} points."
            )
        finding += f" {shared} and were left out." if n_shared else ""
    elif n_shared == n_used:
        verdict = Verdict.NEUTRAL
        finding = f"{shared}: there is no shift."
    else:
        verdict = Verdict.CAUTION
        finding = f"{shared}; the others are too few for a comparison."
    return _row(Question.SHIFT, verdict, finding, evidence, (stop, go))


def judge_linear(losses: Mapping[str, LinearLoss], *, linear_next: bool) -> Row:
    """Judge what calibrating costs a linear classifier.

    Args:
        losses: By calibrator; none where no classifier comes next.
        linear_next: Whether the user says that such a classifier comes next.
    """
    stop = threshold("linear.variance_lost.stop")
    evidence: dict[str, tuple[float, str]] = {}
    for spec, loss in losses.items():
        evidence[f"{spec} rank_lost"] = (loss.rank_lost, "directions")
        evidence[f"{spec} variance_lost"] = (loss.variance_lost, "share of variance")
    if not linear_next:
        finding = (
            "No: vectors are compared by cosine (the choice above). A linear classifier can undo "
            "an invertible linear map; cosine cannot."
        )
        return _row(Question.LINEAR, Verdict.NEUTRAL, finding, evidence, (stop,))
    bad = [spec for spec, loss in losses.items() if loss.variance_lost > stop.value]
    lost = "; ".join(
        f"{spec} loses {loss.rank_lost:,} directions and {loss.variance_lost:.1%} of the variance"
        for spec, loss in losses.items()
    )
    finding = (
        "Yes: an invertible linear map changes nothing that a linear classifier can represent, "
        "only how its penalty weighs the directions. Maps that lose nothing changed accuracy by "
        f"{_points(fact('linear.lossless_gain_genre'))} on one sentence and by "
        f"{_points(fact('linear.lossless_gain_snli'))} on pairs; above {stop.value:.1%} of the "
        f"variance lost, it fell by more than 1 point. Here {lost}: "
        f"{'not ' + ', '.join(bad) if bad else 'none is above that'}."
    )
    verdict = Verdict.STOP if len(bad) == len(losses) else Verdict.CAUTION
    return _row(Question.LINEAR, verdict, finding, evidence, (stop,))


def _row(
    question: Question,
    verdict: Verdict,
    finding: str,
    evidence: Mapping[str, tuple[float, str]],
    thresholds: Sequence[Threshold],
) -> Row:
    return {
        "question": str(question),
        "verdict": str(verdict),
        "finding": finding,
        **{name: value for name, (value, _) in evidence.items()},
        "units": {name: unit for name, (_, unit) in evidence.items()},
        "sources": [each.source for each in thresholds],
    }


def _zone(x: float, *, stop: float, go: float) -> Verdict:
    """Return the verdict of a number where smaller is better."""
    if x > stop:
        return Verdict.STOP
    return Verdict.GO if x <= go else Verdict.CAUTION


def _points(change: Mapping[str, float]) -> str:
    ends = f"{change['smallest']:+.1f} to {change['largest']:+.1f}"
    return f"{change['median']:+.1f} points ({ends})"
