"""The longer texts of findings, from their numbers and the shipped measurements."""

from collections.abc import Mapping, Sequence

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.studies.advice.finding import Recommendation
from bertflow_core.studies.advice.linear import LinearLoss
from bertflow_core.studies.advice.shift import Shift
from bertflow_core.studies.advice.thresholds import Fact, Threshold, fact

__all__ = ["linear_text", "shift_text", "size_text", "training_hint"]


def training_hint(contrastive: bool | None, layers: str) -> str:
    """Say what the catalogue knows of a model's training: a sentence after a space."""
    if contrastive is None:
        return " The catalogue does not list this model; the thresholds were measured on another."
    if not contrastive:
        return " The catalogue does not know this model as trained contrastively."
    where = "that output" if layers in ("last", DECLARED) else f"its output, not to {layers}"
    return f" The model was trained contrastively, which applies to {where}."


def size_text(
    recommendation: Recommendation, stop: Threshold, go: Threshold, enough: Threshold
) -> str:
    """Say why this number of sentences gets its recommendation."""
    if recommendation is Recommendation.GO:
        return (
            f"Up to {go.value:.3g} and from {enough.value:.3g} sentences a feature, whitening was "
            "within 1 point of the rho x 100 that a larger corpus gave."
        )
    if recommendation is Recommendation.STOP:
        text = f"Above {stop.value:.3g} whitening lost more often than it gained."
    else:
        text = (
            f"Whitening came within 1 point of a larger corpus's only up to {go.value:.3g} and "
            f"from {enough.value:.3g} sentences a feature."
        )
    return f"{text} Add sentences, or use a calibrator that needs fewer: {_sparing()}."


def _sparing() -> str:
    """Say what calibrators that need fewer sentences gained in the same measurements."""
    null, shrunk = fact("size.null_top_k_gain"), fact("size.ledoit_wolf_gain")
    return (
        f"over all sizes measured null-top-k:k=6 gained {_points(null)} of rho x 100 and "
        f"ledoit-wolf {_points(shrunk)}"
    )


def shift_text(
    shift: Shift, recommendation: Recommendation, shared: float, stop: Threshold, go: Threshold
) -> str:
    """Say how well a classifier separates the corpora, and what that meant in measurements."""
    cost = fact("shift.cost")
    own = (
        f"; over all of them a fit on the used kind was better by a median of {cost.median:.1f} "
        "points of rho x 100"
    )
    zone = {
        Recommendation.GO: f"up to {go.value:.2f} nine of ten calibrations still gained",
        Recommendation.CAUTION: (
            f"from {go.value:.2f} to {stop.value:.2f} gains were likely but not certain{own}"
        ),
        Recommendation.STOP: f"above {stop.value:.2f} most calibrations lost{own}",
    }[recommendation]
    alike = ", no better than chance" if shift.auc <= shift.floor else ""
    left_out = (
        f" {shared:.0%} of the used sentences are in both and were left out." if shared else ""
    )
    return (
        f"A linear classifier separates fit sentences from used ones with an AUC of "
        f"{shift.auc:.2f} (0.5 is alike; chance reaches {shift.floor:.2f}){alike}. In measurements "
        f"with other corpora, {zone}.{left_out}"
    )


def linear_text(losses: Mapping[str, LinearLoss], bad: Sequence[str], stop: Threshold) -> str:
    """Say what each calibrator loses, and that those in `bad` lose more than the threshold."""
    lost = "; ".join(
        f"{spec} loses {loss.rank_lost:,} directions and {loss.variance_lost:.1%} of the variance"
        for spec, loss in losses.items()
    )
    advice = (
        f"above {stop.value:.1%} accuracy in classifying genres fell by more than 1 point: "
        f"not {', '.join(bad)}"
        if bad
        else f"none is above {stop.value:.1%}, from where accuracy in classifying genres fell by "
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
