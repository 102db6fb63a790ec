"""The rules of the check: from measurements and thresholds to the four findings."""

from collections.abc import Mapping, Sequence

from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.studies.advice.cone import Cone
from bertflow_core.studies.advice.finding import Evidence, Finding, Question, Recommendation
from bertflow_core.studies.advice.finding_texts import (
    held_out_text,
    linear_text,
    shift_text,
    size_text,
    training_hint,
)
from bertflow_core.studies.advice.linear import LinearLoss
from bertflow_core.studies.advice.result import Gain
from bertflow_core.studies.advice.shift import Shift
from bertflow_core.studies.advice.size import HeldOut
from bertflow_core.studies.advice.thresholds import threshold

__all__ = ["judge_cone", "judge_linear", "judge_shift", "judge_size"]


def judge_cone(cone: Cone, *, contrastive: bool | None, layers: str) -> Finding:
    """Judge how narrow the cloud of embeddings is.

    Args:
        cone: Of the uncalibrated embeddings.
        contrastive: Whether the catalogue knows the model as trained contrastively; None where it
            does not list the model.
        layers: The layer set; contrastive training applies to the last layer only.
    """
    stop, go = threshold("cone.random_cosine.stop"), threshold("cone.random_cosine.go")
    x = cone.random_cosine
    recommendation = _zone(-x, stop=-stop.value, go=-go.value)
    zone = {
        Recommendation.GO: f"{go.value:.2f} or more, nine of ten calibrations gained",
        Recommendation.CAUTION: f"between {stop.value:.2f} and {go.value:.2f}, some calibrations "
        "gained and some lost",
        Recommendation.STOP: f"below {stop.value:.2f}, most calibrations lost",
    }[recommendation]
    sentence = (
        f"{RANDOM_PAIRS:,} random pairs of the scored sentences have a mean cosine of {x:.2f}. In "
        f"our measurements, where it was {zone}. The direction of the largest variance holds "
        f"{100 * cone.top_share:.0f} % of it, and the effective rank is {cone.effective_rank:.0f} "
        f"of {cone.n_features}.{training_hint(contrastive, layers)}"
    )
    evidence = {
        "random_cosine": Evidence(x, "mean cosine"),
        "top_share": Evidence(cone.top_share, "share of variance"),
        "effective_rank": Evidence(cone.effective_rank, "directions"),
        "n_features": Evidence(cone.n_features, "features"),
    }
    return Finding(Question.CONE, recommendation, sentence, evidence, (stop, go))


def judge_size(
    held_out: HeldOut | None, *, n_rows: int, n_features: int, gains: Sequence[Gain] = ()
) -> Finding:
    """Judge whether the corpus is large enough for whitening.

    Args:
        held_out: None where the corpus is too small to hold any of it out.
        n_rows: N, distinct sentences.
        n_features: D.
        gains: Of calibrators on the user's own pairs; one that did not gain is not recommended.
    """
    stop, go = threshold("size.held_out.stop"), threshold("size.held_out.go")
    enough = threshold("size.n_per_d.go")
    ratio = n_rows / n_features
    evidence = {
        "n_sentences": Evidence(n_rows, "distinct sentences"),
        "n_features": Evidence(n_features, "features"),
        "n_per_d": Evidence(ratio, "sentences a feature"),
    }
    opening = (
        f"{n_rows:,} different sentences for {n_features:,} features: {ratio:.2g} for each feature"
    )
    if held_out is None:
        recommendation = Recommendation.STOP
        sentence = f"{opening}. That is too few to hold some out for the check."
    else:
        recommendation = _zone(held_out.variance, stop=stop.value, go=go.value)
        if ratio < enough.value:
            recommendation = max(
                recommendation, Recommendation.CAUTION, key=list(Recommendation).index
            )
        evidence["rank_kept"] = Evidence(held_out.rank, "directions")
        evidence["held_out_variance"] = Evidence(held_out.variance, "variance; 1 is ideal")
        sentence = (
            f"{opening}. {held_out_text(held_out, n_features)} "
            f"{size_text(recommendation, stop, go, enough, gains)}"
        )
    return Finding(Question.SIZE, recommendation, sentence, evidence, (stop, go, enough))


def judge_shift(shift: Shift | None, *, n_fit: int, n_used: int, n_shared: int) -> Finding:
    """Judge whether the fit corpus differs from the sentences that are calibrated.

    Args:
        shift: Between the sentences that only one side has; None where they are too few.
        n_fit: Distinct sentences of the fit corpus.
        n_used: Distinct sentences that are calibrated.
        n_shared: Sentences in both.
    """
    stop, go = threshold("shift.auc.stop"), threshold("shift.auc.go")
    evidence = {
        "n_fit": Evidence(n_fit, "distinct sentences"),
        "n_used": Evidence(n_used, "distinct sentences"),
        "shared": Evidence(n_shared / n_used, "share of the used sentences"),
    }
    if shift is not None:
        evidence["auc"] = Evidence(shift.auc, "area under the curve; 0.5 is alike")
        evidence["auc_floor"] = Evidence(shift.floor, "95 % of permuted labels stay below")
        recommendation = _zone(shift.auc, stop=stop.value, go=go.value)
        sentence = shift_text(shift, recommendation, n_shared / n_used, stop, go)
    elif n_shared == n_used:
        recommendation = Recommendation.GO
        sentence = (
            f"All {n_used:,} distinct scored sentences are in the fit corpus: there is no shift."
        )
    else:
        recommendation = Recommendation.CAUTION
        sentence = (
            f"{n_shared:,} of the {n_used:,} distinct scored sentences are in the fit corpus; the "
            "others are too few for a comparison."
        )
    is_neutral = shift is None and n_shared == n_used
    return Finding(Question.SHIFT, recommendation, sentence, evidence, (stop, go), is_neutral)


def judge_linear(losses: Mapping[str, LinearLoss], *, linear_next: bool) -> Finding:
    """Judge what calibrating costs a linear classifier.

    Args:
        losses: By calibrator, at least one.
        linear_next: Whether the user says that such a classifier comes next.
    """
    stop = threshold("linear.variance_lost.stop")
    evidence = {}
    for spec, loss in losses.items():
        evidence[f"{spec} rank_lost"] = Evidence(loss.rank_lost, "directions")
        evidence[f"{spec} variance_lost"] = Evidence(loss.variance_lost, "share of variance")
    if not linear_next:
        sentence = (
            "No: vectors are compared by cosine (the choice above). A linear classifier can undo "
            "an invertible linear map; cosine cannot."
        )
        return Finding(
            Question.LINEAR, Recommendation.GO, sentence, evidence, (stop,), is_neutral=True
        )
    bad = [spec for spec, loss in losses.items() if loss.variance_lost > stop.value]
    recommendation = Recommendation.STOP if len(bad) == len(losses) else Recommendation.CAUTION
    return Finding(
        Question.LINEAR, recommendation, linear_text(losses, bad, stop), evidence, (stop,)
    )


def _zone(x: float, *, stop: float, go: float) -> Recommendation:
    """Return the recommendation for a number where smaller is better."""
    if x > stop:
        return Recommendation.STOP
    return Recommendation.GO if x <= go else Recommendation.CAUTION
