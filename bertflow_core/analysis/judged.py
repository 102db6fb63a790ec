"""What the values of measures are called: a narrow cone, few hubs, far from Gaussian."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bertflow_core.analysis.measures import HIGHER, MEASURES

UNIT_SCALE = (0.8, 1.25)
"""Mean norm over that of N(0, I): outside of these the gap of norms tells of scale alone."""


@dataclass(frozen=True)
class Scale:
    """What the values of a measure are called."""

    cuts: tuple[float, ...]  # where the word changes, rising; conventions of ours, not tests
    words: tuple[str, ...]  # below, between and above the cuts
    title: str = ""  # what the measure answers for, above its bar; empty where no bar is drawn
    ends: tuple[float, float] = (0, 1)  # of its bar

    def word(self, value: float) -> str:
        """Return what a value is called."""
        return self.words[sum(value >= cut for cut in self.cuts)]


_EVEN = (0.1, 0.5), ("on few directions", "uneven", "even")
_CLUMPS = (
    "nearer: clumps with empty space between them",
    "as near: no clumps and no holes",
    "farther: no clumps",
)
_SAMPLES = (
    "samples fall among sentences",
    "samples fall as near as sentences do",
    "samples fall where sentences are sparser",
)
_GAUSSIAN = ("Gaussian lengths", "not Gaussian", "far from Gaussian")
SCALES = {
    "mean_cosine": Scale((0.1, 0.5), ("no cone", "a cone", "a narrow cone"), "Cone"),
    "iso_score": Scale(*_EVEN, "Variance"),
    "uniformity": Scale(
        (-3.5, -2), ("spread evenly", "spread unevenly", "crowded"), "Sphere", (-4, 0)
    ),
    "hubness": Scale((1,), ("few hubs", "hubs"), "Neighbours", (0, 3)),
    "gaussian_distance_ratio": Scale((0.97, 1.03), _CLUMPS),
    "held_out_iso_ratio": Scale(*_EVEN, "Variance, held out"),
    "norm_ks": Scale((0.05, 0.5), _GAUSSIAN, "Gaussian"),
    "sample_distance_ratio": Scale((0.97, 1.03), _SAMPLES),
}
"""The measures whose values have names, by name."""

JUDGED = tuple(name for name, scale in SCALES.items() if scale.title)
"""The one measure of each question that leads, drawn as a bar with a word on it."""


def sentence(name: str, value: float) -> str:
    """Say a value, what it is called and what a higher one means: the one sentence everywhere.

    Example:
        >>> from bertflow_core.analysis.judged import sentence
        >>> sentence("mean_cosine", 0.69)
        'Mean cosine of all pairs 0.69, a narrow cone; higher means a narrower cone.'
    """
    called = f", {SCALES[name].word(value)}" if name in SCALES else ""
    label = f"{MEASURES[name].label[0].upper()}{MEASURES[name].label[1:]}"
    return f"{label} {value:z.2f}{called}; higher means {HIGHER[name]}."


def rule(name: str) -> str:
    """Say which values of a judged measure have which word."""
    scale = SCALES[name]
    parts = [f"{scale.words[0]} below {scale.cuts[0]:g}"]
    parts += [f"{w} from {c:g}" for c, w in zip(scale.cuts, scale.words[1:], strict=True)]
    return f"{scale.title}, by {MEASURES[name].label}: {', '.join(parts)}."


def has_unit_scale(values: Mapping[str, Any]) -> bool:
    """Tell whether held-out rows are about as long as those of N(0, I), within `UNIT_SCALE`."""
    found, expected = values.get("norm_mean"), values.get("norm_mean_expected")
    if found is None or expected is None:
        return False
    return bool(UNIT_SCALE[0] <= found / expected <= UNIT_SCALE[1])


def judged_value(name: str, values: Mapping[str, Any]) -> float | None:
    """Return a measure among those of a space; None where it tells of the space's scale alone."""
    told = name != "norm_ks" or has_unit_scale(values)
    value: float | None = values.get(name) if told else None
    return value
