"""The answer to "Should I calibrate?", with its findings and what gold pairs show."""

from dataclasses import asdict, dataclass
from typing import Any

from bertflow_core.recipe import Recipe
from bertflow_core.studies.advice.finding import Finding, Recommendation

__all__ = ["Advice", "Gain"]


@dataclass(frozen=True)
class Gain:
    """The change of Spearman's rho under one calibrator on the user's gold pairs.

    Attributes:
        calibrator: Spec.
        before: Rho of the raw embeddings, in [-1, 1].
        after: Rho of the calibrated ones.
        low: Lower end of the 95 % interval of the difference, by the paired bootstrap.
        high: Upper end.
        significant: Significant at 5 %, by Holm over the calibrators that were tried.
        n_pairs: Number of pairs.
    """

    calibrator: str
    before: float
    after: float
    low: float
    high: float
    significant: bool
    n_pairs: int

    @property
    def recommendation(self) -> Recommendation:
        """Go where rho rises, stop where it falls, caution where neither is significant."""
        if not self.significant:
            return Recommendation.CAUTION
        return Recommendation.GO if self.after > self.before else Recommendation.STOP


@dataclass(frozen=True)
class Advice:
    """The answer to "Should I calibrate?".

    Attributes:
        recipe: What was embedded; `recipe.calibrator` is ignored.
        calibrators: Specs that were tried.
        recommendation: What follows from all findings and gains.
        answer: The same in a few sentences, which also say where findings conflict.
        findings: On the cone, the number of sentences, the shift and the linear classifier.
        gains: Rho before and after, the best first; empty without gold scores.
        note: Why gold scores gave no gains; None where they did or there are none.
        fit_notes: What the fits noted, a sentence each.
    """

    recipe: Recipe
    calibrators: tuple[str, ...]
    recommendation: Recommendation
    answer: str
    findings: tuple[Finding, ...]
    gains: tuple[Gain, ...]
    note: str | None
    fit_notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `json.dumps` takes."""
        return {
            "recipe": self.recipe.to_dict(),
            "verdict": str(self.recommendation),
            "recommendation": self.answer,
            "findings": [finding.to_dict() for finding in self.findings],
            "gains": [asdict(gain) for gain in self.gains],
            "note": self.note,
        }
