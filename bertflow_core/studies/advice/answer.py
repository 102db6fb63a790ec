"""One answer from four findings and from what gold pairs show, open about conflicts."""

from collections.abc import Sequence

from bertflow_core.studies.advice.finding import Finding, Question, Recommendation
from bertflow_core.studies.advice.result import Gain
from bertflow_core.text_table import percent

__all__ = ["recommend"]


def recommend(
    findings: Sequence[Finding], gains: Sequence[Gain], *, linear_next: bool
) -> tuple[Recommendation, str]:
    """Weigh the findings; measured gains come first, because they are from the user's own task.

    Args:
        findings: One per question.
        gains: Best first; empty without gold scores.
        linear_next: Gold pairs do not cover a classifier, so its finding still counts.
    """
    by_question = {finding.question: finding for finding in findings}
    if not gains:
        return _without_gold(findings)
    risen = [gain for gain in gains if gain.recommendation is Recommendation.GO]
    best = (risen or list(gains))[0]
    text = f"{_measured(best)} {_agreement(findings, best.recommendation)}"
    if not linear_next:
        return best.recommendation, text
    text += " Gold pairs say nothing about a linear classifier; keep the raw embeddings for that."
    return max(best.recommendation, by_question[Question.LINEAR].recommendation, key=_rank), text


def _measured(gain: Gain) -> str:
    interval = f"95 % interval {100 * gain.low:+.2f} to {100 * gain.high:+.2f}"
    rhos = (
        f"rho x 100 from {percent(gain.before)} to {percent(gain.after)} on your "
        f"{gain.n_pairs:,} pairs ({interval} of the difference, of this calibrator alone)"
    )
    if gain.recommendation is Recommendation.GO:
        return f"Calibrate: {gain.calibrator} takes {rhos}."
    if gain.recommendation is Recommendation.STOP:
        return f"Do not calibrate: even the best of those tried, {gain.calibrator}, takes {rhos}."
    return f"No significant gain: the best of those tried, {gain.calibrator}, takes {rhos}."


def _agreement(findings: Sequence[Finding], measured: Recommendation) -> str:
    """Say whether the findings, which use no labels, agree with the gold pairs."""
    # The linear classifier is another use of the embeddings, so it cannot conflict.
    others = [each for each in findings if each.question is not Question.LINEAR]
    warnings = [each for each in others if each.recommendation is not Recommendation.GO]
    if measured is Recommendation.GO and warnings:
        named = " ".join(f'"{each.question}" says {each.recommendation}.' for each in warnings)
        return (
            f"The check without labels warns: {named} On pairs like yours the measured gain counts "
            "more; on other sentences the warning holds."
        )
    if measured is not Recommendation.GO and not warnings:
        return (
            "The check without labels finds nothing against calibrating, but its thresholds come "
            "from other data: the measured rho counts more."
        )
    if measured is not Recommendation.GO and any(each.is_for for each in others):
        return f"The check without labels is mixed: {_tally(findings)}."
    return "The check without labels agrees."


def _without_gold(findings: Sequence[Finding]) -> tuple[Recommendation, str]:
    worst = max((finding.recommendation for finding in findings), key=_rank)
    reasons = [each.question for each in findings if each.recommendation is worst]
    named = "; ".join(f'"{question}"' for question in reasons)
    opening = {
        Recommendation.GO: "Calibrate: no finding speaks against it.",
        Recommendation.CAUTION: f"Calibrate with care, because of {named}.",
        Recommendation.STOP: f"Do not calibrate as things are, because of {named}.",
    }[worst]
    if worst is Recommendation.STOP and reasons == [Question.SIZE]:
        worst = Recommendation.CAUTION  # that finding is about whitening only
        opening = "Do not whiten on so few sentences; other calibrators need fewer."
    clear = any(each.is_for for each in findings)
    mixed = (
        f" The findings conflict: {_tally(findings)}."
        if worst is not Recommendation.GO and clear
        else ""
    )
    hint = "A few hundred pairs with gold scores would measure the gain."
    return worst, f"{opening}{mixed} {hint}"


def _tally(findings: Sequence[Finding]) -> str:
    """Count the findings as they are shown, that on the linear classifier among them."""
    n_for = sum(each.is_for for each in findings)
    n_neutral = sum(each.is_neutral for each in findings)
    neutral = (
        f", and {n_neutral} {_verb(n_neutral)} neither for nor against it" if n_neutral else ""
    )
    return f"{n_for} of {len(findings)} findings {_verb(n_for)} for calibrating{neutral}"


def _verb(n: int) -> str:
    return "speaks" if n == 1 else "speak"


def _rank(recommendation: Recommendation) -> int:
    return list(Recommendation).index(recommendation)
