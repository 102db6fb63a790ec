"""Verdicts on the values of measures, such as "a narrow cone" or "few hubs"."""

from dataclasses import dataclass

from bertflow_core.analysis.measures import MEASURES


@dataclass(frozen=True)
class Scale:
    """The verdicts on the values of a measure."""

    title: str  # of its bar
    cuts: tuple[float, ...]  # where the verdict changes, ascending; a convention, not a test
    words: tuple[str, ...]  # verdicts below, between and above the cuts
    ends: tuple[float, float] = (0, 1)  # of its bar

    def word(self, value: float) -> str:
        """Return the verdict on a value."""
        return self.words[sum(value >= cut for cut in self.cuts)]


SCALES = {
    "mean_cosine": Scale("Cone", (0.1, 0.5), ("no cone", "a cone", "a narrow cone")),
    "iso_score": Scale("Variance", (0.1, 0.5), ("concentrated", "uneven", "even")),
    "uniformity": Scale(
        "Sphere", (-3.5, -2), ("spread evenly", "spread unevenly", "crowded"), ends=(-4, 0)
    ),
    "hubness": Scale("Neighbours", (1,), ("few hubs", "hubs"), ends=(0, 3)),
    "gaussian_distance_ratio": Scale(
        "Holes", (0.97, 1.03), ("clumps and holes", "no holes", "no clumps"), ends=(0.5, 1.5)
    ),
}
"""The measures with verdicts, by name, in the order of their bars."""


def rule(name: str) -> str:
    """Return the rule that gives the values of a measure their verdicts."""
    scale = SCALES[name]
    parts = [f"{scale.words[0]} below {scale.cuts[0]:g}"]
    parts += [f"{w} from {c:g}" for c, w in zip(scale.cuts, scale.words[1:], strict=True)]
    return f"{scale.title}, by {MEASURES[name].label}: {', '.join(parts)}."
