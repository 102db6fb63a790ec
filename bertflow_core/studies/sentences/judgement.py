"""Five questions about a space of sentences, each with one number that answers it and one word."""

from dataclasses import dataclass

from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace

__all__ = ["QUESTIONS", "Question", "finding"]


@dataclass(frozen=True)
class Question:
    """One group of measures, the one of them that leads, and what its values are called.

    Attributes:
        title: The group.
        measure: The leading measure, as `space_measures.MEASURES` names it.
        label: Its short name.
        range: The ends of its bar.
        cuts: Values at which the word changes, rising; conventions of ours, not tests.
        words: The words below, between and above the cuts.
    """

    title: str
    measure: str
    label: str
    range: tuple[float, float]
    cuts: tuple[float, ...]
    words: tuple[str, ...]

    def word(self, value: float) -> str:
        """Return what a value is called.

        Example:
            >>> QUESTIONS[0].word(0.69)
            'a narrow cone'
        """
        return self.words[sum(value >= cut for cut in self.cuts)]

    def rule(self) -> str:
        """Say which values have which word."""
        parts = [f"{self.words[0]} below {self.cuts[0]:g}"]
        parts += [f"{w} from {c:g}" for c, w in zip(self.cuts, self.words[1:], strict=True)]
        return f"{self.title}, by {self.label}: {', '.join(parts)}"


QUESTIONS = (
    Question(
        "Cone",
        "mean_cosine",
        "mean cosine of all pairs",
        (0, 1),
        (0.1, 0.5),
        ("no cone", "a cone", "a narrow cone"),
    ),
    Question(
        "Variance",
        "iso_score",
        "IsoScore",
        (0, 1),
        (0.1, 0.5),
        ("on few directions", "uneven", "even"),
    ),
    Question(
        "Sphere",
        "uniformity",
        "uniformity",
        (-4, 0),
        (-3.5, -2),
        ("spread evenly", "spread unevenly", "crowded"),
    ),
    Question(
        "Neighbours",
        "hubness",
        "skewness of 10-occurrence",
        (0, 3),
        (1,),
        ("few hubs", "hubs"),
    ),
    Question(
        "Gaussian",
        "norm_ks",
        "gap of norms to chi",
        (0, 1),
        (0.05, 0.5),
        ("Gaussian lengths", "not Gaussian", "far from Gaussian"),
    ),
)
"""The groups, in the order of a page."""


def finding(geometry: SentenceGeometry, layers: str) -> str:
    """Say in one sentence what becomes of the cone at a layer set.

    Args:
        geometry: The measured spaces.
        layers: One of its layer sets.
    """
    base, *others = (geometry.space(layers, spec) for spec in geometry.calibrators)
    if _cosine(base) is None:
        return ""
    said = f"Under {base.recipe.calibrator} the directions of the sentences form {_cone(base)}"
    known = [space for space in others if _cosine(space) is not None]
    if not known:
        return f"{said}."
    best = min(known, key=lambda space: abs(_cosine(space) or 0.0))
    return f"{said}; under {best.recipe.calibrator} they form {_cone(best)}."


def _cosine(space: SentenceSpace) -> float | None:
    return space.values["mean_cosine"]


def _cone(space: SentenceSpace) -> str:
    value = _cosine(space) or 0.0
    return f"{QUESTIONS[0].word(value)} (mean cosine {value:z.2f})"
