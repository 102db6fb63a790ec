"""A finding: a question, its answer, the measured numbers, and the thresholds that decide."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bertflow_core.studies.advice.thresholds import Threshold

__all__ = ["Evidence", "Finding", "Question", "Recommendation"]


class Recommendation(StrEnum):
    """What a finding recommends about calibrating, from the most to the least favourable."""

    GO = "go"
    CAUTION = "caution"
    STOP = "stop"


class Question(StrEnum):
    """The four questions of the check."""

    CONE = "Is there a cone to correct?"
    SIZE = "Are there enough sentences to fit on?"
    SHIFT = "Does the fit corpus differ from the sentences it is used on?"
    LINEAR = "Is the next step a linear classifier?"


@dataclass(frozen=True)
class Evidence:
    """One number and its unit."""

    value: float
    unit: str


@dataclass(frozen=True)
class Finding:
    """The answer to one question.

    Attributes:
        question: What was asked.
        recommendation: What follows for calibrating.
        sentence: The answer, with its numbers.
        evidence: What was measured on the user's data, by name.
        thresholds: Those that decide the recommendation; each says where it comes from.
        is_neutral: Whether it finds nothing against calibrating and nothing for it either; its
            recommendation is then to go on.
    """

    question: Question
    recommendation: Recommendation
    sentence: str
    evidence: Mapping[str, Evidence]
    thresholds: tuple[Threshold, ...]
    is_neutral: bool = False

    @property
    def verdict(self) -> str:
        """The recommendation in a word; `neutral` where it speaks neither for nor against."""
        return "neutral" if self.is_neutral else str(self.recommendation)

    @property
    def is_for(self) -> bool:
        """Whether it speaks for calibrating."""
        return self.recommendation is Recommendation.GO and not self.is_neutral

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `json.dumps` takes."""
        return {
            "question": str(self.question),
            "verdict": self.verdict,
            "sentence": self.sentence,
            "evidence": {name: asdict(number) for name, number in self.evidence.items()},
            "thresholds": [{**asdict(each), "source": each.source} for each in self.thresholds],
        }
