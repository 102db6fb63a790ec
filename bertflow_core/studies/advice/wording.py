"""The longer sentences of findings, made of their numbers and of what was measured."""

from collections.abc import Mapping, Sequence

from bertflow_core.studies.advice.finding import Verdict
from bertflow_core.studies.advice.linear import LinearLoss
from bertflow_core.studies.advice.shift import Shift
from bertflow_core.studies.advice.thresholds import Fact, Threshold, fact

__all__ = ["hint", "linear_said", "shift_said", "size_said"]


def hint(contrastive: bool | None, layers: str) -> str:
    """Say what the catalogue knows of a model's training, a sentence after a space."""
    if contrastive is None:
        return " The catalogue does not list this model; the thresholds were measured on another."
    if not contrastive:
        return " The catalogue does not know this model as trained contrastively."
    where = "that output" if layers == "last" else f"its output, not to {layers}"
    return f" The model was trained contrastively, which applies to {where}."


def size_said(verdict: Verdict, stop: Threshold, go: Threshold, enough: Threshold) -> str:
    """Say what a verdict on the number of sentences rests on."""
    if verdict is Verdict.GO:
        return (
            f"Up to {go.value:.3g} and from {enough.value:.3g} sentences a feature, whitening was "
            "within 1 point of the rho x 100 that a larger corpus gave."
        )
    if verdict is Verdict.STOP:
        said = f"Above {stop.value:.3g} whitening lost more often than it gained."
    else:
        said = (
            f"Whitening came within 1 point of a larger corpus's only up to {go.value:.3g} and "
            f"from {enough.value:.3g} sentences a feature."
        )
    return f"{said} Add sentences, or take what needs fewer: {_sparing()}."


def _sparing() -> str:
    """Say what calibrators that need fewer sentences gained in the same measurements."""
    null, shrunk = fact("size.null_top_k_gain"), fact("size.ledoit_wolf_gain")
    return (
        f"over all sizes measured null-top-k:k=6 gained {_points(null)} of rho x 100 and "
        f"ledoit-wolf {_points(shrunk)}"
    )


def shift_said(
    shift: Shift, verdict: Verdict, shared: float, stop: Threshold, go: Threshold
) -> str:
    """Say how well the corpora are told apart and what followed elsewhere."""
    cost = fact("shift.cost")
    own = f"; over all of them a fit on the used kind was better by a median of {cost.median:.1f}"
    said = {
        Verdict.GO: f"up to {go.value:.2f} nine of ten calibrations still gained",
        Verdict.CAUTION: (
            f"from {go.value:.2f} to {stop.value:.2f} gains were likely, not sure{own}"
        ),
        Verdict.STOP: f"above {stop.value:.2f} most calibrations lost{own}",
    }[verdict]
    alike = ", so no better than chance" if shift.auc <= shift.floor else ""
    left_out = f" {shared:.0%} of the used sentences are in both and left out." if shared else ""
    return (
        f"A linear classifier tells fit sentences from used ones with an AUC of {shift.auc:.2f} "
        f"(0.5 is alike; chance reaches {shift.floor:.2f}){alike}. In measurements with other "
        f"corpora, {said}{'' if verdict is Verdict.GO else ' points of rho x 100'}.{left_out}"
    )


def linear_said(losses: Mapping[str, LinearLoss], bad: Sequence[str], stop: Threshold) -> str:
    """Say what each calibrator loses, and those of `bad` more than the threshold."""
    lost = "; ".join(
        f"{spec} loses {loss.rank_lost:,} directions and {loss.variance_lost:.1%} of the variance"
        for spec, loss in losses.items()
    )
    advice = (
        f"above {stop.value:.1%} accuracy in telling genres apart fell by more than 1 point: "
        f"not {', '.join(bad)}"
        if bad
        else f"none is above {stop.value:.1%}, from where accuracy in telling genres apart fell by "
        "more than 1 point"
    )
    return (
        "Yes: an invertible linear map changes nothing that a linear classifier can represent, "
        f"only how its penalty weighs the directions. Maps that lose nothing changed accuracy by "
        f"{_points(fact('linear.lossless_gain_genre'))} on one sentence and by "
        f"{_points(fact('linear.lossless_gain_snli'))} on pairs. Here {lost}; {advice}."
    )


def _points(change: Fact) -> str:
    return f"{change.median:+.1f} points ({change.smallest:+.1f} to {change.largest:+.1f})"
