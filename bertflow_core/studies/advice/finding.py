"""The form of a finding: a question, a verdict, a sentence, numbers, and what it turns on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bertflow_core.studies.advice.thresholds import Threshold

__all__ = ["Evidence", "Finding", "Question", "Verdict"]


class Verdict(StrEnum):
    """What a finding says about calibrating; the later, the more it warns."""

    GO = "go"
    CAUTION = "caution"
    STOP = "stop"


class Question(StrEnum):
    """What is asked."""

    CONE = "Is there a cone to mend?"
    SIZE = "Are there enough sentences to fit on?"
    SHIFT = "Is the fit corpus unlike the sentences it is used on?"
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
        verdict: What the answer says about calibrating.
        sentence: The answer, with its numbers.
        evidence: What was measured on the user's data, by name.
        thresholds: What the verdict turns on; each says where it comes from.
    """

    question: Question
    verdict: Verdict
    sentence: str
    evidence: Mapping[str, Evidence]
    thresholds: tuple[Threshold, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `json.dumps` takes."""
        return {
            "question": str(self.question),
            "verdict": str(self.verdict),
            "sentence": self.sentence,
            "evidence": {name: asdict(number) for name, number in self.evidence.items()},
            "thresholds": [{**asdict(each), "source": each.source} for each in self.thresholds],
        }
