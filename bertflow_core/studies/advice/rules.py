"""The four rules of the advice; each makes one row from measurements and their thresholds.

A row has the question, the `verdict`, the `finding` in sentences and every number under its own
key. `units` gives the units of these numbers, and `sources` the origin of each threshold.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any

from bertflow_core.encoders.layers import PLAIN_LAYERS
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
    found: dict[str, float] = _file()["facts"][name]
    return found


@cache
def _file() -> dict[str, Any]:
    file: dict[str, Any] = json.loads(resource("thresholds.json").read_text(encoding="utf-8"))
    return file


def judge_cone(numbers: Mapping[str, float], *, contrastive: bool | None, layers: str) -> Row:
    """Judge how narrow the cloud of uncalibrated embeddings is.

    `contrastive` says whether the model was trained contrastively, which shapes its last layer
    only; it is None for a model that the catalogue does not list.
    """
    stop, go = threshold("cone.random_cosine.stop"), threshold("cone.random_cosine.go")
    x = numbers["random_cosine"]
    is_output = layers in ("last", PLAIN_LAYERS)
    where = "and this is its output" if is_output else f"but {layers} is not its output"
    training = {
        None: "The catalogue does not list this model; the thresholds were measured on another.",
        False: "The catalogue does not list this model as contrastively trained.",
        True: f"The model was trained contrastively, to compare sentences, {where}.",
    }
    finding = (
        f"{RANDOM_PAIRS:,} random pairs of the scored sentences have a mean cosine of {x:.2f}. In "
        f"our measurements, most calibrations lowered rho if this cosine was below {stop.value:.2f}"
        f"; nine of ten raised rho if it was at least {go.value:.2f}. The leading principal "
        f"direction holds {100 * numbers['top_share']:.0f} % of the variance; the effective rank "
        f"is {numbers['effective_rank']:.0f} of {numbers['n_features']}. {training[contrastive]}"
    )
    verdict = _zone(-x, stop=-stop.value, go=-go.value)
    return _row(Question.CONE, verdict, finding, numbers, (stop, go))


_FRUGAL = {"null-top-k:k=6": "size.null_top_k_gain", "ledoit-wolf": "size.ledoit_wolf_gain"}
"""Calibrators that need few sentences, each with the key of its measured gain."""


def judge_size(
    variance: float | None, *, n_rows: int, n_features: int, lost: Collection[str] = ()
) -> Row:
    """Judge whether a corpus of N distinct sentences is large enough for whitening in D features.

    `variance` is that of held-out embeddings; it is None if the corpus is too small to hold some
    out. Calibrators in `lost` gained nothing on the scored pairs and are not recommended.
    """
    stop, go = threshold("size.held_out.stop"), threshold("size.held_out.go")
    enough = threshold("size.n_per_d.go")
    ratio = n_rows / n_features
    numbers = {"n_sentences": n_rows, "n_features": n_features, "n_per_d": ratio}
    finding = (
        f"There are {n_rows:,} distinct sentences for {n_features:,} features "
        f"({ratio:.2g} sentences per feature)."
    )
    if variance is None:
        verdict = Advice.STOP
        finding += " These are too few to hold some out for the check."
    else:
        numbers["held_out_variance"] = variance
        verdict = _zone(variance, stop=stop.value, go=go.value)
        if ratio < enough.value:
            verdict = worst_of(verdict, Advice.CAUTION)
        finding += (
            f" Held-out sentences have a variance of {variance:.3g} per direction under whitening "
            "(ideal: 1). In our measurements, whitening cost at most 1 point of rho x 100 if this "
            f"variance was at most {go.value:.3g} and there were at least {enough.value:.3g} "
            f"sentences per feature. Above a variance of {stop.value:.3g}, whitening lowered rho "
            "more often than it raised it."
        )
        left = [f"{_points(fact(_FRUGAL[s]))} with {s}" for s in _FRUGAL if s not in lost]
        if verdict is not Advice.GO and left:
            finding += (
                " Add sentences, or use a calibrator that needs fewer. The median gain in rho x "
                f"100 on other data, over all corpus sizes measured, was {' and '.join(left)}."
            )
        elif verdict is not Advice.GO:
            finding += " Add sentences."
    return _row(Question.SIZE, verdict, finding, numbers, (stop, go, enough))


def judge_shift(auc: float | None, *, n_fit: int, n_used: int, n_shared: int) -> Row:
    """Judge whether the fit corpus differs from the sentences that are calibrated.

    All counts are of distinct sentences. `auc` is from a classifier of sentences that are in only
    one of the two sets; it is None if these are too few.
    """
    stop, go = threshold("shift.auc.stop"), threshold("shift.auc.go")
    shared = f"{n_shared:,} of the {n_used:,} distinct scored sentences are in the fit corpus"
    numbers = {"n_fit": n_fit, "n_used": n_used, "shared": n_shared / n_used}
    if auc is None and n_shared == n_used:
        verdict, finding = Advice.NEUTRAL, f"The fit corpus holds all {n_used:,} scored sentences."
    elif auc is None:
        verdict, finding = Advice.CAUTION, f"{shared}; the others are too few for a comparison."
    else:
        numbers["auc"] = auc
        verdict = _zone(auc, stop=stop.value, go=go.value)
        finding = (
            "A linear classifier tells the sentences of the fit corpus from the scored ones with "
            f"an AUC of {auc:.2f} (0.5 is chance). In our measurements with other corpora, nine of "
            f"ten calibrations raised rho if the AUC was at most {go.value:.2f}; above "
            f"{stop.value:.2f}, most lowered it."
        )
        if verdict is not Advice.GO:
            finding += (
                " Fitting on sentences like the scored ones raised rho x 100 by a median of "
                f"{fact('shift.cost')['median']:.1f} points."
            )
        finding += f" {shared} and were left out." if n_shared else ""
    return _row(Question.SHIFT, verdict, finding, numbers, (stop, go))


def judge_linear(losses: Mapping[str, Mapping[str, float]], *, linear_next: bool) -> Row:
    """Judge what each calibrator costs a linear classifier that uses the calibrated vectors."""
    stop = threshold("linear.variance_lost.stop")
    if not linear_next:
        finding = (
            "No: the vectors are compared by cosine. A linear classifier can undo an invertible "
            "linear map; cosine cannot."
        )
        return _row(Question.LINEAR, Advice.NEUTRAL, finding, {}, (stop,))
    bad = [spec for spec, loss in losses.items() if loss["variance_lost"] > stop.value]
    lost = "; ".join(
        f"{spec} loses {loss['rank_lost']:,} directions and {loss['variance_lost']:.1%} of the "
        "variance"
        for spec, loss in losses.items()
    )
    finding = (
        "Yes. An invertible linear map does not change what a linear classifier can represent, "
        "only how its penalty weights the directions. Lossless maps changed accuracy by "
        f"{_points(fact('linear.lossless_gain_genre'))} on single sentences and by "
        f"{_points(fact('linear.lossless_gain_snli'))} on pairs. Where more than {stop.value:.1%} "
        f"of the variance was lost, accuracy fell by more than 1 point. Here {lost}. "
        f"{'Above the limit: ' + ', '.join(bad) if bad else 'No loss is above the limit'}."
    )
    verdict = Advice.STOP if len(bad) == len(losses) else Advice.CAUTION
    numbers = {f"{spec} {name}": x for spec, loss in losses.items() for name, x in loss.items()}
    return _row(Question.LINEAR, verdict, finding, numbers, (stop,))


def _row(
    question: Question,
    verdict: Advice,
    finding: str,
    numbers: Mapping[str, float],
    thresholds: Sequence[Threshold],
) -> Row:
    return {
        "question": str(question),
        "verdict": str(verdict),
        "finding": finding,
        **numbers,
        "units": {name: UNITS[name.rpartition(" ")[2]] for name in numbers},
        "sources": [each.source for each in thresholds],
    }


def _zone(x: float, *, stop: float, go: float) -> Advice:
    """Return the verdict of a number where smaller is better."""
    if x > stop:
        return Advice.STOP
    return Advice.GO if x <= go else Advice.CAUTION


def _points(change: Mapping[str, float]) -> str:
    ends = f"{change['smallest']:+.1f} to {change['largest']:+.1f}"
    return f"{change['median']:+.1f} points ({ends})"
