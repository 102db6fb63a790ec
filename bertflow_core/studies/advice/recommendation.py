"""One recommendation from four findings and what gold pairs say, honest where they conflict."""

from collections.abc import Sequence
from dataclasses import dataclass

from bertflow_core.studies.advice.finding import Finding, Question, Verdict

__all__ = ["Gain", "recommend"]


@dataclass(frozen=True)
class Gain:
    """What one calibrator did to Spearman's rho on the user's gold pairs.

    Attributes:
        calibrator: Spec.
        before: Rho of the raw embeddings, in [-1, 1].
        after: Rho of the calibrated ones.
        low: Lower end of the 95 % interval of the difference, by the paired bootstrap.
        high: Upper end.
        told_apart: Significant at 5 %, by Holm over the calibrators tried.
        n_pairs: Pairs.
    """

    calibrator: str
    before: float
    after: float
    low: float
    high: float
    told_apart: bool
    n_pairs: int

    @property
    def verdict(self) -> Verdict:
        """Go where rho rises, stop where it falls, caution where that cannot be told."""
        if not self.told_apart:
            return Verdict.CAUTION
        return Verdict.GO if self.after > self.before else Verdict.STOP


def recommend(
    findings: Sequence[Finding], gains: Sequence[Gain], *, linear_next: bool
) -> tuple[Verdict, str]:
    """Weigh the findings; measured gains come first, since they are of the user's own task.

    Args:
        findings: One a question.
        gains: Best first; empty without gold scores.
        linear_next: Gold pairs say nothing about a classifier, so that its finding stays in force.
    """
    by_question = {finding.question: finding for finding in findings}
    if not gains:
        return _without_gold(findings)
    risen = [gain for gain in gains if gain.verdict is Verdict.GO]
    best = (risen or list(gains))[0]
    text = f"{_measured(best)} {_agreement(findings, best.verdict)}"
    if not linear_next:
        return best.verdict, text
    text += " Gold pairs say nothing about a linear classifier: keep the raw embeddings for that."
    return max(best.verdict, by_question[Question.LINEAR].verdict, key=_rank), text


def _measured(gain: Gain) -> str:
    interval = f"95 % interval {100 * gain.low:+.1f} to {100 * gain.high:+.1f}"
    rhos = (
        f"rho x 100 from {100 * gain.before:.1f} to {100 * gain.after:.1f} on your "
        f"{gain.n_pairs:,} pairs ({interval} of the difference, of this calibrator alone)"
    )
    if gain.verdict is Verdict.GO:
        return f"Calibrate: {gain.calibrator} takes {rhos}."
    if gain.verdict is Verdict.STOP:
        return f"Do not calibrate: even the best of those tried, {gain.calibrator}, takes {rhos}."
    return f"No gain is shown: the best of those tried, {gain.calibrator}, takes {rhos}."


def _agreement(findings: Sequence[Finding], measured: Verdict) -> str:
    """Say whether the findings, which know no labels, point where the gold pairs do."""
    # The linear classifier is another use of the embeddings, so that it cannot conflict.
    others = [each for each in findings if each.question is not Question.LINEAR]
    warnings = [each for each in others if each.verdict is not Verdict.GO]
    if measured is Verdict.GO and warnings:
        named = " ".join(f'"{each.question}" says {each.verdict}.' for each in warnings)
        return (
            f"The check without labels warns: {named} On such pairs the measured gain outweighs "
            "it; on other sentences the warning holds."
        )
    if measured is not Verdict.GO and not warnings:
        return (
            "The check without labels sees nothing against calibrating, but its thresholds come "
            "from other data: the measured rho outweighs it."
        )
    n_clear = len(others) - len(warnings)
    if measured is not Verdict.GO and n_clear:
        return (
            f"The check without labels does not settle it: in {n_clear} of its {len(others)} "
            "findings nothing speaks against calibrating."
        )
    return "The check without labels agrees."


def _without_gold(findings: Sequence[Finding]) -> tuple[Verdict, str]:
    worst = max((finding.verdict for finding in findings), key=_rank)
    reasons = [each.question for each in findings if each.verdict is worst]
    named = "; ".join(f'"{question}"' for question in reasons)
    opening = {
        Verdict.GO: "Calibrate: no finding speaks against it.",
        Verdict.CAUTION: f"Calibrate with care, because of {named}.",
        Verdict.STOP: f"Do not calibrate as things are, because of {named}.",
    }[worst]
    if worst is Verdict.STOP and reasons == [Question.SIZE]:
        worst = Verdict.CAUTION  # that finding is about whitening, and names what needs fewer
        opening = "Do not whiten on so few sentences; other calibrators need fewer."
    n_clear = sum(each.verdict is Verdict.GO for each in findings)
    mixed = (
        f" The findings conflict: in {n_clear} of {len(findings)} nothing speaks against it."
        if worst is not Verdict.GO and n_clear
        else ""
    )
    hint = "A few hundred pairs with gold scores would show what it is worth."
    return worst, f"{opening}{mixed} {hint}"


def _rank(verdict: Verdict) -> int:
    return list(Verdict).index(verdict)
