"""Verdicts on the four questions, each with its numbers and the thresholds it turns on."""

from collections.abc import Mapping

from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.studies.advice.finding import Evidence, Finding, Question, Verdict
from bertflow_core.studies.advice.geometry import Cone, HeldOut
from bertflow_core.studies.advice.linear import LinearLoss
from bertflow_core.studies.advice.shift import Shift
from bertflow_core.studies.advice.thresholds import threshold
from bertflow_core.studies.advice.wording import hint, linear_said, shift_said, size_said

__all__ = ["judge_cone", "judge_linear", "judge_shift", "judge_size"]


def judge_cone(cone: Cone, *, contrastive: bool | None, layers: str) -> Finding:
    """Judge the shape of the sentences' cloud.

    Args:
        cone: As the encoder gives it.
        contrastive: What the catalogue says of the model's training; None where it is not listed.
        layers: The layer set, since only a model's output is trained to be compared.
    """
    stop, go = threshold("cone.random_cosine.stop"), threshold("cone.random_cosine.go")
    x = cone.random_cosine
    verdict = _zone(-x, stop=-stop.value, go=-go.value)
    said = {
        Verdict.GO: f"at or above {go.value:.2f}, where nine of ten calibrations gained",
        Verdict.CAUTION: f"between {stop.value:.2f} and {go.value:.2f}, where gains were unsure",
        Verdict.STOP: f"below {stop.value:.2f}, where most calibrations lost",
    }[verdict]
    sentence = (
        f"{RANDOM_PAIRS:,} random pairs have a mean cosine of {x:.2f}, {said}; the leading "
        f"direction holds {cone.top_share:.0%} of the variance, and the effective rank is "
        f"{cone.effective_rank:.0f} of {cone.n_features}.{hint(contrastive, layers)}"
    )
    evidence = {
        "random_cosine": Evidence(x, "mean cosine"),
        "top_share": Evidence(cone.top_share, "share of variance"),
        "effective_rank": Evidence(cone.effective_rank, "directions"),
        "n_features": Evidence(cone.n_features, "features"),
    }
    return Finding(Question.CONE, verdict, sentence, evidence, (stop, go))


def judge_size(held_out: HeldOut | None, *, n_rows: int, n_features: int) -> Finding:
    """Judge whether the corpus determines a whitening.

    Args:
        held_out: None where the corpus is too small to hold any of it out.
        n_rows: N, different sentences.
        n_features: D.
    """
    stop, go = threshold("size.held_out.stop"), threshold("size.held_out.go")
    enough = threshold("size.n_per_d.go")
    ratio = n_rows / n_features
    evidence = {
        "n_sentences": Evidence(n_rows, "different sentences"),
        "n_features": Evidence(n_features, "features"),
        "n_per_d": Evidence(ratio, "sentences a feature"),
    }
    opening = f"{n_rows:,} different sentences for {n_features:,} features, {ratio:.2g} each"
    if held_out is None:
        verdict, sentence = Verdict.STOP, f"{opening}: too few to hold some out and check."
    else:
        verdict = _zone(held_out.variance, stop=stop.value, go=go.value)
        if ratio < enough.value:
            verdict = max(verdict, Verdict.CAUTION, key=list(Verdict).index)
        evidence["rank_kept"] = Evidence(held_out.rank, "directions")
        evidence["held_out_variance"] = Evidence(held_out.variance, "variance; 1 is ideal")
        sentence = (
            f"{opening}; sentences held out of a whitening have variance {held_out.variance:.3g} "
            f"under it (1 is ideal). {size_said(verdict, stop, go, enough)}"
        )
    return Finding(Question.SIZE, verdict, sentence, evidence, (stop, go, enough))


def judge_shift(shift: Shift | None, *, n_fit: int, n_used: int, n_shared: int) -> Finding:
    """Judge whether the fit corpus is unlike what is calibrated.

    Args:
        shift: Of the sentences that only one side has; None where they are too few.
        n_fit: Different sentences of the fit corpus.
        n_used: Different sentences that are calibrated.
        n_shared: Those that both hold.
    """
    stop, go = threshold("shift.auc.stop"), threshold("shift.auc.go")
    evidence = {
        "n_fit": Evidence(n_fit, "different sentences"),
        "n_used": Evidence(n_used, "different sentences"),
        "shared": Evidence(n_shared / n_used, "share of the used sentences"),
    }
    if shift is not None:
        evidence["auc"] = Evidence(shift.auc, "area under the curve; 0.5 is alike")
        evidence["auc_floor"] = Evidence(shift.floor, "95 % of permuted labels stay below")
        verdict = _zone(shift.auc, stop=stop.value, go=go.value)
        sentence = shift_said(shift, verdict, n_shared / n_used, stop, go)
    elif n_shared == n_used:
        verdict = Verdict.GO
        sentence = f"All {n_used:,} used sentences are in the fit corpus: there is no shift."
    else:
        verdict = Verdict.CAUTION
        sentence = (
            f"{n_shared:,} of the {n_used:,} used sentences are in the fit corpus, and too few "
            "sentences are only on one side to compare the rest."
        )
    return Finding(Question.SHIFT, verdict, sentence, evidence, (stop, go))


def judge_linear(losses: Mapping[str, LinearLoss], *, linear_next: bool) -> Finding:
    """Judge what calibrating means to a linear classifier.

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
            "You say no; a classifier could undo an invertible linear map, which cosine cannot."
        )
        return Finding(Question.LINEAR, Verdict.GO, sentence, evidence, (stop,))
    bad = [spec for spec, loss in losses.items() if loss.variance_lost > stop.value]
    verdict = Verdict.STOP if len(bad) == len(losses) else Verdict.CAUTION
    return Finding(Question.LINEAR, verdict, linear_said(losses, bad, stop), evidence, (stop,))


def _zone(x: float, *, stop: float, go: float) -> Verdict:
    """Return the zone of a number that is the better the smaller it is."""
    if x > stop:
        return Verdict.STOP
    return Verdict.GO if x <= go else Verdict.CAUTION
