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
    is_output = layers in ("last", DECLARED)
    where = "and this is its output" if is_output else f"but {layers} is not its output"
    return f" The model was trained contrastively, to compare sentences, {where}."


def size_text(
    recommendation: Recommendation, stop: Threshold, go: Threshold, enough: Threshold
) -> str:
    """Say why this number of sentences gets its recommendation."""
    if recommendation is Recommendation.GO:
        return (
            f"In our measurements, with a variance of at most {go.value:.3g} and at least "
            f"{enough.value:.3g} sentences a feature, whitening came within 1 point of the rho x "
            "100 that a larger corpus gave."
        )
    if recommendation is Recommendation.STOP:
        text = (
            f"In our measurements, with a variance above {stop.value:.3g} whitening lost more "
            "often than it gained."
        )
    else:
        text = (
            "In our measurements whitening came within 1 point of the rho x 100 that a larger "
            f"corpus gave only with a variance of at most {go.value:.3g} and at least "
            f"{enough.value:.3g} sentences a feature."
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
        ". Fitted on the scored kind of sentence instead, rho x 100 was higher by a median of "
        f"{cost.median:.1f} points"
    )
    zone = {
        Recommendation.GO: f"at most {go.value:.2f}, nine of ten calibrations still gained",
        Recommendation.CAUTION: (
            f"between {go.value:.2f} and {stop.value:.2f}, gains were likely but not certain{own}"
        ),
        Recommendation.STOP: f"above {stop.value:.2f}, most calibrations lost{own}",
    }[recommendation]
    chance = "no better than" if shift.auc <= shift.floor else "better than"
    left_out = (
        f" {100 * shared:.0f} % of the scored sentences are in both and were left out."
        if shared
        else ""
    )
    return (
        "A linear classifier tells the sentences of the fit corpus from the scored ones with an "
        f"AUC of {shift.auc:.2f}: 0.5 is a guess, and this is {chance} chance, which reaches "
        f"{shift.floor:.2f}. In our measurements with other corpora, where the AUC was {zone}."
        f"{left_out}"
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
