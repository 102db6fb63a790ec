"""Verdicts on the values of measures, such as "a narrow cone" or "few hubs"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bertflow_core.analysis.measures import MEASURES


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


_NEIGHBOUR = "their 10th neighbour than Gaussian points would be. They form "
SCALES = {
    "mean_cosine": Scale(
        *((0.1, 0.5), ("no cone", "a cone", "a narrow cone")),
        *("The sentences form {word} (mean cosine of all pairs {value}).", "Cone"),
    ),
    "iso_score": Scale(
        *((0.1, 0.5), ("concentrated", "uneven", "even")),
        *("Their variance is {word} (IsoScore {value}).", "Variance"),
    ),
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
            f"{{percent:.0f}} % closer to {_NEIGHBOUR}clumps with empty space in between",
            "as close to their 10th neighbour as Gaussian points would be, without clumps or holes",
            f"{{percent:.0f}} % farther from {_NEIGHBOUR}no clumps",
        ),
        "Sentences are {word}.",
    ),
}
"""The measures with verdicts, by name."""

JUDGED = tuple(name for name, scale in SCALES.items() if scale.title)
"""The leading measure of each question, drawn as a bar with its verdict."""


def reading(row: Mapping[str, Any]) -> str:
    """Return the verdicts on the measures of a space, a sentence for each that is known."""
    return " ".join(_sentence(name, row) for name in SCALES if row.get(name) is not None)


def _sentence(name: str, row: Mapping[str, Any]) -> str:
    scale, value, reference = SCALES[name], row[name], MEASURES[name].reference
    word = scale.word(value).format(percent=abs(100 * (value - 1)))
    shown, beside = f"{value:z.2f}", row.get(MEASURES[name].reference_name)
    if reference is not None and beside is not None:
        shown += f"; {reference.words}: {beside:z.2f}"
    return scale.sentence.format(word=word, value=shown)


def rule(name: str) -> str:
    """Return the rule that gives the values of a measure their verdicts."""
    scale = SCALES[name]
    parts = [f"{scale.words[0]} below {scale.cuts[0]:g}"]
    parts += [f"{w} from {c:g}" for c, w in zip(scale.cuts, scale.words[1:], strict=True)]
    return f"{scale.title}, by {MEASURES[name].label}: {', '.join(parts)}."
