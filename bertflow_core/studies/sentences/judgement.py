"""Six questions about a space of sentences, each with one number that answers it and one word."""

from dataclasses import dataclass

from bertflow_core.analysis.measures import Values
from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace

__all__ = ["QUESTIONS", "SCALES", "Question", "finding", "has_unit_scale", "with_unit_scale"]

SCALES = (0.8, 1.25)
"""Mean norm over that of N(0, I): outside of these a test against N(0, I) tells of scale alone."""


@dataclass(frozen=True)
class Question:
    """One group of measures, the one of them that leads, and what its values are called.

    Attributes:
        title: The group.
        measure: The leading measure, as `measures.MEASURES` names it.
        label: Its short name.
        range: The ends of its bar.
        cuts: Values at which the word changes, rising; conventions of ours, not tests.
        words: The words below, between and above the cuts.
        needs_scale: Whether the measure tells nothing of a space of another scale than N(0, I)'s.
    """

    title: str
    measure: str
    label: str
    range: tuple[float, float]
    cuts: tuple[float, ...]
    words: tuple[str, ...]
    needs_scale: bool = False

    def value(self, values: Values) -> float | None:
        """Return the measure among those of a space; None where it tells nothing."""
        return None if self.needs_scale and not has_unit_scale(values) else values[self.measure]

    def word(self, value: float) -> str:
        """Return what a value is called.

        Example:
            >>> from bertflow_core.studies.sentences.judgement import QUESTIONS
            >>> QUESTIONS[0].word(0.69)
            'a narrow cone'
        """
        return self.words[sum(value >= cut for cut in self.cuts)]

    def rule(self) -> str:
        """Say which values have which word."""
        parts = [f"{self.words[0]} below {self.cuts[0]:g}"]
        parts += [f"{w} from {c:g}" for c, w in zip(self.cuts, self.words[1:], strict=True)]
        return f"{self.title}, by {self.label}: {', '.join(parts)}"


_EVEN_FROM = (0.1, 0.5)
_EVEN = ("on few directions", "uneven", "even")

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
        _EVEN_FROM,
        _EVEN,
    ),
    Question(
        "Variance, held out",
        "held_out_iso_ratio",
        "IsoScore over a Gaussian's",
        (0, 1),
        _EVEN_FROM,
        _EVEN,
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
        needs_scale=True,
    ),
)
"""The groups, in the order of a page."""


def has_unit_scale(values: Values) -> bool:
    """Tell whether held-out rows are about as long as those of N(0, I), within `SCALES`.

    A calibrator that only turns or centres keeps the encoder's scale, and every test against
    N(0, I) rejects that; the two can be compared in shape only.
    """
    found, expected = values["norm_mean"], values["norm_mean_expected"]
    if found is None or expected is None:
        return False
    return SCALES[0] <= found / expected <= SCALES[1]


def with_unit_scale(geometry: SentenceGeometry, layers: str) -> tuple[str, ...]:
    """Return the calibrators whose held-out rows at a layer set have about the scale of N(0, I)."""
    return tuple(
        spec for spec in geometry.calibrators if has_unit_scale(geometry.space(layers, spec).values)
    )


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
    value, unseen = _cosine(space) or 0.0, space.values["held_out_mean_cosine"]
    held_out = "" if unseen is None else f", {unseen:z.2f} of held-out ones"
    return f"{QUESTIONS[0].word(value)} (mean cosine {value:z.2f} of all sentences{held_out})"
