"""Verdicts on the values of measures, such as "a narrow cone" or "few hubs"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bertflow_core.analysis.measures import MEASURES

UNIT_SCALE = (0.8, 1.25)
"""Range of the mean norm relative to N(0, I); outside it, the norms tell nothing but the scale."""


@dataclass(frozen=True)
class Scale:
    """The verdicts on the values of a measure."""

    cuts: tuple[float, ...]  # where the verdict changes, ascending; a convention, not a test
    words: tuple[str, ...]  # verdicts below, between and above the cuts
    sentence: str  # with {word}, {value} and {percent}, the distance of a ratio from 1
    title: str = ""  # of its bar; empty where no bar is drawn
    ends: tuple[float, float] = (0, 1)  # of its bar

    def word(self, value: float) -> str:
        """Return the verdict on a value."""
        return self.words[sum(value >= cut for cut in self.cuts)]


_EVEN = (0.1, 0.5), ("concentrated", "uneven", "even")
_NEAR, _FAR = "{percent:.0f} % closer to ", "{percent:.0f} % farther from "
_NEIGHBOUR = "their 10th neighbour than Gaussian points would be. They form "
_SENTENCE = "their 10th nearest sentence than held-out sentences are. They fall "
SCALES = {
    "mean_cosine": Scale(
        *((0.1, 0.5), ("no cone", "a cone", "a narrow cone")),
        *("The sentences form {word} (mean cosine of all pairs {value}).", "Cone"),
    ),
    "iso_score": Scale(*_EVEN, "Their variance is {word} (IsoScore {value}).", "Variance"),
    "uniformity": Scale(
        *((-3.5, -2), ("spread evenly", "spread unevenly", "crowded")),
        *("On the unit sphere they are {word} (uniformity {value}).", "Sphere"),
        ends=(-4, 0),
    ),
    "hubness": Scale(
        *((1,), ("few hubs", "hubs"), "Their neighbourhoods have {word} (skewness {value})."),
        "Neighbours",
        ends=(0, 3),
    ),
    "gaussian_distance_ratio": Scale(
        (0.97, 1.03),
        (
            f"{_NEAR}{_NEIGHBOUR}clumps with empty space in between",
            "as close to their 10th neighbour as Gaussian points would be, without clumps or holes",
            f"{_FAR}{_NEIGHBOUR}no clumps",
        ),
        "Sentences are {word}.",
    ),
    "held_out_iso_ratio": Scale(
        *(
            *_EVEN,
            "The variance of held-out sentences is {word} ({value} x a Gaussian's IsoScore).",
        ),
        "Variance, held out",
    ),
    "norm_ks": Scale(
        *((0.05, 0.5), ("Gaussian", "not Gaussian", "far from Gaussian")),
        *(
            "The lengths of held-out vectors are {word} (Kolmogorov-Smirnov distance {value}).",
            "Gaussian",
        ),
    ),
    "sample_distance_ratio": Scale(
        (0.97, 1.03),
        (
            f"{_NEAR}{_SENTENCE}among sentences",
            "as close to their 10th nearest sentence as held-out sentences are",
            f"{_FAR}{_SENTENCE}where sentences are sparser",
        ),
        "Gaussian samples are {word}.",
    ),
}
"""The measures with verdicts, by name."""

JUDGED = tuple(name for name, scale in SCALES.items() if scale.title)
"""The leading measure of each question, drawn as a bar with its verdict."""


def sentence(name: str, value: float) -> str:
    """Return the verdict on a value as a sentence."""
    scale, percent = SCALES[name], abs(100 * (value - 1))
    word = scale.word(value).format(percent=percent)
    return scale.sentence.format(word=word, value=f"{value:z.2f}")


def rule(name: str) -> str:
    """Return the rule that gives the values of a measure their verdicts."""
    scale = SCALES[name]
    parts = [f"{scale.words[0]} below {scale.cuts[0]:g}"]
    parts += [f"{w} from {c:g}" for c, w in zip(scale.cuts, scale.words[1:], strict=True)]
    return f"{scale.title}, by {MEASURES[name].label}: {', '.join(parts)}."


def has_unit_scale(values: Mapping[str, Any]) -> bool:
    """Tell whether the held-out mean norm, divided by that of N(0, I), is within `UNIT_SCALE`."""
    found, expected = values.get("norm_mean"), values.get("norm_mean_expected")
    if found is None or expected is None:
        return False
    return bool(UNIT_SCALE[0] <= found / expected <= UNIT_SCALE[1])


def judged_value(name: str, values: Mapping[str, Any]) -> float | None:
    """Return a measure of a space; None if it reflects only the space's scale."""
    is_meaningful = name != "norm_ks" or has_unit_scale(values)
    return values.get(name) if is_meaningful else None
